// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/blocks/MultiRhsPointImplicitSolver.hpp>
#include <lamina/core/Require.hpp>

#include <blocks/SweepCase.hpp>
#include <gtest/gtest.h>
#include <support/ToolExpectations.hpp>

#include <cmath>
#include <limits>
#include <vector>

namespace LaminaTest {

template <class Type>
class MultiRhsPointImplicitSolver : public testing::Test {};
TYPED_TEST_SUITE(MultiRhsPointImplicitSolver, OffDiagonalTypes, OffDiagonalTypeNames);

using RhsFields = Kokkos::View<double***, Kokkos::LayoutRight, Memory>;

/// Vectors, each (row, component), as one View (row, right-hand side, component).
inline RhsFields rhs_fields(int rows, int size, const std::vector<Values>& sides) {
  const RhsFields fields("LaminaTest::fields", static_cast<std::size_t>(rows), sides.size(),
                         static_cast<std::size_t>(size));
  const auto host = Kokkos::create_mirror_view(fields);
  for (std::size_t r = 0; r < sides.size(); ++r) {
    for (std::size_t n = 0; n < sides[r].size(); ++n) {
      host(n / fields.extent(2), r, n % fields.extent(2)) = sides[r][n];
    }
  }
  Kokkos::deep_copy(fields, host);
  return fields;
}
inline Values side_of(const RhsFields& fields, std::size_t r) {
  Kokkos::fence();
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), fields);
  Values values;
  for (std::size_t i = 0; i < host.extent(0); ++i) {
    for (std::size_t p = 0; p < host.extent(2); ++p) values.push_back(host(i, r, p));
  }
  return values;
}
inline std::vector<Values> random_sides(std::size_t count, std::size_t sides, std::uint64_t seed) {
  std::vector<Values> values;
  for (std::size_t r = 0; r < sides; ++r) values.push_back(random_values(count, seed + r));
  return values;
}

TYPED_TEST(MultiRhsPointImplicitSolver, SweepsEachRightHandSideLikeTheTwin) {
  for (const int size : {1, 2, 3, 4, 5, 6, 16, 33}) {
    for (const auto& graph : meshes_for(size)) {
      for (const BlockInverse inverse :
           {BlockInverse::lu, BlockInverse::lu_pivoted, BlockInverse::inverse}) {
        SweepCase<TypeParam> c(graph, size, inverse);
        const int rows = graph.num_rows();
        const auto count = static_cast<std::size_t>(rows * size);
        const Lamina::MultiRhsPointImplicitSolver many(c.solver, 8);
        for (const std::size_t sides : {1, 2, 3, 7, 8}) {
          if (inverse != BlockInverse::inverse && sides != 3) continue;
          const auto b = random_sides(count, sides, 20), start = random_sides(count, sides, 70);
          const RhsFields b_fields = rhs_fields(rows, size, b), x = rhs_fields(rows, size, start);
          const auto direction = sides == 2   ? SweepDirection::backward
                                 : sides == 3 ? SweepDirection::symmetric
                                              : SweepDirection::forward;
          many.sweep(c.space, b_fields, x, direction, 2);
          for (std::size_t r = 0; r < sides; ++r) {
            c.b = b[r];
            EXPECT_TRUE(
                all_within(side_of(x, r), c.expected(start[r], direction, 2), c.tolerance()))
                << "size " << size << ", rows " << rows << ", side " << r << " of " << sides
                << ", inverse " << static_cast<int>(inverse);
            EXPECT_EQ(side_of(b_fields, r), b[r]);
          }
        }
      }
    }
  }
}

/// A right-hand side is a field for all other calls.
TYPED_TEST(MultiRhsPointImplicitSolver, SolvesEachAsItIsSolvedAlone) {
  for (const int size : {1, 3, 5}) {
    const SweepCase<TypeParam> c(Lamina::FreudenthalMesh(5, 4, 3).graph(), size,
                                 BlockInverse::inverse);
    const auto count = c.b.size();
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (const std::size_t sides : {1, 2, 3, 8}) {
      auto b = random_sides(count, sides, 20), start = random_sides(count, sides, 70);
      if (sides > 1) {  // the exact answer but for little: it converges first
        b[1] = Reference::multiply(c.twin, start[1]);
        b[1][2] += 1e-6;
      }
      if (sides > 3) {
        b[2].assign(count, 0.0);
        b[3][1] = nan;
        start[4][1] = nan;
      }
      Lamina::StoppingCriteria criteria;
      criteria.tolerance = 1e-9;
      const RhsFields b_fields = rhs_fields(c.twin.num_rows(), size, b),
                      x = rhs_fields(c.twin.num_rows(), size, start),
                      alone = rhs_fields(c.twin.num_rows(), size, start);
      const auto reports = Lamina::MultiRhsPointImplicitSolver(c.solver, 8)
                               .solve(c.space, b_fields, x, criteria, SweepDirection::symmetric);
      ASSERT_EQ(reports.size(), sides);
      for (std::size_t r = 0; r < sides; ++r) {
        SCOPED_TRACE(testing::Message() << "size " << size << ", side " << r << " of " << sides);
        const auto one_b = Kokkos::subview(b_fields, Kokkos::ALL, r, Kokkos::ALL);
        const auto one_x = Kokkos::subview(alone, Kokkos::ALL, r, Kokkos::ALL);
        const auto report =
            c.solver.solve(c.space, one_b, one_x, criteria, SweepDirection::symmetric);
        EXPECT_EQ(reports[r].status, report.status);
        EXPECT_EQ(reports[r].iterations, report.iterations);
        ASSERT_EQ(reports[r].residual_history.size(), report.residual_history.size());
        if (std::isfinite(report.residual_norm)) {
          EXPECT_NEAR(reports[r].residual_norm, report.residual_norm,
                      1e-5 * report.residual_norm + 1e-14 * report.reference_norm);
          EXPECT_TRUE(all_within(side_of(x, r), side_of(alone, r), c.tolerance()));
        } else if (r == 3) {
          EXPECT_EQ(side_of(x, r), start[r]);
        }
      }
      if (sides > 1) {
        EXPECT_LT(reports[1].iterations, reports[0].iterations);
      }
    }
  }
}

TYPED_TEST(MultiRhsPointImplicitSolver, SweepsForAFixedCountAndTellsOfTheLargestResidual) {
  const SweepCase<TypeParam> c(Lamina::FreudenthalMesh(4, 3, 3).graph(), 2, BlockInverse::inverse);
  const RhsFields b = rhs_fields(36, 2, random_sides(72, 3, 20)),
                  x = rhs_fields(36, 2, random_sides(72, 3, 70));
  auto criteria = Lamina::StoppingCriteria::iterations(4);
  std::vector<double> told;
  criteria.on_check = [&](int, double residual) { told.push_back(residual); };
  const auto reports =
      Lamina::MultiRhsPointImplicitSolver(c.solver, 3).solve(c.space, b, x, criteria);
  ASSERT_EQ(told.size(), 5u);
  for (std::size_t n = 0; n < 4; ++n) {
    double largest = 0;
    for (const auto& report : reports) largest = std::max(largest, report.residual_history[n]);
    EXPECT_EQ(told[n + 1], largest);
  }
  for (const auto& report : reports) EXPECT_EQ(report.status, Lamina::SolveStatus::completed);
}

TYPED_TEST(MultiRhsPointImplicitSolver, EndsWhenAskedAndRefusesCallsUntilThen) {
  const SweepCase<TypeParam> c(Lamina::FreudenthalMesh(4, 3, 3).graph(), 2, BlockInverse::inverse);
  const Lamina::MultiRhsPointImplicitSolver many(c.solver, 3);
  auto sides = random_sides(72, 3, 20);
  sides[1].assign(72, 0.0);  // has ended by then
  const RhsFields b = rhs_fields(36, 2, sides), x = rhs_fields(36, 2, random_sides(72, 3, 70)),
                  limited = rhs_fields(36, 2, random_sides(72, 3, 70));
  Lamina::StoppingCriteria criteria{.tolerance = 0, .max_iterations = 2};
  const auto expected = many.solve(c.space, b, limited, criteria);
  criteria.max_iterations = 50;
  criteria.on_check = [&](int, double) {
    EXPECT_THROW(many.sweep(c.space, b, limited), Lamina::InvalidArgument);
  };
  int looks = 0;
  criteria.stop_requested = [&] { return ++looks == 3; };  // the first one is at the guess
  const auto reports = many.solve(c.space, b, x, criteria);
  EXPECT_EQ(looks, 3);
  EXPECT_EQ(reports[1].status, Lamina::SolveStatus::converged);
  for (const std::size_t r : {0, 2}) {
    EXPECT_EQ(reports[r].status, Lamina::SolveStatus::interrupted);
    EXPECT_EQ(expected[r].status, Lamina::SolveStatus::max_iterations);
    EXPECT_EQ(reports[r].iterations, 2);
    EXPECT_TRUE(all_within(side_of(x, r), side_of(limited, r), c.tolerance()));
  }
}

TYPED_TEST(MultiRhsPointImplicitSolver, SeesUpdatesAndTellsEachOfABadPivot) {
  const auto graph = Lamina::FreudenthalMesh(3, 3, 3).graph();
  SweepCase<TypeParam> c(graph, 3, BlockInverse::inverse);
  const Lamina::MultiRhsPointImplicitSolver many(c.solver, 2);
  auto twin = c.twin;
  twin.diagonal[4].assign(9, 0.0);
  c.solver.update(c.space, device_matrix<TypeParam>(twin));
  const auto start = random_sides(81, 2, 70);
  const RhsFields b = rhs_fields(27, 3, random_sides(81, 2, 20)), x = rhs_fields(27, 3, start);
  const auto reports = many.solve(c.space, b, x);
  for (std::size_t r = 0; r < 2; ++r) {
    EXPECT_EQ(reports[r].status, Lamina::SolveStatus::breakdown_zero_pivot);
    EXPECT_GT(reports[r].residual_norm, 0);
    EXPECT_EQ(side_of(x, r), start[r]);
  }
}

TYPED_TEST(MultiRhsPointImplicitSolver, RefusesWhatDoesNotFit) {
  const SweepCase<TypeParam> c(Lamina::FreudenthalMesh(3, 3, 3).graph(), 2, BlockInverse::lu);
  const Lamina::MultiRhsPointImplicitSolver many(c.solver, 3);
  EXPECT_THROW(Lamina::MultiRhsPointImplicitSolver(c.solver, 0), Lamina::InvalidArgument);
  const RhsFields good("b", 27, 3, 2), x("x", 27, 3, 2);
  EXPECT_NO_THROW(many.sweep(c.space, good, x));
  EXPECT_THROW(many.sweep(c.space, good, good), Lamina::InvalidArgument);
  EXPECT_THROW(many.sweep(c.space, good, x, SweepDirection::forward, -1), Lamina::InvalidArgument);
  for (const RhsFields& bad : {RhsFields("few", 26, 3, 2), RhsFields("sides", 27, 2, 2),
                               RhsFields("wide", 27, 3, 3), RhsFields("none", 27, 0, 2)}) {
    EXPECT_THROW(many.sweep(c.space, good, bad), Lamina::InvalidArgument);
    EXPECT_THROW((void)many.solve(c.space, bad, x), Lamina::InvalidArgument);
  }
  const RhsFields many_b("b", 27, 4, 2), many_x("x", 27, 4, 2);
  EXPECT_THROW(many.sweep(c.space, many_b, many_x), Lamina::InvalidArgument);
}

TYPED_TEST(MultiRhsPointImplicitSolver, AllocatesNothingInACallAndNamesItsKernels) {
  const SweepCase<TypeParam> c(Lamina::FreudenthalMesh(3, 3, 3).graph(), 2, BlockInverse::inverse);
  const Lamina::MultiRhsPointImplicitSolver many(c.solver, 3);
  const RhsFields b = rhs_fields(27, 2, random_sides(54, 3, 20)), x("LaminaTest::x", 27, 3, 2);
  (void)many.solve(c.space, b, x);
  const ToolListener listener;
  many.sweep(c.space, b, x);
  (void)many.solve(c.space, b, x);
  Kokkos::fence();
  expect_no_allocations(listener.heard());
  expect_kernels_of_the_library(listener.heard());
  EXPECT_EQ(many.sweep_cost(1).bytes, c.solver.sweep_cost().bytes);
}

}  // namespace LaminaTest
