// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/device/impl/HostWork.hpp>

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>

namespace Lamina::Impl {
namespace {

/// What one core of most processors can use of caches that it shares.
constexpr long reach_of_core = 32L << 20;

/// First line of a file below the description of the first core's caches, or nothing.
std::string cache_property(int index, const std::string& name) {
  std::ifstream file("/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + '/' +
                     name);
  std::string line;
  std::getline(file, line);
  return line;
}

/// Number of cores in a list such as "0-3,8-11".
long count_cores(const std::string& list) {
  long count = 0;
  for (const char* at = list.c_str(); *at != '\0';) {
    char* end = nullptr;
    const long first = std::strtol(at, &end, 10);
    if (end == at) break;
    const long last = *end == '-' ? std::strtol(end + 1, &end, 10) : first;
    count += last - first + 1;
    at = *end == ',' ? end + 1 : end;
  }
  return count;
}

/// All last-level caches together, by what the kernel says of the first core.
long cache_bytes_from_kernel() {
  for (int index = 4; index >= 0; --index) {
    char* unit = nullptr;
    const std::string size = cache_property(index, "size");
    const long kilobytes = std::strtol(size.c_str(), &unit, 10);
    if (kilobytes <= 0 || *unit != 'K') continue;
    const long sharing = std::max(1L, count_cores(cache_property(index, "shared_cpu_list")));
    return (kilobytes << 10) * std::max(1L, sysconf(_SC_NPROCESSORS_ONLN) / sharing);
  }
  return 0;
}

/// The same from the C library. It counts the whole processor, even in a virtual machine with a few
/// of its cores: it reported 508 MiB on a machine with 2 cores, which can use 32 MiB. So the result
/// is limited to what most cores can use.
long cache_bytes_from_library() {
#if defined(_SC_LEVEL3_CACHE_SIZE)
  return std::min(sysconf(_SC_LEVEL3_CACHE_SIZE), reach_of_core * sysconf(_SC_NPROCESSORS_ONLN));
#else
  return 0;
#endif
}

}  // namespace

std::size_t last_level_cache_bytes() {
  static const std::size_t bytes = [] {
    long size = cache_bytes_from_kernel();
    if (size <= 0) size = cache_bytes_from_library();
    return size > 0 ? static_cast<std::size_t>(size) : std::size_t(64) << 20;
  }();
  return bytes;
}

std::size_t reachable_cache_bytes() {
  const long cores = std::max(1L, sysconf(_SC_NPROCESSORS_ONLN));
  return std::min(last_level_cache_bytes(), static_cast<std::size_t>(reach_of_core * cores));
}

}  // namespace Lamina::Impl
