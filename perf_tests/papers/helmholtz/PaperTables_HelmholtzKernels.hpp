// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Times of the kernels of one of the solvers of PanelSolvers.hpp, and what they cost.

#include <lamina/core/KernelRecorder.hpp>

#include <iterator>
#include <string>
#include <vector>

#include "../PaperTables_Timing.hpp"
#include "PaperTables_Helmholtz.hpp"

namespace Lamina::Paper {

/// Of all kernels that begin with the first of the labels that is recorded; 0 where tools see none.
inline double seconds_per_call(const std::vector<KernelRecord>& records,
                               const std::vector<std::string>& labels) {
  for (const std::string& label : labels) {
    double seconds = 0, calls = 0;
    for (const KernelRecord& record : records) {
      if (record.name.compare(0, label.size(), label) != 0) continue;
      seconds += record.seconds;
      calls += static_cast<double>(record.calls);
    }
    if (calls > 0) return seconds / calls;
  }
  return 0;
}

template <class Solver>
constexpr bool has_measure = requires {
  Solver::measure_label;
};

/// Times of the kernels in several instrumented runs of `solve`.
template <class Solver, class Solve>
void time_kernels(int repetitions, const Solve& solve, Times& times) {
  const std::vector<std::string> apply_labels(std::begin(Solver::apply_labels),
                                              std::end(Solver::apply_labels));
  std::vector<double> apply, precondition, measure;
  for (int n = 0; n < repetitions; ++n) {
    const KernelRecorder recorder;
    solve();
    const auto records = recorder.records({});
    apply.push_back(seconds_per_call(records, apply_labels));
    precondition.push_back(seconds_per_call(records, {Solver::precondition_label}));
    if constexpr (has_measure<Solver>) {
      measure.push_back(seconds_per_call(records, {Solver::measure_label}));
    }
  }
  times.apply = statistic_of(apply);
  times.precondition = statistic_of(precondition);
  if constexpr (has_measure<Solver>) times.measure = statistic_of(measure);
}

template <class Solver>
Costs costs_of(const Solver& solver) {
  Costs costs{.apply = solver.apply_cost(),
              .precondition = solver.precondition_cost(),
              .measure = {},
              .iteration = solver.iteration_cost()};
  if constexpr (has_measure<Solver>) costs.measure = solver.measure_cost();
  return costs;
}

/// As in the paper: columns contiguous on the host, levels contiguous on a device.
template <class Space>
using LayoutOn = std::conditional_t<runs_on_host<Space>, Kokkos::LayoutRight, Kokkos::LayoutLeft>;

template <class Scalar>
inline constexpr Precision precision_of =
    std::is_same_v<Scalar, float> ? single_precision : double_precision;

}  // namespace Lamina::Paper
