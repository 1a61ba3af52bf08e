// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/grids/ColumnMesh.hpp>

#include <filesystem>
#include <string>

namespace Lamina {

/// A horizontal grid as models of ocean and atmosphere write it, on the unit sphere or on a plane.
struct MeshFile {
  std::string convention;  ///< "MPAS" or "ICON"
  ColumnGraph graph;       ///< columns in the order of the file, with centres
  double radius = 1;  ///< of the sphere in the file, whose lengths were divided by it; a plane: 1
};

/// Reads a mesh in NetCDF. Cells are columns; edges at the rim of a mesh have zero flux.
///
/// | convention | variables |
/// |---|---|
/// | MPAS | `areaCell(nCells)`, `xCell`, `yCell`, `zCell`; `cellsOnEdge(nEdges, TWO)` from 1, 0 beyond the rim; `dvEdge(nEdges)`, `dcEdge`; of the file `on_a_sphere`, and of periodic planes `is_periodic`, `x_period`, `y_period` |
/// | ICON | `cell_area(cell)`, `clon`, `clat` in radians; `adjacent_cell_of_edge(nc, edge)` from 1, 0 or less beyond the rim; `edge_length(edge)`, `dual_edge_length`; of the file `sphere_radius`, otherwise 6371229 m |
///
/// The radius of MPAS is that of its centres: some files are in metres, others on the unit sphere.
/// Source: MPAS Mesh Specification 1.0; names of ICON as other readers use
/// them, not tried on a file of ICON itself.
///
/// \throws FileError for files that cannot be read, are of neither convention, or lack a variable;
///   and with variable and index for cells and edges that make no sense: areas and lengths that are
///   not positive, centres off the sphere, neighbours that do not exist, an edge without cells.
MeshFile read_mesh_file(const std::filesystem::path& path);

}  // namespace Lamina
