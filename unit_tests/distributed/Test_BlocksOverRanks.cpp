// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <Kokkos_Core.hpp>
#define TEST_SPACE Kokkos::DefaultExecutionSpace

#include <lamina/distributed/MpiTransport.hpp>

#include <distributed/RankBlocks.hpp>
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <memory>
#include <vector>

namespace LaminaTest {
namespace {

using Lamina::SolveStatus;
using Lamina::Transport;

std::shared_ptr<const Transport> transport_of(MPI_Comm communicator) {
  return Lamina::make_transport(communicator, TEST_SPACE(), {.self_test = false});
}

Lamina::BlockGraph mesh() { return Lamina::FreudenthalMesh(6, 5, 4).graph(); }

/// As many rows on each rank, but for one.
template <class OffDiagonal>
RankRows block_of_rows(const SweepCase<OffDiagonal>& one, const Lamina::BlockGraph& graph,
                       const Transport& transport) {
  return {one.twin,
          Lamina::local_block_rows(graph, one.ordering,
                                   Lamina::Partition::blocks(graph.num_rows(), transport.size()),
                                   transport.rank())};
}

template <class Type>
class BlocksOverRanks : public testing::Test {};
TYPED_TEST_SUITE(BlocksOverRanks, OffDiagonalTypes, OffDiagonalTypeNames);

TYPED_TEST(BlocksOverRanks, SweepsAreThoseOfOneProcess) {
  const auto transport = transport_of(MPI_COMM_WORLD);
  for (const int size : {1, 2, 3, 4, 5, 17}) {
    expect_sweeps_of_one_process<TypeParam>(*transport, mesh(), size);
  }
}

/// Devices take colours of many rows in another way than those of few.
TYPED_TEST(BlocksOverRanks, ColoursMayHaveManyRows) {
  const auto transport = transport_of(MPI_COMM_WORLD);
  expect_sweeps_of_one_process<TypeParam>(
      *transport, Lamina::FreudenthalMesh(20000 * transport->size(), 1, 1).graph(), 2);
}

/// Halo rows that one call leaves are those that the next one begins with, whatever its direction.
TYPED_TEST(BlocksOverRanks, CallsMayFollowEachOther) {
  const auto transport = transport_of(MPI_COMM_WORLD);
  const auto graph = mesh();
  const int size = 3;
  const SweepCase<TypeParam> one(graph, size, BlockInverse::inverse);
  const RankRows rows = block_of_rows(one, graph, *transport);
  const Lamina::PointImplicitSolver solver(one.space, rows.template matrix<TypeParam>(),
                                           rows.local.ordering, rows.ranks(*transport));
  const Values guess = random_values(one.b.size(), 7);
  const BlockFieldOfTest b(graph.num_rows(), size, one.b), x(graph.num_rows(), size, guess);
  const auto own_b = rows.field(one.b), own_x = rows.field(guess);
  for (const int num_sweeps : {2, 0, 1}) {
    for (const auto direction : all_directions) {
      one.solver.sweep(one.space, b.const_view(), x.view(), direction, num_sweeps);
      solver.sweep(one.space, own_b.const_view(), own_x.view(), direction, num_sweeps);
      rows.expect(own_x, x.get(), sweep_tolerance(size));
    }
  }
}

TYPED_TEST(BlocksOverRanks, RanksMayHaveNoRow) {
  const auto transport = transport_of(MPI_COMM_WORLD);
  for (const int num_rows : {1, 2, 3}) {
    expect_sweeps_of_one_process<TypeParam>(*transport,
                                            Lamina::FreudenthalMesh(num_rows, 1, 1).graph(), 5);
  }
}

TYPED_TEST(BlocksOverRanks, HalvesOfTheRanksSweepAtOnce) {
  const auto world = transport_of(MPI_COMM_WORLD);
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, world->rank() % 2, -world->rank(), &half);
  {
    const auto transport = transport_of(half);
    expect_sweeps_of_one_process<TypeParam>(
        *transport, Lamina::FreudenthalMesh(4, 3, 3 + world->rank() % 2).graph(),
        3 + world->rank() % 2);
  }
  MPI_Comm_free(&half);
}

TYPED_TEST(BlocksOverRanks, NotANumberOnOneRankEndsAll) {
  const auto transport = transport_of(MPI_COMM_WORLD);
  const auto graph = mesh();
  const SweepCase<TypeParam> one(graph, 4, BlockInverse::inverse);
  const RankRows rows = block_of_rows(one, graph, *transport);
  const Lamina::PointImplicitSolver solver(one.space, rows.template matrix<TypeParam>(),
                                           rows.local.ordering, rows.ranks(*transport));
  const auto solve = [&](const Values& rhs) {
    const auto b = rows.field(rhs), x = rows.field(Values(rhs.size(), 0.0));
    return solver.solve(one.space, b.const_view(), x.view());
  };
  Values b = one.b;
  b.front() = std::nan("");
  EXPECT_EQ(solve(b).status, SolveStatus::breakdown_not_finite);
  EXPECT_EQ(solve(one.b).status, SolveStatus::converged) << "the plan is as good as new";
}

}  // namespace
}  // namespace LaminaTest
