// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/grids/ColumnMesh.hpp>

namespace Lamina {

/// How well fluxes between two columns fit a grid.
///
/// Such a flux is that of a field only where edges are perpendicular to the line between the centres.
/// Then the triangles over the edges of a cell, with its centre, fill the cell: sum over edges of
/// length distance / 4 is the area |T|, but for cells at walls, whose edges there are not listed.
/// Where edges are at an angle theta to the line, the sum is |T| / sin(theta).
struct GridQuality {
  /// Largest of sum(length distance) / (4 |T|) - 1 over owned cells, or 0, and the mean of what is
  /// positive of it, weighted by areas.
  ///
  /// Both fall with the width of cells where solutions converge: on the sphere the largest is below
  /// 0.001 for Voronoi cells, and 0.03 for 5,000 triangles. They stay where cells are skew: 0.15 at
  /// the corners of a cubed sphere of quadrilaterals.
  double largest_skewness = 0, mean_skewness = 0;
  int most_skew = -1;  ///< the column where it is largest; -1: none is skew
};

/// \throws InvalidArgument for edges between columns that do not exist.
GridQuality grid_quality(const ColumnGraph& graph);

}  // namespace Lamina
