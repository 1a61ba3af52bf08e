// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/io/FileError.hpp>
#include <lamina/io/PendingFile.hpp>

#include <gtest/gtest.h>

#include "support/ScratchFolder.hpp"

namespace LaminaTest {
using namespace Lamina;

TEST(PendingFile, AppearsOnCommit) {
  const ScratchFolder folder;
  {
    PendingFile pending(folder / "a.txt");
    std::ofstream(pending.temporary()) << "new";
    EXPECT_FALSE(std::filesystem::exists(folder / "a.txt"));
    pending.commit();
  }
  EXPECT_EQ(folder.read("a.txt"), "new");
  EXPECT_EQ(folder.num_files(), 1u);
}

TEST(PendingFile, LeavesNothingBehindWithoutCommit) {
  const ScratchFolder folder;
  { const PendingFile pending(folder / "a.txt"); }
  EXPECT_EQ(folder.num_files(), 0u);
}

TEST(PendingFile, KeepsAnExistingFileUntilCommit) {
  const ScratchFolder folder;
  folder.write("a.txt", "old");
  {
    const PendingFile pending(folder / "a.txt");
    std::ofstream(pending.temporary()) << "new";
  }
  EXPECT_EQ(folder.read("a.txt"), "old");
  PendingFile pending(folder / "a.txt");
  std::ofstream(pending.temporary()) << "new";
  pending.commit();
  EXPECT_EQ(folder.read("a.txt"), "new");
}

TEST(PendingFile, ReplacesWhatALinkPointsTo) {
  const ScratchFolder folder;
  folder.write("a.txt", "old");
  std::filesystem::create_symlink("a.txt", folder / "link.txt");
  PendingFile pending(folder / "link.txt");
  std::ofstream(pending.temporary()) << "new";
  pending.commit();
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link.txt"));
  EXPECT_EQ(folder.read("a.txt"), "new");
}

TEST(PendingFile, TwoOfOneTargetDoNotMeet) {
  const ScratchFolder folder;
  const PendingFile first(folder / "a.txt"), second(folder / "a.txt");
  EXPECT_NE(first.temporary(), second.temporary());
}

TEST(PendingFile, RefusesWhatCannotBeReplaced) {
  const ScratchFolder folder;
  const auto message = [](const std::filesystem::path& target) {
    return message_of<FileError>([&] { require_writable(target); });
  };
  EXPECT_EQ(message(folder.path()), folder.path().string() + ": not a regular file");
  EXPECT_EQ(message("/dev/null"), "/dev/null: not a regular file");
  EXPECT_EQ(message(folder / "none/a.txt"),
            (folder / "none/a.txt").string() + ": cannot be written: No such file or directory");
  EXPECT_EQ(message(folder / "none/"),
            (folder / "none/").string() + ": expected a file, got a folder");
  EXPECT_EQ(folder.num_files(), 0u);
}

}  // namespace LaminaTest
