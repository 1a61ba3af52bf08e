// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/io/FileError.hpp>
#include <lamina/io/PartitionFile.hpp>

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "support/MessageOf.hpp"
#include "support/ScratchFolder.hpp"

namespace LaminaTest {
namespace {

TEST(PartitionFile, HasTheRankOfOneItemALine) {
  const ScratchFolder folder;
  folder.write("g.part.3", "2\n0\r\n 0\n2");
  EXPECT_EQ(Lamina::read_owners(folder / "g.part.3", 4, 3), (std::vector<int>{2, 0, 0, 2}));
  folder.write("none", "");
  EXPECT_TRUE(Lamina::read_owners(folder / "none", 0, 3).empty());
}

TEST(PartitionFile, SaysOnWhichLineItIsWrong) {
  const ScratchFolder folder;
  const std::pair<const char*, const char*> cases[] = {
      {"", "line 0: expected 3 lines, one for each column, the file ends after 0"},
      {"0\n1\n", "line 2: expected 3 lines, one for each column, the file ends after 2"},
      {"0\n1\n1\n0\n", "line 4: expected 3 lines, one for each column, got more"},
      {"0\n1\n2\n", "line 3: expected a rank from 0 to 1, got \"2\""},
      {"0\n-1\n0\n", "line 2: expected a rank from 0 to 1, got \"-1\""},
      {"0\n\n1\n", "line 2: expected a rank from 0 to 1, got \"\""},
      {"0 1\n1\n0\n", "line 1: expected a rank from 0 to 1, got \"0 1\""},
      {"0\n99999999999\n0\n", "line 2: expected a rank from 0 to 1, got \"99999999999\""},
  };
  const std::string path = (folder / "g.part.2").string();
  for (const auto& [text, message] : cases) {
    folder.write("g.part.2", text);
    EXPECT_EQ(
        message_of<Lamina::FileError>([&] { static_cast<void>(Lamina::read_owners(path, 3, 2)); }),
        path + ": " + message)
        << text;
  }
}

}  // namespace
}  // namespace LaminaTest
