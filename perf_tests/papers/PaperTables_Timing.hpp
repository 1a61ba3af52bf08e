// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Times of several repetitions, and the rates that they come to.

#include <lamina/core/KernelRecord.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <vector>

#include "../support/Measure.hpp"

namespace Lamina::Paper {

/// Of several repetitions, in seconds; 0: not measured.
struct Statistic {
  double minimum = 0, median = 0;
};

inline Statistic statistic_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return {values.front(), values[values.size() / 2]};
}
/// The times of several calls of `work`; one more before them warms up.
template <class Space, class Work>
Statistic time_of(const Space& space, int repetitions, const Work& work) {
  work();
  std::vector<double> times;
  for (int n = 0; n < repetitions; ++n) times.push_back(Perf::seconds_of(space, work));
  return statistic_of(times);
}
inline Statistic per(int count, Statistic statistic) {
  return {statistic.minimum / count, statistic.median / count};
}

/// What a time and a cost make together.
struct Rates {
  double gb_per_s = 0, gflop_per_s = 0, fraction_of_copy = 0;  ///< 0: unknown
};
inline Rates rates_of(const Statistic& time, const KernelCost& cost, double copy_gb_per_s) {
  if (time.minimum <= 0) return {};
  const double gb_per_s = cost.bytes * 1e-9 / time.minimum;
  return {gb_per_s, cost.flops * 1e-9 / time.minimum,
          copy_gb_per_s > 0 ? gb_per_s / copy_gb_per_s : 0};
}

inline nlohmann::ordered_json json_of(const Statistic& statistic) {
  return {{"minimum", statistic.minimum}, {"median", statistic.median}};
}
/// Rates are of the minimum; 0: unknown.
inline nlohmann::ordered_json json_of(const Statistic& time, const KernelCost& cost, double copy) {
  const Rates rates = rates_of(time, cost, copy);
  return {{"seconds", json_of(time)},
          {"bytes", cost.bytes},
          {"flops", cost.flops},
          {"gb_per_s", rates.gb_per_s},
          {"gflop_per_s", rates.gflop_per_s},
          {"fraction_of_copy", rates.fraction_of_copy}};
}

}  // namespace Lamina::Paper
