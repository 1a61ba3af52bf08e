// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <shallow_water/WaterCase.hpp>

#include <cmath>
#include <type_traits>

namespace LaminaTest {

template <class Type>
struct PeriodicHelmholtz : testing::Test {};
TYPED_TEST_SUITE(PeriodicHelmholtz, FieldTypes, FieldTypeNames);

TYPED_TEST(PeriodicHelmholtz, IsSolvedFromAnyGuess) {
  using Scalar = typename TypeParam::scalar;
  using Field = TestField<Scalar, typename TypeParam::layout>;
  using Operator = Lamina::PeriodicHelmholtz<Scalar, Memory>;
  for (const Rectangle& grid :
       {Rectangle{1, 1}, Rectangle{2, 2}, Rectangle{3, 3}, Rectangle{17, 17}, Rectangle{40, 40},
        Rectangle{1, 7}, Rectangle{9, 1}, Rectangle{40, 2}, Rectangle{5, 33}}) {
    const auto y = random_water(grid, 5);
    const Reference::ShallowWater twin(grid, 0);
    const auto weight = WaterCase<Scalar>::make(grid, y);
    const auto solve = [&](const Operator& op, const Values& image, const Values& guess) {
      const Field b(op.rectangle().nx, op.rectangle().ny, image, all_padding),
          x(op.rectangle().nx, op.rectangle().ny, guess, all_padding);
      const auto report = Lamina::FusedPcg(TEST_SPACE(), op)
                              .solve(TEST_SPACE(), b.const_view(), x.view(),
                                     {.tolerance = std::is_same_v<Scalar, double> ? 1e-14 : 1e-6});
      EXPECT_TRUE(report.converged());
      EXPECT_TRUE(all_within(x.get(), y.u, rounding<Scalar>(200)));
      EXPECT_TRUE(x.surroundings_untouched());
      return report.iterations;
    };
    const Values far(y.u.size(), 3.0);
    for (const auto guess : {Lamina::InitialGuess::given, Lamina::InitialGuess::zero}) {
      SCOPED_TRACE(testing::Message() << text_of(grid) << ", guess " << static_cast<int>(guess));
      solve(Operator(grid, -1.0 / 6, 0, guess), twin.mass_u(y.u), far);
      solve(Operator(grid, 0, -1.0 / 6, guess), twin.mass_v(y.u), far);
      solve(Operator(grid, 0.5, 0.5, weight.height(), guess),
            twin.helmholtz(y, std::sqrt(0.5), y.u), far);
    }
  }
}

/// What a solve leaves beside the cells of a plan's vectors must not grow from one to the next.
TYPED_TEST(PeriodicHelmholtz, IsSolvedAgainAndAgainByOnePlan) {
  using Scalar = typename TypeParam::scalar;
  using Field = TestField<Scalar, typename TypeParam::layout>;
  for (const int n : {17, 18}) {
    Lamina::FusedPcg plan(TEST_SPACE(), Lamina::PeriodicHelmholtz<Scalar, Memory>(n, 4, 4));
    const Field b(n, n, random_water(n, 5).u, all_padding);
    Values first;
    for (int solve = 0; solve < 60; ++solve) {
      const Field x(n, n, Values(b.get().size(), 0.0), all_padding);
      const auto report = plan.solve(TEST_SPACE(), b.const_view(), x.view(), {.tolerance = 1e-4});
      ASSERT_TRUE(report.converged()) << solve;
      if (solve == 0) first = x.get();
      ASSERT_EQ(x.get(), first) << solve;
    }
  }
}

/// Also from a guess of zero, whose vector is not set before the first update: an earlier solve has
/// left something in it.
TYPED_TEST(PeriodicHelmholtz, IsIteratedAsItIsSolved) {
  using Scalar = typename TypeParam::scalar;
  using Field = TestField<Scalar, typename TypeParam::layout>;
  for (const int n : {5, 18}) {
    const Field b(n, n, random_water(n, 5).u, all_padding);
    for (const auto guess : {Lamina::InitialGuess::given, Lamina::InitialGuess::zero}) {
      Lamina::FusedPcg plan(TEST_SPACE(),
                            Lamina::PeriodicHelmholtz<Scalar, Memory>(n, 0.5, 0.25, guess));
      for (const int count : {5, 1, 2, 3, 4}) {
        SCOPED_TRACE(testing::Message() << "n " << n << ", count " << count);
        const Field solved(n, n, Values(b.get().size(), 2.0), all_padding),
            iterated(n, n, Values(b.get().size(), 2.0), all_padding);
        const auto report = plan.iterate(TEST_SPACE(), b.const_view(), iterated.view(), count);
        EXPECT_EQ(report.status, Lamina::SolveStatus::completed);
        EXPECT_EQ(report.iterations, count);
        const auto criteria = Lamina::StoppingCriteria::iterations(count);
        (void)plan.solve(TEST_SPACE(), b.const_view(), solved.view(), criteria);
        EXPECT_TRUE(all_within(iterated.get(), solved.get(), rounding<Scalar>(200)));
      }
    }
  }
}

TYPED_TEST(PeriodicHelmholtz, RecomputesAResidualAfterPendingUpdates) {
  using Scalar = typename TypeParam::scalar;
  using Field = TestField<Scalar, typename TypeParam::layout>;
  using Operator = Lamina::PeriodicHelmholtz<Scalar, Memory>;
  using End = Lamina::FusedEnd<Scalar>;
  const TEST_SPACE space;
  const int n = 9;
  const auto cells = static_cast<std::size_t>(n * n);
  const Operator given(n, 0.5, 0.25);
  const Values b = rounded<Scalar>(random_values(cells, 1)),
               x = rounded<Scalar>(random_values(cells, 2)),
               y = rounded<Scalar>(random_values(cells, 3));
  const auto in = [](const Field& field) { return Lamina::Impl::as_const_field(field.view()); };
  const auto values_of = [&](const auto& vector) {
    const Field out(n, n);
    given.finish(space, End{}, vector, vector, vector, Lamina::Impl::as_field(out.view()));
    return out.get();
  };
  for (const auto guess : {Lamina::InitialGuess::given, Lamina::InitialGuess::zero}) {
    const Operator model(n, 0.5, 0.25, guess);
    for (const bool updated : {false, true}) {
      for (const Scalar factor : {Scalar(0), Scalar(2)}) {
        SCOPED_TRACE(testing::Message() << "guess " << static_cast<int>(guess) << ", updated "
                                        << updated << ", pending " << factor);
        const Field b_field(n, n, b), x_field(n, n, x), y_field(n, n, y);
        const auto u = given.make_vector("u"), p = given.make_vector("p"),
                   r = given.make_vector("r"), s = given.make_vector("s");
        given.start(space, in(b_field), in(y_field), p, r);
        given.start(space, in(b_field), in(x_field), u, r);
        const bool from_zero = guess == Lamina::InitialGuess::zero && !updated;
        Values solution = from_zero ? Values(cells, 0.0) : x;
        Reference::add(solution, static_cast<double>(factor), y);
        model.residual(space, End{.along_p = factor, .updated = updated}, in(b_field), p, u, r);
        const Field solution_field(n, n, rounded<Scalar>(solution));
        given.start(space, in(b_field), in(solution_field), u, s);
        EXPECT_TRUE(
            all_within(values_of(r), values_of(s), rounding<Scalar>(20), Values(cells, 1.0)));
      }
    }
  }
}

TYPED_TEST(PeriodicHelmholtz, ReportsACurvatureThatIsNotPositive) {
  using Scalar = typename TypeParam::scalar;
  using Field = TestField<Scalar, typename TypeParam::layout>;
  const int n = 8;
  Lamina::FusedPcg plan(TEST_SPACE(), Lamina::PeriodicHelmholtz<Scalar, Memory>(n, -4, -4));
  const Field b(n, n, random_water(n, 5).u, all_padding);
  const Values guess(b.get().size(), 0.0);
  for (const int count : {1, 2}) {
    const Field x(n, n, guess, all_padding);
    const auto report = plan.iterate(TEST_SPACE(), b.const_view(), x.view(), count);
    EXPECT_EQ(report.status, Lamina::SolveStatus::breakdown_indefinite);
    EXPECT_EQ(report.iterations, 0);
    EXPECT_EQ(x.get(), guess);
  }
}

TYPED_TEST(PeriodicHelmholtz, KeepsWhatWasReachedBeforeACurvatureThatIsNotPositive) {
  using Scalar = typename TypeParam::scalar;
  using Field = TestField<Scalar, typename TypeParam::layout>;
  const int n = 16;
  Lamina::FusedPcg plan(TEST_SPACE(), Lamina::PeriodicHelmholtz<Scalar, Memory>(
                                          n, -0.2, -0.2, Lamina::InitialGuess::zero));
  Values smooth = random_water(n, 5).u;
  for (double& b : smooth) b = 1 + 0.1 * b;
  const Field b(n, n, smooth, all_padding), solved(n, n, all_padding), iterated(n, n, all_padding);
  const auto expected = plan.solve(TEST_SPACE(), b.const_view(), solved.view());
  ASSERT_EQ(expected.status, Lamina::SolveStatus::breakdown_indefinite);
  ASSERT_GT(expected.iterations, 0);
  // In its last iteration, and before it
  for (const int more : {1, 2}) {
    const auto report =
        plan.iterate(TEST_SPACE(), b.const_view(), iterated.view(), expected.iterations + more);
    EXPECT_EQ(report.status, expected.status);
    EXPECT_EQ(report.iterations, expected.iterations);
    EXPECT_TRUE(all_within(iterated.get(), solved.get(), rounding<Scalar>(200)));
  }
}

TYPED_TEST(PeriodicHelmholtz, RefusesBadArguments) {
  using Scalar = typename TypeParam::scalar;
  using Operator = Lamina::PeriodicHelmholtz<Scalar, Memory>;
  EXPECT_THROW(Operator(0, 1, 1), Lamina::InvalidArgument);
  EXPECT_THROW(
      Operator(Rectangle::square(4), 1, 1, Lamina::ShallowWaterState<Scalar, Memory>(5).height()),
      Lamina::InvalidArgument);
  EXPECT_THROW(Operator(Rectangle{4, 0}, 1, 1), Lamina::InvalidArgument);
  EXPECT_THROW(
      Operator(Rectangle{5, 4}, 1, 1, Lamina::ShallowWaterState<Scalar, Memory>(5).height()),
      Lamina::InvalidArgument);
  const typename Operator::vector_type unaligned("weight", 6, 6);
  EXPECT_THROW(Operator(Rectangle::square(4), 1, 1, unaligned), Lamina::InvalidArgument);
}

}  // namespace LaminaTest
