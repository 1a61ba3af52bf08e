// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/grids/ColumnMesh.hpp>

namespace Lamina {

/// The whole sphere as the Voronoi cells of the centres of an equiangular cubed sphere of m x m cells
/// a face. Column m (m face + i) + j is cell (i, j) of a face. Cells have 4 to 6 neighbours.
///
/// The quadrilaterals of a cubed sphere have edges that are not perpendicular to the lines between
/// centres: fluxes between two columns are not consistent there (see `grid_quality`).
/// \throws InvalidArgument as `cubed_sphere_triangulation`.
ColumnGraph cubed_sphere(int m);

/// The whole sphere as 10 n^2 + 2 hexagons, of which 12 are pentagons: the Voronoi cells of a
/// geodesic grid, along a Hilbert curve.
/// \throws InvalidArgument as `icosahedral_triangulation`.
ColumnGraph icosahedral_hexagons(int n);

/// The whole sphere as the 20 n^2 triangles of a geodesic grid, along a Hilbert curve.
/// \throws InvalidArgument as `icosahedral_triangulation`.
ColumnGraph icosahedral_triangles(int n);

/// A zone of the sphere in cells between meridians and parallels, periodic in longitude. Column
/// num_longitudes * j + i is cell i of row j; rows go from south to north. Nothing flows through the
/// first and the last parallel. Cells at a pole are triangles.
/// \param south, north  in degrees, -90 <= south < north <= 90
/// \throws InvalidArgument unless num_longitudes >= 3, num_latitudes >= 1, their product fits into
///   an int, and latitudes are as above.
ColumnGraph latitude_longitude(int num_longitudes, int num_latitudes, double south = -90,
                               double north = 90);

}  // namespace Lamina
