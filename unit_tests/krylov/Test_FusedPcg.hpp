// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <krylov/FusedSolverTests.hpp>
#include <krylov/PanelProblem.hpp>

#include <cmath>
#include <type_traits>
#include <vector>

namespace LaminaTest {

LAMINA_FUSED_SOLVER_TESTS(FusedPcg, FusedChoice)

/// |b - D x| / |b|
inline double true_residual(const Values& diagonal, const Values& b, const Values& x) {
  Values r = b;
  for (std::size_t i = 0; i < r.size(); ++i) r[i] -= diagonal[i] * x[i];
  return std::sqrt(Reference::dot(r, r) / Reference::dot(b, b));
}

TYPED_TEST(FusedPcg, StartsItsDirectionsAnewWhereRoundingBreaksTheRecurrence) {
  using Scalar = typename TypeParam::scalar;
  using Layout = typename TypeParam::layout;
  using OnPlain = DiagonalTests<FusedChoice, TypeParam, PlainDiagonalSystem<Scalar, Layout>>;
  int restarts = 0;
  const double tolerance = std::is_same_v<Scalar, float> ? 1e-8 : 1e-14;
  for (const Values& diagonal : brittle_diagonals<Scalar>()) {
    const Values b(diagonal.size(), 1.0);
    const StoppingCriteria criteria{.tolerance = tolerance, .check_every = 1};
    const auto solved = TestFixture::OnDiagonal::solve(diagonal, b, criteria);
    const auto plain = OnPlain::solve(diagonal, b, criteria);
    // Sums of a device are rounded otherwise. They may break down where the residual is above |b|,
    // which is not tried again, or a second time.
    const auto gave_up = [](const Lamina::SolveReport& report) {
      if (Lamina::runs_on_host<TEST_SPACE>) return false;
      return report.status == SolveStatus::diverged
                 ? report.residual_norm > report.reference_norm
                 : report.status == SolveStatus::breakdown_indefinite && report.restarts > 0;
    };
    if (gave_up(solved.report) || gave_up(plain.report)) {
      expect_consistent(solved.report);
      expect_consistent(plain.report);
      continue;
    }
    EXPECT_EQ(solved.report.status, SolveStatus::converged) << to_string(solved.report.status);
    expect_consistent(solved.report);
    // Recursive residuals move away from the true ones.
    const double held = std::is_same_v<Scalar, float> ? 1e-4 : 1e-9;
    EXPECT_LE(true_residual(diagonal, b, solved.x), tolerance + held);
    restarts += solved.report.restarts;
    EXPECT_EQ(plain.report.status, SolveStatus::converged);
    restarts += plain.report.restarts;
    EXPECT_LE(true_residual(diagonal, b, plain.x), tolerance + held);
    for (const int check_every : {3, 1024}) {  // passes in vain before the host looks
      auto rarely = criteria;
      rarely.check_every = check_every;
      const auto rare = TestFixture::OnDiagonal::solve(diagonal, b, rarely);
      EXPECT_EQ(rare.report.residual_history, solved.report.residual_history);
      EXPECT_EQ(rare.report.restarts, solved.report.restarts);
      EXPECT_EQ(rare.x, solved.x);
      EXPECT_EQ(OnPlain::solve(diagonal, b, rarely).x, plain.x);
    }
    // Units far outside of the range of sums of squares
    const double unit = std::is_same_v<Scalar, float> ? 0x1p-90 : 0x1p-700;
    auto scaled = TestFixture::OnDiagonal::solve(diagonal, Values(b.size(), unit), criteria);
    EXPECT_EQ(scaled.report.status, SolveStatus::converged);
    EXPECT_EQ(scaled.report.restarts, solved.report.restarts);
    for (double& value : scaled.x) value /= unit;
    EXPECT_LE(true_residual(diagonal, b, scaled.x), tolerance + held);
  }
  if (Lamina::runs_on_host<TEST_SPACE>) {
    EXPECT_GE(restarts, 2) << "nothing was to be repaired";
  }
}

TYPED_TEST(FusedPcg, GivesUpAtTheSecondBreakdown) {
  const auto solved = TestFixture::OnDiagonal::solve({1, 2, 3, 4, 5, -1e-3}, {1, 1, 1, 1, 1, 1e-4},
                                                     {.tolerance = 1e-9});
  EXPECT_EQ(solved.report.status, SolveStatus::breakdown_indefinite);
  EXPECT_EQ(solved.report.restarts, 1);
  expect_consistent(solved.report);
}

TYPED_TEST(FusedPcg, WithoutPreconditionerDoesTheSameWithTwoSweeps) {
  using Scalar = typename TypeParam::scalar;
  using OnPlain = DiagonalTests<FusedChoice, TypeParam,
                                PlainDiagonalSystem<Scalar, typename TypeParam::layout>>;
  Values diagonal, b;
  for (int i = 0; i < 40; ++i) {
    diagonal.push_back(1 + i);
    b.push_back(1 + 0.5 * (i % 3));
  }
  for (const int limit : {0, 1, 2, 7, 1000}) {
    const StoppingCriteria criteria{.tolerance = 1e-5, .max_iterations = limit};
    const auto expected = TestFixture::OnDiagonal::solve(diagonal, b, criteria);
    const auto solved = OnPlain::solve(diagonal, b, criteria);
    EXPECT_EQ(solved.report.status, expected.report.status);
    EXPECT_EQ(solved.report.iterations, expected.report.iterations);
    EXPECT_TRUE(all_within(solved.x, expected.x, std::is_same_v<Scalar, float> ? 1e-4 : 1e-12));
  }
}

TYPED_TEST(FusedPcg, IteratesWithoutATestToTheSameSolution) {
  using Scalar = typename TypeParam::scalar;
  const PanelProblem<Scalar, typename TypeParam::layout> problem(7, 5, RightHandSide::rough);
  const Values guess = rounded<Scalar>(random_values(problem.b.size(), 3));
  for (const int count : {1, 2, 3, 8}) {
    const auto expected = problem.fused(StoppingCriteria::iterations(count), guess);
    const auto x = problem.guess(guess);
    const auto report =
        problem.fused_plan().iterate(TEST_SPACE(), problem.b_field().const_view(), x.view(), count);
    EXPECT_EQ(report.status, SolveStatus::completed);
    EXPECT_EQ(report.iterations, count);
    EXPECT_EQ(report.residual_history.size(), static_cast<std::size_t>(count));
    EXPECT_TRUE(all_within(x.get(), expected.x, std::is_same_v<Scalar, float> ? 1e-4 : 1e-11));
  }
}

TEST(FusedPcgOverHalos, RefusesColumnsThatNothingWouldUpdate) {
  Lamina::ColumnGraph graph;
  graph.num_owned = 3;
  graph.areas.assign(4, 1.0);
  graph.edges = {{0, 1, 1, 1}, {1, 2, 1, 1}, {2, 3, 1, 1}};
  const TEST_SPACE space;
  const Lamina::HelmholtzOperator<double, Memory> op(Lamina::ColumnMesh<Memory>(graph),
                                                     Lamina::VerticalGrid::graded(4, 0.1),
                                                     {.omega2 = 1, .lambda2 = 1});
  using Fused = Lamina::FusedPcg<Lamina::FusedHelmholtz<double, Memory>>;
  using Preconditioner = Lamina::LinePreconditioner<double, Memory>;
  using Plain = Lamina::Pcg<Lamina::HelmholtzOperator<double, Memory>, Preconditioner>;
  using Stored = Lamina::FusedPcgStored<Lamina::FusedHelmholtzStored<double, Memory>>;
  EXPECT_THROW(Fused(space, Lamina::FusedHelmholtz<double, Memory>(space, op)),
               Lamina::InvalidArgument);
  EXPECT_THROW(Stored(space, Lamina::FusedHelmholtzStored<double, Memory>(space, op)),
               Lamina::InvalidArgument);
  EXPECT_THROW(Plain(space, op, Preconditioner(space, op)), Lamina::InvalidArgument);
}

}  // namespace LaminaTest
