// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Times of the library, tables 3 to 7.

#include <cstdio>
#include <optional>

#include "../../support/PanelSolvers.hpp"
#include "../PaperTables_Machine.hpp"
#include "PaperTables_Helmholtz.hpp"
#include "PaperTables_HelmholtzKernels.hpp"
#include "PaperTables_HelmholtzMultigrid.hpp"
#include "PaperTables_HelmholtzSizes.hpp"

namespace Lamina::Paper {
namespace {

using Perf::seconds_of;

/// Of a right-hand side from pinned memory of the host to the device and a solution back; 0 on the
/// host.
template <class Space, class Field>
double transfer_seconds(const Space& space, int repetitions, const Field& rhs,
                        const Field& solution) {
  if constexpr (runs_on_host<Space>) return 0;
  const typename Machine<Space>::transfer_space pinned;
  const auto host_rhs = Kokkos::create_mirror(pinned, rhs),
             host_solution = Kokkos::create_mirror(pinned, solution);
  Kokkos::deep_copy(host_rhs, rhs);
  return time_of(space, repetitions,
                 [&] {
                   Kokkos::deep_copy(space, rhs, host_rhs);
                   Kokkos::deep_copy(space, host_solution, solution);
                 })
      .minimum;
}

template <template <class> class Solver, class Case>
void measure_solver(const Settings& settings, Times& times, Costs& costs,
                    std::vector<double>& history) {
  std::optional<Case> panel_case;
  std::optional<Solver<Case>> solver;
  const typename Case::execution_space space;
  times.setup = seconds_of(space, [&] {
    panel_case.emplace(settings.size);
    solver.emplace(*panel_case);
  });
  const auto rhs = panel_case->right_hand_side();
  const auto solution = panel_case->make_field("Lamina::Paper::solution");
  const auto solve_with = [&](auto& plan, int iterations) {
    Kokkos::deep_copy(space, solution, typename Case::Scalar(0));
    return plan.solve(space, rhs, solution, StoppingCriteria::iterations(iterations));
  };
  const auto solve = [&](int iterations) { return solve_with(solver->plan(), iterations); };

  times.transfer = transfer_seconds(space, settings.repetitions, rhs, solution);
  const int iterations = settings.iterations;
  const auto solve_briefly = [&] { (void)solve(iterations); };
  times.iteration = per(iterations, time_of(space, settings.repetitions, solve_briefly));
  time_kernels<Solver<Case>>(
      settings.repetitions, [&] { (void)solve_with(solver->plan(), iterations); }, times);
  times.total = times.setup + times.transfer +
                seconds_of(space, [&] { history = solve(total_iterations).residual_history; });
  costs = costs_of(*solver);
}

template <class Space, class Scalar>
void measure_precision(const Settings& settings, Column& column) {
  using Case = Perf::PanelCase<Space, Scalar, LayoutOn<Space>>;
  constexpr Precision precision = precision_of<Scalar>;
  const auto measure = [&]<template <class> class Solver>(Implementation n) {
    std::fprintf(stderr, "  %s, %s precision, %s\n", column.name.c_str(),
                 precision_names[precision].data(), implementation_names[n].data());
    measure_solver<Solver, Case>(settings, column.times[precision][n], column.costs[precision][n],
                                 column.histories[precision][n]);
  };
  measure.template operator()<Perf::CsrSolver>(matrix_explicit);
  measure.template operator()<Perf::PlainSolver>(matrix_free);
  measure.template operator()<Perf::StoredSolver>(interleaved);
  measure.template operator()<Perf::FusedSolver>(recomputed);
  column.to_tolerance[precision] = measure_to_tolerance<Case>(settings);
}

template <class Space>
void measure_space(const Settings& settings, std::vector<Column>& columns) {
  Column column;
  const Space space;
  column.name = Space::name();
  column.layout = Perf::layout_name<LayoutOn<Space>>;
  column.device = Machine<Space>::describe(space);
  column.copy_gb_per_s = Perf::copy_gb_per_s(space);
  measure_precision<Space, float>(settings, column);
  measure_precision<Space, double>(settings, column);
  if (settings.with_sizes) measure_sizes<Space>(settings, column);
  columns.push_back(column);
}

}  // namespace

std::vector<Column> measure_library(const Settings& settings) {
  std::vector<Column> columns;
  for_each_space(settings.space, [&]<class Space>() { measure_space<Space>(settings, columns); });
  return columns;
}

}  // namespace Lamina::Paper
