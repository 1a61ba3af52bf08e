// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Sweeps, orders, pivots and what is refused; `Test_PointImplicitSolverSolve.hpp` has whole solves.

#include <lamina/core/Require.hpp>

#include <blocks/PointImplicitCase.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <vector>

namespace LaminaTest {

TYPED_TEST(PointImplicitSolver, SweepsLikeTheTwinForBlocksOfAnySize) {
  for (const int size : awkward_sizes) {
    for (const auto& graph : meshes_for(size)) {
      const auto twin = random_matrix(graph, size);
      const auto colours = Lamina::ColourOrdering::greedy(graph);
      Values expected;
      for (const BlockInverse inverse : all_inverses) {
        SCOPED_TRACE(testing::Message() << "size " << size << ", rows " << graph.num_rows()
                                        << ", inverse " << static_cast<int>(inverse));
        const SweepCase<TypeParam> c(graph, twin, colours, inverse);
        if (inverse == all_inverses[0]) expected = c.expected(c.b, SweepDirection::forward, 1);
        ASSERT_EQ(c.solver.status(), Lamina::SolveStatus::completed);
        const auto x = c.field(c.b);
        c.solver.sweep_in_colour_order(c.space, c.field(c.b).const_view(), x.view());
        EXPECT_TRUE(all_within(c.values(x), expected, c.tolerance()));
      }
    }
  }
}

TYPED_TEST(PointImplicitSolver, SweepsOverBlocksUpToTheLargest) {
  const auto graph = Lamina::FreudenthalMesh(2, 1, 1).graph();
  const auto colours = Lamina::ColourOrdering::greedy(graph);
  const int first = colours.old_rows()[0];
  for (const int size : {256, 257, 1024}) {
    const auto twin = random_matrix(graph, size);
    for (const BlockInverse inverse : all_inverses) {
      if (size > 257 && inverse != BlockInverse::lu) continue;  // takes long to invert
      const SweepCase<TypeParam> c(graph, twin, colours, inverse);
      ASSERT_EQ(c.solver.status(), Lamina::SolveStatus::completed);
      const Values start = random_values(c.b.size(), 123);
      const auto x = c.field(start);
      c.solver.sweep_in_colour_order(c.space, c.field(c.b).const_view(), x.view());
      // The twin's elimination would take long as well: each row must solve its equation, the first
      // one with the other as it was.
      const Values swept = c.values(x);
      Values mixed = start;
      std::copy_n(swept.begin() + first * size, size, mixed.begin() + first * size);
      Values product = Reference::multiply(twin, swept);
      const Values of_first = Reference::multiply(twin, mixed);
      std::copy_n(of_first.begin() + first * size, size, product.begin() + first * size);
      EXPECT_TRUE(all_within(product, c.b, c.tolerance()))
          << size << ", inverse " << static_cast<int>(inverse);
    }
  }
}

TYPED_TEST(PointImplicitSolver, SweepsForwardBackwardAndBoth) {
  const auto graph = Lamina::FreudenthalMesh(5, 4, 3).graph();
  const std::vector<int> natural = Lamina::natural_order(graph.num_rows());
  const Lamina::ColourOrdering orderings[] = {
      Lamina::ColourOrdering::greedy(graph),
      {graph, natural, Lamina::greedy_colouring(graph, natural)}};
  for (int n = 0; n < 14; ++n) {
    const int size = std::array{1, 2, 3, 5, 6, 8, 17}[static_cast<std::size_t>(n / 2)];
    const BlockInverse inverse = n % 4 < 2 ? BlockInverse::lu : BlockInverse::inverse;
    const SweepCase<TypeParam> c(graph, random_matrix(graph, size), orderings[n % 2], inverse);
    for (const SweepDirection direction : all_directions) {
      const Values start = random_values(c.b.size(), 123);
      for (const int num_sweeps : {0, 1, 3}) {
        const auto x = c.field(start);
        c.solver.sweep_in_colour_order(c.space, c.field(c.b).const_view(), x.view(), direction,
                                       num_sweeps);
        EXPECT_TRUE(
            all_within(c.values(x), c.expected(start, direction, num_sweeps), c.tolerance()))
            << size << ", direction " << static_cast<int>(direction) << ", " << num_sweeps;
      }
    }
  }
}

/// Sweeps that come again, between others: of each direction, over other vectors, from other values.
TYPED_TEST(PointImplicitSolver, SweepsAgainAsTheFirstTime) {
  for (const int size : {2, 5, 8, 17}) {
    for (const BlockInverse inverse : all_inverses) {
      SweepCase<TypeParam> c(Lamina::FreudenthalMesh(5, 4, 3).graph(), size, inverse);
      const auto b = c.field(c.b), padded_b = c.field(c.b, column_padding);
      const auto x = c.field(c.b), padded_x = c.field(c.b, all_padding);
      const auto copy = c.solver;
      const Values other_b = random_values(c.b.size(), 7);
      for (int n = 0; n < 4; ++n) {
        if (n == 3) {
          c.b = other_b;
          for (const auto* field : {&b, &padded_b})
            Kokkos::deep_copy(field->view(), c.field(other_b).view());
        }
        const Values start = random_values(c.b.size(), static_cast<std::uint64_t>(n));
        for (const SweepDirection direction : all_directions) {
          const Values expected = c.expected(start, direction, 1);
          for (const auto* field : {&x, &padded_x})
            Kokkos::deep_copy(field->view(), c.field(start).view());
          c.solver.sweep_in_colour_order(c.space, b.const_view(), x.view(), direction);
          copy.sweep_in_colour_order(c.space, padded_b.const_view(), padded_x.view(), direction);
          EXPECT_TRUE(all_within(c.values(x), expected, c.tolerance()))
              << size << ", time " << n << ", direction " << static_cast<int>(direction);
          EXPECT_TRUE(all_within(c.values(padded_x), expected, c.tolerance()))
              << size << ", time " << n << ", direction " << static_cast<int>(direction);
        }
      }
    }
  }
}

TYPED_TEST(PointImplicitSolver, SweepsColoursOfOneRowAndOrderingsOfTheUser) {
  const auto graph = Lamina::FreudenthalMesh(4, 3, 3).graph();
  std::vector<int> colours = Lamina::greedy_colouring(graph, Lamina::natural_order(36));
  colours[35] = 30;  // a colour of its own
  colours[0] = 31;
  std::vector<int> order = Lamina::natural_order(36);
  std::reverse(order.begin(), order.end());
  const SweepCase<TypeParam> c(graph, random_matrix(graph, 4), {graph, order, colours},
                               BlockInverse::inverse);
  const auto x = c.field(c.b);
  c.solver.sweep_in_colour_order(c.space, c.field(c.b).const_view(), x.view(),
                                 SweepDirection::symmetric, 2);
  EXPECT_TRUE(
      all_within(c.values(x), c.expected(c.b, SweepDirection::symmetric, 2), c.tolerance()));
}

TYPED_TEST(PointImplicitSolver, FusedSweepIsTheSeparateKernelsColourByColour) {
  for (int n = 0; n < 12; ++n) {
    const int size = std::array{2, 5, 16, 33}[static_cast<std::size_t>(n / 3)];
    const SweepCase<TypeParam> c(Lamina::FreudenthalMesh(4, 4, 4).graph(), size,
                                 all_inverses[static_cast<std::size_t>(n % 3)]);
    const auto b = c.field(c.b), fused = c.field(c.b), x = c.field(c.b), q = c.field(c.b);
    c.solver.sweep_in_colour_order(c.space, b.const_view(), fused.view());
    for (int k = 0; k < c.ordering.num_colours(); ++k) {
      c.solver.coloured_matrix().subtract_off_diagonal(c.space, b.const_view(), x.const_view(),
                                                       q.view());
      c.solver.solve_diagonal_in_colour_order(c.space, q.const_view(), q.view());
      const auto rows = Kokkos::make_pair(c.ordering.offsets()[static_cast<std::size_t>(k)],
                                          c.ordering.offsets()[static_cast<std::size_t>(k) + 1]);
      Kokkos::deep_copy(Kokkos::subview(x.view(), rows, Kokkos::ALL),
                        Kokkos::subview(q.view(), rows, Kokkos::ALL));
    }
    EXPECT_TRUE(all_within(fused.get(), x.get(), c.tolerance()));
  }
}

TYPED_TEST(PointImplicitSolver, WorksOnPaddedVectorsAndLeavesTheirSurroundingsAlone) {
  for (const int size : {1, 3, 8, 16, 33}) {
    const SweepCase<TypeParam> c(Lamina::FreudenthalMesh(3, 4, 3).graph(), size,
                                 BlockInverse::inverse);
    const Values expected = c.expected(c.b, SweepDirection::forward, 1);
    for (const auto& padding : {column_padding, level_padding, all_padding}) {
      const auto b = c.field(c.b, padding), x = c.field(c.b, padding);
      c.solver.sweep_in_colour_order(c.space, b.const_view(), x.view());
      EXPECT_TRUE(x.surroundings_untouched());
      EXPECT_TRUE(all_within(c.values(x), expected, c.tolerance()));
    }
  }
}

TYPED_TEST(PointImplicitSolver, ReportsTheFirstRowWithABadPivot) {
  const auto graph = Lamina::FreudenthalMesh(3, 3, 3).graph();
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = 1 / 0.0;
  const auto colours = Lamina::ColourOrdering::greedy(graph);
  const std::vector<Reference::Block> bad_blocks{
      Reference::Block(9, 0.0),
      {1, 2, 3, 2, 4, 6, 3, 6, 9 + 1e-15},  // rank 1 up to rounding
      {1, 0, 0, 0, nan, 0, 0, 0, 1},
      {1, 0, 0, 0, infinity, 0, 0, 0, 1},
      {1, 0, 0, 0, 1e-310, 0, 0, 0, 1}};
  for (const BlockInverse inverse : all_inverses) {
    for (const auto& bad : bad_blocks) {
      auto twin = random_matrix(graph, 3);
      const int first = colours.old_rows()[7], second = colours.old_rows()[20];
      twin.diagonal[static_cast<std::size_t>(first)] = bad;
      twin.diagonal[static_cast<std::size_t>(second)] = bad;
      const SweepCase<TypeParam> c(graph, twin, colours, inverse);
      EXPECT_EQ(c.solver.status(), Lamina::SolveStatus::breakdown_zero_pivot) << bad[4];
      EXPECT_EQ(c.solver.first_bad_row(), first);
      const auto x = c.field(c.b);
      const Values before = x.get();
      const auto report =
          c.solver.solve_in_colour_order(c.space, c.field(c.b).const_view(), x.view());
      EXPECT_EQ(report.status, Lamina::SolveStatus::breakdown_zero_pivot);
      EXPECT_GT(report.reference_norm, 0);
      EXPECT_FALSE(report.residual_norm <= 0) << "NaN where the block is not finite";
      EXPECT_EQ(x.get(), before);
    }
  }
}

TYPED_TEST(PointImplicitSolver, PivotsWhereAPivotIsZeroAndScalesDoNotMatter) {
  const auto graph = Lamina::FreudenthalMesh(3, 3, 3).graph();
  auto twin = random_matrix(graph, 2);
  twin.diagonal[4] = {0, 1, 1, 0};
  const auto colours = Lamina::ColourOrdering::greedy(graph);
  EXPECT_EQ(SweepCase<TypeParam>(graph, twin, colours, BlockInverse::lu).solver.first_bad_row(), 4);
  for (const BlockInverse inverse : {BlockInverse::lu_pivoted, BlockInverse::inverse}) {
    const SweepCase<TypeParam> c(graph, twin, colours, inverse);
    EXPECT_EQ(c.solver.status(), Lamina::SolveStatus::completed);
    const auto x = c.field(c.b);
    c.solver.sweep_in_colour_order(c.space, c.field(c.b).const_view(), x.view());
    EXPECT_TRUE(all_within(c.values(x), c.expected(c.b, SweepDirection::forward, 1), 1e-12));
  }
  twin.diagonal[4] = {1e-20, 1e-40, 1e20, 5};  // rows and columns of very different units
  for (const BlockInverse inverse : all_inverses) {
    EXPECT_EQ(SweepCase<TypeParam>(graph, twin, colours, inverse).solver.first_bad_row(), -1);
  }
}

TYPED_TEST(PointImplicitSolver, TakesVectorsInTheOrderOfTheUser) {
  for (const int size : {1, 3, 8, 17}) {
    for (const auto& padding : {Padding(), all_padding}) {
      const SweepCase<TypeParam> c(Lamina::FreudenthalMesh(4, 3, 3).graph(), size,
                                   BlockInverse::inverse);
      const int rows = c.twin.num_rows();
      const Values start = random_values(c.b.size(), 123);
      const BlockFieldOfTest b(rows, size, c.b, padding);
      BlockFieldOfTest x(rows, size, start, padding);
      for (const SweepDirection direction : all_directions) {
        x.set(start);
        c.solver.sweep(c.space, b.const_view(), x.view(), direction, 2);
        EXPECT_TRUE(all_within(x.get(), c.expected(start, direction, 2), c.tolerance()));
      }
      x.set(start);
      const auto report = c.solver.solve(c.space, b.const_view(), x.view(),
                                         Lamina::StoppingCriteria::iterations(3));
      EXPECT_EQ(report.iterations, 3);
      EXPECT_TRUE(
          all_within(x.get(), c.expected(start, SweepDirection::forward, 3), c.tolerance()));
      EXPECT_EQ(b.get(), c.b);
      EXPECT_TRUE(x.surroundings_untouched());

      const auto ordered_b = c.field(c.b), ordered_x = c.field(start);
      const auto same =
          c.solver.solve_in_colour_order(c.space, ordered_b.const_view(), ordered_x.view(),
                                         Lamina::StoppingCriteria::iterations(3));
      EXPECT_EQ(same.residual_history, report.residual_history);
      EXPECT_EQ(c.values(ordered_x), x.get());
    }
  }
}

/// Rows that are in the order of their colours already: there is nothing to copy.
TYPED_TEST(PointImplicitSolver, BothOrdersAreTheSameWhereNoRowMoves) {
  Lamina::BlockGraph uncoupled;
  uncoupled.offsets.assign(8, 0);
  const SweepCase<TypeParam> c(uncoupled, 3, BlockInverse::inverse);
  const BlockFieldOfTest b(7, 3, c.b), x(7, 3);
  c.solver.sweep(c.space, b.const_view(), x.view());
  EXPECT_TRUE(
      all_within(x.get(), c.expected(Values(21, 0.0), SweepDirection::forward, 1), c.tolerance()));
  EXPECT_EQ(c.solver.solve(c.space, b.const_view(), x.view()).status,
            Lamina::SolveStatus::converged);
}

TYPED_TEST(PointImplicitSolver, RefusesVectorsThatOverlap) {
  const SweepCase<TypeParam> c(Lamina::FreudenthalMesh(3, 3, 3).graph(), 2, BlockInverse::lu);
  const BlockFieldOfTest all(28, 5), b(27, 2);
  const auto part = [&](int row, int component) {
    return Kokkos::subview(all.view(), Kokkos::make_pair(row, row + 27),
                           Kokkos::make_pair(component, component + 2));
  };
  const auto refuses = [&](const auto& call) {
    EXPECT_THROW(call(part(0, 0), part(0, 0)), Lamina::InvalidArgument);
    EXPECT_THROW(call(part(0, 0), part(1, 1)), Lamina::InvalidArgument);
    EXPECT_NO_THROW(call(part(0, 0), part(1, 2)));
  };
  refuses([&](auto rhs, auto x) { c.solver.sweep(c.space, rhs, x); });
  refuses([&](auto rhs, auto x) { c.solver.sweep_in_colour_order(c.space, rhs, x); });
  refuses([&](auto rhs, auto x) { (void)c.solver.solve(c.space, rhs, x); });
  refuses([&](auto rhs, auto x) { (void)c.solver.solve_in_colour_order(c.space, rhs, x); });
  refuses([&](auto rhs, auto x) { c.solver.to_colour_order(c.space, rhs, x); });
  refuses([&](auto rhs, auto x) { c.solver.from_colour_order(c.space, rhs, x); });
  const auto& a = c.solver.coloured_matrix();
  refuses([&](auto x, auto y) { a.apply(c.space, x, y); });
  refuses([&](auto x, auto y) { a.subtract_off_diagonal(c.space, b.const_view(), x, y); });
  EXPECT_NO_THROW(a.subtract_off_diagonal(c.space, part(0, 0), part(0, 2), part(0, 0)));
  EXPECT_THROW(a.subtract_off_diagonal(c.space, part(0, 0), part(0, 2), part(1, 0)),
               Lamina::InvalidArgument);
  EXPECT_NO_THROW(c.solver.solve_diagonal_in_colour_order(c.space, part(0, 0), part(0, 0)));
  EXPECT_THROW(c.solver.solve_diagonal_in_colour_order(c.space, part(0, 0), part(1, 0)),
               Lamina::InvalidArgument);
}

TYPED_TEST(PointImplicitSolver, StatesItsTraffic) {
  const ClosedFormCase<TypeParam> c(4, 4, 4, 5);
  const double blocks = static_cast<double>(c.matrix.num_blocks());
  const auto cost = c.solver.sweep_cost();
  const double scales = in_half<TypeParam> ? 64 * 5 * 4 : 0;
  EXPECT_EQ(cost.bytes,
            blocks * (25.0 * sizeof(TypeParam) + 4) + scales + 64 * (8.0 * 25 + 3 * 8 * 5 + 4));
  EXPECT_EQ(cost.flops, 50 * (blocks + 64));
}

TYPED_TEST(PointImplicitSolver, RefusesWhatDoesNotFit) {
  const TEST_SPACE space;
  const auto graph = Lamina::FreudenthalMesh(3, 3, 3).graph();
  const auto matrix = device_matrix<TypeParam>(random_matrix(graph, 2));
  using Solver = SolverOfTest<TypeParam>;
  EXPECT_THROW(Solver(space, matrix, Lamina::ColourOrdering()), Lamina::InvalidArgument);
  Lamina::BlockGraph uncoupled;
  uncoupled.offsets.assign(28, 0);
  EXPECT_THROW(Solver(space, matrix, Lamina::ColourOrdering::greedy(uncoupled)),
               Lamina::InvalidArgument);
  const Solver solver(space, matrix, Lamina::ColourOrdering::greedy(graph));
  const BlockFieldOfTest good(27, 2), other(27, 2), few(26, 2), wide(27, 3);
  EXPECT_THROW(solver.sweep_in_colour_order(space, few.const_view(), good.view()),
               Lamina::InvalidArgument);
  EXPECT_THROW(solver.sweep_in_colour_order(space, good.const_view(), wide.view()),
               Lamina::InvalidArgument);
  EXPECT_THROW(solver.sweep_in_colour_order(space, good.const_view(), other.view(),
                                            SweepDirection::forward, -1),
               Lamina::InvalidArgument);
  EXPECT_THROW((void)solver.solve_in_colour_order(space, few.const_view(), good.view()),
               Lamina::InvalidArgument);
  EXPECT_THROW(
      (void)solver.residual_norm_in_colour_order(space, wide.const_view(), good.const_view()),
      Lamina::InvalidArgument);
  EXPECT_THROW(solver.solve_diagonal_in_colour_order(space, few.const_view(), good.view()),
               Lamina::InvalidArgument);
  EXPECT_THROW(solver.to_colour_order(space, few.const_view(), good.view()),
               Lamina::InvalidArgument);
  EXPECT_THROW(solver.from_colour_order(space, good.const_view(), wide.view()),
               Lamina::InvalidArgument);
}

}  // namespace LaminaTest
