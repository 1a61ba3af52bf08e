// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/impl/Index.hpp>
#include <lamina/multigrid/impl/Aggregates.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

namespace Lamina::Impl {
namespace {

using Point = std::array<double, 3>;

double norm(const Point& p) { return std::hypot(p[0], p[1], p[2]); }

/// From one centre to another, the short way round a periodic plane.
Point step_between(const ColumnCentres& centres, const Point& from, const Point& to) {
  Point step{to[0] - from[0], to[1] - from[1], to[2] - from[2]};
  if (centres.surface == ColumnCentres::Surface::sphere) return step;
  for (std::size_t n = 0; n < centres.periods.size(); ++n) {
    const double period = centres.periods[n];
    if (period > 0) step[n] -= period * std::round(step[n] / period);
  }
  return step;
}

/// On a sphere the length of the arc.
double distance_between(const ColumnCentres& centres, const Point& from, const Point& to) {
  const double chord = norm(step_between(centres, from, to));
  if (centres.surface == ColumnCentres::Surface::plane) return chord;
  return 2 * std::asin(std::min(1.0, chord / 2));
}

/// Area-weighted means of the members' centres.
ColumnCentres coarser_centres(const ColumnGraph& graph, const Aggregates& aggregates,
                              const std::vector<double>& areas) {
  const ColumnCentres& fine = graph.centres;
  ColumnCentres coarse{.surface = fine.surface, .points = {}, .periods = fine.periods};
  if (fine.points.empty()) return coarse;
  std::vector<int> first(areas.size(), -1);
  std::vector<Point> offsets(areas.size(), Point{});
  coarse.points.reserve(areas.size());
  for (std::size_t c = 0; c < aggregates.of_column.size(); ++c) {
    const std::size_t aggregate = index(aggregates.of_column[c]);
    if (first[aggregate] < 0) first[aggregate] = static_cast<int>(c);
    const Point step = step_between(fine, fine.points[index(first[aggregate])], fine.points[c]);
    for (std::size_t n = 0; n < step.size(); ++n) {
      offsets[aggregate][n] += step[n] * graph.areas[c] / areas[aggregate];
    }
  }
  for (std::size_t aggregate = 0; aggregate < areas.size(); ++aggregate) {
    Point centre = fine.points[index(first[aggregate])];
    for (std::size_t n = 0; n < centre.size(); ++n) centre[n] += offsets[aggregate][n];
    const double length = norm(centre);
    // Members all around a sphere have no mean: then the first one is as good as any.
    if (fine.surface == ColumnCentres::Surface::sphere && length > 0.01) {
      for (double& entry : centre) entry /= length;
    } else if (fine.surface == ColumnCentres::Surface::sphere) {
      centre = fine.points[index(first[aggregate])];
    }
    coarse.points.push_back(centre);
  }
  return coarse;
}

/// All edges between two aggregates.
struct SharedEdges {
  int first, second;
  double length, distance_sum, coupling;  // sum of lengths, of length * distance, and of couplings

  bool joins_same(const SharedEdges& other) const {
    return first == other.first && second == other.second;
  }
  void add(const SharedEdges& other) {
    length += other.length;
    distance_sum += other.distance_sum;
    coupling += other.coupling;
  }
};

/// Each edge that leads from one aggregate to another.
std::vector<SharedEdges> edges_between(const ColumnGraph& graph,
                                       const std::vector<int>& aggregates) {
  std::vector<SharedEdges> edges;
  edges.reserve(graph.edges.size());
  for (const auto& edge : graph.edges) {
    const auto [low, high] =
        std::minmax(aggregates[index(edge.first)], aggregates[index(edge.second)]);
    if (low == high) continue;
    edges.push_back(
        {low, high, edge.length, edge.length * edge.distance, edge.length / edge.distance});
  }
  return edges;
}

/// An order of edges, sorted by one of both aggregates. Edges of the same one stay in their order.
std::vector<std::size_t> sorted_by(int SharedEdges::*aggregate, std::size_t num_aggregates,
                                   const std::vector<SharedEdges>& edges,
                                   const std::vector<std::size_t>& order) {
  std::vector<std::size_t> next(num_aggregates + 1, 0);
  for (const SharedEdges& edge : edges) ++next[index(edge.*aggregate) + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<std::size_t> sorted(order.size());
  for (const std::size_t e : order) sorted[next[index(edges[e].*aggregate)]++] = e;
  return sorted;
}

/// Sorted by both aggregates, each pair once.
std::vector<SharedEdges> add_up_pairs(const std::vector<SharedEdges>& edges,
                                      std::size_t num_aggregates) {
  std::vector<std::size_t> order(edges.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  order = sorted_by(&SharedEdges::second, num_aggregates, edges, order);
  order = sorted_by(&SharedEdges::first, num_aggregates, edges, order);
  std::vector<SharedEdges> pairs;
  for (const std::size_t e : order) {
    if (!pairs.empty() && pairs.back().joins_same(edges[e])) {
      pairs.back().add(edges[e]);
    } else {
      pairs.push_back(edges[e]);
    }
  }
  return pairs;
}

}  // namespace

ColumnGraph coarser_columns(const ColumnGraph& graph, const Aggregates& aggregates) {
  ColumnGraph coarse;
  coarse.areas.assign(index(aggregates.count), 0.0);
  for (std::size_t c = 0; c < aggregates.of_column.size(); ++c) {
    coarse.areas[index(aggregates.of_column[c])] += graph.areas[c];
  }
  coarse.centres = coarser_centres(graph, aggregates, coarse.areas);
  return coarse;
}

void add_coarser_edges(const ColumnGraph& graph, const std::vector<int>& aggregates,
                       ColumnGraph& coarse) {
  const std::vector<SharedEdges> between =
      add_up_pairs(edges_between(graph, aggregates), coarse.areas.size());
  coarse.edges.reserve(between.size());
  for (const SharedEdges& edges : between) {
    double distance = 2 * edges.length / edges.coupling;
    if (!coarse.centres.points.empty()) {
      // Centres of rings lie close together. Columns of a coarser grid do not.
      const double least = edges.distance_sum / edges.length;
      distance = std::max(
          least, distance_between(coarse.centres, coarse.centres.points[index(edges.first)],
                                  coarse.centres.points[index(edges.second)]));
    }
    coarse.edges.push_back({edges.first, edges.second, edges.length, distance});
  }
  for (const auto& edge : graph.boundary_edges) {
    const int aggregate = aggregates[index(edge.column)];
    const double growth =
        std::sqrt(coarse.areas[index(aggregate)] / graph.areas[index(edge.column)]);
    coarse.boundary_edges.push_back({aggregate, edge.length, edge.distance * growth});
  }
}

ColumnGraph coarser_graph(const ColumnGraph& graph, const Aggregates& aggregates) {
  ColumnGraph coarse = coarser_columns(graph, aggregates);
  add_coarser_edges(graph, aggregates.of_column, coarse);
  return coarse;
}

}  // namespace Lamina::Impl
