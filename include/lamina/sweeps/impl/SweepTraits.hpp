// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/impl/ExtentOf.hpp>
#include <lamina/sweeps/FusedSweeps.hpp>

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace Lamina::Impl {

template <class Sweep>
using PassOf = std::remove_cvref_t<decltype(std::declval<const Sweep&>().begin(true))>;
template <class Sweep>
using SourceOf = typename PassOf<Sweep>::source_type;
template <class Sweep>
using SinkOf = typename PassOf<Sweep>::sink_type;

/// The sums of a sink, of single cells or in lanes.
template <class Part, class Sink>
struct SweepSums {
  static constexpr int count = Sink::num_sums;
  Part of[extent_of<(count > 0 ? count : 1)>] = {};

  KOKKOS_FORCEINLINE_FUNCTION Part& operator[](int n) { return of[n]; }
  SweepSums& operator+=(const SweepSums& other) {
    for (int n = 0; n < count; ++n) of[n] += other.of[n];
    return *this;
  }
  /// Adds sums in lanes.
  template <class LaneSums>
  void add_total(const SweepSums<LaneSums, Sink>& lane_sums) {
    for (int n = 0; n < count; ++n) of[n] += lane_sums.of[n].total();
  }
};

/// The entries of `sums()` that sum n goes to: entry n, unless the sweep says otherwise.
template <class Sweep>
struct SumEntries {
  static constexpr int count = SinkOf<Sweep>::num_sums;
  KOKKOS_FORCEINLINE_FUNCTION static int entries_of(int) { return 1; }
  KOKKOS_FORCEINLINE_FUNCTION static int entry_of(int n, int) { return n; }
};
template <class Sweep>
requires requires { Sweep::num_entries; }
struct SumEntries<Sweep> {
  static constexpr int count = Sweep::num_entries;
  KOKKOS_FORCEINLINE_FUNCTION static int entries_of(int n) { return Sweep::entries_of(n); }
  KOKKOS_FORCEINLINE_FUNCTION static int entry_of(int n, int which) {
    return Sweep::entry_of(n, which);
  }
};

/// Where the sums of a sweep go; nowhere if it has none.
template <class Sweep>
double* sums_of(const Sweep& sweep) {
  if constexpr (SinkOf<Sweep>::num_sums > 0) {
    return sweep.sums();
  } else {
    return nullptr;
  }
}

/// The longest stride from level to level of the fields of a sweep.
template <class Sweep>
std::int64_t longest_level_stride(const Sweep& sweep) {
  return sweep.with_fields([](const auto&... fields) {
    return std::max({std::int64_t{0}, static_cast<std::int64_t>(fields.stride(1))...});
  });
}

}  // namespace Lamina::Impl
