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
  double gb_per_s = 0;  ///< 2n bytes over the time of the fastest run
};

/// Measures the copy bandwidth, the ceiling that every kernel is compared with. It copies between
/// two arrays that are much larger than any cache (four times the last-level caches, at least 128
/// MB; 2 GB on a device), on all cores of `space`. Allocates and frees both arrays, and fences.
template <ExecutionSpace Space>
std::vector<CopyMeasurement> measure_copy_bandwidth(const Space& space);

/// The same with two arrays of `array_bytes` each. Small arrays stay in cache: the result is no
/// ceiling.
template <ExecutionSpace Space>
std::vector<CopyMeasurement> measure_copy_bandwidth(const Space& space, std::size_t array_bytes);

/// Bytes of both arrays together.
template <ExecutionSpace Space>
std::size_t copy_bandwidth_bytes();

/// The fastest measurement.
double best_gb_per_s(const std::vector<CopyMeasurement>& measurements);

}  // namespace Lamina
