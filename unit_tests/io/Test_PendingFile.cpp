// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/io/FileError.hpp>
#include <lamina/io/PendingFile.hpp>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <vector>

#include "support/MessageOf.hpp"
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

TEST(PendingFile, RemovesTemporariesThatNobodyHolds) {
  const ScratchFolder folder;
  std::vector<std::filesystem::path> removed;
  on_stale_file([&](const std::filesystem::path& file) { removed.push_back(file); });
  folder.write("a.txt.part-123-0", "of a killed process");
  for (const char* other :
       {"a.txt.part-123", "a.txt.part-1-2x", "b.txt.part-123-0", "a.txt.part--1"}) {
    folder.write(other, "of another name");
  }
  const PendingFile alive(folder / "a.txt");
  require_writable(folder / "a.txt");
  EXPECT_TRUE(removed.empty());  // nothing was written
  PendingFile pending(folder / "a.txt");
  {  // as libraries do, which must not end the lock
    const std::ofstream again(alive.temporary());
  }
  pending.commit();
  on_stale_file(nullptr);
  EXPECT_EQ(removed, std::vector{folder / "a.txt.part-123-0"});
  EXPECT_TRUE(std::filesystem::exists(alive.temporary()));
  EXPECT_EQ(folder.num_files(), 6u);
}

TEST(PendingFile, TellsWhyAWriteFailed) {
  EXPECT_EQ(write_problem("/dev/full", 0), "cannot be written: No space left on device");
  const ScratchFolder folder;
  EXPECT_EQ(write_problem(folder / "none/a.txt", 0),
            "cannot be written: No such file or directory");
  folder.write("a.txt", "text");
  EXPECT_EQ(write_problem(folder / "a.txt", 0), "cannot be written");
  EXPECT_EQ(write_problem(folder / "a.txt", EDQUOT), "cannot be written: Disk quota exceeded");
}

TEST(PendingFile, FindsOutThatItsFolderIsGone) {
  const ScratchFolder folder;
  std::filesystem::create_directory(folder / "gone");
  PendingFile pending(folder / "gone/a.txt");
  std::filesystem::remove_all(folder / "gone");
  EXPECT_EQ(message_of<FileError>([&] { pending.commit(); }),
            (folder / "gone/a.txt").string() + ": cannot be written: No such file or directory");
}

TEST(PendingFile, KnowsNamesOfDescriptors) {
  const ScratchFolder folder;
  const std::string file = (folder / "a.txt").string();
  const int descriptor = open(file.c_str(), O_CREAT | O_WRONLY, 0600);
  const std::string number = std::to_string(descriptor);
  EXPECT_EQ(named_descriptor("/dev/fd/" + number), descriptor);
  EXPECT_EQ(named_descriptor("/dev/stdout"), STDOUT_FILENO);
  EXPECT_EQ(named_descriptor("/proc/self/fd/" + number), descriptor);
  EXPECT_EQ(named_descriptor("/proc/thread-self/fd/" + number), descriptor);
  std::filesystem::create_symlink("/dev/fd/" + number, folder / "link");
  std::filesystem::create_symlink("link", folder / "link2");
  EXPECT_EQ(named_descriptor(folder / "link2"), descriptor);
  EXPECT_EQ(message_of<FileError>([&] { require_writable(folder / "link2"); }),
            (folder / "link2").string() + ": not a regular file");
  EXPECT_EQ(named_descriptor("/proc/" + std::to_string(getppid()) + "/fd/1"), -1);
  std::filesystem::create_symlink("loop", folder / "loop");
  for (const std::string& other :
       {file, std::string("/dev/null"), std::string("/dev/fd/x"), (folder / "none/a").string(),
        (folder / "loop").string(), std::string("1"), std::string()}) {
    EXPECT_EQ(named_descriptor(other), std::nullopt) << other;
  }
  close(descriptor);
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
