// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/core/impl/Index.hpp>
#include <lamina/grids/ColumnPartition.hpp>

#include <string>

#if defined(LAMINA_HAVE_METIS)
#include <metis.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <utility>
#endif

namespace Lamina {

#if defined(LAMINA_HAVE_METIS)
namespace {

using std::to_string;

constexpr const char* function = "partition_by_metis";

using Impl::index;

void require_whole(const ColumnGraph& graph) {
  const auto size = static_cast<long long>(graph.areas.size());
  Impl::require_extent(function, "graph", "owned columns", size, graph.count_owned());
  for (const auto& edge : graph.edges) {
    for (const int column : {edge.first, edge.second}) {
      LAMINA_REQUIRE(column >= 0 && column < size, function,
                     "graph: expected edges of columns 0 to " + to_string(size - 1) + ", got " +
                         to_string(column));
    }
    LAMINA_REQUIRE(edge.first != edge.second, function,
                   "graph: expected edges between two columns, got one of column " +
                       to_string(edge.first) + " with itself");
  }
  LAMINA_REQUIRE(2 * graph.edges.size() <= std::numeric_limits<idx_t>::max(), function,
                 "graph: expected fewer edges, got " + to_string(graph.edges.size()));
}

/// The neighbours of each column, as METIS takes them.
struct Adjacency {
  std::vector<idx_t> offsets, neighbours;

  explicit Adjacency(const ColumnGraph& graph)
      : offsets(graph.areas.size() + 1, 0), neighbours(2 * graph.edges.size()) {
    for (const auto& edge : graph.edges) {
      ++offsets[index(edge.first) + 1];
      ++offsets[index(edge.second) + 1];
    }
    std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
    std::vector<idx_t> next(offsets.begin(), offsets.end() - 1);
    for (const auto& [first, second, length, distance] : graph.edges) {
      neighbours[static_cast<std::size_t>(next[index(first)]++)] = second;
      neighbours[static_cast<std::size_t>(next[index(second)]++)] = first;
    }
  }
};

/// Weights as whole numbers, whose sum is an int; none where all are alike.
std::vector<idx_t> whole_weights(const std::vector<double>& weights, std::size_t num_columns) {
  if (weights.empty()) return {};
  Impl::require_extent(function, "weights", "entries", static_cast<long long>(num_columns),
                       static_cast<long long>(weights.size()));
  double total = 0;
  for (const double weight : weights) {
    LAMINA_REQUIRE(weight >= 0 && std::isfinite(weight), function,
                   "weights: expected finite values >= 0, got " + to_string(weight));
    total += weight;
  }
  LAMINA_REQUIRE(std::isfinite(total), function,
                 "weights: expected a finite sum, got " + to_string(total));
  if (total == 0) return {};
  std::vector<idx_t> whole;
  for (const double weight : weights) {
    whole.push_back(static_cast<idx_t>(std::llround(std::ldexp(weight / total, 30))));
  }
  return whole;
}

std::vector<int> split(Adjacency& graph, std::vector<idx_t>& weights, int num_ranks) {
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = 1;
  options[METIS_OPTION_NUMBERING] = 0;
  const std::size_t num_columns = graph.offsets.size() - 1;
  idx_t columns = static_cast<idx_t>(num_columns), constraints = 1, parts = num_ranks, cut = 0;
  std::vector<idx_t> owners(num_columns, 0);
  const int status =
      METIS_PartGraphKway(&columns, &constraints, graph.offsets.data(), graph.neighbours.data(),
                          weights.empty() ? nullptr : weights.data(), nullptr, nullptr, &parts,
                          nullptr, nullptr, options, &cut, owners.data());
  LAMINA_REQUIRE(status == METIS_OK, function, "METIS failed with status " + to_string(status));
  return {owners.begin(), owners.end()};
}

}  // namespace

bool has_metis() { return true; }

Partition partition_by_metis(const ColumnGraph& graph, int num_ranks,
                             const std::vector<double>& weights) {
  require_whole(graph);
  const std::size_t num_columns = graph.areas.size();
  std::vector<idx_t> whole = whole_weights(weights, num_columns);
  if (num_ranks <= 1 || num_columns <= index(num_ranks)) {
    std::vector<int> owners(num_columns, 0);
    if (num_ranks > 1) std::iota(owners.begin(), owners.end(), 0);
    return Partition::from_owners(std::move(owners), num_ranks);
  }
  Adjacency adjacency(graph);
  return Partition::from_owners(split(adjacency, whole, num_ranks), num_ranks);
}

#else

bool has_metis() { return false; }

Partition partition_by_metis(const ColumnGraph&, int, const std::vector<double>&) {
  throw InvalidArgument("Lamina::partition_by_metis: expected a Lamina that was built with METIS");
}

#endif

}  // namespace Lamina
