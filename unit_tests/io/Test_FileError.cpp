// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/io/FileError.hpp>

#include <gtest/gtest.h>

#include "support/MessageOf.hpp"

namespace LaminaTest {
namespace {

TEST(FileError, NamesTheFileThenTheProblem) {
  const auto fail = [] { throw Lamina::FileError("some folder/a.nc", "no variable 'rhs'"); };
  EXPECT_EQ(message_of<Lamina::FileError>(fail), "some folder/a.nc: no variable 'rhs'");
  EXPECT_EQ(message_of<std::runtime_error>(fail), message_of<Lamina::FileError>(fail));
}

}  // namespace
}  // namespace LaminaTest
