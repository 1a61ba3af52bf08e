// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Prints the tables 3 to 6 of Müller et al. (2013) beside the same measurements of the library and of
// a sequential C-style program on this machine.

#include "PaperTables_Helmholtz.hpp"

#include <lamina/core/KernelRecorder.hpp>
#include <lamina/core/impl/Instantiate.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <iterator>
#include <optional>

#include "../support/PanelSolvers.hpp"
#include "PaperTables_HelmholtzTiming.hpp"

namespace Lamina::Paper {
namespace {

using Perf::PanelSize;
using Perf::seconds_of;

// --- The library ---

/// Of the first of the labels that is recorded; 0 where tools see none.
double seconds_per_call(const std::vector<KernelRecord>& records,
                        const std::vector<std::string>& labels) {
  for (const std::string& label : labels) {
    for (const KernelRecord& record : records) {
      if (record.name.compare(0, label.size(), label) == 0) {
        return record.seconds / static_cast<double>(record.calls);
      }
    }
  }
  return 0;
}

template <template <class> class Solver, class Case>
void measure_solver(const Settings& settings, const PanelSize& size, Times& times, Costs& costs,
                    std::vector<double>& history) {
  std::optional<Case> panel_case;
  std::optional<Solver<Case>> solver;
  const typename Case::execution_space space;
  times.setup = seconds_of(space, [&] {
    panel_case.emplace(size);
    solver.emplace(*panel_case);
  });
  const auto rhs = panel_case->right_hand_side();
  const auto solution = panel_case->make_field("Lamina::Paper::solution");
  if constexpr (!Impl::runs_on_host<typename Case::execution_space>) {
    const auto host = Kokkos::create_mirror_view(rhs);
    times.transfer = time_of(space, settings.repetitions, [&] {
                       Kokkos::deep_copy(rhs, host);
                       Kokkos::deep_copy(host, solution);
                     }).minimum;
    Kokkos::deep_copy(rhs, panel_case->right_hand_side());
  }
  const auto solve = [&](int iterations) {
    Kokkos::deep_copy(space, solution, typename Case::Scalar(0));
    return solver->plan().solve(space, rhs, solution, StoppingCriteria::iterations(iterations));
  };

  const int iterations = settings.iterations;
  times.iteration =
      per(iterations, time_of(space, settings.repetitions, [&] { solve(iterations); }));
  const std::vector<std::string> apply_labels(std::begin(Solver<Case>::apply_labels),
                                              std::end(Solver<Case>::apply_labels));
  std::vector<double> apply, precondition;
  for (int n = 0; n < settings.repetitions; ++n) {
    const KernelRecorder recorder;
    solve(iterations);
    const auto records = recorder.records({});
    apply.push_back(seconds_per_call(records, apply_labels));
    precondition.push_back(seconds_per_call(records, {Solver<Case>::precondition_label}));
  }
  times.apply = statistic_of(apply);
  times.precondition = statistic_of(precondition);
  times.total = times.setup + times.transfer +
                seconds_of(space, [&] { history = solve(total_iterations).residual_history; });

  costs = {.apply = solver->apply_cost(),
           .precondition = solver->precondition_cost(),
           .iteration = solver->iteration_cost()};
}

/// As in the paper: columns contiguous on the host, levels contiguous on a device.
template <class Space>
using LayoutOn =
    std::conditional_t<Impl::runs_on_host<Space>, Kokkos::LayoutRight, Kokkos::LayoutLeft>;

template <class Space, class Scalar>
void measure_library(const Settings& settings, Column& column) {
  using Case = Perf::PanelCase<Space, Scalar, LayoutOn<Space>>;
  const Precision precision = std::is_same_v<Scalar, float> ? single_precision : double_precision;
  const PanelSize size{settings.num_x, settings.num_y, settings.num_levels};
  auto& times = column.times[precision];
  auto& costs = column.costs[precision];
  auto& histories = column.histories[precision];
  const auto measure = [&]<template <class> class Solver>(Implementation n) {
    std::fprintf(stderr, "  %s, %s precision, %s\n", column.name.c_str(),
                 precision_names[precision].data(), implementation_names[n].data());
    measure_solver<Solver, Case>(settings, size, times[n], costs[n], histories[n]);
  };
  measure.template operator()<Perf::CsrSolver>(matrix_explicit);
  measure.template operator()<Perf::PlainSolver>(matrix_free);
  // The form of the paper; the faster one is beside it in PerfTest_Pcg.
  measure.template operator()<Perf::StoredSolver>(interleaved);
}

template <class Space>
Column measure_library(const Settings& settings) {
  Column column;
  column.name = Space::name();
  column.layout = Perf::layout_name<LayoutOn<Space>>;
  column.copy_gb_per_s = Perf::copy_gb_per_s(Space{});
  measure_library<Space, float>(settings, column);
  measure_library<Space, double>(settings, column);
  return column;
}

// --- Results ---

/// All programs must have made the same iterates: in double precision their residual histories differ by
/// rounding, in single precision each must have converged about as far.
bool check(const std::vector<Column>& columns) {
  double worst = 0;
  bool sound = true;
  const auto& reference = columns.front().histories;
  for (const Column& column : columns) {
    for (int n = 0; n < num_implementations; ++n) {
      const auto& history = column.histories[double_precision][n];
      const auto& expected = reference[double_precision][matrix_free];
      sound = sound && history.size() == expected.size();
      for (std::size_t i = 0; i < std::min(history.size(), expected.size()); ++i) {
        worst = std::max(worst, std::abs(history[i] - expected[i]));
      }
      sound = sound && std::isfinite(history.back()) &&
              column.histories[single_precision][n].back() < 10 * expected.back() + 1e-5;
    }
  }
  std::printf(
      "Residual after %d iterations %.2e; histories of all programs in double precision agree "
      "to %.1e\n",
      total_iterations, reference[double_precision][matrix_free].back(), worst);
  return sound && worst <= 1e-9;
}

/// Smaller problems are solved exactly, or nearly, before the 100 iterations are done.
constexpr int smallest_extent = 16;

std::optional<Settings> parse(int argc, char* argv[]) {
  Settings settings;
  for (int n = 1; n < argc; ++n) {
    const std::string option = argv[n];
    const int left = argc - n - 1;
    const auto positive = [&] { return std::atoi(argv[++n]); };
    if (option == "--size" && left >= 3) {
      settings.num_x = positive(), settings.num_y = positive(), settings.num_levels = positive();
    } else if (option == "--repetitions" && left >= 1) {
      settings.repetitions = positive();
    } else if (option == "--iterations" && left >= 1) {
      settings.iterations = positive();
    } else if (option == "--json" && left >= 1) {
      settings.json = argv[++n];
    } else {
      return std::nullopt;
    }
  }
  const bool valid =
      std::min({settings.num_x, settings.num_y, settings.num_levels}) >= smallest_extent &&
      std::min(settings.repetitions, settings.iterations) >= 1;
  return valid ? std::optional(settings) : std::nullopt;
}

int run(const Settings& settings) {
  std::vector<Column> columns{measure_c(settings)};
#define LAMINA_MEASURE(Space) columns.push_back(measure_library<Space>(settings));
  LAMINA_FOR_EACH_SPACE(LAMINA_MEASURE)
#undef LAMINA_MEASURE
  columns[0].costs = columns[1].costs;  // counted alike
#if defined(KOKKOS_ENABLE_SERIAL)
  columns[0].copy_gb_per_s = columns[1].copy_gb_per_s;  // one core too
#endif
  print_tables(settings, columns);
  if (!settings.json.empty()) write_json(settings, columns);
  return check(columns) ? 0 : 1;
}

}  // namespace
}  // namespace Lamina::Paper

int main(int argc, char* argv[]) try {
  Kokkos::initialize(argc, argv);
  const auto settings = Lamina::Paper::parse(argc, argv);
  int status = 2;
  if (settings) {
    status = Lamina::Paper::run(*settings);
  } else {
    std::fprintf(
        stderr,
        "Usage: lamina_paper_tables [--size NX NY NZ] [--repetitions N] [--iterations N] "
        "[--json FILE]\nThe paper's size is 256 256 128; extents from 16 on, counts from 1 on.\n");
  }
  Kokkos::finalize();
  return status;
} catch (const std::exception& error) {
  std::fprintf(stderr, "lamina_paper_tables: %s\n", error.what());
  return 1;
}
