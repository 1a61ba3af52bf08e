// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// A multigrid cycle on the columns of one of several ranks.

#include <lamina/grids/LocalColumns.hpp>
#include <lamina/multigrid/ColumnHierarchy.hpp>
#include <lamina/multigrid/MultigridPreconditioner.hpp>

#include <distributed/HaloCase.hpp>
#include <support/TestField.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace LaminaTest {

/// Partitions of any graph for so many ranks.
inline std::vector<NamedPartition> graph_partitions(int num_columns, int num_ranks) {
  using Lamina::Partition;
  std::vector<NamedPartition> partitions = awkward_partitions(num_columns, 1, num_ranks);
  std::vector<int> single(static_cast<std::size_t>(num_columns), 0);
  for (int n = 0; n < num_columns; ++n) {
    single[static_cast<std::size_t>(n)] = n < num_ranks ? n : num_ranks - 1;
  }
  partitions.push_back(
      {"one column each but for the last", Partition::from_owners(single, num_ranks)});
  return partitions;
}

template <class Scalar>
struct RankSystem {
  RankSystem(const Lamina::Transport& ranks, const Lamina::LocalColumns& local,
             const Lamina::VerticalGrid& grid, const Lamina::HelmholtzParameters& equation,
             const Lamina::HierarchyParameters& coarsening = {},
             const Lamina::MultigridParameters& cycle = {})
      : transport(ranks),
        columns(local),
        multigrid(TEST_SPACE(), ranks, Lamina::ColumnHierarchy(ranks, local, coarsening), grid,
                  equation, cycle) {}

  int num_columns() const { return multigrid.finest().num_columns(); }
  int num_levels() const { return multigrid.finest().num_levels(); }

  /// What this rank has of a field of the whole grid, NaN in halo columns.
  Values of_rank(const Values& whole) const {
    const auto levels = static_cast<std::size_t>(num_levels());
    Values mine(static_cast<std::size_t>(num_columns()) * levels, std::nan(""));
    for_each_owned([&](std::size_t here, std::size_t there) {
      for (std::size_t k = 0; k < levels; ++k) mine[here * levels + k] = whole[there * levels + k];
    });
    return mine;
  }
  /// The field of the whole grid from the parts of all ranks. Collective.
  Values of_all(const Values& mine, std::size_t whole_size) const {
    const auto levels = static_cast<std::size_t>(num_levels());
    Values whole(whole_size, 0.0);
    for_each_owned([&](std::size_t here, std::size_t there) {
      for (std::size_t k = 0; k < levels; ++k) whole[there * levels + k] = mine[here * levels + k];
    });
    Values all(whole_size * static_cast<std::size_t>(transport.size()));
    transport.all_gather(std::as_bytes(std::span(whole)), std::as_writable_bytes(std::span(all)));
    std::fill(whole.begin(), whole.end(), 0.0);
    for (std::size_t n = 0; n < all.size(); ++n) whole[n % whole_size] += all[n];
    return whole;
  }

  const Lamina::Transport& transport;
  Lamina::LocalColumns columns;
  Lamina::MultigridPreconditioner<Scalar, Memory> multigrid;

 private:
  template <class Visit>
  void for_each_owned(const Visit& visit) const {
    for (std::size_t c = 0; c < static_cast<std::size_t>(columns.halo.num_owned); ++c) {
      visit(c, static_cast<std::size_t>(columns.columns[c]));
    }
  }
};

}  // namespace LaminaTest
