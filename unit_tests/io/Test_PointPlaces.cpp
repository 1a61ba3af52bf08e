// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/io/PointPlaces.hpp>

#include <gtest/gtest.h>

#include "support/MessageOf.hpp"

namespace LaminaTest {
namespace {

/// What is wrong with `num_values` at the places.
std::string refusal_of(const Lamina::PointPlaces& places, int num_components,
                       std::size_t num_values) {
  return message_of<Lamina::InvalidArgument>(
      [&] { Lamina::Impl::require_point_values("write", places, num_components, num_values); });
}

TEST(PointPlaces, MayBeUnknown) {
  EXPECT_EQ(refusal_of({}, 2, 4), "nothing was thrown");
  EXPECT_EQ(refusal_of({}, 3, 0), "nothing was thrown");
  EXPECT_EQ(refusal_of({{{0, 0, 0}, {1, 0, 0}}, {}}, 2, 4), "nothing was thrown");
  EXPECT_EQ(refusal_of({{}, {7, 8}}, 2, 4), "nothing was thrown");
}

TEST(PointPlaces, AreAsManyAsThereAreVectors) {
  const std::string solution = "Lamina::write: argument solution: ",
                    places = "Lamina::write: argument places: ";
  EXPECT_EQ(refusal_of({}, 0, 4), "Lamina::write: argument num_components: expected >= 1, got 0");
  EXPECT_EQ(refusal_of({}, 3, 4), solution + "expected a multiple of 3 values, got 4");
  EXPECT_EQ(refusal_of({{{0, 0, 0}}, {}}, 2, 4), places + "expected none or 2 points, got 1");
  EXPECT_EQ(refusal_of({{}, {1, 2, 3}}, 2, 4), places + "expected none or 2 points, got 3");
}

}  // namespace
}  // namespace LaminaTest
