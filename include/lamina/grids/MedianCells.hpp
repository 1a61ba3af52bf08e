// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/grids/CellPolygons.hpp>
#include <lamina/grids/SphereTriangulation.hpp>

namespace Lamina {

/// One column for each point of a triangulation of the sphere or of a part of it, as in ocean models
/// of finite elements.
struct MedianCells {
  ColumnGraph graph;
  CellPolygons polygons;
  int num_left_out = 0;  ///< edges of triangles without a flux, see `median_cells`
};

/// The area of a column is a third of the triangles at its point. Its polygon has the middles of their
/// sides and their centroids as corners, and the point itself at a rim.
///
/// The couplings of two columns are those of linear finite elements: half the sum of the cotangents of
/// the angles that face the edge between them, which is the length of the edge of Voronoi cells over
/// the distance of the points. Where that is not positive, as in triangles that are far from
/// Delaunay's, nothing flows and the edge is left out. Nothing flows through the rim.
/// \throws InvalidArgument for triangles of points that do not exist, or clockwise or without an area,
///   an edge with more than one triangle on a side, and a point without triangles.
MedianCells median_cells(const SphereTriangulation& triangulation);

}  // namespace Lamina
