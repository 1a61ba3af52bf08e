// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/blocks/DefectCorrection.hpp>
#include <lamina/blocks/MultiRhsPointImplicitSolver.hpp>
#include <lamina/blocks/PointImplicitPreconditioner.hpp>
#include <lamina/krylov/Pcg.hpp>

#include <distributed/RankBlocks.hpp>
#include <distributed/SimulatedTransport.hpp>
#include <gtest/gtest.h>
#include <support/MessageOf.hpp>
#include <support/ToolExpectations.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace LaminaTest {

template <class Type>
class PointImplicitOverRanks : public testing::Test {};
TYPED_TEST_SUITE(PointImplicitOverRanks, OffDiagonalTypes, OffDiagonalTypeNames);

using Lamina::HaloUpdate;
using Lamina::SolveStatus;
using Lamina::Transport;

/// No rank goes on before all are here.
inline void wait_for_all(const Transport& transport) { transport.agree(nullptr); }

inline Lamina::BlockGraph mesh_of_36() { return Lamina::FreudenthalMesh(4, 3, 3).graph(); }

TYPED_TEST(PointImplicitOverRanks, SweepsAreThoseOfOneProcess) {
  const auto expect = [](int num_ranks, int size) {
    SCOPED_TRACE(testing::Message() << num_ranks << " ranks, blocks of " << size);
    run_on_ranks<Memory>(num_ranks, [&](const Transport& transport) {
      expect_sweeps_of_one_process<TypeParam>(transport, mesh_of_36(), size);
    });
  };
  for (const int num_ranks : {1, 2, 3, 4, 5, 6, 7, 8, 9}) expect(num_ranks, 5);
  for (const int size : {1, 2, 3, 4, 11}) expect(3, size);
}

TYPED_TEST(PointImplicitOverRanks, AllInversesAndDirectionsToo) {
  for (const auto inverse : {BlockInverse::lu, BlockInverse::lu_pivoted, BlockInverse::inverse}) {
    for (const auto direction : all_directions) {
      for (const int size : {3, 33}) {
        run_on_ranks<Memory>(3, [&](const Transport& transport) {
          expect_sweeps_of_one_process<TypeParam>(transport, mesh_of_36(), size, inverse,
                                                  direction);
        });
      }
    }
  }
}

/// In a chain few rows of a colour have to do with another rank.
TYPED_TEST(PointImplicitOverRanks, RowsBesideACutAndOthersMakeOneSweep) {
  Lamina::BlockGraph chain{{0}, {}};
  for (int row = 0; row < 30; ++row) {
    for (const int other : {row - 2, row - 1, row + 1, row + 2}) {
      if (other >= 0 && other < 30) chain.columns.push_back(other);
    }
    chain.offsets.push_back(static_cast<std::int64_t>(chain.columns.size()));
  }
  for (const auto direction : all_directions) {
    run_on_ranks<Memory>(2, [&](const Transport& transport) {
      expect_sweeps_of_one_process<TypeParam>(transport, chain, 4, BlockInverse::inverse,
                                              direction);
    });
  }
}

TYPED_TEST(PointImplicitOverRanks, RanksMayHaveOneRowOrNone) {
  for (const int num_rows : {0, 1, 2, 9}) {
    run_on_ranks<Memory>(9, [&](const Transport& transport) {
      expect_sweeps_of_one_process<TypeParam>(
          transport,
          num_rows == 0 ? Lamina::BlockGraph{} : Lamina::FreudenthalMesh(num_rows, 1, 1).graph(),
          5);
    });
  }
}

/// A system on one process, and what each rank does with its part of it.
template <class OffDiagonal>
struct RankedCase {
  Lamina::BlockGraph graph = mesh_of_36();
  SweepCase<OffDiagonal> one;
  Values guess;

  explicit RankedCase(int size)
      : one(graph, size, BlockInverse::inverse), guess(random_values(one.b.size(), 7)) {}

  RankRows rows(const Transport& transport) const {
    return {one.twin,
            Lamina::local_block_rows(graph, one.ordering,
                                     Lamina::Partition::blocks(graph.num_rows(), transport.size()),
                                     transport.rank())};
  }
  SolverOfTest<OffDiagonal> solver(const Transport& transport, const RankRows& rows,
                                   HaloUpdate halo_update = HaloUpdate::colour) const {
    return {one.space,
            rows.matrix<OffDiagonal>(),
            rows.local.ordering,
            rows.ranks(transport),
            BlockInverse::inverse,
            halo_update};
  }
};

TYPED_TEST(PointImplicitOverRanks, SolvesAreThoseOfOneProcess) {
  const RankedCase<TypeParam> of_test(4);
  const auto& one = of_test.one;
  const BlockFieldOfTest b(36, 4, one.b), x(36, 4, of_test.guess);
  const Lamina::StoppingCriteria criteria{.tolerance = 1e-9};
  const auto expected = one.solver.solve(one.space, b.const_view(), x.view(), criteria);
  EXPECT_EQ(expected.status, SolveStatus::converged);
  run_on_ranks<Memory>(4, [&](const Transport& transport) {
    const auto rows = of_test.rows(transport);
    const auto solver = of_test.solver(transport, rows);
    const auto own_b = rows.field(one.b), own_x = rows.field(of_test.guess);
    const auto report = solver.solve(one.space, own_b.const_view(), own_x.view(), criteria);
    EXPECT_EQ(report.status, expected.status);
    ASSERT_EQ(report.iterations, expected.iterations);
    for (std::size_t n = 0; n < expected.residual_history.size(); ++n) {
      // Devices add the products of a row in another order: residuals differ by that of b.
      const double of_one = expected.residual_history[n];
      EXPECT_NEAR(
          report.residual_history[n], of_one,
          1e-12 * (Lamina::runs_on_host<TEST_SPACE> ? of_one : expected.residual_history[0]));
    }
    rows.expect(own_x, x.get(), sweep_tolerance(4));
  });
}

TYPED_TEST(PointImplicitOverRanks, AllRanksEndWhereOneMust) {
  const RankedCase<TypeParam> of_test(3);
  for (const int culprit : {0, 2}) {
    run_on_ranks<Memory>(4, [&](const Transport& transport) {
      const auto& one = of_test.one;
      const auto rows = of_test.rows(transport);
      const auto solver = of_test.solver(transport, rows);
      const bool is_culprit = transport.rank() == culprit;
      Values b = one.b, zero(b.size(), 0.0);
      const auto solve = [&](const Values& rhs, const Lamina::StoppingCriteria& criteria = {}) {
        const auto own_b = rows.field(rhs), own_x = rows.field(zero);
        return solver.solve(one.space, own_b.const_view(), own_x.view(), criteria);
      };
      if (is_culprit) b.assign(b.size(), std::nan(""));
      EXPECT_EQ(solve(b).status, SolveStatus::breakdown_not_finite);
      Lamina::StoppingCriteria criteria;
      int asked = 0;
      criteria.stop_requested = [&] { return is_culprit && ++asked == 3; };
      const auto stopped = solve(one.b, criteria);
      EXPECT_EQ(stopped.status, SolveStatus::interrupted);
      EXPECT_EQ(stopped.iterations, 2);
      // Squares of these norms overflow on one rank, and underflow on all.
      for (const double scale : {1e200, 1e-200}) {
        Values scaled = one.b;
        for (double& value : scaled) value *= scale;
        const auto report = solve(scaled);
        EXPECT_EQ(report.status, SolveStatus::converged);
        EXPECT_GT(report.iterations, 1);
      }
      EXPECT_EQ(solve(zero).status, SolveStatus::converged);
      EXPECT_EQ(solve(zero).iterations, 0);
    });
  }
}

TYPED_TEST(PointImplicitOverRanks, BadPivotsOnOneRankAreToldToAll) {
  RankedCase<TypeParam> of_test(3);
  of_test.one.twin.diagonal[30].assign(9, 0.0);
  run_on_ranks<Memory>(3, [&](const Transport& transport) {
    const auto& one = of_test.one;
    const auto rows = of_test.rows(transport);
    const auto solver = of_test.solver(transport, rows);
    EXPECT_EQ(solver.status() == SolveStatus::completed, transport.rank() != 2);
    EXPECT_EQ(solver.first_bad_row(), transport.rank() == 2 ? 30 - 24 : -1);
    const auto own_b = rows.field(one.b), own_x = rows.field(of_test.guess);
    EXPECT_EQ(solver.solve(one.space, own_b.const_view(), own_x.view()).status,
              SolveStatus::breakdown_zero_pivot);
  });
}

TYPED_TEST(PointImplicitOverRanks, TakesNewValues) {
  RankedCase<TypeParam> of_test(5);
  Reference::BlockMatrix& twin = of_test.one.twin;
  const auto before = twin;
  std::uint64_t seed = 1000;
  for (auto& row : twin.off) {
    for (auto& entry : row) {
      entry.block = exact_in_half(random_values(25, seed++));
      for (double& value : entry.block) value /= 128;
    }
  }
  const Lamina::PointImplicitSolver fresh(of_test.one.space, device_matrix<TypeParam>(twin),
                                          of_test.one.ordering);
  const BlockFieldOfTest b(36, 5, of_test.one.b), x(36, 5, of_test.guess);
  fresh.sweep(of_test.one.space, b.const_view(), x.view());
  run_on_ranks<Memory>(4, [&](const Transport& transport) {
    const auto& one = of_test.one;
    const auto rows = of_test.rows(transport);
    const RankRows old{before, rows.local};
    auto solver = of_test.solver(transport, old);
    solver.update(one.space, rows.template matrix<TypeParam>());
    const auto own_b = rows.field(one.b), own_x = rows.field(of_test.guess);
    solver.sweep(one.space, own_b.const_view(), own_x.view());
    rows.expect(own_x, x.get(), sweep_tolerance(5));
  });
}

TYPED_TEST(PointImplicitOverRanks, AllocatesNothingInACall) {
  const RankedCase<TypeParam> of_test(3);
  run_on_ranks<Memory>(3, [&](const Transport& transport) {
    const auto& one = of_test.one;
    const auto rows = of_test.rows(transport);
    const auto matrix = rows.template matrix<TypeParam>();
    auto solver = of_test.solver(transport, rows);
    const auto own_b = rows.field(one.b), own_x = rows.field(of_test.guess);
    // Kokkos grows scratch of its own at its first use.
    static_cast<void>(solver.solve(one.space, own_b.const_view(), own_x.view()));
    wait_for_all(transport);
    std::optional<ToolListener> listener;  // of all ranks
    if (transport.rank() == 0) listener.emplace();
    solver.update(one.space, matrix);
    solver.sweep(one.space, own_b.const_view(), own_x.view(), SweepDirection::symmetric, 2);
    static_cast<void>(solver.solve(one.space, own_b.const_view(), own_x.view()));
    wait_for_all(transport);
    if (listener) expect_no_allocations(listener->heard());
    wait_for_all(transport);
  });
}

/// One message to each peer in each colour in which something is sent, and one before the sweep.
TYPED_TEST(PointImplicitOverRanks, SendsOneMessageAColour) {
  const RankedCase<TypeParam> of_test(2);
  SimulatedWorld world(2);
  run_on_ranks<Memory>(world, [&](const Transport& transport) {
    const auto rows = of_test.rows(transport);
    const auto solver = of_test.solver(transport, rows);
    const auto own_b = rows.field(of_test.one.b), own_x = rows.field(of_test.guess);
    wait_for_all(transport);
    const long before = world.num_messages();
    wait_for_all(transport);
    solver.sweep(of_test.one.space, own_b.const_view(), own_x.view(), SweepDirection::forward, 4);
    wait_for_all(transport);
    EXPECT_LE(world.num_messages() - before, 2 * (1 + 4 * of_test.one.ordering.num_colours()));
    EXPECT_GT(world.num_messages() - before, 2 * 4);
  });
}

TYPED_TEST(PointImplicitOverRanks, HaloMayBeUpdatedOnceASweep) {
  const RankedCase<TypeParam> of_test(3);
  const Lamina::StoppingCriteria criteria{.tolerance = 1e-10};
  const auto& one = of_test.one;
  const BlockFieldOfTest b(36, 3, one.b), x(36, 3, of_test.guess);
  EXPECT_EQ(one.solver.solve(one.space, b.const_view(), x.view(), criteria).status,
            SolveStatus::converged);
  for (const int num_ranks : {1, 4}) {
    run_on_ranks<Memory>(num_ranks, [&](const Transport& transport) {
      const auto rows = of_test.rows(transport);
      const auto solver = of_test.solver(transport, rows, HaloUpdate::sweep);
      const auto own_b = rows.field(one.b), own_x = rows.field(of_test.guess);
      EXPECT_EQ(solver.solve(one.space, own_b.const_view(), own_x.view(), criteria).status,
                SolveStatus::converged);
      const Values mine = own_x.get(), whole = x.get();
      bool same = true;
      for (int n = 0; n < 3 * rows.local.num_owned(); ++n) {
        const auto at = static_cast<std::size_t>(n);
        const auto global = static_cast<std::size_t>(3 * rows.local.numbers[at / 3]) + at % 3;
        EXPECT_NEAR(mine[at], whole[global], 1e-8);
        same = same && mine[at] == whole[global];
      }
      if (Lamina::runs_on_host<TEST_SPACE>) {
        EXPECT_EQ(same, num_ranks == 1);
      }
    });
  }
}

/// In both orders of vectors.
TYPED_TEST(PointImplicitOverRanks, PreconditionsConjugateGradients) {
  using Lamina::VectorOrder;
  const auto graph = mesh_of_36();
  const auto twin = symmetric_matrix(graph, 3);
  const SweepCase<TypeParam> one(graph, twin, Lamina::ColourOrdering::greedy(graph),
                                 BlockInverse::inverse);
  const Lamina::StoppingCriteria criteria{.tolerance = 1e-10};
  const BlockFieldOfTest b(36, 3, one.b), x(36, 3);
  Lamina::Pcg alone(one.space, device_matrix<TypeParam>(twin),
                    Lamina::PointImplicitPreconditioner(one.solver, VectorOrder::user));
  const auto expected = alone.solve(one.space, b.const_view(), x.view(), criteria);
  EXPECT_EQ(expected.status, SolveStatus::converged);
  const Values whole = x.get();
  for (const auto order : {VectorOrder::user, VectorOrder::colour}) {
    run_on_ranks<Memory>(3, [&](const Transport& transport) {
      const RankRows rows{
          twin, Lamina::local_block_rows(graph, one.ordering, Lamina::Partition::blocks(36, 3),
                                         transport.rank())};
      const auto matrix = rows.template matrix<TypeParam>();
      const Lamina::PointImplicitSolver solver(one.space, matrix, rows.local.ordering,
                                               rows.ranks(transport));
      const bool in_colours = order == VectorOrder::colour;
      Lamina::Pcg pcg(one.space, in_colours ? solver.coloured_matrix() : matrix,
                      Lamina::PointImplicitPreconditioner(solver, order),
                      rows.ranks(transport, order));
      const auto user_b = rows.field(one.b), own_b = rows.field(one.b),
                 own_x = rows.field(Values(one.b.size(), 0.0)), user_x = rows.field(one.b);
      if (in_colours) solver.to_colour_order(one.space, user_b.const_view(), own_b.view());
      const auto report = pcg.solve(one.space, own_b.const_view(), own_x.view(), criteria);
      EXPECT_EQ(report.status, expected.status);
      EXPECT_EQ(report.iterations, expected.iterations);
      if (in_colours) solver.from_colour_order(one.space, own_x.const_view(), user_x.view());
      const Values mine = (in_colours ? user_x : own_x).get();
      for (int n = 0; n < 3 * rows.local.num_owned(); ++n) {
        const auto at = static_cast<std::size_t>(n);
        EXPECT_NEAR(mine[at],
                    whole[static_cast<std::size_t>(3 * rows.local.numbers[at / 3]) + at % 3], 1e-9);
      }
    });
  }
}

TYPED_TEST(PointImplicitOverRanks, DefectCorrectionIsThatOfOneProcess) {
  const RankedCase<TypeParam> of_test(4);
  const auto& one = of_test.one;
  const auto criteria = Lamina::StoppingCriteria::iterations(6);
  const Lamina::DefectCorrection alone(one.space, device_matrix<double>(one.twin), one.solver);
  const auto b = one.field(one.b), x = one.field(of_test.guess);
  const auto expected = alone.solve_in_colour_order(one.space, b.const_view(), x.view(), criteria);
  run_on_ranks<Memory>(4, [&](const Transport& transport) {
    const auto rows = of_test.rows(transport);
    const auto solver = of_test.solver(transport, rows);
    const Lamina::DefectCorrection correction(one.space, rows.template matrix<double>(), solver);
    const auto user_b = rows.field(one.b), own_b = rows.field(one.b),
               user_x = rows.field(of_test.guess), own_x = rows.field(one.b);
    solver.to_colour_order(one.space, user_b.const_view(), own_b.view());
    solver.to_colour_order(one.space, user_x.const_view(), own_x.view());
    const auto report =
        correction.solve_in_colour_order(one.space, own_b.const_view(), own_x.view(), criteria);
    EXPECT_EQ(report.status, expected.status);
    EXPECT_NEAR(report.residual_norm / expected.residual_norm, 1, 1e-6);
    EXPECT_NEAR(
        correction.residual_norm_in_colour_order(one.space, own_b.const_view(), own_x.const_view()),
        report.residual_norm, 1e-12 * report.reference_norm);
    solver.from_colour_order(one.space, own_x.const_view(), user_x.view());
    rows.expect(user_x, one.values(x), sweep_tolerance(4));
  });
}

TYPED_TEST(PointImplicitOverRanks, RefusesWhatDoesNotFit) {
  const RankedCase<TypeParam> of_test(2);
  run_on_ranks<Memory>(2, [&](const Transport& transport) {
    const auto& one = of_test.one;
    const auto rows = of_test.rows(transport);
    const auto matrix = rows.template matrix<TypeParam>();
    const auto message = [](const auto& call) { return message_of<Lamina::InvalidArgument>(call); };
    const std::string halo = std::to_string(rows.local.num_halo());
    EXPECT_EQ(message([&] { Lamina::PointImplicitSolver(one.space, matrix, rows.local.ordering); }),
              "Lamina::PointImplicitSolver: argument ordering: expected no halo rows, or a "
              "decomposition, got " +
                  halo);
    EXPECT_EQ(message([&] {
                Lamina::PointImplicitSolver(one.space, matrix,
                                            Lamina::ColourOrdering::greedy(matrix.graph()));
              }),
              "Lamina::BlockSparseMatrix::renumbered: argument ordering: expected " + halo +
                  " halo rows, got 0");
    const auto solver = of_test.solver(transport, rows);
    EXPECT_EQ(message([&] { Lamina::MultiRhsPointImplicitSolver(solver, 2); }),
              "Lamina::MultiRhsPointImplicitSolver: argument solver: expected one of a single "
              "process, got one over ranks");
    const BlockFieldOfTest of_own_rows(rows.local.num_owned(), 2), of_all(rows.num_local(), 2);
    EXPECT_EQ(message([&] { matrix.apply(one.space, of_own_rows.const_view(), of_all.view()); }),
              "Lamina::BlockSparseMatrix::apply: argument x: expected " +
                  std::to_string(rows.num_local()) + " block rows, got " +
                  std::to_string(rows.local.num_owned()));
    const Lamina::HaloPattern shorter{rows.local.num_owned(), rows.local.num_owned(),
                                      rows.local.num_owned()};
    const Lamina::Decomposition<Memory> others(transport, shorter, 2 * sizeof(double));
    EXPECT_EQ(message([&] {
                Lamina::PointImplicitSolver(one.space, matrix, rows.local.ordering, others);
              }),
              "Lamina::PointImplicitSolver: argument ranks: expected " +
                  std::to_string(rows.num_local()) + " rows, got " +
                  std::to_string(rows.local.num_owned()));
  });
}

}  // namespace LaminaTest
