// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/impl/ResidentTeams.hpp>

#include <krylov/FusedSolverTests.hpp>
#include <krylov/PanelProblem.hpp>
#include <support/ToolListener.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <type_traits>

namespace LaminaTest {

LAMINA_FUSED_SOLVER_TESTS(FusedPcg, FusedChoice)

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

/// Several passes in one kernel.
template <class Scalar>
class FusedPcgStretches : public ::testing::Test {
 protected:
  using Model = Lamina::FusedHelmholtz<Scalar, Memory>;
  using Operator = Lamina::HelmholtzOperator<Scalar, Memory>;
  using Field = TestField<Scalar, Kokkos::LayoutLeft>;
  using Step = Lamina::FusedStep<Memory>;
  static constexpr bool possible = Lamina::Impl::has_resident_teams<TEST_SPACE>;
  static_assert(Lamina::FusedPcgStretchModel<Model, TEST_SPACE> == possible);
  static constexpr double accuracy = std::is_same_v<Scalar, double> ? 1e-12 : 1e-4;

  void SetUp() override {
    if (!Model(TEST_SPACE(), panel(4, 4, 3)).in_stretches()) {
      GTEST_SKIP() << "no kernels with teams that wait for each other on this execution space";
    }
  }

  static Operator panel(int num_x, int num_y, int num_levels) {
    const Lamina::CubedSpherePanel panel(num_x, num_y);
    return Operator(Lamina::ColumnMesh<Memory>(panel.graph()),
                    Lamina::VerticalGrid::graded(num_levels, paper_depth),
                    paper_parameters(std::max(num_x, num_y)));
  }
  struct Run : Solved {
    std::ptrdiff_t stretches = 0, sweeps = 0;  // kernels that ran
  };
  static Run solve(const Model& model, const Values& b, const Lamina::StoppingCriteria& criteria,
                   const Padding& padding = {}) {
    const int columns = model.num_columns(), levels = model.num_levels();
    const Field rhs(columns, levels, b),
        x(columns, levels, rounded<Scalar>(guess(b.size())), padding);
    Lamina::FusedPcg plan(TEST_SPACE(), model);
    const ToolListener listener;
    Run run{{plan.solve(TEST_SPACE(), rhs.const_view(), x.view(), criteria), {}}};
    const auto& kernels = listener.heard().kernels;
    const auto count = [&](const char* label) {
      return std::count_if(kernels.begin(), kernels.end(),
                           [&](const auto& kernel) { return kernel.label == label; });
    };
    run.stretches = count("Lamina::FusedHelmholtz::iterate");
    run.sweeps = count("Lamina::FusedHelmholtz::measure");
    run.x = x.get();
    EXPECT_TRUE(x.surroundings_untouched());
    return run;
  }
  static Values guess(std::size_t size) { return random_values(size, 3); }
  static Values right_hand_side(const Model& model) {
    return rounded<Scalar>(random_values(static_cast<std::size_t>(model.num_columns()) *
                                             static_cast<std::size_t>(model.num_levels()),
                                         4));
  }
  static void expect_same(const Run& run, const Run& expected) {
    EXPECT_EQ(expected.stretches, 0);
    EXPECT_EQ(run.sweeps, 0);
    EXPECT_EQ(run.report.status, expected.report.status);
    EXPECT_EQ(run.report.iterations, expected.report.iterations);
    const Values& history = expected.report.residual_history;
    ASSERT_EQ(run.report.residual_history.size(), history.size());
    EXPECT_TRUE(
        all_within(run.report.residual_history, history, accuracy, Values(history.size(), 1.0)));
    EXPECT_TRUE(all_within(run.x, expected.x, accuracy));
  }
};
using FusedPcgStretchTypes = ::testing::Types<double, float>;
TYPED_TEST_SUITE(FusedPcgStretches, FusedPcgStretchTypes);

TYPED_TEST(FusedPcgStretches, TakeTheStepsOfTheSweeps) {
  using Model = typename TestFixture::Model;
  // Segments of both lengths, with and without levels beyond the top; more tiles than teams and
  // fewer; rows of one pack and of many.
  const int sizes[][3] = {{4, 4, 3},     {8, 8, 1},     {5, 12, 8},   {16, 16, 9},   {36, 20, 20},
                          {60, 100, 37}, {32, 32, 128}, {8, 64, 129}, {16, 16, 513}, {8, 16, 1000}};
  int n = 0;
  for (const auto& [num_x, num_y, num_levels] : sizes) {
    SCOPED_TRACE(::testing::Message() << num_x << " x " << num_y << " x " << num_levels);
    const Model model(TEST_SPACE(), TestFixture::panel(num_x, num_y, num_levels));
    ASSERT_TRUE(model.in_stretches());
    const Values b = TestFixture::right_hand_side(model);
    // Odd and even counts, whole stretches and parts of them
    const int count = 4 + n % 2, check_every = 1 + n % 5;
    ++n;
    auto criteria = Lamina::StoppingCriteria::iterations(count);
    criteria.check_every = check_every;
    // Longer from level to level than the fields of the plan
    const auto run = TestFixture::solve(model, b, criteria, {4, 8, 1, 2});
    EXPECT_EQ(run.stretches, (count + check_every - 1) / check_every);
    TestFixture::expect_same(run, TestFixture::solve(model.in_sweeps(), b, criteria));
  }
}

TYPED_TEST(FusedPcgStretches, EndWhereTheSweepsEnd) {
  using Model = typename TestFixture::Model;
  const Model model(TEST_SPACE(), TestFixture::panel(16, 24, 40));
  const Values b = TestFixture::right_hand_side(model);
  for (const int check_every : {0, 1, 3, 1024}) {
    for (const int limit : {0, 5, 1000}) {
      SCOPED_TRACE(::testing::Message() << check_every << ", " << limit);
      const Lamina::StoppingCriteria criteria{
          .tolerance = 1e-4, .max_iterations = limit, .check_every = check_every};
      TestFixture::expect_same(TestFixture::solve(model, b, criteria),
                               TestFixture::solve(model.in_sweeps(), b, criteria));
    }
  }
  Values broken = b;
  broken[b.size() / 2] = std::numeric_limits<double>::quiet_NaN();
  const auto run = TestFixture::solve(model, broken, {});
  EXPECT_EQ(run.report.status, Lamina::SolveStatus::breakdown_not_finite);
  EXPECT_EQ(run.report.iterations, 0);
  EXPECT_EQ(run.x, rounded<TypeParam>(TestFixture::guess(b.size())));
}

TYPED_TEST(FusedPcgStretches, StopWhereADirectionHasNoCurvature) {
  using Model = typename TestFixture::Model;
  using Field = typename TestFixture::Field;
  using Step = typename TestFixture::Step;
  const TEST_SPACE space;
  const Model model(space, TestFixture::panel(4, 4, 5));
  const Values values = rounded<TypeParam>(random_values(80, 1));
  const Field z(16, 5), p(16, 5, values), new_p(16, 5, values), r(16, 5, values), u(16, 5, values);
  const auto at = [](const Field& field) { return Lamina::Impl::as_field(field.view()); };
  using Steps = Lamina::FusedSteps<Memory>;
  const Kokkos::View<double*, Memory> rows("LaminaTest::rows", Steps::num_rows * Step::row_length);
  const Steps steps{rows.data(), 100000, 0, 0};
  // The last row of the ring, then its first one
  for (const int pass : {1, Steps::num_rows - 1}) {
    const auto host = Kokkos::create_mirror_view(rows);
    Kokkos::deep_copy(host, -1.0);
    const auto row = [&](int n) { return host.data() + Step::row_length * Steps::slot(n); };
    row(0)[Step::residual2] = row(pass)[Step::residual2] = 1;
    row(pass - 1)[Step::energy] = 1e-6;  // beta^2 times this curvature exceeds <z, A z>
    row(pass - 1)[Step::curvature] = 1e30;
    Kokkos::deep_copy(rows, host);
    const decltype(at(p)) directions[2] = {at(p), at(new_p)};
    if constexpr (TestFixture::possible) {
      model.iterate(space, steps, pass, pass + 3, at(z), directions, at(r), at(u));
    }
    space.fence();
    Kokkos::deep_copy(host, rows);
    EXPECT_GT(row(pass)[Step::energy], 0);
    EXPECT_GT(row(pass)[Step::line_curvature], 0);
    EXPECT_LT(row(pass)[Step::curvature], 0);
    EXPECT_EQ(row(pass + 1)[Step::residual2], 0);
    for (const Field* field : {&p, &new_p, &r, &u}) EXPECT_EQ(field->get(), values);
  }
}

TYPED_TEST(FusedPcgStretches, LeaveFieldsThatAreNoPacksToTheSweeps) {
  using Model = typename TestFixture::Model;
  const Model model(TEST_SPACE(), TestFixture::panel(16, 16, 20));
  const Values b = TestFixture::right_hand_side(model);
  const auto run =
      TestFixture::solve(model, b, Lamina::StoppingCriteria::iterations(3), all_padding);
  EXPECT_EQ(run.stretches, 0);
  EXPECT_EQ(run.sweeps, 3);
}

}  // namespace LaminaTest
