// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/machine/HostMemory.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <string>

namespace Lamina::Cli {
namespace {

namespace fs = std::filesystem;

/// What the two versions of control groups call the same things.
struct GroupFiles {
  const char* folder;  ///< of the outermost group
  const char *limit, *usage;
  const char* reclaimable;  ///< key in memory.stat
};
constexpr GroupFiles version_1{"sys/fs/cgroup/memory", "memory.limit_in_bytes",
                               "memory.usage_in_bytes", "total_inactive_file"};
constexpr GroupFiles version_2{"sys/fs/cgroup", "memory.max", "memory.current", "inactive_file"};

std::optional<double> number_in(const fs::path& file) {
  std::ifstream stream(file);
  double value = 0;
  if (stream >> value) return value;  // "max" where there is no limit
  return std::nullopt;
}

/// The number after `key` in a file of lines "key number" or "key: number unit".
std::optional<double> number_after(const std::string& key, const fs::path& file) {
  std::ifstream stream(file);
  for (std::string word; stream >> word;) {
    double value = 0;
    if (word == key && stream >> value) return value;
  }
  return std::nullopt;
}

/// What is left of the limit of one group. Files that are merely cached count as used there, but
/// give way.
double left_in_group(const fs::path& group, const GroupFiles& files) {
  const auto limit = number_in(group / files.limit);
  if (!limit) return std::numeric_limits<double>::infinity();
  const double used = number_in(group / files.usage).value_or(0);
  const double cached = number_after(files.reclaimable, group / "memory.stat").value_or(0);
  return std::max(*limit - std::max(used - cached, 0.0), 0.0);
}

/// The same over a group and all groups that it is in. In a container, outer groups may be out of
/// sight, and its own may be the outermost one in sight.
double left_in_groups(const fs::path& root, const fs::path& group, const GroupFiles& files) {
  fs::path at = root / files.folder;
  double left = left_in_group(at, files);
  for (const fs::path& part : group.relative_path()) {
    at /= part;
    left = std::min(left, left_in_group(at, files));
  }
  return left;
}

}  // namespace

double available_host_memory(const fs::path& root) {
  double available = std::numeric_limits<double>::infinity();
  const auto kilobytes = number_after("MemAvailable:", root / "proc/meminfo");
  if (kilobytes) available = *kilobytes * 1024;
  // Lines "number:controllers:path of the group"; version 2 names no controllers.
  std::ifstream groups(root / "proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const auto first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = ',' + line.substr(first + 1, second - first - 1) + ',';
    const bool is_memory = controllers.find(",memory,") != std::string::npos;
    if (!is_memory && controllers != ",,") continue;
    const GroupFiles& files = is_memory ? version_1 : version_2;
    available = std::min(available, left_in_groups(root, line.substr(second + 1), files));
  }
  return available;
}

}  // namespace Lamina::Cli
