// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Require.hpp>
#include <lamina/lines/LineSolver.hpp>

#include <gtest/gtest.h>
#include <lines/LineSystem.hpp>
#include <support/Compare.hpp>
#include <support/FieldTypes.hpp>
#include <support/MessageOf.hpp>
#include <support/TestField.hpp>

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace LaminaTest {

template <class Type>
class LineSolver : public testing::Test {
 public:
  using Scalar = typename Type::scalar;
  using Fields = LineFields<Scalar, typename Type::layout>;
  using Field = typename Fields::Field;

  Field field(const LineSystem& system, const Values& values, const Padding& padding = {}) const {
    return Field(system.num_columns, system.num_levels, values, padding);
  }

  /// Solves with each of the three forms and compares with the twin.
  void check_sizes(int num_columns, int num_levels) const {
    SCOPED_TRACE(testing::Message() << num_columns << " columns, " << num_levels << " levels");
    const auto check = [&](const char* form, const LineSystem& system, const auto& form_of) {
      const TEST_SPACE space;
      const Fields coefficients(system);
      const auto rhs = field(system, system.rhs), x = field(system, system.row_sum);
      const Lamina::LineSolver solver(space, form_of(coefficients));
      EXPECT_EQ(solver.num_columns(), num_columns);
      EXPECT_EQ(solver.num_levels(), num_levels);
      solver.solve(space, rhs.const_view(), x.view());
      EXPECT_EQ(solver.status(space), Lamina::SolveStatus::completed);
      EXPECT_EQ(solver.first_bad_column(space), -1);
      EXPECT_TRUE(all_within(x.get(), system.solution(), rounding<Scalar>(8))) << form;
    };
    check("general", LineSystem::dominant<Scalar>(num_columns, num_levels),
          [](const Fields& fields) { return fields.general(); });
    check("symmetric", LineSystem::symmetric<Scalar>(num_columns, num_levels),
          [](const Fields& fields) { return fields.symmetric(); });
    check("difference", LineSystem::difference<Scalar>(num_columns, num_levels, 1),
          [](const Fields& fields) { return fields.difference(); });
  }
};
TYPED_TEST_SUITE(LineSolver, FieldTypes, FieldTypeNames);

TYPED_TEST(LineSolver, SolvesDiagonallyDominantSystemsOfAnyNumberOfLevels) {
  for (const int num_levels : {1, 2, 3, 7, 33, 128, 129, 260, 600}) {
    for (const int num_columns : {1, 17, 64}) this->check_sizes(num_columns, num_levels);
  }
}

TYPED_TEST(LineSolver, SolvesMoreColumnsThanTeamsTakeAtOnce) {
  // Of columns this short, a team of a device takes 64 in a round. On hosts there are few teams.
  this->check_sizes((Lamina::runs_on_host<TEST_SPACE> ? 64 << 10 : 64 << 14) + 65, 2);
  // More than `most_line_rounds`, which count as an odd number of columns shares sectors.
  if constexpr (!Lamina::runs_on_host<TEST_SPACE> &&
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
  solver.solve(space, empty.const_view(), empty.view());
  EXPECT_EQ(solver.status(space), Lamina::SolveStatus::completed);
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
        const auto rhs = this->field(system, system.rhs, padding),
                   x = this->field(system, system.rhs, column_padding),
                   in_place = this->field(system, system.rhs, padding);
        const typename TestFixture::Fields coefficients(system, padding, all_padding);
        const Lamina::LineSolver solver(space, coefficients.general());
        solver.solve(space, rhs.const_view(), x.view());
        EXPECT_EQ(solver.status(space), Lamina::SolveStatus::completed);
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
  const typename TestFixture::Fields coefficients(system);
  const auto rhs = this->field(system, system.rhs), x = this->field(system, system.rhs);
  const Lamina::LineSolver difference(space, coefficients.difference());
  difference.solve(space, rhs.const_view(), x.view());
  EXPECT_TRUE(all_within(x.get(), ones, rounding<Scalar>(num_levels)));

  const Lamina::LineSolver general(space, coefficients.general());
  general.solve(space, rhs.const_view(), x.view());
  EXPECT_FALSE(all_within(x.get(), ones, 0.01));
}

TYPED_TEST(LineSolver, ReportsTheFirstColumnWithABadPivot) {
  using Scalar = typename TestFixture::Scalar;
  const TEST_SPACE space;
  const int num_levels = 9;
  for (const int num_columns : {20, 130}) {
    for (const double bad :
         {0.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
      for (const auto& [bad_level, at_once] :
           {std::pair{0, 1}, std::pair{4, 1}, std::pair{num_levels - 1, 1}, std::pair{4, 2}}) {
        auto system = LineSystem::symmetric<Scalar>(num_columns, num_levels);
        const auto spoil = [&, k = bad_level](int column) {
          const auto i = static_cast<std::size_t>(column * num_levels + k);
          system.diagonal[i] = bad;
          system.upper[i] = 0;
          if (k > 0) system.upper[i - 1] = 0;
        };
        spoil(17);
        spoil(18);
        const auto x = this->field(system, system.rhs);
        const Lamina::LineSolver solver(space, typename TestFixture::Fields(system).symmetric());
        if (at_once == 1) {
          solver.solve(space, x.const_view(), x.view());
        } else {
          const std::vector both{x.view(), this->field(system, system.rhs).view()};
          solver.solve(space, both, both);
        }
        EXPECT_EQ(solver.status(space), Lamina::SolveStatus::breakdown_zero_pivot);
        EXPECT_EQ(solver.first_bad_column(space), 17);
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
  const auto rhs = this->field(system, system.rhs), x = this->field(system, system.rhs);
  const Lamina::LineSolver solver(space, typename TestFixture::Fields(system).symmetric());
  solver.solve(space, rhs.const_view(), x.view());
  EXPECT_EQ(solver.first_bad_column(space), bad);
  auto actual = x.get();
  for (std::size_t k = 0; k < num_levels; ++k) {
    actual[bad * num_levels + k] = expected[bad * num_levels + k];
  }
  EXPECT_TRUE(all_within(actual, expected, rounding<Scalar>(8)));
}

TYPED_TEST(LineSolver, SolvesWithNewCoefficientsAfterARefresh) {
  using Scalar = typename TestFixture::Scalar;
  const TEST_SPACE space;
  for (const int num_levels : {5, 130}) {
    const auto system = LineSystem::symmetric<Scalar>(12, num_levels);
    Values other = system.diagonal;
    for (double& value : other) value = -2 * value;
    other[0] = 0;
    auto diagonal = this->field(system, other);
    const auto off_diagonal = this->field(system, system.upper),
               x = this->field(system, system.rhs);
    Lamina::LineSolver solver(
        space, Lamina::SymmetricTridiagonal{diagonal.const_view(), off_diagonal.const_view()});
    solver.solve(space, x.const_view(), x.view());
    EXPECT_EQ(solver.first_bad_column(space), 0);
    diagonal.set(system.diagonal);
    auto y = this->field(system, system.rhs);
    solver.refresh(space);
    solver.solve(space, y.const_view(), y.view());
    EXPECT_EQ(solver.status(space), Lamina::SolveStatus::completed);
    EXPECT_EQ(solver.first_bad_column(space), -1);
    EXPECT_TRUE(all_within(y.get(), system.solution(), rounding<Scalar>(8)));
  }
}

TYPED_TEST(LineSolver, DoesNotBlameTheMatrixForARightHandSideThatIsNotFinite) {
  const TEST_SPACE space;
  auto system = LineSystem::symmetric<typename TestFixture::Scalar>(12, 5);
  system.rhs[7] = std::numeric_limits<double>::quiet_NaN();
  system.rhs[29] = std::numeric_limits<double>::infinity();
  const auto x = this->field(system, system.rhs);
  const Lamina::LineSolver solver(space, typename TestFixture::Fields(system).symmetric());
  solver.solve(space, x.const_view(), x.view());
  EXPECT_EQ(solver.status(space), Lamina::SolveStatus::completed);
}

TYPED_TEST(LineSolver, IgnoresWhatWouldCoupleWithLevelsBeyondTheEnds) {
  using Scalar = typename TestFixture::Scalar;
  const TEST_SPACE space;
  using Fields = typename TestFixture::Fields;
  const auto expect_same = [&](const char* form, LineSystem system, const auto& form_of) {
    SCOPED_TRACE(testing::Message() << form << ", " << system.num_columns << " columns, "
                                    << system.num_levels << " levels");
    std::vector<Values> solutions;
    for (const double end : {0.0, 1e3, std::numeric_limits<double>::quiet_NaN()}) {
      system.set_ends(end);
      const auto x = this->field(system, system.rhs), first = this->field(system, system.rhs),
                 second = this->field(system, system.rhs);
      const Lamina::LineSolver solver(space, form_of(Fields(system)));
      solver.solve(space, x.const_view(), x.view());
      const std::vector several{first.view(), second.view()};
      solver.solve(space, several, several);
      EXPECT_EQ(solver.status(space), Lamina::SolveStatus::completed) << end;
      solutions.push_back(x.get());
      EXPECT_EQ(x.get(), solutions.front()) << end;
      EXPECT_TRUE(all_within(second.get(), x.get(), rounding<Scalar>(8))) << end;
    }
  };
  for (const int num_columns : {3, 130}) {
    for (const int num_levels : {1, 2, 16, 33, 600}) {
      expect_same("general", LineSystem::dominant<Scalar>(num_columns, num_levels),
                  [](const Fields& fields) { return fields.general(); });
      expect_same("symmetric", LineSystem::symmetric<Scalar>(num_columns, num_levels),
                  [](const Fields& fields) { return fields.symmetric(); });
      expect_same("difference", LineSystem::difference<Scalar>(num_columns, num_levels, 1),
                  [](const Fields& fields) { return fields.difference(); });
    }
  }
}

TYPED_TEST(LineSolver, SolvesForSeveralRightHandSidesAtOnce) {
  using Scalar = typename TestFixture::Scalar;
  using Field = typename TestFixture::Field;
  const TEST_SPACE space;
  for (const auto& [num_columns, num_levels] : {std::pair{1, 1}, std::pair{3, 2}, std::pair{17, 33},
                                                std::pair{129, 130}, std::pair{33, 600}}) {
    auto system = LineSystem::dominant<Scalar>(num_columns, num_levels);
    const typename TestFixture::Fields coefficients(system, all_padding);
    const Lamina::LineSolver solver(space, coefficients.general());
    for (const int count : {0, 1, 2, 3, 5, 9}) {
      SCOPED_TRACE(testing::Message() << num_columns << " columns, " << num_levels << " levels, "
                                      << count << " right-hand sides");
      std::vector<Field> rhs, x;
      std::vector<typename Field::const_view_type> rhs_views;
      std::vector<typename Field::view_type> x_views;
      for (int n = 0; n < count; ++n) {
        system.rhs = rounded<Scalar>(random_values(system.size(), static_cast<unsigned>(n) + 9));
        rhs.push_back(this->field(system, system.rhs, column_padding));
        x.push_back(n == 1 ? rhs.back() : this->field(system, system.rhs, level_padding));
        rhs_views.push_back(rhs.back().const_view());
        x_views.push_back(x.back().view());
      }
      solver.solve(space, rhs_views, x_views);
      for (int n = 0; n < count; ++n) {
        const auto i = static_cast<std::size_t>(n);
        system.rhs = rounded<Scalar>(random_values(system.size(), static_cast<unsigned>(n) + 9));
        EXPECT_TRUE(all_within(x[i].get(), system.solution(), rounding<Scalar>(8))) << n;
        EXPECT_TRUE(x[i].surroundings_untouched()) << n;
      }
    }
    EXPECT_EQ(solver.status(space), Lamina::SolveStatus::completed);
    const std::vector<typename Field::view_type> two(2, coefficients.diagonal.view()),
        three(3, coefficients.diagonal.view());
    EXPECT_THROW(solver.solve(space, two, three), Lamina::InvalidArgument);
  }
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
  EXPECT_EQ(general.kernel_costs(5)[0].bytes, 15 * (3 + 2 * 5.0) * sizeof(Scalar));
  EXPECT_EQ(general.kernel_costs(9)[0].bytes, 15 * (6 + 2 * 9.0) * sizeof(Scalar));
}

TYPED_TEST(LineSolver, RefusesFieldsThatOverlap) {
  const TEST_SPACE space;
  using Field = typename TestFixture::Field;
  const Field a(3, 5, Values(15, 3.0)), off(3, 5), all(4, 6), b(3, 5), x(3, 5);
  const Lamina::LineSolver solver(space,
                                  Lamina::SymmetricTridiagonal{a.const_view(), off.const_view()});
  using Window = typename Field::view_type;
  const auto window = [&](int column) -> Window {
    return Kokkos::subview(all.view(), Kokkos::make_pair(column, column + 3),
                           Kokkos::make_pair(0, 5));
  };
  solver.solve(space, window(0), window(0));
  EXPECT_THROW(solver.solve(space, window(0), window(1)), Lamina::InvalidArgument);
  EXPECT_THROW(solver.solve(space, b.const_view(), a.view()), Lamina::InvalidArgument);
  const std::vector<Window> twice{x.view(), x.view()}, both{b.view(), x.view()},
      swapped{x.view(), b.view()};
  solver.solve(space, both, both);
  EXPECT_THROW(solver.solve(space, both, twice), Lamina::InvalidArgument);
  EXPECT_THROW(solver.solve(space, both, swapped), Lamina::InvalidArgument);
}

TYPED_TEST(LineSolver, RefusesExtentsThatDoNotFit) {
  const TEST_SPACE space;
  const typename TestFixture::Field a(3, 5, Values(15, 1.0)), more_columns(4, 5), more_levels(3, 6);
  const Lamina::LineSolver solver(space,
                                  Lamina::SymmetricTridiagonal{a.const_view(), a.const_view()});
  EXPECT_THROW(solver.solve(space, more_columns.const_view(), a.view()), Lamina::InvalidArgument);
  EXPECT_THROW(Lamina::LineSolver(
                   space, Lamina::SymmetricTridiagonal{a.const_view(), more_columns.const_view()}),
               Lamina::InvalidArgument);
  EXPECT_EQ(message_of<Lamina::InvalidArgument>(
                [&] { solver.solve(space, a.const_view(), more_levels.view()); }),
            "Lamina::LineSolver::solve: argument x: expected 5 levels, got 6");
}

}  // namespace LaminaTest
