// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/lines/Tridiagonal.hpp>

#include <gtest/gtest.h>
#include <lines/DeviceVector.hpp>
#include <reference/Tridiagonal.hpp>
#include <support/Compare.hpp>

#include <vector>

namespace LaminaTest {

/// One line, as it might stand inside a user's kernel.
template <class Scalar>
struct Line {
  DeviceVector<Scalar> lower, centre, upper, rhs, x, factor;
  DeviceVector<int> bad_level = DeviceVector<int>("LaminaTest::bad_level", 1);

  Line(const Values& lower_values, const Values& centre_values, const Values& upper_values,
       const Values& rhs_values)
      : lower(to_device<Scalar>(lower_values)),
        centre(to_device<Scalar>(centre_values)),
        upper(to_device<Scalar>(upper_values)),
        rhs(to_device<Scalar>(rhs_values)),
        x("LaminaTest::x", rhs_values.size()),
        factor("LaminaTest::factor", rhs_values.size()) {}

  int first_bad_level() const { return static_cast<int>(to_host<int>(bad_level)[0]); }
};

template <class Scalar>
void solve_general(const Line<Scalar>& line) {
  const int num_levels = static_cast<int>(line.rhs.extent(0));
  Kokkos::parallel_for(
      "LaminaTest::solve_general", Kokkos::RangePolicy<TEST_SPACE>(0, 1), KOKKOS_LAMBDA(int) {
        line.bad_level(0) = Lamina::solve_tridiagonal(
            num_levels,
            [&](int k) {
              return Lamina::TridiagonalRow<Scalar>{line.lower(k), line.centre(k), line.upper(k)};
            },
            line.rhs, line.x, line.factor);
      });
}

template <class Scalar>
void solve_difference(const Line<Scalar>& line, bool in_place = false) {
  const int num_levels = static_cast<int>(line.rhs.extent(0));
  const auto x = in_place ? line.rhs : line.x;
  Kokkos::parallel_for(
      "LaminaTest::solve_difference", Kokkos::RangePolicy<TEST_SPACE>(0, 1), KOKKOS_LAMBDA(int) {
        line.bad_level(0) = Lamina::solve_tridiagonal(
            num_levels,
            [&](int k) {
              return Lamina::DifferenceRow<Scalar>{line.lower(k), line.centre(k), line.upper(k)};
            },
            line.rhs, x, line.factor);
      });
}

template <class Scalar>
class Tridiagonal : public testing::Test {};
TYPED_TEST_SUITE(Tridiagonal, LineScalars);

TYPED_TEST(Tridiagonal, SolvesGeneralLinesInsideAKernel) {
  for (const std::size_t n : {0, 1, 2, 3, 7, 33, 128}) {
    Values lower = rounded<TypeParam>(random_values(n, 1)),
           upper = rounded<TypeParam>(random_values(n, 2));
    Values diagonal = rounded<TypeParam>(random_values(n, 3)),
           rhs = rounded<TypeParam>(random_values(n, 4));
    for (double& value : diagonal) value += value < 0 ? -3 : 3;  // dominant by 1 at least
    diagonal = rounded<TypeParam>(diagonal);
    const Line<TypeParam> line(lower, diagonal, upper, rhs);
    solve_general(line);
    EXPECT_TRUE(all_within(to_host<TypeParam>(line.x),
                           Reference::thomas(lower, diagonal, upper, rhs), rounding<TypeParam>(8)))
        << n << " levels";
    EXPECT_EQ(line.first_bad_level(), -1);
  }
}

TYPED_TEST(Tridiagonal, SolvesDifferenceLinesInsideAKernel) {
  for (const bool in_place : {false, true}) {
    for (const std::size_t n : {0, 1, 2, 3, 7, 33, 128}) {
      // An M-matrix: row sums positive, couplings negative.
      Values lower(n), upper(n), row_sum(n), diagonal(n), rhs(n);
      for (std::size_t k = 0; k < n; ++k) {
        lower[k] = k > 0 ? -1.5 + Reference::unit_value(k) : 0;
        upper[k] = k + 1 < n ? -1.5 + Reference::unit_value(100 + k) : 0;
        row_sum[k] = 1.5 + Reference::unit_value(200 + k);
        rhs[k] = Reference::unit_value(300 + k);
      }
      lower = rounded<TypeParam>(lower);
      upper = rounded<TypeParam>(upper);
      row_sum = rounded<TypeParam>(row_sum);
      rhs = rounded<TypeParam>(rhs);
      for (std::size_t k = 0; k < n; ++k) diagonal[k] = row_sum[k] - lower[k] - upper[k];
      const Line<TypeParam> line(lower, row_sum, upper, rhs);
      solve_difference(line, in_place);
      EXPECT_TRUE(all_within(to_host<TypeParam>(in_place ? line.rhs : line.x),
                             Reference::thomas(lower, diagonal, upper, rhs),
                             rounding<TypeParam>(8)))
          << n << " levels" << (in_place ? ", in place" : "");
      EXPECT_EQ(line.first_bad_level(), -1);
    }
  }
}

TYPED_TEST(Tridiagonal, DifferenceFormKeepsARowSumThatTheGeneralFormLoses) {
  // Couplings 1/epsilon times the row sum 1: added up, the diagonal has no digit of it left. With
  // rhs = 1 the solution is 1, since T 1 = row sums = 1.
  const double stiff = 0.75 / static_cast<double>(std::numeric_limits<TypeParam>::epsilon());
  const std::size_t n = 33;
  Values lower(n, -16 * stiff), upper(n, -16 * stiff), diagonal(n);
  lower[0] = upper[n - 1] = 0;
  for (std::size_t k = 0; k < n; ++k) diagonal[k] = 1 - lower[k] - upper[k];

  const Line<TypeParam> difference(lower, Values(n, 1.0), upper, Values(n, 1.0));
  solve_difference(difference);
  EXPECT_TRUE(all_within(to_host<TypeParam>(difference.x), Values(n, 1.0),
                         rounding<TypeParam>(static_cast<double>(n))));

  const Line<TypeParam> general(lower, diagonal, upper, Values(n, 1.0));
  solve_general(general);
  EXPECT_FALSE(all_within(to_host<TypeParam>(general.x), Values(n, 1.0), 0.1));
}

TYPED_TEST(Tridiagonal, IgnoresWhatWouldCoupleWithLevelsBeyondTheEnds) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const std::size_t n : {1, 2, 5}) {
    for (const double end : {1e3, nan}) {
      Values lower(n, -1.0), upper(n, -1.0);
      lower[0] = upper[n - 1] = 0;
      const Line<TypeParam> expected(lower, Values(n, 3.0), upper, Values(n, 1.0));
      lower[0] = upper[n - 1] = end;
      const Line<TypeParam> line(lower, Values(n, 3.0), upper, Values(n, 1.0));
      solve_general(expected);
      solve_general(line);
      EXPECT_EQ(to_host<TypeParam>(line.x), to_host<TypeParam>(expected.x)) << n << ", " << end;
      solve_difference(expected);
      solve_difference(line);
      EXPECT_EQ(to_host<TypeParam>(line.x), to_host<TypeParam>(expected.x)) << n << ", " << end;
      EXPECT_EQ(line.first_bad_level(), -1);
    }
  }
}

TYPED_TEST(Tridiagonal, NamesTheFirstLevelWithABadPivot) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::size_t n = 6;
  for (const double bad : {0.0, nan, std::numeric_limits<double>::infinity()}) {
    Values diagonal(n, 2.0);
    diagonal[3] = bad;
    diagonal[4] = 0;
    const Line<TypeParam> line(Values(n, 0.0), diagonal, Values(n, 0.0), Values(n, 1.0));
    solve_general(line);
    EXPECT_EQ(line.first_bad_level(), 3) << bad;
    solve_difference(line);
    EXPECT_EQ(line.first_bad_level(), 3) << bad;
  }
  // A pivot that elimination makes zero: 1 1; 1 1.
  const Line<TypeParam> singular({0, 1}, {1, 1}, {1, 0}, {1, 1});
  solve_general(singular);
  EXPECT_EQ(singular.first_bad_level(), 1);
}

}  // namespace LaminaTest
