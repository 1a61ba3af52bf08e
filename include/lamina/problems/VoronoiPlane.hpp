// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/grids/ColumnMesh.hpp>

namespace Lamina {

/// The Voronoi cells of num_x x num_y points in a doubly periodic plane of width 1: a mesh of
/// polygons like those of ocean and atmosphere models on the sphere.
///
/// The points are those of a hexagonal lattice, each moved by up to `irregularity` times the
/// distance of two points in either direction. With the default, a fifth of the cells have 4, 5, 7 or 8
/// neighbours, the others 6. Columns are numbered along a Hilbert curve.
///
/// Cells are exact: their areas add up to that of the plane, num_y sqrt(3/4) / num_x, and an edge is
/// perpendicular to the line through both centres. Edges shorter than 1e-6 lattice distances are left
/// out.
///
/// \param num_x         >= 6
/// \param num_y         >= 6, even
/// \param irregularity  in [0, 0.5]; with 0 all cells are hexagons
/// \throws InvalidArgument for arguments out of range, and num_x * num_y that do not fit into an int
ColumnGraph voronoi_plane(int num_x, int num_y, double irregularity = 0.3);

}  // namespace Lamina
