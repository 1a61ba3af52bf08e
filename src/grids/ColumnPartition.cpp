// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/grids/ColumnPartition.hpp>
#include <lamina/grids/HilbertOrder.hpp>

#include <cstdint>
#include <utility>

namespace Lamina {

Partition partition_along_curve(const ColumnGraph& graph, int num_ranks,
                                const std::vector<double>& weights) {
  return Partition::along_order(along_hilbert_curve(graph).original, weights, num_ranks);
}

PartitionQuality partition_quality(const ColumnGraph& graph, const Partition& partition,
                                   const std::vector<double>& weights) {
  Impl::require_extent("partition_quality", "partition", "items",
                       static_cast<long long>(graph.areas.size()), partition.num_items());
  std::vector<std::pair<std::int64_t, std::int64_t>> edges;
  edges.reserve(graph.edges.size());
  for (const auto& edge : graph.edges) edges.emplace_back(edge.first, edge.second);
  return PartitionQuality::of(partition, edges, weights);
}

}  // namespace Lamina
