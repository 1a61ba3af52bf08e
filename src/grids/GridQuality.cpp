// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/grids/GridQuality.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace Lamina {
namespace {

/// The areas of the triangles over the edges of each column.
std::vector<double> areas_over_edges(const ColumnGraph& graph) {
  std::vector<double> sums(graph.areas.size(), 0);
  const auto add = [&](int column, double area) {
    LAMINA_REQUIRE(column >= 0 && static_cast<std::size_t>(column) < sums.size(), "grid_quality",
                   "graph: expected edges of columns 0 to " + std::to_string(sums.size()) +
                       " - 1, got " + std::to_string(column));
    sums[static_cast<std::size_t>(column)] += area;
  };
  for (const ColumnGraph::Edge& edge : graph.edges) {
    add(edge.first, edge.length * edge.distance / 4);
    add(edge.second, edge.length * edge.distance / 4);
  }
  for (const ColumnGraph::BoundaryEdge& edge : graph.boundary_edges) {
    add(edge.column, edge.length * edge.distance / 2);
  }
  return sums;
}

}  // namespace

GridQuality grid_quality(const ColumnGraph& graph) {
  const std::vector<double> sums = areas_over_edges(graph);
  GridQuality quality;
  double excess = 0, whole = 0;
  for (int c = 0; c < graph.count_owned(); ++c) {
    const auto index = static_cast<std::size_t>(c);
    const double area = graph.areas[index], skewness = sums[index] / area - 1;
    whole += area;
    if (!(skewness > 0)) continue;
    excess += skewness * area;
    if (skewness > quality.largest_skewness) {
      quality.largest_skewness = skewness;
      quality.most_skew = c;
    }
  }
  if (whole > 0) quality.mean_skewness = excess / whole;
  return quality;
}

}  // namespace Lamina
