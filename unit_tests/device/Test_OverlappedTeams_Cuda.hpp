// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <device/OverlapCase.hpp>
#include <gtest/gtest.h>

#include <cstddef>
#include <exception>
#include <string>

namespace LaminaTest {

TEST(OverlappedTeams, SayWhatTheDeviceRefuses) {
  const TEST_SPACE space;
  const OverlapVector a("a", overlap_values), b("b", overlap_values);
  try {
    Lamina::Impl::launch_teams<64, 1>("LaminaTest::refused", space, overlap_teams,
                                      overlap_team_size, std::size_t{1} << 24, LateSum{a, b});
    ADD_FAILURE() << "not refused";
  } catch (const std::exception& error) {
    EXPECT_EQ(std::string(error.what()).find("LaminaTest::refused: "), 0u) << error.what();
  }
  launch_late(space, LateSum{a, b});  // goes on
  space.fence();
  expect_all_in(b, 1);
}

}  // namespace LaminaTest
