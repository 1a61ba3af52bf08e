// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <algorithm>
#include <vector>

#include "../support/Measure.hpp"
#include "PaperTables_Helmholtz.hpp"

namespace Lamina::Paper {

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

}  // namespace Lamina::Paper
