// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Times of the fused forms over sizes, figures 6 and 7.

#include <cstdio>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>

#include "../../support/PanelSolvers.hpp"
#include "../PaperTables_Machine.hpp"
#include "../PaperTables_Text.hpp"
#include "PaperTables_HelmholtzKernels.hpp"
#include "PaperTables_HelmholtzRange.hpp"

namespace Lamina::Paper {

/// What the solvers of PanelSolvers.hpp want of a problem. The mesh, slow to set up, is shared.
template <class Space, class ScalarType>
struct SizeCase {
  using execution_space = Space;
  using Scalar = ScalarType;
  using Layout = LayoutOn<Space>;
  using Memory = typename Space::memory_space;
  using Field = Kokkos::View<Scalar**, Layout, Memory>;

  SizeCase(const Perf::PanelSize& size, const ColumnMesh<Memory>& mesh)
      : op(mesh, VerticalGrid::graded(size.num_levels, 0.0157),
           Perf::PanelCase<Space, Scalar, Layout>::parameters_of(size)) {}

  Field make_field(const std::string& label) const {
    return Field(label, static_cast<std::size_t>(op.num_columns()),
                 static_cast<std::size_t>(op.num_levels()));
  }

  Space space{};
  HelmholtzOperator<Scalar, Memory> op;
};

/// All that a solve needs in memory. The right-hand side is made on the device: A 1, for which the
/// solution is 1.
template <template <class> class Solver, class Case>
struct SizeProblem {
  explicit SizeProblem(const Case& c)
      : panel_case(c),
        solver(panel_case),
        rhs(panel_case.make_field("Lamina::Paper::rhs")),
        solution(panel_case.make_field("Lamina::Paper::solution")) {
    Kokkos::deep_copy(panel_case.space, solution, typename Case::Scalar(1));
    panel_case.op.apply(panel_case.space, solution, rhs);
  }
  void solve(int iterations) { solve_with(solver.plan(), iterations); }
  template <class Plan>
  void solve_with(Plan& plan, int iterations) {
    Kokkos::deep_copy(panel_case.space, solution, typename Case::Scalar(0));
    const SolveReport report =
        plan.solve(panel_case.space, rhs, solution, StoppingCriteria::iterations(iterations));
    if (report.status != SolveStatus::completed) {
      throw std::runtime_error("a solve of " + std::to_string(iterations) +
                               " iterations ended as " + std::string(to_string(report.status)));
    }
  }

  Case panel_case;
  Solver<Case> solver;
  typename Case::Field rhs, solution;
};

/// Time of an iteration without the start of a solve: what twice as many take longer.
template <class Problem>
Statistic time_iteration(Problem& problem, int repetitions, int iterations) {
  const auto& space = problem.panel_case.space;
  const Statistic less = time_of(space, repetitions, [&] { problem.solve(iterations); });
  const Statistic more = time_of(space, repetitions, [&] { problem.solve(2 * iterations); });
  return per(iterations, {more.minimum - less.minimum, more.median - less.median});
}

template <class Solver, class Problem>
void time_problem(Problem& problem, int repetitions, SizePoint& point) {
  constexpr int iterations_of_replay = 2;
  point.costs = costs_of(problem.solver);
  point.times.iteration = time_iteration(problem, repetitions, iterations_of(point.size));
  time_kernels<Solver>(
      repetitions, [&] { problem.solve_with(problem.solver.plan(), iterations_of_replay); },
      point.times);
}

/// A size that fails does not take the results of the others with it.
template <template <class> class Solver, class Case>
void measure_size(int repetitions, const Case& panel_case, SizePoint& point) {
  std::optional<SizeProblem<Solver, Case>> problem;
  try {
    problem.emplace(panel_case);
  } catch (const std::exception&) {  // what exactly, depends on the space and the version of Kokkos
    point.skipped = "allocation failed";
    return;
  }
  try {
    time_problem<Solver<Case>>(*problem, repetitions, point);
  } catch (const std::runtime_error& error) {
    point.skipped = error.what();
    point.failed = true;
  }
}

inline void add_skipped(const Perf::PanelSize& size, Precision precision,
                        const std::string& lacking, Column& column) {
  for (const Implementation n : {interleaved, recomputed}) {
    column.sizes.push_back({.size = size,
                            .precision = precision,
                            .implementation = n,
                            .skipped = lacking,
                            .times = {},
                            .costs = {}});
  }
}

template <class Space, class Scalar>
void measure_size_in(const Settings& settings, const Perf::PanelSize& size,
                     const ColumnMesh<typename Space::memory_space>& mesh, Column& column) {
  using Case = SizeCase<Space, Scalar>;
  const std::string lacking =
      shortage(needed_bytes(size, sizeof(Scalar)), Machine<Space>::available_bytes(),
               Machine<Space>::memory_name);
  if (!lacking.empty()) return add_skipped(size, precision_of<Scalar>, lacking, column);
  const Case panel_case(size, mesh);
  const auto measure = [&]<template <class> class Solver>(Implementation n) {
    SizePoint point{.size = size,
                    .precision = precision_of<Scalar>,
                    .implementation = n,
                    .skipped = {},
                    .times = {},
                    .costs = {}};
    measure_size<Solver>(settings.repetitions, panel_case, point);
    column.sizes.push_back(point);
  };
  measure.template operator()<Perf::StoredSolver>(interleaved);
  measure.template operator()<Perf::FusedSolver>(recomputed);
}

/// Why not even single precision fits, on the space or, while the geometry is set up, on the host.
template <class Space>
std::string obstacle(const Perf::PanelSize& size) {
  const std::string here = shortage(needed_bytes(size, sizeof(float)),
                                    Machine<Space>::available_bytes(), Machine<Space>::memory_name);
  if (!here.empty()) return here;
  return shortage(geometry_bytes(size), Cli::HostMachine::available_bytes(), "host");
}

/// From the first size on, doubled as long as single precision fits.
template <class Space>
void measure_sizes(const Settings& settings, Column& column) {
  const double until = settings.last_size > 0 ? settings.last_size
                       : runs_on_host<Space>  ? 0x1p27
                                              : 0x1p62;
  for (const Perf::PanelSize& size :
       doubled_sizes(settings.first_size, until, settings.size.num_levels)) {
    const std::string lacking = obstacle<Space>(size);
    if (!lacking.empty()) {
      add_skipped(size, single_precision, lacking, column);
      add_skipped(size, double_precision, lacking, column);
      return;
    }
    std::fprintf(stderr, "  %s, %d x %d x %d\n", column.name.c_str(), size.num_x, size.num_y,
                 size.num_levels);
    const ColumnMesh<typename Space::memory_space> mesh(
        CubedSpherePanel(size.num_x, size.num_y).graph());
    measure_size_in<Space, float>(settings, size, mesh, column);
    measure_size_in<Space, double>(settings, size, mesh, column);
  }
}

}  // namespace Lamina::Paper
