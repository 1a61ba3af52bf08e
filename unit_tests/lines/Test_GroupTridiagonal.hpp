// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/device/impl/Instantiate.hpp>
#include <lamina/lines/GroupTridiagonal.hpp>

#include <gtest/gtest.h>
#include <lines/DeviceVector.hpp>
#include <reference/Tridiagonal.hpp>
#include <support/Compare.hpp>

#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace LaminaTest {

enum class LineGroup { serial, vector, team };

/// One line, as it might be solved by a group inside a user's kernel.
template <class Scalar, template <class> class Row>
struct GroupLineKernel {
  LineGroup which;
  int num_levels, num_segments;
  DeviceVector<Scalar> lower, centre, upper, rhs, x, scratch;
  DeviceVector<int> bad_level;

  template <class Group>
  KOKKOS_FUNCTION void work(const Group& group) const {
    const int bad = Lamina::solve_tridiagonal(
        group, num_levels, num_segments,
        [&](int k) {
          return Row<Scalar>{lower(k), centre(k), upper(k)};
        },
        rhs, x, scratch);
    group.for_each(1, [&](int) { bad_level(0) = bad; });
  }
  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member) const {
    if (which == LineGroup::team) {
      work(Lamina::TeamGroup<Member>{member});
    } else if (member.team_rank() == 0) {
      if (which == LineGroup::vector) {
        work(Lamina::VectorGroup<Member>{member});
      } else {
        Kokkos::single(Kokkos::PerThread(member), [&] { work(Lamina::SerialGroup{}); });
      }
    }
  }
};

struct GroupLineResult {
  Values x;
  int bad_level;
};

template <class Scalar, template <class> class Row>
GroupLineResult solve_in_group(LineGroup which, int num_segments, const Values& lower,
                               const Values& centre, const Values& upper, const Values& rhs,
                               bool in_place = false) {
  const int num_levels = static_cast<int>(rhs.size());
  const auto device_rhs = to_device<Scalar>(rhs);
  const DeviceVector<Scalar> x =
      in_place ? device_rhs : DeviceVector<Scalar>("LaminaTest::x", rhs.size());
  const DeviceVector<Scalar> scratch(
      "LaminaTest::scratch",
      static_cast<std::size_t>(Lamina::group_tridiagonal_scratch(num_levels, num_segments)));
  const DeviceVector<int> bad_level("LaminaTest::bad_level", 1);
  const bool on_host = Lamina::runs_on_host<TEST_SPACE>;
  Kokkos::parallel_for(
      "LaminaTest::solve_in_group",
      Kokkos::TeamPolicy<TEST_SPACE>(TEST_SPACE(), 1, on_host ? 1 : 4, on_host ? 1 : 16),
      GroupLineKernel<Scalar, Row>{which, num_levels, num_segments, to_device<Scalar>(lower),
                                   to_device<Scalar>(centre), to_device<Scalar>(upper), device_rhs,
                                   x, scratch, bad_level});
  return {to_host<Scalar>(x), static_cast<int>(to_host<int>(bad_level)[0])};
}

constexpr LineGroup all_line_groups[] = {LineGroup::serial, LineGroup::vector, LineGroup::team};

template <class Scalar>
class GroupTridiagonal : public testing::Test {};
TYPED_TEST_SUITE(GroupTridiagonal, LineScalars);

TYPED_TEST(GroupTridiagonal, SolvesGeneralLinesInAnyNumberOfSegments) {
  for (const int n : {0, 1, 2, 3, 7, 33, 128, 1000}) {
    const auto size = static_cast<std::size_t>(n);
    Values lower = rounded<TypeParam>(random_values(size, 1)),
           upper = rounded<TypeParam>(random_values(size, 2));
    Values diagonal = random_values(size, 3), rhs = rounded<TypeParam>(random_values(size, 4));
    for (double& value : diagonal) value += value < 0 ? -3 : 3;  // dominant by 1 at least
    diagonal = rounded<TypeParam>(diagonal);
    const Values expected = Reference::thomas(lower, diagonal, upper, rhs);
    for (const int num_segments : {1, 2, 3, 8, 32, 64, 1000}) {
      for (const LineGroup which : all_line_groups) {
        const auto result = solve_in_group<TypeParam, Lamina::TridiagonalRow>(
            which, num_segments, lower, diagonal, upper, rhs, num_segments == 8);
        EXPECT_TRUE(all_within(result.x, expected, rounding<TypeParam>(8)))
            << n << " levels, " << num_segments << " segments";
        EXPECT_EQ(result.bad_level, -1);
      }
    }
  }
}

TYPED_TEST(GroupTridiagonal, DifferenceFormKeepsARowSumThatTheGeneralFormLoses) {
  // As for a line by one thread: with rhs = 1 the solution is 1.
  const double stiff = 0.75 / static_cast<double>(std::numeric_limits<TypeParam>::epsilon());
  for (const std::size_t n : {1u, 2u, 33u, 200u}) {
    Values lower(n, -16 * stiff), upper(n, -16 * stiff);
    lower[0] = upper[n - 1] = 0;
    for (const int num_segments : {1, 2, 5, 32, 200}) {
      for (const LineGroup which : all_line_groups) {
        const auto result = solve_in_group<TypeParam, Lamina::DifferenceRow>(
            which, num_segments, lower, Values(n, 1.0), upper, Values(n, 1.0));
        EXPECT_TRUE(
            all_within(result.x, Values(n, 1.0), rounding<TypeParam>(static_cast<double>(n))))
            << n << " levels, " << num_segments << " segments";
        EXPECT_EQ(result.bad_level, -1);
      }
    }
  }
}

template <class Scalar, template <class> class Row>
void expect_ends_ignored(std::size_t n, int num_segments) {
  Values lower(n, -1.0), upper(n, -1.0);
  lower[0] = upper[n - 1] = 0;
  const Values centre(n, 3.0), ones(n, 1.0);
  const auto solve = [&](LineGroup which) {
    return solve_in_group<Scalar, Row>(which, num_segments, lower, centre, upper, ones).x;
  };
  for (const LineGroup which : all_line_groups) {
    lower[0] = upper[n - 1] = 0;
    const Values expected = solve(which);
    lower[0] = upper[n - 1] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(solve(which), expected) << n << " levels, " << num_segments << " segments";
  }
}

TYPED_TEST(GroupTridiagonal, IgnoresWhatWouldCoupleWithLevelsBeyondTheEnds) {
  for (const std::size_t n : {1u, 2u, 5u, 33u}) {
    for (const int num_segments : {1, 3, 8}) {
      expect_ends_ignored<TypeParam, Lamina::TridiagonalRow>(n, num_segments);
      expect_ends_ignored<TypeParam, Lamina::DifferenceRow>(n, num_segments);
    }
  }
}

TYPED_TEST(GroupTridiagonal, NamesALevelWithABadPivot) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::size_t n = 6;
  for (const double bad : {0.0, nan, std::numeric_limits<double>::infinity()}) {
    Values diagonal(n, 2.0);
    diagonal[3] = bad;
    for (const int num_segments : {1, 2, 3, 6}) {
      for (const LineGroup which : all_line_groups) {
        const auto result = solve_in_group<TypeParam, Lamina::TridiagonalRow>(
            which, num_segments, Values(n, 0.0), diagonal, Values(n, 0.0), Values(n, 1.0));
        EXPECT_GE(result.bad_level, 0) << bad << ", " << num_segments << " segments";
        EXPECT_LE(result.bad_level, 3) << bad << ", " << num_segments << " segments";
      }
    }
  }
}

}  // namespace LaminaTest
