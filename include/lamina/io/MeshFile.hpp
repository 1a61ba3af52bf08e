// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/grids/CellPolygons.hpp>
#include <lamina/grids/ColumnMesh.hpp>

#include <cstddef>
#include <filesystem>
#include <string>

namespace Lamina {

/// Values of a variable of a mesh at most: as many as an int can count.
inline constexpr std::size_t most_mesh_values = 2147483647;

/// A horizontal grid as models of ocean and atmosphere write it, on the unit sphere or on a plane.
struct MeshFile {
  std::string convention;  ///< "MPAS", "ICON", "UGRID" or "FESOM"
  ColumnGraph graph;       ///< columns in the order of the file, with centres
  double radius = 1;  ///< of the sphere in the file, whose lengths were divided by it; a plane: 1
  CellPolygons polygons = {};  ///< of the columns; none where the file does not have them
  int num_left_out = 0;        ///< of FESOM: edges without a flux, see `median_cells`
};

/// Reads a mesh. Cells are columns, of FESOM nodes; edges at the rim of a mesh have zero flux.
///
/// | convention | variables |
/// |---|---|
/// | MPAS | `areaCell(nCells)`, `xCell`, `yCell`, `zCell`; `cellsOnEdge(nEdges, TWO)` from 1, 0 beyond the rim; `dvEdge(nEdges)`, `dcEdge`; of the file `on_a_sphere`, and of periodic planes `is_periodic`, `x_period`, `y_period` |
/// | ICON | `cell_area(cell)`, `clon`, `clat` in radians, or in degrees by their `units`; `adjacent_cell_of_edge(nc, edge)` from 1, 0 or less beyond the rim; `edge_length(edge)`, `dual_edge_length`; of the file `grid_geometry` 1, where it is there, and `sphere_radius` or `semi_major_axis`, otherwise 6371229 m |
/// | UGRID | the first variable with `cf_role` mesh_topology, of dimension 2; the variables that its attributes `face_node_connectivity`, `node_coordinates` and `face_coordinates` name. See `polygon_cells`. |
/// | FESOM | a folder with `nod2d.out` and `elem2d.out`. See `median_cells`. |
///
/// The radius of MPAS is that of its centres, not of `sphere_radius`: some files are in metres, others on the unit
/// sphere. Lengths and distances of edges at the rim are not used.
/// Corners of cells are those of `verticesOnCell(nCells, maxEdges)`, `nEdgesOnCell`, `xVertex`,
/// `yVertex`, `zVertex` of MPAS, and of `vertex_of_cell(nv, cell)`, `vlon`, `vlat` of ICON, where the
/// file has the first of these. Coordinates of UGRID are degrees or radians, by their `units` or
/// `standard_name`, otherwise those of a plane; faces are counted from `start_index`, and their
/// corners end at a missing value. In periodic planes, corners beyond the seam come twice.
///
/// Source: MPAS Mesh Specification 1.0; UGRID Conventions 1.0; ICON: what its grid generator writes (mo_io_grid), and
/// geometries of mo_grid_geometry_info. Not tried on a file of ICON itself.
///
/// \param path         a file; of FESOM the folder
/// \param most_values  of any variable of a NetCDF file, which may declare more than memory holds
/// \throws FileError for files that cannot be read, are of no such convention, or lack a variable;
///   and with variable, or line, and index for cells and edges that make no sense: areas and lengths that are
///   not positive, centres off the sphere, more area than a sphere has, neighbours that do not exist, an edge
///   without cells; and with variable and shape for more values than `most_values`.
MeshFile read_mesh_file(const std::filesystem::path& path,
                        std::size_t most_values = most_mesh_values);

}  // namespace Lamina
