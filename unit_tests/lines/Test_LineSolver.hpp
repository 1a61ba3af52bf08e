// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Require.hpp>
#include <lamina/lines/LineSolver.hpp>

#include <gtest/gtest.h>
#include <reference/Tridiagonal.hpp>
#include <support/Compare.hpp>
#include <support/FieldTypes.hpp>
#include <support/TestField.hpp>

#include <cmath>
#include <limits>

namespace LaminaTest {

/// Coefficients of a tridiagonal matrix per column, and what solves it.
struct LineSystem {
  int num_columns, num_levels;
  Values lower, diagonal, upper, row_sum, rhs;

  std::size_t size() const { return diagonal.size(); }

  /// Well conditioned: dominant by half of the off-diagonal at least, of either sign.
  template <class Scalar>
  static LineSystem dominant(int num_columns, int num_levels) {
    const auto size = static_cast<std::size_t>(num_columns) * static_cast<std::size_t>(num_levels);
    LineSystem system{num_columns,
                      num_levels,
                      rounded<Scalar>(random_values(size, 1)),
                      random_values(size, 2),
                      rounded<Scalar>(random_values(size, 3)),
                      Values(size),
                      rounded<Scalar>(random_values(size, 4))};
    for (double& value : system.diagonal) value += value < 0 ? -3 : 3;
    system.diagonal = rounded<Scalar>(system.diagonal);
    return system;
  }

  /// off_diagonal(k) couples k and k + 1.
  template <class Scalar>
  static LineSystem symmetric(int num_columns, int num_levels) {
    LineSystem system = dominant<Scalar>(num_columns, num_levels);
    for (std::size_t i = 0; i < system.size(); ++i) {
      system.lower[i] = i % static_cast<std::size_t>(num_levels) > 0 ? system.upper[i - 1] : 0;
    }
    return system;
  }

  /// Row sums of one sign, couplings of the other, `stiffness` times larger.
  template <class Scalar>
  static LineSystem difference(int num_columns, int num_levels, double stiffness) {
    LineSystem system = dominant<Scalar>(num_columns, num_levels);
    const auto n = static_cast<std::size_t>(num_levels);
    for (std::size_t i = 0; i < system.size(); ++i) {
      system.lower[i] = i % n > 0 ? stiffness * (1.5 + system.lower[i]) : 0;
      system.upper[i] = i % n + 1 < n ? stiffness * (1.5 + system.upper[i]) : 0;
      system.row_sum[i] = -1.5 + 0.5 * system.rhs[i];
    }
    system.lower = rounded<Scalar>(system.lower);
    system.upper = rounded<Scalar>(system.upper);
    system.row_sum = rounded<Scalar>(system.row_sum);
    for (std::size_t i = 0; i < system.size(); ++i) {
      system.diagonal[i] = system.row_sum[i] - system.lower[i] - system.upper[i];
    }
    return system;
  }

  Values solution() const {
    Values x;
    const auto n = static_cast<std::size_t>(num_levels);
    for (std::size_t first = 0; first < size(); first += n) {
      const auto part = [&](const Values& values) {
        return std::vector<long double>(values.begin() + static_cast<std::ptrdiff_t>(first),
                                        values.begin() + static_cast<std::ptrdiff_t>(first + n));
      };
      for (const long double value :
           Reference::thomas(part(lower), part(diagonal), part(upper), part(rhs))) {
        x.push_back(static_cast<double>(value));
      }
    }
    return x;
  }
};

template <class Type>
class LineSolver : public testing::Test {
 public:
  using Scalar = typename Type::scalar;
  using Field = TestField<Scalar, typename Type::layout>;

  Field field(const LineSystem& system, const Values& values, const Padding& padding = {}) const {
    return Field(system.num_columns, system.num_levels, values, padding);
  }

  /// Solves with each of the three forms and compares with the twin.
  void check_sizes(int num_columns, int num_levels) const {
    SCOPED_TRACE(testing::Message() << num_columns << " columns, " << num_levels << " levels");
    const TEST_SPACE space;
    {
      const auto system = LineSystem::dominant<Scalar>(num_columns, num_levels);
      const auto lower = field(system, system.lower), diagonal = field(system, system.diagonal),
                 upper = field(system, system.upper), rhs = field(system, system.rhs),
                 x = field(system, system.row_sum);
      const Lamina::LineSolver solver(
          space, Lamina::GeneralTridiagonal{lower.const_view(), diagonal.const_view(),
                                            upper.const_view()});
      EXPECT_EQ(solver.num_columns(), num_columns);
      EXPECT_EQ(solver.num_levels(), num_levels);
      EXPECT_EQ(solver.status(), Lamina::SolveStatus::completed);
      EXPECT_EQ(solver.first_bad_column(), -1);
      solver.solve(space, rhs.const_view(), x.view());
      EXPECT_TRUE(all_within(x.get(), system.solution(), rounding<Scalar>(8))) << "general";
    }
    {
      const auto system = LineSystem::symmetric<Scalar>(num_columns, num_levels);
      const auto diagonal = field(system, system.diagonal),
                 off_diagonal = field(system, system.upper), rhs = field(system, system.rhs),
                 x = field(system, system.row_sum);
      const Lamina::LineSolver solver(
          space, Lamina::SymmetricTridiagonal{diagonal.const_view(), off_diagonal.const_view()});
      EXPECT_EQ(solver.status(), Lamina::SolveStatus::completed);
      solver.solve(space, rhs.const_view(), x.view());
      EXPECT_TRUE(all_within(x.get(), system.solution(), rounding<Scalar>(8))) << "symmetric";
    }
    {
      const auto system = LineSystem::difference<Scalar>(num_columns, num_levels, 1);
      const auto lower = field(system, system.lower), row_sum = field(system, system.row_sum),
                 upper = field(system, system.upper), rhs = field(system, system.rhs),
                 x = field(system, system.row_sum);
      const Lamina::LineSolver solver(
          space, Lamina::DifferenceTridiagonal{lower.const_view(), row_sum.const_view(),
                                               upper.const_view()});
      EXPECT_EQ(solver.status(), Lamina::SolveStatus::completed);
      solver.solve(space, rhs.const_view(), x.view());
      EXPECT_TRUE(all_within(x.get(), system.solution(), rounding<Scalar>(8))) << "difference";
    }
  }
};
TYPED_TEST_SUITE(LineSolver, FieldTypes, FieldTypeNames);

TYPED_TEST(LineSolver, SolvesDiagonallyDominantSystemsOfAnyNumberOfLevels) {
  for (const int num_levels : {1, 2, 3, 7, 33, 128, 129, 260, 600}) {
    for (const int num_columns : {1, 17, 64}) this->check_sizes(num_columns, num_levels);
  }
}

TYPED_TEST(LineSolver, SolvesMoreColumnsThanTeamsTakeAtOnce) {
  // Of columns this short, a team of a device takes 64 in a round.
  this->check_sizes((64 << 14) + 65, 2);
  // More than `most_line_rounds`, which count as an odd number of columns shares sectors.
  if constexpr (!Lamina::Impl::runs_on_host<TEST_SPACE> &&
                !Lamina::Impl::levels_contiguous<typename TypeParam::layout>) {
    this->check_sizes((64 << 17) + 65, 1);
  }
}

TYPED_TEST(LineSolver, SolvesDiagonallyDominantSystemsOfAnyNumberOfColumns) {
  for (const int num_columns :
       {1, 2, 3, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 257}) {
    for (const int num_levels : {2, 7, 16}) this->check_sizes(num_columns, num_levels);
  }
}

TYPED_TEST(LineSolver, AcceptsNoColumnsAndNoLevels) {
  this->check_sizes(0, 5);
  this->check_sizes(0, 0);
  const TEST_SPACE space;
  const typename TestFixture::Field empty(5, 0);
  const Lamina::LineSolver solver(
      space, Lamina::SymmetricTridiagonal{empty.const_view(), empty.const_view()});
  EXPECT_EQ(solver.status(), Lamina::SolveStatus::completed);
  solver.solve(space, empty.const_view(), empty.view());
}

TYPED_TEST(LineSolver, WorksOnPaddedViewsAndLeavesTheirSurroundingsAlone) {
  using Scalar = typename TestFixture::Scalar;
  const TEST_SPACE space;
  for (const int num_columns : {3, 33, 129}) {
    for (const int num_levels : {5, 32}) {
      const auto system = LineSystem::dominant<Scalar>(num_columns, num_levels);
      for (const auto& padding : {column_padding, level_padding, all_padding}) {
        SCOPED_TRACE(testing::Message()
                     << num_columns << " columns, " << num_levels << " levels, padding "
                     << padding.columns_before << ", " << padding.levels_before);
        const auto lower = this->field(system, system.lower, padding),
                   diagonal = this->field(system, system.diagonal, all_padding),
                   upper = this->field(system, system.upper),
                   rhs = this->field(system, system.rhs, padding),
                   x = this->field(system, system.rhs, column_padding),
                   in_place = this->field(system, system.rhs, padding);
        const Lamina::LineSolver solver(
            space, Lamina::GeneralTridiagonal{lower.const_view(), diagonal.const_view(),
                                              upper.const_view()});
        EXPECT_EQ(solver.status(), Lamina::SolveStatus::completed);
        solver.solve(space, rhs.const_view(), x.view());
        EXPECT_TRUE(all_within(x.get(), system.solution(), rounding<Scalar>(8)));
        EXPECT_TRUE(x.surroundings_untouched());
        EXPECT_EQ(rhs.get(), system.rhs);
        solver.solve(space, in_place.const_view(), in_place.view());
        EXPECT_EQ(in_place.get(), x.get()) << "in place";
        EXPECT_TRUE(in_place.surroundings_untouched());
      }
    }
  }
}

TYPED_TEST(LineSolver, AcceptsAnyViewTypeOfTheUser) {
  using Scalar = typename TestFixture::Scalar;
  using Layout = typename TypeParam::layout;
  const TEST_SPACE space;
  const auto system = LineSystem::symmetric<Scalar>(5, 4);
  const auto diagonal = this->field(system, system.diagonal),
             off_diagonal = this->field(system, system.upper), x = this->field(system, system.rhs);
  using Unmanaged = Kokkos::View<Scalar**, Layout, Memory, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  const Lamina::LineSolver solver(
      space,
      Lamina::SymmetricTridiagonal{Unmanaged(diagonal.view()), Unmanaged(off_diagonal.view())});
  solver.solve(space, Unmanaged(x.view()), Unmanaged(x.view()));
  EXPECT_TRUE(all_within(x.get(), system.solution(), rounding<Scalar>(8)));
}

TYPED_TEST(LineSolver, DifferenceFormKeepsARowSumThatTheGeneralFormLoses) {
  using Scalar = typename TestFixture::Scalar;
  const TEST_SPACE space;
  const int num_columns = 19, num_levels = 33;
  const double stiffness = 8 / static_cast<double>(std::numeric_limits<Scalar>::epsilon());
  auto system = LineSystem::difference<Scalar>(num_columns, num_levels, stiffness);
  system.rhs = system.row_sum;  // T 1 = row sums
  const Values ones(system.size(), 1.0);
  const auto lower = this->field(system, system.lower),
             row_sum = this->field(system, system.row_sum),
             diagonal = this->field(system, system.diagonal),
             upper = this->field(system, system.upper), rhs = this->field(system, system.rhs),
             x = this->field(system, system.rhs);
  const Lamina::LineSolver difference(
      space,
      Lamina::DifferenceTridiagonal{lower.const_view(), row_sum.const_view(), upper.const_view()});
  difference.solve(space, rhs.const_view(), x.view());
  EXPECT_TRUE(all_within(x.get(), ones, rounding<Scalar>(num_levels)));

  const Lamina::LineSolver general(
      space,
      Lamina::GeneralTridiagonal{lower.const_view(), diagonal.const_view(), upper.const_view()});
  general.solve(space, rhs.const_view(), x.view());
  EXPECT_FALSE(all_within(x.get(), ones, 0.01));
}

TYPED_TEST(LineSolver, ReportsTheFirstColumnWithABadPivot) {
  using Scalar = typename TestFixture::Scalar;
  const TEST_SPACE space;
  const int num_levels = 9;
  for (const int num_columns : {20, 130}) {
    for (const double bad : {0.0, std::numeric_limits<double>::quiet_NaN()}) {
      for (const int bad_level : {0, 4, num_levels - 1}) {
        auto system = LineSystem::symmetric<Scalar>(num_columns, num_levels);
        const auto spoil = [&](int column) {
          const auto i = static_cast<std::size_t>(column * num_levels + bad_level);
          system.diagonal[i] = bad;
          system.upper[i] = 0;
          if (bad_level > 0) system.upper[i - 1] = 0;
        };
        spoil(17);
        spoil(18);
        const auto diagonal = this->field(system, system.diagonal),
                   off_diagonal = this->field(system, system.upper);
        const Lamina::LineSolver solver(
            space, Lamina::SymmetricTridiagonal{diagonal.const_view(), off_diagonal.const_view()});
        EXPECT_EQ(solver.status(), Lamina::SolveStatus::breakdown_zero_pivot);
        EXPECT_EQ(solver.first_bad_column(), 17);
      }
    }
  }
}

TYPED_TEST(LineSolver, SolvesTheOtherColumnsBesideABadOne) {
  using Scalar = typename TestFixture::Scalar;
  const TEST_SPACE space;
  const int num_columns = 20, num_levels = 9, bad = 5;
  auto system = LineSystem::symmetric<Scalar>(num_columns, num_levels);
  const auto expected = system.solution();
  system.diagonal[static_cast<std::size_t>(bad * num_levels)] = 0;
  const auto diagonal = this->field(system, system.diagonal),
             off_diagonal = this->field(system, system.upper),
             rhs = this->field(system, system.rhs), x = this->field(system, system.rhs);
  const Lamina::LineSolver solver(
      space, Lamina::SymmetricTridiagonal{diagonal.const_view(), off_diagonal.const_view()});
  EXPECT_EQ(solver.first_bad_column(), bad);
  solver.solve(space, rhs.const_view(), x.view());
  auto actual = x.get();
  for (std::size_t k = 0; k < num_levels; ++k) {
    actual[bad * num_levels + k] = expected[bad * num_levels + k];
  }
  EXPECT_TRUE(all_within(actual, expected, rounding<Scalar>(8)));
}

TYPED_TEST(LineSolver, LooksAgainAfterTheCoefficientsChanged) {
  using Scalar = typename TestFixture::Scalar;
  const TEST_SPACE space;
  const auto system = LineSystem::symmetric<Scalar>(12, 5);
  auto spoilt = system.diagonal;
  spoilt[0] = 0;
  auto diagonal = this->field(system, spoilt);
  const auto off_diagonal = this->field(system, system.upper), x = this->field(system, system.rhs);
  Lamina::LineSolver solver(
      space, Lamina::SymmetricTridiagonal{diagonal.const_view(), off_diagonal.const_view()});
  EXPECT_EQ(solver.first_bad_column(), 0);
  diagonal.set(system.diagonal);
  solver.check(space);
  EXPECT_EQ(solver.status(), Lamina::SolveStatus::completed);
  EXPECT_EQ(solver.first_bad_column(), -1);
  solver.solve(space, x.const_view(), x.view());
  EXPECT_TRUE(all_within(x.get(), system.solution(), rounding<Scalar>(8)));
}

TYPED_TEST(LineSolver, StatesItsTraffic) {
  using Scalar = typename TestFixture::Scalar;
  const typename TestFixture::Field a(3, 5, Values(15, 1.0));
  const Lamina::LineSolver general(
      TEST_SPACE(), Lamina::GeneralTridiagonal{a.const_view(), a.const_view(), a.const_view()});
  const Lamina::LineSolver symmetric(TEST_SPACE(),
                                     Lamina::SymmetricTridiagonal{a.const_view(), a.const_view()});
  ASSERT_EQ(general.kernel_costs().size(), 1u);
  EXPECT_EQ(general.kernel_costs()[0].bytes, 15 * 5.0 * sizeof(Scalar));
  EXPECT_EQ(symmetric.kernel_costs()[0].bytes, 15 * 4.0 * sizeof(Scalar));
}

TYPED_TEST(LineSolver, RefusesExtentsThatDoNotFit) {
  const TEST_SPACE space;
  const typename TestFixture::Field a(3, 5, Values(15, 1.0)), more_columns(4, 5), more_levels(3, 6);
  const Lamina::LineSolver solver(space,
                                  Lamina::SymmetricTridiagonal{a.const_view(), a.const_view()});
  EXPECT_THROW(solver.solve(space, more_columns.const_view(), a.view()), Lamina::InvalidArgument);
  EXPECT_THROW(solver.solve(space, a.const_view(), more_levels.view()), Lamina::InvalidArgument);
  EXPECT_THROW(Lamina::LineSolver(
                   space, Lamina::SymmetricTridiagonal{a.const_view(), more_columns.const_view()}),
               Lamina::InvalidArgument);
  try {
    solver.solve(space, a.const_view(), more_levels.view());
    ADD_FAILURE();
  } catch (const Lamina::InvalidArgument& error) {
    EXPECT_STREQ(error.what(), "Lamina::LineSolver::solve: argument x: expected 5 levels, got 6");
  }
}

}  // namespace LaminaTest
