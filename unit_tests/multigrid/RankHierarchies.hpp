// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Hierarchies of simulated ranks.

#include <lamina/core/impl/Index.hpp>
#include <lamina/grids/LocalColumns.hpp>
#include <lamina/multigrid/impl/RankColumns.hpp>

#include <distributed/SimulatedTransport.hpp>
#include <gtest/gtest.h>
#include <multigrid/MultigridCase.hpp>
#include <multigrid/RankSystem.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace LaminaTest {

using Lamina::HierarchyLevel;
using Lamina::Impl::index;
using Lamina::Impl::RankNumbers;
using Lamina::Impl::update_halo;

/// Numbers of the columns of a level over all ranks; -1 in places without a column. Collective.
inline std::vector<std::int64_t> numbers_of(const Lamina::Transport& transport,
                                            const HierarchyLevel& level) {
  std::vector<std::int64_t> numbers(level.graph.areas.size(), -1);
  const RankNumbers all(transport, level.graph.count_owned());
  for (int c = 0; c < level.graph.count_owned(); ++c) {
    numbers[index(c)] = level.is_shared ? all.begin() + c : c;
  }
  update_halo(transport, level.halo, numbers);
  return numbers;
}

/// Calls visit(transport, hierarchy) on the ranks of many partitions of many graphs.
template <class Visit>
void for_each_hierarchy(const Visit& visit) {
  for (const auto& [name, graph] : multigrid_graphs()) {
    for (const int ranks : {2, 3, 7}) {
      for (const auto& [partition_name, partition] :
           graph_partitions(static_cast<int>(graph.areas.size()), ranks)) {
        for (const int gathered : {0, 12, 1024}) {
          SCOPED_TRACE(testing::Message() << name << ", " << ranks << " ranks, " << partition_name
                                          << ", gathered " << gathered);
          run_on_ranks<Memory>(ranks, [&, &graph = graph,
                                       &partition = partition](const Lamina::Transport& transport) {
            visit(transport, graph,
                  Lamina::ColumnHierarchy(transport,
                                          Lamina::local_columns(graph, partition, transport.rank()),
                                          {.gathered_columns = gathered}));
          });
        }
      }
    }
  }
}

}  // namespace LaminaTest
