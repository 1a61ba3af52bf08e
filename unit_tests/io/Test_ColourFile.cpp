// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/io/ColourFile.hpp>
#include <lamina/io/FileError.hpp>
#include <lamina/problems/FreudenthalMesh.hpp>

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "support/MessageOf.hpp"
#include "support/ScratchFolder.hpp"

namespace LaminaTest {
namespace {

/// Three rows.
Lamina::BlockGraph line_of_three() { return Lamina::FreudenthalMesh(1, 1, 3).graph(); }

TEST(ColourFile, HasTheColourOfOneRowALine) {
  const ScratchFolder folder;
  folder.write("c.txt", "2\n+0\r\n  1");
  Lamina::BlockGraph graph;
  graph.offsets.assign(4, 0);
  EXPECT_EQ(Lamina::read_colours(folder / "c.txt", graph), (std::vector<int>{2, 0, 1}));
  EXPECT_EQ(Lamina::read_colours(folder / "c.txt", graph, {1, 2, 0}), (std::vector<int>{0, 1, 2}));
  for (const std::vector<int>& places :
       {std::vector<int>{0, 1}, {0, 1, 3}, {0, -1, 2}, {0, 1, 1}}) {
    EXPECT_THROW(static_cast<void>(Lamina::read_colours(folder / "c.txt", graph, places)),
                 Lamina::InvalidArgument);
  }
  folder.write("none.txt", "");
  EXPECT_TRUE(Lamina::read_colours(folder / "none.txt", {}).empty());
}

TEST(ColourFile, SaysOnWhichLineItIsWrong) {
  const ScratchFolder folder;
  const std::pair<const char*, const char*> cases[] = {
      {"", "line 0: expected 3 lines, one for each row, the file ends after 0"},
      {"0\n1\n", "line 2: expected 3 lines, one for each row, the file ends after 2"},
      {"0\n1\n2\n0\n", "line 4: expected 3 lines, one for each row, got more"},
      {"0\n1\n3\n", "line 3: expected a colour from 0 to 2, got \"3\""},
      {"0\n-1\n0\n", "line 2: expected a colour from 0 to 2, got \"-1\""},
      {"0\n\n1\n", "line 2: expected a colour from 0 to 2, got \"\""},
      {"0 1\n2\n0\n", "line 1: expected a colour from 0 to 2, got \"0 1\""},
  };
  const std::string path = (folder / "c.txt").string();
  for (const auto& [text, message] : cases) {
    folder.write("c.txt", text);
    EXPECT_EQ(message_of<Lamina::FileError>(
                  [&] { static_cast<void>(Lamina::read_colours(path, line_of_three())); }),
              path + ": " + message)
        << text;
  }
}

TEST(ColourFile, RefusesOneColourOfTwoCoupledRows) {
  const ScratchFolder folder;
  const auto graph = Lamina::BlockGraph::of_pattern({0, 1, 2, 2}, {1, 2});
  folder.write("c.txt", "0\n1\n0\n");
  EXPECT_EQ(Lamina::read_colours(folder / "c.txt", graph), (std::vector<int>{0, 1, 0}));
  EXPECT_EQ(message_of<Lamina::FileError>([&] {
              static_cast<void>(Lamina::read_colours(folder / "c.txt", graph, {0, 2, 1}));
            }),
            (folder / "c.txt").string() +
                ": line 3: expected another colour than on line 1, as the rows are coupled, got 0");
}

}  // namespace
}  // namespace LaminaTest
