// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/grids/ColumnMesh.hpp>
#include <lamina/grids/CubedSpherePanel.hpp>
#include <lamina/grids/SphereTriangulation.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace Lamina {

/// The corners of the cells of a horizontal grid, on the host: what files and pictures need beside
/// the `ColumnGraph`. Cells are in the order of the columns.
struct CellPolygons {
  std::vector<std::array<double, 3>> points;  ///< unit vectors, or (x, y, 0) of a plane
  std::vector<std::int64_t> offsets{0};       ///< of the corners of each cell
  std::vector<int> corners;  ///< points, counter-clockwise seen from outside or above

  /// How many cells there are.
  int size() const { return static_cast<int>(offsets.size()) - 1; }
  /// The corners of a cell.
  std::span<const int> of(int cell) const {
    const auto first = offsets[static_cast<std::size_t>(cell)],
               last = offsets[static_cast<std::size_t>(cell) + 1];
    return {corners.data() + first, static_cast<std::size_t>(last - first)};
  }
  /// Adds a cell.
  void add(std::span<const int> points_of_cell) {
    corners.insert(corners.end(), points_of_cell.begin(), points_of_cell.end());
    offsets.push_back(static_cast<std::int64_t>(corners.size()));
  }
  /// The most corners that a cell has.
  int max_corners() const;
  /// The area of a cell, with arcs or lines from corner to corner; < 0: these are clockwise.
  double area(int cell, ColumnCentres::Surface surface) const;
  /// Reverses the corners of cells that are clockwise.
  void turn_counter_clockwise(ColumnCentres::Surface surface);
};

/// The polygons of `voronoi_cells`. Their corners are the centres of the circles through triangles;
/// two of them that coincide are one.
/// \throws InvalidArgument as `voronoi_cells`.
CellPolygons voronoi_polygons(const SphereTriangulation& triangulation);

/// The polygons of `triangle_cells`.
CellPolygons triangle_polygons(const SphereTriangulation& triangulation);

/// The polygons of `latitude_longitude`. Cells at a pole have three corners.
/// \throws InvalidArgument as `latitude_longitude`.
CellPolygons latitude_longitude_polygons(int num_longitudes, int num_latitudes, double south = -90,
                                         double north = 90);

/// The polygons of `CubedSpherePanel::graph`.
CellPolygons panel_polygons(const CubedSpherePanel& panel);

/// One column for each polygon. Two columns are neighbours where they share a side: its length is
/// that of the arc or line between its ends, the distance that between the centres. Several sides of
/// the same two polygons are one edge, of the sum of their lengths.
///
/// Fluxes between two columns are consistent only where sides are perpendicular to the lines between
/// the centres, see `grid_quality`. Nothing flows through sides of one polygon alone.
///
/// \param centres  of the columns. Without points they are computed: where all polygons are
///   triangles and their circumcentres lie in the order of the triangles, these, else the centroids.
/// \throws InvalidArgument for polygons of fewer than three corners, of corners that are no points,
///   clockwise ones and those without an area, centres of another number, sides of more than two
///   polygons or that two polygons have in the same direction, and two centres in one place.
ColumnGraph polygon_cells(const CellPolygons& polygons, ColumnCentres centres = {});

}  // namespace Lamina
