// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Names in benchmarks, the copy ceiling, and wall-clock times between fences.

#include <lamina/core/Concepts.hpp>
#include <lamina/core/KernelRecord.hpp>
#include <lamina/device/CopyBandwidth.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace Lamina::Perf {

template <class Scalar>
inline constexpr const char* scalar_name = std::is_same_v<Scalar, float> ? "float" : "double";
template <class Layout>
inline constexpr const char* layout_name =
    std::is_same_v<Layout, Kokkos::LayoutLeft> ? "LayoutLeft" : "LayoutRight";

/// Whether all problems are tiny, and each benchmark runs once: a test of the benchmarks, whose times
/// mean nothing. The option `--tiny` of the benchmarks sets it before they are registered, that of the tables
/// of papers for the copies alone.
inline bool& tiny_run() {
  static bool tiny = false;
  return tiny;
}

/// How fast `Space` can copy, measured once per run, at the first call.
template <class Space>
const std::vector<CopyMeasurement>& copy_measurements(const Space& space) {
  static const std::vector<CopyMeasurement> measurements =
      tiny_run() ? measure_copy_bandwidth(space, std::size_t(1) << 20)
                 : measure_copy_bandwidth(space);
  return measurements;
}
template <class Space>
double copy_gb_per_s(const Space& space) {
  return best_gb_per_s(copy_measurements(space));
}

/// The cost that a class states for one of its kernels.
inline KernelCost cost_of(const std::vector<KernelCost>& costs, const std::string& label) {
  for (const KernelCost& cost : costs) {
    if (cost.label == label) return cost;
  }
  throw std::logic_error("no cost is stated for " + label);
}
/// Costs of several kernels, or of several calls, together.
inline KernelCost sum_of(const std::vector<KernelCost>& costs) {
  KernelCost sum;
  for (const KernelCost& cost : costs) {
    sum.bytes += cost.bytes;
    sum.flops += cost.flops;
  }
  return sum;
}

/// Line solves between two fences: on a device launch and fence take a fifth of one of 256 x 256 x
/// 128 cells.
template <class Space>
inline constexpr int solves_together = runs_on_host<Space> ? 1 : 20;

/// Wall-clock seconds of `work`, between two fences of the instance.
template <class Space, class Work>
double seconds_of(const Space& space, const Work& work) {
  using Clock = std::chrono::steady_clock;
  space.fence();
  const auto start = Clock::now();
  work();
  space.fence();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// The largest difference of two residual histories. Infinite where they differ in length or a value is not finite.
inline double largest_difference(const std::vector<double>& left,
                                 const std::vector<double>& right) {
  if (left.size() != right.size()) return HUGE_VAL;
  double largest = 0;
  for (std::size_t n = 0; n < left.size(); ++n) {
    const double difference = std::abs(left[n] - right[n]);
    if (!std::isfinite(difference)) return HUGE_VAL;
    largest = std::max(largest, difference);
  }
  return largest;
}

}  // namespace Lamina::Perf
