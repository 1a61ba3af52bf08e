// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Times and comparisons that all vendor baselines need.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "../support/Measure.hpp"
#include "VendorContext.hpp"
#include "VendorReport.hpp"

namespace Lamina::Perf {

/// The median of several runs; one more before them warms up.
template <class Work>
double median_seconds(const Kokkos::Cuda& space, const Work& work) {
  work();
  std::vector<double> times;
  for (int n = 0; n < vendor_repetitions; ++n) times.push_back(seconds_of(space, work));
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

/// |value - expected|, or |expected| alone; infinite where it is not finite.
template <class Value, class Expected>
struct LargestDifference {
  const Value* values;  ///< none: of zeros
  const Expected* expected;

  KOKKOS_FUNCTION void operator()(std::int64_t n, double& largest) const {
    const double value = values == nullptr ? 0 : static_cast<double>(values[n]);
    const double difference = value - static_cast<double>(expected[n]);
    const double size = difference < 0 ? -difference : difference;
    if (!(size <= largest)) largest = size * 0 == 0 ? size : HUGE_VAL;
  }
};

/// The largest difference over the largest value expected, of contiguous Views of any ranks.
template <class Values, class Expected>
double relative_difference(const Kokkos::Cuda& space, const Values& values,
                           const Expected& expected) {
  using Functor = LargestDifference<typename Values::non_const_value_type,
                                    typename Expected::non_const_value_type>;
  const auto largest = [&](const Functor& functor) {
    double result = 0;
    Kokkos::parallel_reduce("Lamina::Perf::relative_difference",
                            Kokkos::RangePolicy<Kokkos::Cuda, Kokkos::IndexType<std::int64_t>>(
                                space, 0, static_cast<std::int64_t>(expected.size())),
                            functor, Kokkos::Max<double>(result));
    return result;
  };
  return largest({values.data(), expected.data()}) / largest({nullptr, expected.data()});
}

inline VendorVersions vendor_versions(const VendorContext& context) {
  int runtime = 0, cusparse = 0, cublas = 0;
  LAMINA_VENDOR_CALL(cudaRuntimeGetVersion(&runtime));
  LAMINA_VENDOR_CALL(cusparseGetVersion(context.sparse(), &cusparse));
  LAMINA_VENDOR_CALL(cublasGetVersion(context.blas(), &cublas));
  return {context.space().cuda_device_prop().name, std::to_string(runtime),
          std::to_string(cusparse), std::to_string(cublas)};
}

}  // namespace Lamina::Perf
