// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/grids/SphereTriangulation.hpp>

#include <string>
#include <vector>

#include "SpherePoints.hpp"

// Edges of triangles, and what crosses them.

namespace Lamina::Impl {

/// Edges of cells that are shorter than so many distances are none.
constexpr double shortest_edge = 1e-9;

/// An edge of triangles, from the lower point to the higher one.
struct TriangulationSide {
  int from, to;
  int left = -1, right = -1;  // triangles
};

std::string name_of(const TriangulationSide& side);

/// \throws InvalidArgument where an edge has not one triangle on either side
std::vector<TriangulationSide> sides_of(const char* function, const SphereTriangulation& mesh);

std::vector<SpherePoint> circumcentres_of(const SphereTriangulation& mesh);

/// Both arcs at a side of triangles.
struct SideCrossing {
  double along;   ///< between the points
  double across;  ///< between the centres, from the right to the left; < 0: not Delaunay's

  bool is_edge() const { return across > shortest_edge * along; }
};

SideCrossing crossing_at(const TriangulationSide& side, const SphereTriangulation& mesh,
                         const std::vector<SpherePoint>& centres);

/// \throws InvalidArgument unless the triangulation is Delaunay's at a side
void require_delaunay(const char* function, const TriangulationSide& side,
                      const SideCrossing& crossing);

}  // namespace Lamina::Impl
