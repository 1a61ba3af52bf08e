// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// What programs that measure over ranks share.

#include <lamina/distributed/MpiTransport.hpp>
#include <lamina/distributed/impl/TransportCalls.hpp>

#include <algorithm>
#include <vector>

#include "../support/Measure.hpp"
#include "../support/MpiProgram.hpp"

namespace Lamina::Perf {

/// Seconds of work over all ranks, of the slowest one: the median of some repetitions. One before
/// them warms up.
/// \param prepare  prepare() is called before each, and not measured
template <class Space, class Prepare, class Work>
double median_over_ranks(const Space& space, const Transport& transport, int repetitions,
                         const Prepare& prepare, const Work& work) {
  const auto largest = [&](double value) {
    const auto values = Impl::gather_values(transport, value);
    return *std::max_element(values.begin(), values.end());
  };
  std::vector<double> seconds;
  for (int n = 0; n <= repetitions; ++n) {
    prepare();
    largest(0);  // all ranks begin together
    const double time = seconds_of(space, work);
    if (n > 0) seconds.push_back(largest(time));
  }
  std::sort(seconds.begin(), seconds.end());
  return seconds[seconds.size() / 2];
}

}  // namespace Lamina::Perf
