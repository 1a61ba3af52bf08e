// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <poisson/PoissonCase.hpp>
#include <support/ToolExpectations.hpp>

#include <algorithm>
#include <limits>
#include <vector>

namespace LaminaTest {

template <class Type>
struct FusedPoisson : testing::Test {
  using Scalar = typename Type::scalar;
  using Case = PoissonCase<Scalar, typename Type::layout>;
  using Solved = typename Case::Solved;
  static constexpr bool is_double = std::is_same_v<Scalar, double>;
  static constexpr double accuracy = is_double ? 1e-9 : 1e-3;

  static Solved solve(int n, const Values& b, const Lamina::StoppingCriteria& criteria) {
    return Case::solve(Case::fused(typename Case::Operator(n)), n, b, criteria);
  }
};
TYPED_TEST_SUITE(FusedPoisson, FieldTypes, FieldTypeNames);

TYPED_TEST(FusedPoisson, AgreesWithTheTwinForEachMemory) {
  using Scalar = typename TypeParam::scalar;
  for (const Rectangle& rectangle : poisson_rectangles()) {
    const Values b = rounded<Scalar>(random_field(rectangle, 4)),
                 guess = rounded<Scalar>(random_field(rectangle, 5));
    const int count = rectangle.cells() < 9 ? 1 : 9;
    for (const auto memory : all_memories) {
      const typename TestFixture::Case::Operator op(rectangle, memory);
      for (const int iterations : {count - 1, count}) {  // with and without a pending update
        SCOPED_TRACE(testing::Message() << rectangle.nx << " x " << rectangle.ny << ", memory "
                                        << static_cast<int>(memory));
        const auto twin = poisson_twin(rectangle, b, guess, 0, iterations);
        const auto solved =
            TestFixture::Case::solve(TestFixture::Case::fused(op), rectangle, b,
                                     Lamina::StoppingCriteria::iterations(iterations), guess);
        EXPECT_EQ(solved.report.iterations, iterations);
        EXPECT_TRUE(all_within(solved.report.residual_history, twin.history,
                               TestFixture::is_double ? 1e-12 : 1e-4,
                               Values(twin.history.size(), 1.0)));
        EXPECT_TRUE(all_within(solved.x, twin.x, TestFixture::is_double ? 1e-12 : 1e-4));
      }
    }
  }
}

TYPED_TEST(FusedPoisson, ConvergesAsThePlainSolverDoes) {
  using Scalar = typename TypeParam::scalar;
  using Case = typename TestFixture::Case;
  const int n = 40;
  const Values b = rounded<Scalar>(random_square(n, 6));
  const Lamina::StoppingCriteria criteria{.tolerance = TestFixture::is_double ? 1e-10 : 1e-4};
  const auto plain = Case::solve(Case::plain(typename Case::Operator(n)), n, b, criteria);
  const auto fused = TestFixture::solve(n, b, criteria);
  EXPECT_TRUE(plain.report.converged());
  EXPECT_TRUE(fused.report.converged());
  EXPECT_NEAR(fused.report.iterations, plain.report.iterations, 1);
  EXPECT_LE(relative_difference(fused.x, plain.x), TestFixture::is_double ? 1e-8 : 1e-2);
}

TYPED_TEST(FusedPoisson, LooksOfTheHostChangeNothing) {
  const int n = 33;
  const Values b = random_square(n, 7);
  const auto every = TestFixture::solve(n, b, {.check_every = 1});
  ASSERT_TRUE(every.report.converged());
  for (const int check_every : {0, 2, 7, 1024}) {
    SCOPED_TRACE(check_every);
    for (const int limit : {10000, 15}) {
      const auto one = TestFixture::solve(n, b, {.max_iterations = limit, .check_every = 1});
      const auto rare =
          TestFixture::solve(n, b, {.max_iterations = limit, .check_every = check_every});
      EXPECT_EQ(rare.report.status, one.report.status);
      EXPECT_EQ(rare.report.iterations, one.report.iterations);
      EXPECT_TRUE(all_within(rare.x, one.x, TestFixture::accuracy));
    }
  }
}

TYPED_TEST(FusedPoisson, OnTheChipDoesWhatTheSweepsDo) {
  using Case = typename TestFixture::Case;
  using Scalar = typename TypeParam::scalar;
  using Model = Lamina::FusedPoisson<Scalar, Memory>;
  if (!Model(TEST_SPACE(), typename Case::Operator(9)).in_stretches()) {
    GTEST_SKIP() << "no kernels with teams that wait for each other on this execution space";
  }
  std::vector<Rectangle> rectangles{{1, 9}, {9, 1}, {3, 300}, {300, 3}, {140, 33}, {31, 257}};
  for (int n = 1; n <= 300; n += n < 70 ? 1 : 13) rectangles.push_back(Rectangle::square(n));
  for (const Rectangle& rectangle : rectangles) {
    const int n = std::min(rectangle.nx, rectangle.ny);
    SCOPED_TRACE(testing::Message() << rectangle.nx << " x " << rectangle.ny);
    const typename Case::Operator op(rectangle);
    ASSERT_TRUE(Model(TEST_SPACE(), op).in_stretches());
    const Values b = rounded<Scalar>(random_field(rectangle, 11)),
                 guess = rounded<Scalar>(random_field(rectangle, 12));
    // Odd and even counts, whole stretches and parts of them
    const int count = n < 3 ? 1 : n < 6 ? 3 : 8 + n % 2;
    auto criteria = Lamina::StoppingCriteria::iterations(count);
    criteria.check_every = 1 + n % 5;
    const auto expected = Case::solve(Case::swept(op), rectangle, b, criteria, guess);
    const auto solved = Case::solve(Case::fused(op), rectangle, b, criteria, guess);
    const double accuracy = TestFixture::is_double ? 1e-12 : 1e-4;
    EXPECT_EQ(solved.report.status, expected.report.status);
    EXPECT_EQ(solved.report.iterations, expected.report.iterations);
    const Values& history = expected.report.residual_history;
    ASSERT_EQ(solved.report.residual_history.size(), history.size());
    EXPECT_TRUE(
        all_within(solved.report.residual_history, history, accuracy, Values(history.size(), 1.0)));
    EXPECT_TRUE(all_within(solved.x, expected.x, accuracy));
  }
}

TYPED_TEST(FusedPoisson, IteratesWithoutATestToTheSameSolution) {
  using Case = typename TestFixture::Case;
  using Scalar = typename TypeParam::scalar;
  using Field = typename Case::Field;
  for (const int n : {3, 12, 33}) {
    const typename Case::Operator op(n);
    const Values b = rounded<Scalar>(random_square(n, 14)),
                 guess = rounded<Scalar>(random_square(n, 15));
    for (auto plan : {Case::fused(op), Case::swept(op)}) {
      for (const int count : {1, 2, 3, 4, 13}) {
        if (n == 3 && count > 3) continue;  // exact by then
        SCOPED_TRACE(testing::Message() << "n " << n << ", count " << count);
        const auto twin = poisson_twin(Rectangle::square(n), b, guess, 0, count);
        const Field b_field(n, n, b, all_padding), x(n, n, guess, all_padding);
        const auto report = plan.iterate(TEST_SPACE(), b_field.const_view(), x.view(), count);
        EXPECT_EQ(report.status, Lamina::SolveStatus::completed);
        EXPECT_EQ(report.iterations, count);
        EXPECT_EQ(report.residual_history.size(), static_cast<std::size_t>(count));
        EXPECT_TRUE(all_within(x.get(), twin.x, TestFixture::is_double ? 1e-12 : 1e-4));
        EXPECT_TRUE(x.surroundings_untouched());
      }
    }
    // Nothing is left to do: no step is taken along a residual of zero.
    const Field zero(n, n, Values(b.size(), 0.0), all_padding), x(n, n, zero.get(), all_padding);
    for (const int count : {1, 2}) {
      const auto report = Case::fused(op).iterate(TEST_SPACE(), zero.const_view(), x.view(), count);
      EXPECT_TRUE(report.converged());
      EXPECT_EQ(report.iterations, 0);
      EXPECT_EQ(x.get(), zero.get());
    }
    EXPECT_THROW((void)Case::fused(op).iterate(TEST_SPACE(), zero.const_view(), x.view(), 0),
                 Lamina::InvalidArgument);
  }
}

TYPED_TEST(FusedPoisson, SweepsAlsoEndAtOnceOnBadInput) {
  using Case = typename TestFixture::Case;
  const int n = 9;
  Values b = random_square(n, 13);
  b[40] = std::numeric_limits<double>::quiet_NaN();
  for (const int check_every : {1, 4}) {
    const auto solved =
        Case::solve(Case::swept(typename Case::Operator(n)), n, b, {.check_every = check_every});
    EXPECT_EQ(solved.report.status, Lamina::SolveStatus::breakdown_not_finite);
    EXPECT_EQ(solved.report.iterations, 0);
    EXPECT_EQ(solved.x, Values(b.size(), 0.0));
  }
}

TYPED_TEST(FusedPoisson, TakesViewsOfAnyStride) {
  using Field = typename TestFixture::Case::Field;
  const int n = 19;
  const Values b = rounded<typename TypeParam::scalar>(random_square(n, 8));
  const auto expected = TestFixture::solve(n, b, {});
  auto plan = TestFixture::Case::fused(typename TestFixture::Case::Operator(n));
  for (const Padding& padding : {column_padding, level_padding, all_padding}) {
    const Field b_field(n, n, b, padding), x(n, n, padding);
    const auto report = plan.solve(TEST_SPACE(), b_field.const_view(), x.view());
    EXPECT_EQ(report.iterations, expected.report.iterations);
    EXPECT_TRUE(all_within(x.get(), expected.x, TestFixture::accuracy));
    EXPECT_TRUE(x.surroundings_untouched());
  }
}

TYPED_TEST(FusedPoisson, EndsAtOnceWhereNothingIsToBeDone) {
  const int n = 6;
  const Values zero(36, 0.0);
  for (const auto& criteria :
       {Lamina::StoppingCriteria{}, Lamina::StoppingCriteria::iterations(4)}) {
    const auto solved = TestFixture::solve(n, zero, criteria);
    EXPECT_TRUE(solved.report.converged());
    EXPECT_EQ(solved.report.iterations, 0);
    EXPECT_EQ(solved.x, zero);
  }
  // One step along the only direction there is
  const auto one = TestFixture::solve(1, {8.0}, Lamina::StoppingCriteria::iterations(5));
  EXPECT_TRUE(one.report.converged());
  EXPECT_EQ(one.report.iterations, 1);
  EXPECT_EQ(one.x, Values{2.0});
}

TYPED_TEST(FusedPoisson, ReportsWhatIsNotFinite) {
  const int n = 9;
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    Values b = random_square(n, 9);
    b[11] = bad;
    const auto solved = TestFixture::solve(n, b, {.check_every = 4});
    EXPECT_EQ(solved.report.status, Lamina::SolveStatus::breakdown_not_finite);
    EXPECT_EQ(solved.report.iterations, 0);
    EXPECT_EQ(solved.x, Values(b.size(), 0.0));
  }
}

TYPED_TEST(FusedPoisson, AllocatesNothingInASolveAndNamesItsKernels) {
  using Case = typename TestFixture::Case;
  const int n = 12;
  const typename Case::Field b(n, n, random_square(n, 10)), y(n, n);
  typename Case::Field x(n, n);
  const TEST_SPACE space;
  const typename Case::Operator op(n);
  const Lamina::FusedPoisson<typename TypeParam::scalar, Memory> model(space, op);
  Lamina::FusedPcg fused(TEST_SPACE(), model);
  (void)fused.solve(space, b.const_view(), x.view());  // Kokkos grows scratch at its first use
  x.set(Values(x.size(), 0.0));
  Kokkos::fence();
  const ToolListener listener;
  (void)fused.solve(space, b.const_view(), x.view(), Lamina::StoppingCriteria::iterations(3));
  op.apply(space, b.const_view(), y.view());
  Kokkos::fence();
  expect_no_allocations(listener.heard());
  EXPECT_EQ(listener.heard().regions.front(), "Lamina::FusedPcg::solve");
  auto costs = model.kernel_costs();
  for (const auto& cost : op.kernel_costs()) costs.push_back(cost);
  expect_costs_of_kernels(costs, listener.heard());
}

TYPED_TEST(FusedPoisson, StatesTheCostsOfRectanglesToo) {
  using Case = typename TestFixture::Case;
  const TEST_SPACE space;
  const Lamina::FusedPoisson<typename TypeParam::scalar, Memory> model(
      space, typename Case::Operator(Rectangle{12, 7}));
  Lamina::FusedPcg plan(space, model);
  const typename Case::Field b(12, 7, random_field({12, 7}, 10)), x(12, 7);
  Kokkos::fence();
  const ToolListener listener;
  (void)plan.solve(space, b.const_view(), x.view(), Lamina::StoppingCriteria::iterations(3));
  Kokkos::fence();
  const auto costs = model.kernel_costs();
  for (const auto& kernel : listener.heard().kernels) {
    if (!starts_with(kernel.label, "Lamina::FusedPoisson")) continue;
    EXPECT_TRUE(std::any_of(costs.begin(), costs.end(), [&](const auto& cost) {
      return cost.label == kernel.label;
    })) << kernel.label;
  }
}

TYPED_TEST(FusedPoisson, RecomputesAResidualAfterPendingUpdates) {
  using Scalar = typename TypeParam::scalar;
  using Field = typename TestFixture::Case::Field;
  const TEST_SPACE space;
  for (const Rectangle& rectangle : {Rectangle{9, 9}, Rectangle{12, 7}, Rectangle{3, 40}}) {
    const auto [nx, ny] = rectangle;
    const typename TestFixture::Case::Operator op(rectangle);
    const Lamina::FusedPoisson<Scalar, Memory> model(space, op);
    const Values b = rounded<Scalar>(random_field(rectangle, 1)),
                 x = rounded<Scalar>(random_field(rectangle, 2)),
                 y = rounded<Scalar>(random_field(rectangle, 3));
    const Field b_field(nx, ny, b), x_field(nx, ny, x), y_field(nx, ny, y), out(nx, ny);
    const auto u = model.make_vector("u"), p = model.make_vector("p"), r = model.make_vector("r");
    const auto in = [](const Field& field) { return Lamina::Impl::as_const_field(field.view()); };
    model.start(space, in(b_field), in(y_field), p, r);
    model.start(space, in(b_field), in(x_field), u, r);
    for (const bool pending : {false, true}) {
      model.residual(space, {.along_p = pending ? Scalar(2) : Scalar(0)}, in(b_field), p, u, r);
      Values solution = x;
      if (pending) Reference::add(solution, 2, y);
      Values residual = b;
      Reference::add(residual, -1, Reference::poisson(nx, ny, solution));
      const Values ones(b.size(), 1.0);
      const double accuracy = TestFixture::is_double ? 1e-13 : 1e-5;
      model.finish(space, {}, p, r, u, Lamina::Impl::as_field(out.view()));
      EXPECT_TRUE(all_within(out.get(), solution, accuracy, ones));
      model.finish(space, {}, p, p, r, Lamina::Impl::as_field(out.view()));
      EXPECT_TRUE(all_within(out.get(), residual, accuracy, ones));
    }
  }
}

TYPED_TEST(FusedPoisson, RefusesBadArguments) {
  using Field = typename TestFixture::Case::Field;
  auto plan = TestFixture::Case::fused(typename TestFixture::Case::Operator(4));
  const Field good(4, 4), bad(4, 5), x(4, 4);
  const TEST_SPACE space;
  EXPECT_THROW((void)plan.solve(space, bad.const_view(), x.view()), Lamina::InvalidArgument);
  EXPECT_THROW((void)plan.solve(space, good.const_view(), bad.view()), Lamina::InvalidArgument);
  EXPECT_THROW((void)plan.solve(space, good.const_view(), x.view(), {.tolerance = -1}),
               Lamina::InvalidArgument);
  EXPECT_THROW((void)plan.solve(space, good.const_view(), x.view(), {.check_every = 1025}),
               Lamina::InvalidArgument);
}

}  // namespace LaminaTest
