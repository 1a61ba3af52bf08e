// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/blocks/Asymmetry.hpp>

#include <distributed/RankBlocks.hpp>
#include <distributed/SimulatedTransport.hpp>
#include <gtest/gtest.h>
#include <support/MessageOf.hpp>

#include <cstddef>
#include <string>

namespace LaminaTest {

template <class Type>
class AsymmetryOverRanks : public testing::Test {};
TYPED_TEST_SUITE(AsymmetryOverRanks, UnscaledTypes, OffDiagonalTypeNames);

/// In both orders of rows, for changes of one entry on a rank and across a cut.
template <class OffDiagonal>
void expect_asymmetry_of_one_process(const Reference::BlockMatrix& twin,
                                     const Lamina::BlockGraph& graph, double expected) {
  const TEST_SPACE space;
  EXPECT_EQ(Lamina::asymmetry(space, device_matrix<OffDiagonal>(twin)), expected);
  const auto ordering = Lamina::ColourOrdering::greedy(graph);
  for (const int num_ranks : {1, 2, 5}) {
    run_on_ranks<Memory>(num_ranks, [&](const Lamina::Transport& transport) {
      for (const auto& [name, partition] : partitions_of_rows(ordering, num_ranks)) {
        SCOPED_TRACE(name);
        const RankRows rows{twin,
                            Lamina::local_block_rows(graph, ordering, partition, transport.rank())};
        const auto matrix = rows.matrix<OffDiagonal>();
        const Lamina::PointImplicitSolver solver(space, matrix, rows.local.ordering,
                                                 rows.ranks(transport));
        EXPECT_EQ(
            Lamina::asymmetry(space, matrix, transport, rows.local, Lamina::VectorOrder::user),
            expected);
        EXPECT_EQ(Lamina::asymmetry(space, solver.coloured_matrix(), transport, rows.local,
                                    Lamina::VectorOrder::colour),
                  expected);
      }
    });
  }
}

TYPED_TEST(AsymmetryOverRanks, IsThatOfOneProcess) {
  const auto graph = Lamina::FreudenthalMesh(3, 2, 2).graph();
  auto twin = random_matrix(graph, 2);
  for (auto& block : twin.diagonal) block = {2, 0.5, 0.5, 2};
  for (auto& row : twin.off) {
    for (auto& entry : row) entry.block.assign(4, 0.5);
  }
  expect_asymmetry_of_one_process<TypeParam>(twin, graph, 0);
  for (const std::size_t row : {std::size_t{0}, twin.off.size() / 2, twin.off.size() - 1}) {
    auto changed = twin;
    changed.off[row].back().block.back() = 0.25;
    expect_asymmetry_of_one_process<TypeParam>(changed, graph, 0.125);
  }
  auto without = twin;
  without.off[0].pop_back();  // without a counterpart
  expect_asymmetry_of_one_process<TypeParam>(without, graph, 0.25);
}

TYPED_TEST(AsymmetryOverRanks, RefusesTheRowsOfOthers) {
  const auto graph = Lamina::FreudenthalMesh(3, 2, 2).graph();
  const auto twin = random_matrix(graph, 2);
  const auto ordering = Lamina::ColourOrdering::greedy(graph);
  run_on_ranks<Memory>(2, [&](const Lamina::Transport& transport) {
    const auto partition = Lamina::Partition::from_owners({0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1}, 2);
    const auto rows_of = [&](int rank) {
      return RankRows{twin, Lamina::local_block_rows(graph, ordering, partition, rank)};
    };
    const auto mine = rows_of(transport.rank()), other = rows_of(1 - transport.rank());
    EXPECT_EQ(
        message_of<Lamina::RankFailure>([&] {
          static_cast<void>(Lamina::asymmetry(TEST_SPACE(), mine.template matrix<TypeParam>(),
                                              transport, other.local, Lamina::VectorOrder::user));
        }),
        "rank 0: Lamina::asymmetry: argument matrix: expected 3 rows, got 9");
  });
}

}  // namespace LaminaTest
