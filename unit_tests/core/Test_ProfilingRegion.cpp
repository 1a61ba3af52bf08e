// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/ProfilingRegion.hpp>

#include <gtest/gtest.h>
#include <support/ToolListener.hpp>

#include <string>
#include <type_traits>
#include <vector>

namespace LaminaTest {
namespace {

using Lamina::Impl::ProfilingRegion;

TEST(ProfilingRegion, LastsAsLongAsTheObject) {
  const ToolListener listener;
  {
    const ProfilingRegion outer("Lamina::outer");
    EXPECT_EQ(listener.heard().regions_closed, 0);
    { const ProfilingRegion inner("Lamina::inner"); }
    EXPECT_EQ(listener.heard().regions_closed, 1);
  }
  EXPECT_EQ(listener.heard().regions, (std::vector<std::string>{"Lamina::outer", "Lamina::inner"}));
  EXPECT_EQ(listener.heard().regions_closed, 2);
}

TEST(ProfilingRegion, EndsWhereACallReturnsEarlyOrThrows) {
  const ToolListener listener;
  const auto call = [](bool fails) {
    const ProfilingRegion region("Lamina::call");
    if (fails) throw 1;
    return;
  };
  call(false);
  EXPECT_THROW(call(true), int);
  EXPECT_EQ(listener.heard().regions.size(), 2u);
  EXPECT_EQ(listener.heard().regions_closed, 2);
}

// A copy would end the region twice.
static_assert(!std::is_copy_constructible_v<ProfilingRegion> &&
              !std::is_copy_assignable_v<ProfilingRegion>);

}  // namespace
}  // namespace LaminaTest
