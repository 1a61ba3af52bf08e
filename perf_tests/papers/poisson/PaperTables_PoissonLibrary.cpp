// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Times of the library's solvers on the square.

#include <poisson/PoissonLimits.hpp>

#include <cstdio>
#include <exception>
#include <string>

#include "../../support/SquareSolvers.hpp"
#include "../PaperTables_Machine.hpp"
#include "../PaperTables_Text.hpp"
#include "PaperTables_Poisson.hpp"
#include "PaperTables_PoissonPublished.hpp"

namespace Lamina::Paper {
namespace {

/// Solves are not repeated any more once they have taken so many seconds.
constexpr double enough_seconds = 2;

template <class Space>
std::vector<int> sizes_on(const SquareTableSettings& settings) {
  if (!settings.sizes.empty()) return settings.sizes;
  constexpr int largest_on_host = 512;
  std::vector<int> sizes;
  for (const PublishedSolve& solve : published_solves) {
    if (!runs_on_host<Space> || solve.size <= largest_on_host) sizes.push_back(solve.size);
  }
  return sizes;
}

/// About 1.6 iterations to a point of a side are needed, in single precision 2.
StoppingCriteria criteria_of(const SquareTableSettings& settings, int size) {
  if (settings.iterations > 0) return StoppingCriteria::iterations(settings.iterations);
  StoppingCriteria criteria;
  criteria.tolerance = published_tolerance;
  criteria.max_iterations = 4 * size + 100;
  return criteria;
}

template <class Solver, class Case>
void time_solves(const SquareTableSettings& settings, const Case& square, SquarePoint& point) {
  Solver solver(square);
  const auto solve = [&](const StoppingCriteria& criteria) {
    return solver.plan.solve(square.space, square.b, square.x, criteria);
  };
  (void)solve(StoppingCriteria::iterations(3));  // an odd number above 1 takes every kernel
  const StoppingCriteria criteria = criteria_of(settings, point.size);
  SolveReport report;
  std::vector<double> times;
  double spent = 0;
  while (times.size() < static_cast<std::size_t>(settings.repetitions) && spent < enough_seconds) {
    square.prepare();
    times.push_back(Perf::seconds_of(square.space, [&] { report = solve(criteria); }));
    spent += times.back();
  }
  point.status = report.status;
  point.iterations = report.iterations;
  point.error = square.problem.error(square.space, square.x);
  point.cost = solver.iteration_cost();
  point.solve = statistic_of(times);
  if (report.iterations > 0) point.iteration = per(report.iterations, point.solve);
}

/// A way that is not there, or does not fit, does not take the results of the others with it.
template <class Space, class Scalar>
void measure_point(const SquareTableSettings& settings, SquarePoint& point) {
  using Case = Perf::SquareCase<Space, Scalar>;
  const SquareWay& way = point.way;
  point.skipped =
      shortage(Cli::poisson_bytes(Rectangle::square(point.size), way.solver, way.precision),
               Machine<Space>::available_bytes(), Machine<Space>::memory_name);
  if (!point.measured()) return;
  try {
    const Case square(point.size, way.memory);
    if (way.solver == Cli::PoissonSolver::fused_cg) {
      time_solves<Perf::FusedCgSolver<Case>>(settings, square, point);
    } else {
      time_solves<Perf::PlainCgSolver<Case>>(settings, square, point);
    }
  } catch (const std::exception& error) {
    point.skipped = error.what();
  }
}

std::vector<SquareWay> ways_of(const SquareTableSettings& settings) {
  std::vector<SquareWay> ways;
  for (const auto precision : Cli::selected(settings.precision, Cli::poisson_precisions)) {
    for (const auto solver : Cli::selected(settings.solver, Cli::poisson_solvers)) {
      for (const auto memory : Cli::selected(settings.memory, Cli::stencil_memories)) {
        ways.push_back({precision, solver, memory});
      }
    }
  }
  return ways;
}

template <class Space>
void measure_space(const SquareTableSettings& settings, std::vector<SquareColumn>& columns) {
  const Space space;
  SquareColumn column{.name = Space::name(),
                      .device = Machine<Space>::describe(space),
                      .copy_gb_per_s = Perf::copy_gb_per_s(space),
                      .sizes = sizes_on<Space>(settings)};
  for (const int size : column.sizes) {
    std::fprintf(stderr, "  %s, N %d\n", column.name.c_str(), size);
    for (const SquareWay& way : ways_of(settings)) {
      SquarePoint point{.size = size, .way = way};
      if (way.precision == Cli::Precision::double_precision) {
        measure_point<Space, double>(settings, point);
      } else {
        measure_point<Space, float>(settings, point);
      }
      column.points.push_back(point);
    }
  }
  columns.push_back(column);
}

}  // namespace

std::vector<SquareColumn> measure_squares(const SquareTableSettings& settings) {
  std::vector<SquareColumn> columns;
  for_each_space(settings.space, [&]<class Space>() { measure_space<Space>(settings, columns); });
  return columns;
}

}  // namespace Lamina::Paper
