// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace Lamina {

/// One way to copy an array, and how fast it went.
struct CopyMeasurement {
  std::string variant;  ///< "deep_copy", "plain", "vectorised", "non-temporal" (host only)
  double gb_per_s = 0;  ///< 2n bytes over the time of the fastest of several runs
};

/// The ceiling that every kernel is measured against: copies between two arrays much larger than any
/// cache (four times the last-level caches, 128 MB at least; 2 GB on a device), on all cores of
/// `space`. Allocates and frees both arrays, and fences.
template <ExecutionSpace Space>
std::vector<CopyMeasurement> measure_copy_bandwidth(const Space& space);

/// The same with two arrays of `array_bytes` each. Caches hold small ones: the result is no ceiling.
template <ExecutionSpace Space>
std::vector<CopyMeasurement> measure_copy_bandwidth(const Space& space, std::size_t array_bytes);

/// Bytes of memory that both arrays take together.
template <ExecutionSpace Space>
std::size_t copy_bandwidth_bytes();

/// The fastest of them.
double best_gb_per_s(const std::vector<CopyMeasurement>& measurements);

}  // namespace Lamina
