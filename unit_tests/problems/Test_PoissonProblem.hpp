// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/problems/PoissonProblem.hpp>

#include <poisson/PoissonCase.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace LaminaTest {

template <class Type>
struct PoissonProblem : testing::Test {};
TYPED_TEST_SUITE(PoissonProblem, FieldTypes, FieldTypeNames);

template <class Scalar, class Layout>
void check_formulas(const Rectangle& rectangle) {
  const auto [nx, ny] = rectangle;
  const double pi = 3.14159265358979323846, h = 1.0 / (nx + 1), length = (ny + 1) * h;
  const TestField<Scalar, Layout> b(nx, ny, all_padding);
  TestField<Scalar, Layout> x(nx, ny);
  const Lamina::PoissonProblem<Memory> problem(rectangle);
  EXPECT_EQ(problem.rectangle(), rectangle);
  EXPECT_EQ(problem.mesh_width(), h);
  problem.fill_rhs(TEST_SPACE(), b.view());
  Values expected, wrong;
  double squares = 0;
  for (int i = 1; i <= nx; ++i) {
    for (int j = 1; j <= ny; ++j) {
      const double along_x = pi * i * h, along_y = pi * j * h / length, sin_x = std::sin(along_x),
                   sin_y = std::sin(along_y);
      expected.push_back(-2 * pi * pi * h * h *
                         (std::cos(2 * along_x) * sin_y * sin_y +
                          sin_x * sin_x * std::cos(2 * along_y) / (length * length)));
      const double error = i == 5 && j == 7 ? -0.5 : 0.125;
      squares += error * error;
      wrong.push_back(sin_x * sin_x * sin_y * sin_y + error);
    }
  }
  EXPECT_TRUE(all_within(b.get(), expected, rounding<Scalar>(2)));
  EXPECT_TRUE(b.surroundings_untouched());
  x.set(wrong);
  const auto error = problem.error(TEST_SPACE(), x.const_view());
  const double accuracy = rounding<Scalar>(2);
  EXPECT_NEAR(error.linf, 0.5, accuracy);
  EXPECT_NEAR(error.l2, h * std::sqrt(squares), accuracy);
  wrong[20] = std::nan("");
  x.set(wrong);
  EXPECT_TRUE(std::isnan(problem.error(TEST_SPACE(), x.const_view()).linf));
  EXPECT_TRUE(std::isnan(problem.error(TEST_SPACE(), x.const_view()).l2));
}

TYPED_TEST(PoissonProblem, HasTheFormulasOfItsHeader) {
  for (const Rectangle& rectangle : {Rectangle{13, 13}, Rectangle{13, 8}, Rectangle{7, 20}}) {
    SCOPED_TRACE(testing::Message() << rectangle.nx << " x " << rectangle.ny);
    check_formulas<typename TypeParam::scalar, typename TypeParam::layout>(rectangle);
  }
}

/// Strips have the same values at their points, and leave halo columns alone.
TYPED_TEST(PoissonProblem, HasPartsForRanks) {
  using Field = TestField<typename TypeParam::scalar, typename TypeParam::layout>;
  const Rectangle whole{13, 8};
  const Field b(13, 8), x(13, 8, random_field(whole, 3));
  const Lamina::PoissonProblem<Memory> problem(whole);
  problem.fill_rhs(TEST_SPACE(), b.view());
  const auto expected = problem.error(TEST_SPACE(), x.const_view());
  const Values b_values = b.get(), x_values = x.get();
  double largest = 0, squares = 0;
  for (int rank = 0; rank < 4; ++rank) {
    const auto owners = Lamina::Partition::from_owners({0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 3, 3}, 4);
    const auto local = Lamina::local_rectangle(whole, owners, rank);
    const auto begin = static_cast<std::ptrdiff_t>(local.first) * 8,
               end = begin + static_cast<std::ptrdiff_t>(local.owned.nx) * 8;
    const auto size = static_cast<std::size_t>(local.halo.num_local) * 8;
    Values part(b_values.begin() + begin, b_values.begin() + end),
        solution(x_values.begin() + begin, x_values.begin() + end);
    part.resize(size, 7.0);
    solution.resize(size, std::nan(""));
    const Field b_part(local.halo.num_local, 8, Values(size, 7.0)),
        x_part(local.halo.num_local, 8, solution);
    const Lamina::PoissonProblem<Memory> of_rank(local);
    EXPECT_EQ(of_rank.mesh_width(), problem.mesh_width());
    of_rank.fill_rhs(TEST_SPACE(), b_part.view());
    EXPECT_EQ(b_part.get(), part);
    const auto error = of_rank.error(TEST_SPACE(), x_part.const_view());
    largest = std::max(largest, error.linf);
    squares += error.l2 * error.l2;
  }
  EXPECT_EQ(largest, expected.linf);
  EXPECT_NEAR(std::sqrt(squares), expected.l2, 1e-14);
}

/// The paper's Table 1.
TEST(PoissonTable1, IterationsAndErrorsAreThePublishedOnes) {
  struct Row {
    int n, iterations, slack;
    double error;
  };
  using Case = PoissonCase<double, Kokkos::LayoutRight>;
  for (const Row& row : {Row{32, 48, 0, 3.0128e-3}, Row{64, 96, 0, 7.7811e-4},
                         Row{128, 192, 0, 1.9765e-4}, Row{256, 387, 1, 4.9797e-5}}) {
    const Lamina::PoissonProblem<Memory> problem(row.n);
    const Case::Field b(row.n, row.n);
    Case::Field x(row.n, row.n);
    problem.fill_rhs(TEST_SPACE(), b.view());
    const auto check = [&](auto plan, const char* name, StencilMemory memory) {
      SCOPED_TRACE(testing::Message()
                   << name << ", n " << row.n << ", memory " << static_cast<int>(memory));
      x.set(Values(x.size(), 0.0));
      const auto report = plan.solve(TEST_SPACE(), b.const_view(), x.view(), {.tolerance = 1e-6});
      EXPECT_TRUE(report.converged());
      EXPECT_NEAR(report.iterations, row.iterations, row.slack);
      // Five printed digits
      EXPECT_NEAR(problem.error(TEST_SPACE(), x.const_view()).linf, row.error, row.error * 2e-5);
    };
    for (const auto memory : all_memories) {
      const Case::Operator op(row.n, memory);
      check(Case::plain(op), "plain", memory);
      check(Case::fused(op), "fused", memory);
    }
    check(Case::swept(Case::Operator(row.n)), "swept", StencilMemory::automatic);
  }
}

TEST(PoissonTable1, RefusesASquareWithoutPoints) {
  EXPECT_THROW(Lamina::PoissonProblem<Memory>(0), Lamina::InvalidArgument);
}

}  // namespace LaminaTest
