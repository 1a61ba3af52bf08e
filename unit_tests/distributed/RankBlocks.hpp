// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// A block system cut among ranks, beside the same system on one process.

#include <lamina/blocks/LocalBlockRows.hpp>
#include <lamina/blocks/PointImplicitSolver.hpp>

#include <blocks/BlockCase.hpp>
#include <blocks/SweepCase.hpp>
#include <distributed/HaloCase.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace LaminaTest {

/// Awkward partitions of the rows of a mesh: ranks in a line, in no order, without rows, with all
/// rows, with whole colours.
inline std::vector<NamedPartition> partitions_of_rows(const Lamina::ColourOrdering& ordering,
                                                      int num_ranks) {
  auto partitions = awkward_partitions(ordering.num_rows(), 1, num_ranks);
  std::vector<int> by_colour(static_cast<std::size_t>(ordering.num_rows()));
  for (int colour = 0; colour < ordering.num_colours(); ++colour) {
    const auto k = static_cast<std::size_t>(colour);
    for (int n = ordering.offsets()[k]; n < ordering.offsets()[k + 1]; ++n) {
      by_colour[static_cast<std::size_t>(ordering.old_rows()[static_cast<std::size_t>(n)])] =
          (colour + 1) % num_ranks;
    }
  }
  partitions.push_back({"colours", Lamina::Partition::from_owners(by_colour, num_ranks)});
  return partitions;
}

/// The rows of one rank of a system, and its vectors.
struct RankRows {
  const Reference::BlockMatrix& whole;
  Lamina::LocalBlockRows local;

  int num_local() const { return local.halo.num_local; }

  /// The part of the twin with local columns.
  template <class OffDiagonal>
  Lamina::BlockSparseMatrix<double, OffDiagonal, Memory> matrix() const {
    std::map<std::int64_t, int> numbers;
    for (std::size_t n = 0; n < local.numbers.size(); ++n) {
      numbers[local.numbers[n]] = static_cast<int>(n);
    }
    std::vector<std::int64_t> offsets{0};
    std::vector<int> columns;
    std::vector<Reference::Block> diagonal, blocks;
    for (int n = 0; n < local.num_owned(); ++n) {
      const auto row = static_cast<std::size_t>(local.numbers[static_cast<std::size_t>(n)]);
      diagonal.push_back(whole.diagonal[row]);
      for (const auto& entry : whole.off[row]) {
        columns.push_back(numbers.at(entry.column));
        blocks.push_back(entry.block);
      }
      offsets.push_back(static_cast<std::int64_t>(columns.size()));
    }
    using Value = Unrounded<OffDiagonal>;
    return stored_in<OffDiagonal>(Lamina::BlockSparseMatrix<double, Value, Memory>(
        TEST_SPACE(), device_copy(offsets), device_copy(columns),
        device_blocks<double>(whole.size, diagonal), device_blocks<Value>(whole.size, blocks), {},
        local.num_halo()));
  }
  Lamina::Decomposition<Memory> ranks(
      const Lamina::Transport& transport,
      Lamina::VectorOrder order = Lamina::VectorOrder::colour) const {
    return {transport, local.halo_in(order), static_cast<std::size_t>(whole.size) * sizeof(double)};
  }
  /// The own rows of a vector. Halo rows are NaN: nobody may use them.
  BlockFieldOfTest field(const Values& values, const Padding& padding = {}) const {
    const auto size = static_cast<std::size_t>(whole.size);
    Values own(local.numbers.size() * size, std::nan(""));
    for (int n = 0; n < local.num_owned(); ++n) {
      const auto at = static_cast<std::size_t>(n);
      std::copy_n(values.begin() + local.numbers[at] * whole.size, size, &own[at * size]);
    }
    return BlockFieldOfTest(num_local(), whole.size, own, padding);
  }
  /// Rows of a field, own ones or also those of the halo, are those of a vector: to the last bit on
  /// CPU cores.
  void expect(const BlockFieldOfTest& field, const Values& values, double tolerance) const {
    const Values mine = field.get();
    for (int n = 0; n < local.num_owned(); ++n) {
      const std::int64_t row = local.numbers[static_cast<std::size_t>(n)];
      for (int p = 0; p < whole.size; ++p) {
        const double got = mine[static_cast<std::size_t>(n * whole.size + p)],
                     wanted = values[static_cast<std::size_t>(row * whole.size + p)];
        if constexpr (Lamina::runs_on_host<TEST_SPACE>) {
          ASSERT_EQ(got, wanted) << "row " << row << ", component " << p;
        } else {
          ASSERT_NEAR(got, wanted, tolerance) << "row " << row << ", component " << p;
        }
      }
    }
  }
};

inline double sweep_tolerance(int size) { return rounding<double>(30.0 * size); }

/// x after sweeps over all ranks is that of one process, for each partition.
template <class OffDiagonal>
void expect_sweeps_of_one_process(const Lamina::Transport& transport,
                                  const Lamina::BlockGraph& graph, int size,
                                  BlockInverse inverse = BlockInverse::inverse,
                                  SweepDirection direction = SweepDirection::symmetric) {
  SCOPED_TRACE("blocks of " + std::to_string(size));
  const SweepCase<OffDiagonal> one(graph, size, inverse);
  const Values guess = random_values(one.b.size(), 7);
  const BlockFieldOfTest b(graph.num_rows(), size, one.b), x(graph.num_rows(), size, guess);
  one.solver.sweep(one.space, b.const_view(), x.view(), direction, 3);
  for (const auto& [name, partition] : partitions_of_rows(one.ordering, transport.size())) {
    SCOPED_TRACE(name);
    const RankRows rows{one.twin,
                        Lamina::local_block_rows(graph, one.ordering, partition, transport.rank())};
    const Lamina::PointImplicitSolver solver(one.space, rows.matrix<OffDiagonal>(),
                                             rows.local.ordering, rows.ranks(transport), inverse);
    const auto own_x = rows.field(guess, level_padding), own_b = rows.field(one.b, all_padding);
    solver.sweep(one.space, own_b.const_view(), own_x.view(), direction, 3);
    rows.expect(own_x, x.get(), sweep_tolerance(size));
    EXPECT_TRUE(own_x.surroundings_untouched() || rows.local.num_halo() > 0);
  }
}

}  // namespace LaminaTest
