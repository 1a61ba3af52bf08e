// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>

#include <gtest/gtest.h>
#include <support/MessageOf.hpp>

namespace LaminaTest {
namespace {

using Lamina::InvalidArgument;

TEST(Require, NamesTheFunctionAndTheMessage) {
  const auto message =
      message_of<InvalidArgument>([] { LAMINA_REQUIRE(1 > 2, "Class::method", "expected more"); });
  EXPECT_EQ(message, "Lamina::Class::method: expected more");
}

TEST(Require, EvaluatesTheMessageOnlyOnFailure) {
  int evaluations = 0;
  const auto text = [&] {
    ++evaluations;
    return std::string("text");
  };
  LAMINA_REQUIRE(true, "f", text());
  EXPECT_EQ(evaluations, 0);
  EXPECT_THROW(LAMINA_REQUIRE(false, "f", text()), Lamina::InvalidArgument);
  EXPECT_EQ(evaluations, 1);
}

TEST(Require, IsOneStatementAfterAnIf) {
  bool reached_else = false;
  if (false)
    LAMINA_REQUIRE(false, "f", "not reached");
  else
    reached_else = true;
  EXPECT_TRUE(reached_else);
}

TEST(Require, IsCaughtAsAStandardException) {
  EXPECT_THROW(LAMINA_REQUIRE(false, "f", "m"), std::invalid_argument);
}

TEST(Require, ExtentNamesArgumentExpectedAndGot) {
  EXPECT_NO_THROW(Lamina::Impl::require_extent("f", "x", "columns", 12, 12));
  EXPECT_EQ(message_of<InvalidArgument>(
                [] { Lamina::Impl::require_extent("solve", "x", "columns", 12, 13); }),
            "Lamina::solve: argument x: expected 12 columns, got 13");
}

TEST(Require, FieldChecksBothExtents) {
  const Kokkos::View<double**, Kokkos::HostSpace> field("field", 3, 4);
  EXPECT_NO_THROW(Lamina::Impl::require_field("f", "x", field, 3, 4));
  EXPECT_EQ(
      message_of<InvalidArgument>([&] { Lamina::Impl::require_field("f", "x", field, 2, 4); }),
      "Lamina::f: argument x: expected 2 columns, got 3");
  EXPECT_EQ(
      message_of<InvalidArgument>([&] { Lamina::Impl::require_field("f", "x", field, 3, 5); }),
      "Lamina::f: argument x: expected 5 levels, got 4");
}

}  // namespace
}  // namespace LaminaTest
