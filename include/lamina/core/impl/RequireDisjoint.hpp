// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Checks on the host that arguments of a call do not share memory. They use addresses only.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace Lamina::Impl {

/// The bytes of a View: `count` runs of `run` bytes, each `stride` bytes after the run before. Gaps
/// between runs may belong to another View, as where two fields are subviews of one array.
struct MemoryRuns {
  std::uintptr_t begin = 0;
  std::uintptr_t run = 0, stride = 0, count = 0;

  bool empty() const { return run == 0; }
  std::uintptr_t end() const { return begin + (count - 1) * stride + run; }
  bool operator==(const MemoryRuns&) const = default;
};

/// The bytes of a View. Where more than one index leaves gaps, all bytes from the first entry to
/// the last.
template <class View>
MemoryRuns memory_runs(const View& view) {
  constexpr auto rank = static_cast<std::size_t>(View::rank);
  using Index = std::pair<std::uintptr_t, std::uintptr_t>;  // stride, extent
  std::array<Index, rank> indices{};
  std::size_t used = 0;
  for (std::size_t n = 0; n < rank; ++n) {
    const auto extent = static_cast<std::uintptr_t>(view.extent(static_cast<unsigned>(n)));
    if (extent == 0) return {};
    if (extent > 1) indices[used++] = {static_cast<std::uintptr_t>(view.stride(n)), extent};
  }
  std::sort(indices.begin(), indices.begin() + static_cast<std::ptrdiff_t>(used));
  std::uintptr_t run = 1, last = 0;
  std::size_t inner = 0;
  for (; inner < used && indices[inner].first == run; ++inner) run *= indices[inner].second;
  for (std::size_t n = 0; n < used; ++n) last += indices[n].first * (indices[n].second - 1);
  const std::uintptr_t bytes = sizeof(typename View::value_type);
  const auto begin = reinterpret_cast<std::uintptr_t>(view.data());
  if (used - inner == 1) {
    return {begin, run * bytes, indices[inner].first * bytes, indices[inner].second};
  }
  return {begin, (last + 1) * bytes, (last + 1) * bytes, 1};
}

/// Whether both may share a byte. Exact where their strides are equal.
bool overlap(const MemoryRuns& a, const MemoryRuns& b);

[[noreturn]] void fail_disjoint(const char* function, const char* name_a, const char* name_b);

/// Throws "solve: arguments b and x: expected memory of their own, got Views that overlap" where
/// they do.
template <class ViewA, class ViewB>
void require_disjoint(const char* function, const char* name_a, const ViewA& a, const char* name_b,
                      const ViewB& b) {
  if (overlap(memory_runs(a), memory_runs(b))) fail_disjoint(function, name_a, name_b);
}

/// The same, but b may be a.
template <class ViewA, class ViewB>
void require_same_or_disjoint(const char* function, const char* name_a, const ViewA& a,
                              const char* name_b, const ViewB& b) {
  const MemoryRuns of_a = memory_runs(a), of_b = memory_runs(b);
  if (of_a != of_b && overlap(of_a, of_b)) fail_disjoint(function, name_a, name_b);
}

}  // namespace Lamina::Impl
