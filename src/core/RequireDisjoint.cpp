// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/core/impl/RequireDisjoint.hpp>

#include <string>

namespace Lamina::Impl {

bool overlap(const MemoryRuns& a, const MemoryRuns& b) {
  if (a.empty() || b.empty() || a.end() <= b.begin || b.end() <= a.begin) return false;
  const MemoryRuns& first = a.begin <= b.begin ? a : b;
  const MemoryRuns& second = a.begin <= b.begin ? b : a;
  // A single run may be part of any stride.
  const std::uintptr_t stride = a.count > 1 ? a.stride : b.stride;
  if ((a.count == 1 && b.count == 1) || (b.count > 1 && b.stride != stride)) return true;
  const std::uintptr_t shift = (second.begin - first.begin) % stride;
  const bool in_the_gaps = shift >= first.run && shift + second.run <= stride;
  return !in_the_gaps;
}

void fail_disjoint(const char* function, const char* name_a, const char* name_b) {
  fail_requirement(function, "arguments " + std::string(name_a) + " and " + name_b +
                                 ": expected memory of their own, got Views that overlap");
}

}  // namespace Lamina::Impl
