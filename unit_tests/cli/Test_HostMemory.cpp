// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <gtest/gtest.h>
#include <support/machine/HostMemory.hpp>

#include <cmath>

#include "support/ScratchFolder.hpp"

namespace LaminaTest {
namespace {

/// A system as its files describe it.
class HostMemory : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((m_root / name).parent_path());
    m_root.write(name, text);
  }
  double available() const { return Lamina::Cli::available_host_memory(m_root.path()); }

 private:
  ScratchFolder m_root;
};

TEST_F(HostMemory, IsNotLimitedWhereTheSystemDoesNotTell) { EXPECT_TRUE(std::isinf(available())); }

TEST_F(HostMemory, IsWhatTheSystemHasAvailable) {
  write("proc/meminfo", "MemTotal:  4000 kB\nMemFree:  1000 kB\nMemAvailable:  2000 kB\n");
  EXPECT_EQ(available(), 2000 * 1024);
}

TEST_F(HostMemory, IsWhatAGroupOfVersion2LeavesOfItsLimit) {
  write("proc/meminfo", "MemAvailable: 4000 kB\n");
  write("proc/self/cgroup", "0::/jobs/one\n");
  write("sys/fs/cgroup/jobs/one/memory.max", "max\n");
  write("sys/fs/cgroup/jobs/one/memory.current", "100\n");
  EXPECT_EQ(available(), 4000 * 1024);
  write("sys/fs/cgroup/jobs/one/memory.max", "100000\n");
  write("sys/fs/cgroup/jobs/one/memory.current", "60000\n");
  EXPECT_EQ(available(), 40000);
  write("sys/fs/cgroup/jobs/one/memory.stat", "anon 40000\nfile 20000\ninactive_file 10000\n");
  EXPECT_EQ(available(), 50000);
}

TEST_F(HostMemory, IsWhatTheTightestOfNestedGroupsLeaves) {
  write("proc/self/cgroup", "0::/jobs/one\n");
  write("sys/fs/cgroup/jobs/memory.max", "100000\n");
  write("sys/fs/cgroup/jobs/memory.current", "90000\n");
  write("sys/fs/cgroup/jobs/one/memory.max", "50000\n");
  write("sys/fs/cgroup/jobs/one/memory.current", "20000\n");
  EXPECT_EQ(available(), 10000);
}

TEST_F(HostMemory, IsWhatAGroupOfVersion1LeavesOfItsLimit) {
  write("proc/self/cgroup", "5:cpu,cpuacct:/other\n4:freezer,memory:/job:1\n0::/\n");
  write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  write("sys/fs/cgroup/memory/memory.usage_in_bytes", "70000\n");
  write("sys/fs/cgroup/memory/job:1/memory.limit_in_bytes", "50000\n");
  write("sys/fs/cgroup/memory/job:1/memory.usage_in_bytes", "20000\n");
  write("sys/fs/cgroup/memory/job:1/memory.stat", "inactive_file 1\ntotal_inactive_file 5000\n");
  EXPECT_EQ(available(), 35000);
}

TEST_F(HostMemory, OfAContainerIsThatOfTheOutermostGroupInSight) {
  write("proc/self/cgroup", "4:memory:/out/of/sight\n");
  write("sys/fs/cgroup/memory/memory.limit_in_bytes", "50000\n");
  write("sys/fs/cgroup/memory/memory.usage_in_bytes", "20000\n");
  EXPECT_EQ(available(), 30000);
}

TEST_F(HostMemory, IsNothingBeyondALimit) {
  write("proc/self/cgroup", "0::/\n");
  write("sys/fs/cgroup/memory.max", "1000\n");
  write("sys/fs/cgroup/memory.current", "2000\n");
  EXPECT_EQ(available(), 0);
}

}  // namespace
}  // namespace LaminaTest
