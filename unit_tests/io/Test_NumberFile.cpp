// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/io/FileError.hpp>
#include <lamina/io/NumberFile.hpp>

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "support/MessageOf.hpp"
#include "support/ScratchFolder.hpp"

namespace LaminaTest {
namespace {

TEST(NumberFile, HasNumbersOnAnyLines) {
  const ScratchFolder folder;
  folder.write("a", "\n 1 -2.5\t3e2\r\n\n1.D-3");
  EXPECT_EQ(Lamina::read_numbers(folder / "a"), (std::vector<double>{1, -2.5, 300, 1e-3}));
  folder.write("none", " \n");
  EXPECT_TRUE(Lamina::read_numbers(folder / "none").empty());
  std::string line;
  for (int n = 0; n < 1000; ++n) line += " 0.25";
  folder.write("long", line);
  EXPECT_EQ(Lamina::read_numbers(folder / "long"), std::vector<double>(1000, 0.25));
}

TEST(NumberFile, SaysOnWhichLineItIsWrong) {
  const ScratchFolder folder;
  const std::pair<std::string, const char*> cases[] = {
      {"1 two", "line 1: expected a number, got \"two\""},
      {"1\n2\n\n3 x4\n", "line 4: expected a number, got \"x4\""},
      {"1\nnan\n", "line 2: expected a finite value, got \"nan\""},
      {"1\n" + std::string(2000, '1'), "line 2: expected a word of at most 1024 characters"},
  };
  const std::string path = (folder / "a").string();
  for (const auto& [text, message] : cases) {
    folder.write("a", text);
    EXPECT_EQ(message_of<Lamina::FileError>([&] { static_cast<void>(Lamina::read_numbers(path)); }),
              path + ": " + message);
  }
}

}  // namespace
}  // namespace LaminaTest
