// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Require.hpp>
#include <lamina/krylov/Pcg.hpp>
#include <lamina/multigrid/PoissonMultigrid.hpp>
#include <lamina/problems/PoissonProblem.hpp>

#include <gtest/gtest.h>
#include <multigrid/PoissonMultigridCase.hpp>
#include <support/FieldTypes.hpp>
#include <support/MessageOf.hpp>
#include <support/ToolExpectations.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>

namespace LaminaTest {

template <class Type>
struct PoissonMultigrid : testing::Test {
  using Scalar = typename Type::scalar;
  using Case = PoissonMultigridCase<Scalar, typename Type::layout>;

  /// A cycle has about 20 operations a level. Near the short interval at a wall products are up to 2 over its
  /// length, which the diagonal takes back.
  static double accuracy(const Case& of) {
    return rounding<Scalar>(20 * of.multigrid.num_levels());
  }
};
TYPED_TEST_SUITE(PoissonMultigrid, FieldTypes, FieldTypeNames);

TYPED_TEST(PoissonMultigrid, AgreesWithTheTwin) {
  using Scalar = typename TestFixture::Scalar;
  for (const Rectangle& rectangle : multigrid_rectangles()) {
    for (const int steps : {1, 2, 3}) {
      SCOPED_TRACE(testing::Message()
                   << rectangle.nx << " x " << rectangle.ny << ", " << steps << " steps");
      const typename TestFixture::Case c(rectangle, steps);
      const Reference::PoissonMultigrid twin(rectangle.nx, rectangle.ny, poisson_weights(steps));
      const Values b = rounded<Scalar>(random_field(rectangle, 1)),
                   guess = rounded<Scalar>(random_field(rectangle, 2));
      ASSERT_EQ(c.multigrid.num_levels(), static_cast<int>(twin.levels().size()));

      Values expected(b.size(), 0.0);
      twin.cycle(b, expected);
      const Values z = c.solve(b);
      EXPECT_TRUE(all_within(z, expected, this->accuracy(c))) << "a cycle from zero";
      for (const auto& padding : {column_padding, level_padding, all_padding}) {
        EXPECT_EQ(c.solve(b, padding), z);
      }

      expected = guess;
      twin.cycle(b, expected);
      const auto rhs = c.field(b, all_padding), x = c.field(guess, all_padding);
      c.multigrid.improve(c.space, rhs.const_view(), x.view());
      EXPECT_TRUE(all_within(x.get(), expected, this->accuracy(c))) << "a cycle from a guess";

      c.multigrid.full_multigrid(c.space, rhs.const_view(), x.view());
      EXPECT_TRUE(all_within(x.get(), twin.full_multigrid(b), this->accuracy(c)))
          << "full multigrid";
      EXPECT_TRUE(x.surroundings_untouched());
    }
  }
}

TYPED_TEST(PoissonMultigrid, AgreesWithTheTwinOnLongLines) {
  using Scalar = typename TestFixture::Scalar;
  // An odd number of points in many tiles.
  for (const Rectangle& rectangle : {Rectangle{3, 70001}, Rectangle{70001, 2}}) {
    SCOPED_TRACE(testing::Message() << rectangle.nx << " x " << rectangle.ny);
    const typename TestFixture::Case c(rectangle);
    const Reference::PoissonMultigrid twin(rectangle.nx, rectangle.ny, poisson_weights(2));
    const Values b = rounded<Scalar>(random_field(rectangle, 1));
    Values expected(b.size(), 0.0);
    twin.cycle(b, expected);
    EXPECT_TRUE(all_within(c.solve(b), expected, this->accuracy(c)));
  }
}

TYPED_TEST(PoissonMultigrid, IsSymmetricAndPositive) {
  using Scalar = typename TestFixture::Scalar;
  const auto product = [](const Values& a, const Values& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
  };
  for (const Rectangle& rectangle : multigrid_rectangles()) {
    for (const int steps : {1, 2, 3}) {
      SCOPED_TRACE(testing::Message()
                   << rectangle.nx << " x " << rectangle.ny << ", " << steps << " steps");
      const typename TestFixture::Case c(rectangle, steps);
      const Values x = rounded<Scalar>(random_field(rectangle, 3)),
                   y = rounded<Scalar>(random_field(rectangle, 4));
      const Values bx = c.solve(x), by = c.solve(y);
      const double xx = product(x, bx), yy = product(y, by);
      EXPECT_GT(xx, 0);
      EXPECT_GT(yy, 0);
      EXPECT_NEAR(product(y, bx), product(x, by), this->accuracy(c) * std::sqrt(xx * yy));
    }
  }
}

TYPED_TEST(PoissonMultigrid, AllocatesNothingAndNamesItsKernels) {
  const typename TestFixture::Case c({37, 50});
  const auto b = c.field(random_field(c.rectangle, 5)), x = c.field();
  c.multigrid.full_multigrid(c.space, b.const_view(), x.view());  // Kokkos grows scratch of its own
  const ToolListener listener;
  c.multigrid.solve(c.space, b.const_view(), x.view());
  c.multigrid.full_multigrid(c.space, b.const_view(), x.view());
  const auto heard = listener.heard();
  expect_no_allocations(heard);
  expect_kernels_of_the_library(heard);
  expect_costs_of_kernels(c.multigrid.kernel_costs(), heard);
}

TYPED_TEST(PoissonMultigrid, CostsAreThoseOfTheCalls) {
  using Scalar = typename TestFixture::Scalar;
  const typename TestFixture::Case c(Rectangle::square(1023));
  const double field = 1023.0 * 1023 * sizeof(Scalar);
  const double cycle = c.multigrid.cycle_cost().bytes / field,
               improve = c.multigrid.improve_cost().bytes / field,
               full = c.multigrid.full_multigrid_cost().bytes / field;
  // The finest level and a third of that; what reads x does so on the finest level alone.
  EXPECT_NEAR(cycle, 5.5 * 4 / 3, 0.05);
  EXPECT_NEAR(improve - cycle, 1, 1e-9);
  // A cycle of each level that reads the solution of the coarser one, and restrictions: on the
  // finest level 7 fields, and all cycles of coarser levels.
  EXPECT_NEAR(full, (7 + 5.5 / 3) * 4 / 3, 0.1);
  EXPECT_NEAR(full / cycle, 1.6, 0.05);
}

TYPED_TEST(PoissonMultigrid, RequiredBytesAreThose) {
  using Multigrid = typename TestFixture::Case::Multigrid;
  const TEST_SPACE space;
  for (const Rectangle& rectangle : {Rectangle{1, 1}, Rectangle{64, 33}, Rectangle{300, 300}}) {
    const typename TestFixture::Case::Operator op(rectangle);
    const ToolListener listener;
    const Multigrid multigrid(space, op);
    const auto peak = listener.heard().peak_bytes;
    const auto found = peak.find(Memory::name());
    ASSERT_NE(found, peak.end());
    // Views have headers.
    EXPECT_NEAR(Multigrid::required_bytes(space, rectangle), static_cast<double>(found->second),
                1000 * multigrid.num_levels());
  }
}

/// Iterations of `Pcg` from zero, to 1e-6 and to 1e-10.
inline std::pair<int, int> poisson_iterations(const Rectangle& rectangle, int steps) {
  const PoissonMultigridCase<double, Kokkos::LayoutRight> c(rectangle, steps);
  const auto b = c.field(random_field(rectangle, 6)), x = c.field();
  Lamina::Pcg pcg(c.space, c.op, c.multigrid);
  const auto count = [&](double tolerance) {
    Kokkos::deep_copy(x.view(), 0.0);
    const auto report = pcg.solve(c.space, b.const_view(), x.view(),
                                  {.tolerance = tolerance, .max_iterations = 50});
    EXPECT_TRUE(report.converged());
    return report.iterations;
  };
  const int few = count(1e-6);
  return {few, count(1e-10)};
}

TEST(PoissonMultigridConvergence, DoesNotDependOnTheNumberOfPoints) {
  const auto expect_few = [](const Rectangle& rectangle) {
    SCOPED_TRACE(testing::Message() << rectangle.nx << " x " << rectangle.ny);
    const auto [few, many] = poisson_iterations(rectangle, 2);
    EXPECT_LE(few, 6);
    EXPECT_LE(many, 8);
    const auto [few_of_three, many_of_three] = poisson_iterations(rectangle, 3);
    EXPECT_LE(few_of_three, 5);
    EXPECT_LE(many_of_three, 7);
  };
  for (const int n : {1,  2,  3,  4,  5,  6,  7,   8,   11,  15,  16,  17,  31,  32, 33,
                      61, 63, 64, 65, 96, 97, 127, 128, 129, 255, 256, 300, 511, 512}) {
    expect_few(Rectangle::square(n));
  }
  for (const Rectangle& rectangle : multigrid_rectangles()) expect_few(rectangle);
}

/// The error of full multigrid, and that of a solution to 1e-10, at most.
template <class Layout>
std::pair<double, double> poisson_errors(int n, int steps) {
  const PoissonMultigridCase<double, Layout> c(Rectangle::square(n), steps);
  const Lamina::PoissonProblem<Memory> problem(n);
  const auto b = c.field(), x = c.field(), exact = c.field();
  problem.fill_rhs(c.space, b.view());
  c.multigrid.full_multigrid(c.space, b.const_view(), x.view());
  Lamina::Pcg pcg(c.space, c.op, c.multigrid);
  EXPECT_TRUE(pcg.solve(c.space, b.const_view(), exact.view(), {.tolerance = 1e-10}).converged());
  const double error = problem.error(c.space, exact.view()).linf;
  const Values found = x.get(), wanted = exact.get();
  double left = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    left = std::max(left, std::abs(found[i] - wanted[i]));
  }
  return {left, error};
}

TEST(PoissonMultigridAccuracy, OfFullMultigridIsThatOfTheEquation) {
  for (const int n : {3, 4, 7, 10, 16, 31, 32, 63, 64, 97, 128, 255, 256}) {
    SCOPED_TRACE(n);
    const auto [left, error] = poisson_errors<Kokkos::LayoutRight>(n, 2);
    EXPECT_LE(left, 0.65 * error);
    const auto [left_of_three, same] = poisson_errors<Kokkos::LayoutLeft>(n, 3);
    EXPECT_LE(left_of_three, 0.2 * same + (n < 10 ? 0.1 * same : 0));
    EXPECT_NEAR(same, error, 1e-6 * error);
  }
}

TEST(PoissonMultigridAccuracy, OfSolutionsIsThatOfThePublishedTable) {
  // Its errors have five digits, of solutions whose residual has fallen by 1e-6.
  const std::pair<int, double> rows[] = {
      {32, 3.0128e-3}, {64, 7.7811e-4}, {128, 1.9765e-4}, {256, 4.9797e-5}};
  for (const auto& [n, published] : rows) {
    EXPECT_NEAR((poisson_errors<Kokkos::LayoutRight>(n, 2).second), published, 3e-4 * published)
        << n;
  }
}

TEST(PoissonMultigridArguments, AreChecked) {
  const TEST_SPACE space;
  using Multigrid = Lamina::PoissonMultigrid<double, Memory>;
  const Lamina::PoissonOperator<double, Memory> op(Rectangle{5, 4});
  const auto refusal = [&](const auto& call) { return message_of<Lamina::InvalidArgument>(call); };
  for (const int steps : {0, 4}) {
    EXPECT_EQ(refusal([&] { const Multigrid wrong(space, op, steps); }),
              "Lamina::PoissonMultigrid: steps: expected 1 to 3, got " + std::to_string(steps));
  }
  const auto local = Lamina::local_rectangle({6, 4}, Lamina::Partition::blocks(6, 2), 0);
  EXPECT_EQ(refusal([&] {
              const Multigrid wrong(space, Lamina::PoissonOperator<double, Memory>(local));
            }),
            "Lamina::PoissonMultigrid: op: expected no halo columns, or a transport, got 1");
  const Multigrid multigrid(space, op);
  EXPECT_EQ(multigrid.rectangle(1), (Rectangle{2, 2}));
  const TestField<double, Kokkos::LayoutLeft> b(5, 4), x(5, 3);
  const auto wrong_extent = [](const std::string& call, const std::string& name) {
    return "Lamina::PoissonMultigrid::" + call + ": argument " + name +
           ": expected 4 levels, got 3";
  };
  EXPECT_EQ(refusal([&] { multigrid.solve(space, b.const_view(), x.view()); }),
            wrong_extent("solve", "z"));
  EXPECT_EQ(refusal([&] { multigrid.improve(space, x.const_view(), b.view()); }),
            wrong_extent("improve", "b"));
  EXPECT_EQ(refusal([&] { multigrid.full_multigrid(space, b.const_view(), x.view()); }),
            wrong_extent("full_multigrid", "x"));
  EXPECT_EQ(refusal([&] { multigrid.solve(space, b.const_view(), b.view()); }),
            "Lamina::PoissonMultigrid::solve: arguments r and z: expected memory of their own, got "
            "Views that overlap");
}

}  // namespace LaminaTest
