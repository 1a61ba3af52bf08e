// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/grids/ColumnMesh.hpp>

#include <array>
#include <vector>

namespace Lamina {

/// Triangles that cover the unit sphere, on the host. Each edge has a triangle on either side.
///
/// Meshes of columns follow from it in two ways, `voronoi_cells` and `triangle_cells`. In both an
/// edge is perpendicular to the arc between the centres that it separates, and fluxes between two
/// columns are of second order where cells change smoothly.
struct SphereTriangulation {
  std::vector<std::array<double, 3>> points;  ///< unit vectors
  /// Points of each triangle, counter-clockwise seen from outside.
  std::vector<std::array<int, 3>> triangles;
};

/// The points of a geodesic grid: each edge of an icosahedron is cut into n parts. There are
/// 10 n^2 + 2 points and 20 n^2 triangles.
/// \throws InvalidArgument unless n >= 1 and the triangles can be counted by an int.
SphereTriangulation icosahedral_triangulation(int n);

/// The centres of the cells of an equiangular cubed sphere of m x m cells a face, as a Delaunay
/// triangulation of 6 m^2 points. Point m (m face + i) + j is cell (i, j) of a face.
/// \throws InvalidArgument unless m >= 2 and the triangles can be counted by an int.
SphereTriangulation cubed_sphere_triangulation(int m);

/// One column for each point: the part of the sphere that is nearer to it than to the others. Two
/// columns are neighbours where an edge of triangles joins their points. Edges of cells that are
/// shorter than 1e-9 distances are left out.
/// \throws InvalidArgument where an edge of triangles has not one triangle on either side, or the
///   triangulation is not Delaunay's: a point lies within the circle through the points of another
///   triangle.
ColumnGraph voronoi_cells(const SphereTriangulation& triangulation);

/// One column for each triangle, with three neighbours. Its centre is that of the circle through its
/// points.
/// \throws InvalidArgument as `voronoi_cells`, and where the centres of two neighbours coincide.
ColumnGraph triangle_cells(const SphereTriangulation& triangulation);

}  // namespace Lamina
