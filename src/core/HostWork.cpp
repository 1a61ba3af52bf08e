// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/impl/HostWork.hpp>

#include <unistd.h>

namespace Lamina::Impl {

std::size_t last_level_cache_bytes() {
  static const std::size_t bytes = [] {
    long size = -1;
#if defined(_SC_LEVEL3_CACHE_SIZE)
    size = sysconf(_SC_LEVEL3_CACHE_SIZE);
    if (size <= 0) size = sysconf(_SC_LEVEL2_CACHE_SIZE);
#endif
    return size > 0 ? static_cast<std::size_t>(size) : std::size_t(64) << 20;
  }();
  return bytes;
}

}  // namespace Lamina::Impl
