// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/device/impl/HostWork.hpp>
#include <lamina/device/impl/OverlappedTeams_Device.hpp>
#include <lamina/device/impl/TeamSums_Device.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <limits>

namespace LaminaTest {

inline constexpr int sums_team_size = Lamina::runs_on_host<TEST_SPACE> ? 1 : 64;
using SumsVector = Kokkos::View<double*, TEST_SPACE::memory_space>;
using SumsParts = Lamina::Impl::TeamParts<TEST_SPACE::memory_space>;

/// One sum over values, and another one over their squares. Teams of higher ranks take longer, or
/// those of lower ranks do.
struct SumValues {
  SumsVector values;
  SumsParts parts;
  double* sums;
  bool first_late;

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const auto count = static_cast<int>(values.extent(0));
    const int all = team.league_size() * team.team_size();
    const int late = first_late ? team.league_size() - 1 - team.league_rank() : team.league_rank();
    double part[2] = {0, 0};
    for (int i = team.league_rank() * team.team_size() + team.team_rank(); i < count; i += all) {
      double value = values(i);
      for (int n = 0; n < late % 1000; ++n) value = value * 0.5 + value * 0.5;
      part[0] += value;
      part[1] += value * value;
    }
    parts.template add_up<2>(team, static_cast<double*>(team.scratch()), part, sums);
  }
};

inline void launch_sum(const TEST_SPACE& space, int teams, const SumValues& kernel) {
  Lamina::Impl::launch_summing<sums_team_size, 1>("LaminaTest::sum", space, teams, kernel);
}

/// Whole numbers, whose sums have no rounding.
inline SumsVector whole_numbers(int count) {
  const SumsVector values("values", static_cast<std::size_t>(count));
  const auto on_host = Kokkos::create_mirror_view(values);
  for (int i = 0; i < count; ++i) on_host(static_cast<std::size_t>(i)) = i % 1000 - 300;
  Kokkos::deep_copy(values, on_host);
  return values;
}

struct TwoSums {
  double plain, squared;
};
inline TwoSums read_sums(const SumsVector& sums) {
  const auto on_host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sums);
  return {on_host(0), on_host(1)};
}

TEST(TeamSums, AreOfTeamsThatGoRoundsOrAreOneToAPiece) {
  using Lamina::Impl::teams_in_rounds;
  constexpr int any = Lamina::Impl::any_number_of_rounds, most = Lamina::Impl::max_summing_teams;
  EXPECT_EQ(teams_in_rounds(0, 100, 1), 1);
  EXPECT_EQ(teams_in_rounds(100, 100, 1), 100);
  EXPECT_EQ(teams_in_rounds(101, 100, 1), 101);
  EXPECT_EQ(teams_in_rounds(101, 100, any), 51) << "two rounds each";
  EXPECT_EQ(teams_in_rounds(400, 100, 4), 100);
  EXPECT_EQ(teams_in_rounds(401, 100, 4), 401);
  EXPECT_EQ(teams_in_rounds(most, 100, 4), most);
  EXPECT_EQ(teams_in_rounds(most + 1, 100, 4), most / 2 + 1) << "more than there may be";
}

/// From one team to as many as there is room for, more than fit on a device at once, and to fewer
/// again: nothing is left of a kernel that the next one could take for its own.
TEST(TeamSums, AreThoseOfAllTeamsOfThisKernel) {
  const TEST_SPACE space;
  const SumsParts parts("LaminaTest::parts");
  const SumsVector sums("sums", 2);
  for (const int teams : {1, 2, 63, 500, 3, 64, 65, 1, Lamina::Impl::max_summing_teams, 7}) {
    for (const int count : {1000, 10007}) {
      const SumsVector values = whole_numbers(count);
      TwoSums expected{0, 0};
      for (int i = 0; i < count; ++i) {
        expected.plain += i % 1000 - 300;
        expected.squared += (i % 1000 - 300) * (i % 1000 - 300);
      }
      for (const bool first_late : {false, true}) {
        launch_sum(space, teams, {values, parts, sums.data(), first_late});
        space.fence();
        const TwoSums found = read_sums(sums);
        EXPECT_EQ(found.plain, expected.plain) << teams << " teams, " << count << " values";
        EXPECT_EQ(found.squared, expected.squared) << teams << " teams, " << count << " values";
      }
    }
  }
}

/// Many kernels in a row, each of which reads what the one before has summed up.
struct SumOfSum {
  SumsParts parts;
  SumsVector from, to;

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const double part[1] = {team.team_rank() == 0 ? from(0) / team.league_size() : 0};
    parts.template add_up<1>(team, static_cast<double*>(team.scratch()), part, to.data());
  }
};

/// One sum and two take turns on the same parts, and copies of these.
TEST(TeamSums, AreCompleteForTheNextKernel) {
  const TEST_SPACE space;
  const SumsParts parts("LaminaTest::parts"), copy = parts;
  const SumsVector values = whole_numbers(1000), two("two", 2);
  const SumsVector a("a", 1), b("b", 1);
  Kokkos::deep_copy(space, a, 1 << 20);
  for (int n = 0; n < 200; ++n) {
    const int teams = 1 << n % 9;
    Lamina::Impl::launch_summing<sums_team_size, 1>("LaminaTest::sum", space, teams,
                                                    SumOfSum{parts, a, b});
    Lamina::Impl::launch_summing<sums_team_size, 1>("LaminaTest::sum", space, 512 / teams,
                                                    SumOfSum{copy, b, a});
    launch_sum(space, 1 + n % 70, {values, n % 2 == 0 ? parts : copy, two.data(), n % 3 == 0});
  }
  space.fence();
  EXPECT_EQ(read_sums(two).plain, 199500);
  const auto found = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), a);
  EXPECT_EQ(found(0), 1 << 20);
}

/// A value that is not finite arrives, and does no harm to the sums after it.
TEST(TeamSums, PassOnWhatIsNotFinite) {
  const TEST_SPACE space;
  const SumsParts parts("LaminaTest::parts");
  const SumsVector sums("sums", 2), values = whole_numbers(5000);
  const auto one = Kokkos::subview(values, 4321);
  using Limits = std::numeric_limits<double>;
  for (const double value : {Limits::quiet_NaN(), Limits::signaling_NaN(), -Limits::quiet_NaN(),
                             Limits::infinity(), -Limits::infinity()}) {
    Kokkos::deep_copy(one, value);
    launch_sum(space, 100, {values, parts, sums.data(), true});
    space.fence();
    EXPECT_FALSE(std::isfinite(read_sums(sums).plain)) << value;
  }
  Kokkos::deep_copy(one, 1);
  launch_sum(space, 100, {values, parts, sums.data(), true});
  space.fence();
  EXPECT_TRUE(std::isfinite(read_sums(sums).plain));
}

}  // namespace LaminaTest
