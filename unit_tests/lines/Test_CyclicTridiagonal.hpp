// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/lines/CyclicTridiagonal.hpp>
#include <lamina/lines/LineSolver.hpp>

#include <gtest/gtest.h>
#include <lines/DeviceVector.hpp>
#include <lines/LineSystem.hpp>
#include <reference/Tridiagonal.hpp>
#include <support/Compare.hpp>
#include <support/FieldTypes.hpp>
#include <support/TestField.hpp>

#include <limits>
#include <utility>
#include <vector>

namespace LaminaTest {

/// One cyclic line, as it might stand inside a user's kernel.
template <class Scalar>
struct CyclicLineKernel {
  int num_levels;
  DeviceVector<Scalar> lower, diagonal, upper, rhs, x, factor, response;
  DeviceVector<int> bad_level;

  KOKKOS_FUNCTION void operator()(int) const {
    bad_level(0) = Lamina::solve_cyclic_tridiagonal(
        num_levels,
        [&](int k) {
          return Lamina::TridiagonalRow<Scalar>{lower(k), diagonal(k), upper(k)};
        },
        rhs, x, factor, response);
  }
};

/// In place. \return the solution and the bad level
template <class Scalar>
std::pair<Values, int> solve_cyclic_line(const Values& lower, const Values& diagonal,
                                         const Values& upper, const Values& rhs) {
  const auto scratch = [&] { return to_device<Scalar>(Values(rhs.size(), 0.0)); };
  const auto x = to_device<Scalar>(rhs);
  const DeviceVector<int> bad_level("LaminaTest::bad_level", 1);
  Kokkos::parallel_for(
      "LaminaTest::solve_cyclic", Kokkos::RangePolicy<TEST_SPACE>(0, 1),
      CyclicLineKernel<Scalar>{static_cast<int>(rhs.size()), to_device<Scalar>(lower),
                               to_device<Scalar>(diagonal), to_device<Scalar>(upper), x, x,
                               scratch(), scratch(), bad_level});
  return {to_host<Scalar>(x), static_cast<int>(to_host<int>(bad_level)[0])};
}

template <class Scalar>
class CyclicTridiagonalLine : public testing::Test {};
TYPED_TEST_SUITE(CyclicTridiagonalLine, LineScalars);

TYPED_TEST(CyclicTridiagonalLine, SolvesInsideAKernel) {
  for (const int n : {0, 1, 2, 3, 4, 7, 33, 128, 1031}) {
    const auto system = LineSystem::dominant<TypeParam>(n > 0 ? 1 : 0, n);
    const auto [x, bad_level] =
        solve_cyclic_line<TypeParam>(system.lower, system.diagonal, system.upper, system.rhs);
    EXPECT_TRUE(all_within(x, system.cyclic_solution(), rounding<TypeParam>(8))) << n << " levels";
    EXPECT_EQ(bad_level, -1);
  }
}

TYPED_TEST(CyclicTridiagonalLine, NamesTheFirstLevelWithABadPivot) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Values ones(5, 1.0);
  EXPECT_EQ(solve_cyclic_line<TypeParam>(ones, {0, 4, 4, 4, 4}, ones, ones).second, 0);
  EXPECT_EQ(solve_cyclic_line<TypeParam>(ones, {4, 4, nan, 4, 4}, ones, ones).second, 2);
  EXPECT_EQ(solve_cyclic_line<TypeParam>(ones, {4, 4, 4, 4, nan}, ones, ones).second, 4);
  // Singular: row sums of zero.
  EXPECT_EQ(solve_cyclic_line<TypeParam>({-1, -1}, {2, 2}, {-1, -1}, {1, 1}).second, 1);
  EXPECT_EQ(solve_cyclic_line<TypeParam>({-1}, {2}, {-1}, {1}).second, 0);
}

template <class Type>
class CyclicTridiagonal : public testing::Test {
 public:
  using Scalar = typename Type::scalar;
  using Field = TestField<Scalar, typename Type::layout>;

  Field field(const LineSystem& system, const Values& values, const Padding& padding = {}) const {
    return Field(system.num_columns, system.num_levels, values, padding);
  }
  auto solver(const LineSystem& system) const {
    return Lamina::LineSolver(TEST_SPACE(),
                              Lamina::CyclicTridiagonal{field(system, system.lower).const_view(),
                                                        field(system, system.diagonal).const_view(),
                                                        field(system, system.upper).const_view()});
  }
};
TYPED_TEST_SUITE(CyclicTridiagonal, FieldTypes, FieldTypeNames);

TYPED_TEST(CyclicTridiagonal, SolvesAsTheFormulaOfShermanAndMorrisonDoes) {
  using Scalar = typename TestFixture::Scalar;
  const TEST_SPACE space;
  for (const int num_levels : {1, 2, 3, 7, 8, 9, 16, 17, 33, 128, 129, 511, 512, 513, 1031}) {
    for (const int num_columns : {1, 3, 17, 65, 130}) {
      if (num_columns == 130 && num_levels > 200) continue;  // enough at that size
      SCOPED_TRACE(testing::Message() << num_columns << " columns, " << num_levels << " levels");
      const auto system = LineSystem::dominant<Scalar>(num_columns, num_levels);
      const auto solver = this->solver(system);
      const auto rhs = this->field(system, system.rhs, level_padding),
                 x = this->field(system, system.rhs, all_padding),
                 in_place = this->field(system, system.rhs, column_padding);
      solver.solve(space, rhs.const_view(), x.view());
      EXPECT_TRUE(all_within(x.get(), system.cyclic_solution(), rounding<Scalar>(8)));
      EXPECT_TRUE(x.surroundings_untouched());
      solver.solve(space, in_place.const_view(), in_place.view());
      EXPECT_EQ(in_place.get(), x.get()) << "in place";
      EXPECT_EQ(solver.status(space), Lamina::SolveStatus::completed);
    }
  }
}

TYPED_TEST(CyclicTridiagonal, SolvesForSeveralRightHandSidesAtOnce) {
  using Scalar = typename TestFixture::Scalar;
  const TEST_SPACE space;
  for (const auto& [num_columns, num_levels] :
       {std::pair{3, 1}, std::pair{3, 2}, std::pair{65, 33}, std::pair{17, 600}}) {
    auto system = LineSystem::dominant<Scalar>(num_columns, num_levels);
    const auto solver = this->solver(system);
    for (const int count : {2, 3, 9}) {
      std::vector<Values> expected;
      std::vector<typename TestFixture::Field> x;
      std::vector<typename TestFixture::Field::view_type> views;
      for (int n = 0; n < count; ++n) {
        system.rhs = rounded<Scalar>(random_values(system.size(), static_cast<unsigned>(n) + 9));
        expected.push_back(system.cyclic_solution());
        x.push_back(this->field(system, system.rhs, all_padding));
        views.push_back(x.back().view());
      }
      solver.solve(space, views, views);
      for (std::size_t n = 0; n < x.size(); ++n) {
        EXPECT_TRUE(all_within(x[n].get(), expected[n], rounding<Scalar>(8)))
            << num_columns << " columns, " << num_levels << " levels, " << n << " of " << count;
        EXPECT_TRUE(x[n].surroundings_untouched());
      }
    }
  }
}

TYPED_TEST(CyclicTridiagonal, ReportsTheFirstColumnWithABadPivot) {
  using Scalar = typename TestFixture::Scalar;
  const TEST_SPACE space;
  for (const int num_levels : {1, 2, 9, 600}) {
    for (const bool at_last : {false, true}) {
      auto system = LineSystem::dominant<Scalar>(130, num_levels);
      const auto expected = system.cyclic_solution();
      const std::size_t bad = 71, n = static_cast<std::size_t>(num_levels), first = bad * n;
      if (at_last) {  // decoupled from the others
        const std::size_t last = first + n - 1;
        system.diagonal[last] = system.lower[last] = system.upper[last] = 0;
      } else {
        system.diagonal[first] = std::numeric_limits<double>::quiet_NaN();
      }
      const auto solver = this->solver(system);
      const auto x = this->field(system, system.rhs);
      solver.solve(space, x.const_view(), x.view());
      EXPECT_EQ(solver.status(space), Lamina::SolveStatus::breakdown_zero_pivot);
      EXPECT_EQ(solver.first_bad_column(space), static_cast<int>(bad)) << num_levels << at_last;
      Values actual = x.get();
      for (std::size_t k = first; k < first + n; ++k) actual[k] = expected[k];
      EXPECT_TRUE(all_within(actual, expected, rounding<Scalar>(8))) << "the other columns";
    }
  }
}

TYPED_TEST(CyclicTridiagonal, AcceptsNoColumnsAndNoLevelsAndStatesItsTraffic) {
  using Scalar = typename TestFixture::Scalar;
  const TEST_SPACE space;
  for (const auto& [columns, levels] : {std::pair{0, 5}, std::pair{5, 0}}) {
    const auto system = LineSystem::dominant<Scalar>(columns, levels);
    const auto x = this->field(system, system.rhs);
    this->solver(system).solve(space, x.const_view(), x.view());
  }
  const auto solver = this->solver(LineSystem::dominant<Scalar>(3, 5));
  EXPECT_EQ(solver.kernel_costs()[0].bytes, 15 * 5.0 * sizeof(Scalar));
}

}  // namespace LaminaTest
