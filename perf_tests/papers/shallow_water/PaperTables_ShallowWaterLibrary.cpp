// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Times and errors of the library's schemes.

#include <lamina/core/KernelRecorder.hpp>
#include <lamina/krylov/FusedPcg.hpp>
#include <lamina/shallow_water/PeriodicHelmholtz.hpp>
#include <lamina/shallow_water/VelocityMass.hpp>

#include <cstdio>

#include "../PaperTables_Machine.hpp"
#include "PaperTables_ShallowWaterCase.hpp"
#include "PaperTables_ShallowWaterPublished.hpp"

namespace Lamina::Paper {
namespace {

FlowSystems published_systems(MassSolver solver) {
  FlowSystems systems;
  systems.mass = {.solver = solver, .criteria = {.tolerance = published_mass_tolerance}};
  systems.semi_implicit.newton.tolerance = published_newton_tolerance;
  systems.semi_implicit.cg.tolerance = published_cg_tolerance;
  systems.semi_implicit.reference_height = ReferenceHeight::one;
  return systems;
}
FlowSystems fixed_systems(MassSolver solver, int newton, int cg) {
  FlowSystems systems;
  systems.mass = {.solver = solver, .criteria = StoppingCriteria::iterations(cg)};
  systems.semi_implicit = {.newton = StoppingCriteria::iterations(newton),
                           .cg = StoppingCriteria::iterations(cg),
                           .reference_height = ReferenceHeight::one};
  return systems;
}
/// Small against the errors in time that are measured.
FlowSystems accurate_systems() {
  FlowSystems systems;
  systems.semi_implicit.newton.tolerance = 1e-6;
  systems.semi_implicit.cg.tolerance = 1e-2;
  return systems;
}

// --- Table 3 ---

/// Where the errors of two runs, as lines over the time step, have the error asked for.
FlowTimeStep time_step_between(Cli::TimeScheme scheme, double step, double error, double other_step,
                               double other_error) {
  const double order = std::log(other_error / error) / std::log(other_step / step);
  return {scheme, step * std::pow(published_error / error, 1 / order), order};
}

template <class Space>
void measure_convergence(const FlowTableSettings& settings, FlowColumn& column) {
  FlowCase<Space> flow(settings.sizes.convergence, false);
  constexpr int reference_steps = 1536;  // of 1/51200
  const FlowSystems systems = accurate_systems();
  (void)flow.run(Cli::TimeScheme::rk3, published_end / reference_steps, reference_steps, systems);
  const auto reference = flow.height();
  for (const PublishedTimeStep& paper : published_time_steps) {
    const auto error_of = [&](int steps) {
      const auto run = flow.run(paper.scheme, published_end / steps, steps, systems);
      return run.sound ? flow.distance(reference) : std::nan("");
    };
    const double count = published_end / paper.time_step;
    const int many = static_cast<int>(std::lround(1.1 * count)),
              few = static_cast<int>(std::lround(0.9 * count));
    column.time_steps.push_back(time_step_between(
        paper.scheme, published_end / many, error_of(many), published_end / few, error_of(few)));
  }
}

// --- Tables 4 to 11 ---

/// Times of the steps of a scheme.
template <class Space, class Stepper>
Statistic time_steps(FlowCase<Space>& flow, Stepper& stepper, int repetitions) {
  constexpr int num_steps = 4;
  flow.prepare(stepper);
  (void)stepper.step(flow.space(), flow.state());
  return per(num_steps, time_of(flow.space(), repetitions, [&] {
               for (int n = 0; n < num_steps; ++n) (void)stepper.step(flow.space(), flow.state());
             }));
}

template <class Space>
class FlowSolves {
 public:
  using Memory = typename Space::memory_space;
  using Field = typename ShallowWaterState<double, Memory>::field_type;

  FlowSolves(const Space& space, int n, int repetitions)
      : m_space(space), m_size(n), m_repetitions(repetitions), m_state(n), m_other(n) {
    Vortex(flow_coriolis).fill_vortex(space, m_state);
  }

  /// Solves with the mass matrix of one component.
  Statistic mass(VelocityComponent component, const MassOptions& options) const {
    const VelocityMass<double, Memory> mass(m_size, options);
    const Field &rhs = m_state.u(), &x = m_other.u(), &out = m_other.v();
    return time_of(m_space, m_repetitions,
                   [&] { (void)mass.solve(m_space, component, rhs, 0, x, 0, x, 1, out); });
  }

  /// At most so many iterations of conjugate gradients for x + c_x (...) + c_y (...).
  FlowCg cg(const char* name, double c_x, double c_y, int iterations) const {
    const PeriodicHelmholtz<double, Memory> model(m_size, c_x, c_y, InitialGuess::zero);
    FusedPcg plan(m_space, model);
    const Field b = m_state.cells(m_state.height()), x = m_other.cells(m_other.height());
    FlowCg result{.name = name, .cost = iteration_cost(model.kernel_costs())};
    result.solve = time_of(m_space, m_repetitions, [&] {
      result.iterations = plan.iterate(m_space, b, x, iterations).iterations;
    });
    return result;
  }

 private:
  static KernelCost iteration_cost(const std::vector<KernelCost>& costs) {
    const KernelCost two[] = {
        Perf::cost_of(costs, "Lamina::PeriodicHelmholtz::advance"),
        Perf::cost_of(costs, "Lamina::PeriodicHelmholtz::advance_and_update")};
    KernelCost cost = Perf::cost_of(costs, "Lamina::PeriodicHelmholtz::measure");
    for (const KernelCost& advance : two) {
      cost.bytes += advance.bytes / 2;
      cost.flops += advance.flops / 2;
    }
    return cost;
  }

  Space m_space;
  int m_size, m_repetitions;
  ShallowWaterState<double, Memory> m_state, m_other;
};

constexpr double published_cfl = 0.1;

/// c_x = c_y of the shifted Laplace operator at the published Courant number.
double helmholtz_coefficient() { return published_cfl * published_cfl / 4; }

template <class Space>
void measure_step_parts(const FlowTableSettings& settings, FlowColumn& column) {
  const int n = settings.sizes.steps;
  FlowCase<Space> flow(n, true);
  const FlowSolves<Space> solves(flow.space(), n, settings.repetitions);
  for (const MassSolver solver : {MassSolver::cg, MassSolver::direct}) {
    for (const PublishedStepParts& paper : published_step_parts) {
      const bool implicit = paper.scheme == Cli::TimeScheme::semi_implicit;
      if (implicit && solver == MassSolver::direct) continue;
      const FlowSystems systems = fixed_systems(solver, 1, paper.iterations);
      FlowStepParts parts{.scheme = paper.scheme,
                          .mass_solver = solver,
                          .iterations = solver == MassSolver::cg ? paper.iterations : 0};
      with_stepper<typename Space::memory_space>(
          paper.scheme, n, published_cfl / n, systems,
          [&](auto stepper) { parts.step = time_steps(flow, stepper, settings.repetitions); });
      const int stages = paper.scheme == Cli::TimeScheme::rk3 ? 3 : 1;
      const auto times = [stages](Statistic one) {
        return Statistic{one.minimum * stages, one.median * stages};
      };
      if (implicit) {
        const double c = helmholtz_coefficient();
        parts.first_solve = solves.cg("height", c, c, paper.iterations).solve;
      } else {
        parts.first_solve = times(solves.mass(VelocityComponent::u, systems.mass));
        parts.second_solve = times(solves.mass(VelocityComponent::v, systems.mass));
      }
      column.step_parts.push_back(parts);
    }
  }
}

template <class Space>
void measure_cg(const FlowTableSettings& settings, FlowColumn& column) {
  const FlowSolves<Space> solves(Space(), settings.sizes.cg, settings.repetitions);
  const double c = helmholtz_coefficient(), mass = -1.0 / 6;
  const double coefficients[][2] = {{c, c}, {mass, 0}, {0, mass}};
  for (std::size_t k = 0; k < published_solves_of_flow.size(); ++k) {
    column.solves.push_back(solves.cg(published_solves_of_flow[k].name, coefficients[k][0],
                                      coefficients[k][1], published_cg_iterations));
  }
}

template <class Space>
void measure_kernels(const FlowTableSettings& settings, FlowColumn& column) {
  const int n = settings.sizes.steps;
  FlowCase<Space> flow(n, true);
  struct Way {
    Cli::TimeScheme scheme;
    MassSolver solver;
    int cg;
    const char* title;
  };
  for (const Way& way :
       {Way{Cli::TimeScheme::leapfrog, MassSolver::direct, 0, "leapfrog, direct mass solves"},
        Way{Cli::TimeScheme::rk3, MassSolver::direct, 0, "rk3, direct mass solves"},
        Way{Cli::TimeScheme::leapfrog, MassSolver::cg, 3,
            "leapfrog, 3 iterations of CG in each mass solve"},
        Way{Cli::TimeScheme::semi_implicit, MassSolver::direct, 2,
            "semi-implicit, 1 Newton iteration with 2 of CG, phi* = 1"}}) {
    FlowKernels table{.title = way.title};
    with_stepper<typename Space::memory_space>(
        way.scheme, n, published_cfl / n, fixed_systems(way.solver, 1, std::max(way.cg, 1)),
        [&](auto stepper) {
          table.step = time_steps(flow, stepper, settings.repetitions);
          if constexpr (requires { stepper.step_cost(); }) {
            if (way.solver == MassSolver::direct) table.cost = stepper.step_cost();
          } else {
            table.cost = stepper.step_cost(1, way.cg);
          }
          const KernelRecorder recorder;
          for (int step = 0; step < 4; ++step) (void)stepper.step(flow.space(), flow.state());
          table.kernels = recorder.records(stepper.kernel_costs());
        });
    column.kernels.push_back(table);
  }
}

// --- Section 7 ---

template <class Space>
void measure_runs(const FlowTableSettings& settings, FlowColumn& column) {
  const int n = settings.sizes.runs;
  FlowCase<Space> flow(n, true);
  for (const PublishedRun& paper : published_runs) {
    const int steps = std::max(
        1, static_cast<int>(std::ceil(published_run_end * n / paper.courant_number - 1e-9)));
    for (const MassSolver solver : {MassSolver::cg, MassSolver::direct}) {
      if (paper.scheme == Cli::TimeScheme::semi_implicit && solver == MassSolver::direct) continue;
      FlowRun run =
          flow.run(paper.scheme, published_run_end / steps, steps, published_systems(solver));
      run.courant_number = paper.courant_number;
      column.runs.push_back(run);
    }
  }
}

// --- Accuracy ---

template <class Space>
void measure_accuracy(const FlowTableSettings& settings, FlowColumn& column) {
  const int n = settings.sizes.accuracy;
  constexpr double end = 0.1, reference_cfl = 0.02;
  FlowCase<Space> flow(n, true);
  const auto steps_of = [&](double cfl) {
    return static_cast<int>(std::ceil(end * n / cfl - 1e-9));
  };
  const int many = steps_of(reference_cfl);
  (void)flow.run(Cli::TimeScheme::rk3, end / many, many, {});
  const auto reference = flow.height();
  const auto measure = [&](Cli::TimeScheme scheme, double cfl, double newton_tolerance) {
    FlowSystems systems;
    systems.semi_implicit.newton.tolerance = newton_tolerance;
    systems.semi_implicit.cg.tolerance = published_cg_tolerance;
    FlowError point{.scheme = scheme, .newton_tolerance = newton_tolerance, .steps = steps_of(cfl)};
    const FlowRun run = flow.run(scheme, end / point.steps, point.steps, systems);
    point.seconds = run.seconds;
    point.error = run.sound ? flow.distance(reference) : std::nan("");
    column.errors.push_back(point);
  };
  for (const double cfl : {0.16, 0.08, 0.04, 0.02}) measure(Cli::TimeScheme::leapfrog, cfl, 0);
  for (const double cfl : {0.32, 0.16, 0.08, 0.04}) measure(Cli::TimeScheme::rk3, cfl, 0);
  for (const double tolerance : {1e-1, 1e-2, 1e-4}) {
    for (const double cfl : {1.6, 0.8, 0.4, 0.2, 0.1, 0.05}) {
      measure(Cli::TimeScheme::semi_implicit, cfl, tolerance);
    }
  }
}

template <class Space>
void measure_space(const FlowTableSettings& settings, std::vector<FlowColumn>& columns) {
  const Space space;
  FlowColumn column{.name = Space::name(),
                    .device = Machine<Space>::describe(space),
                    .copy_gb_per_s = Perf::copy_gb_per_s(space)};
  const auto announce = [&](const char* part) {
    std::fprintf(stderr, "  %s, %s\n", column.name.c_str(), part);
  };
  if (settings.has(FlowPart::convergence)) {
    announce("table 3");
    measure_convergence<Space>(settings, column);
  }
  if (settings.has(FlowPart::kernels)) {
    announce("tables 4 to 11");
    measure_step_parts<Space>(settings, column);
    measure_cg<Space>(settings, column);
    measure_kernels<Space>(settings, column);
  }
  if (settings.has(FlowPart::runs)) {
    announce("section 7");
    measure_runs<Space>(settings, column);
  }
  if (settings.has(FlowPart::accuracy)) {
    announce("accuracy");
    measure_accuracy<Space>(settings, column);
  }
  columns.push_back(column);
}

}  // namespace

std::vector<FlowColumn> measure_flows(const FlowTableSettings& settings) {
  std::vector<FlowColumn> columns;
  for_each_space(settings.space, [&]<class Space>() { measure_space<Space>(settings, columns); });
  return columns;
}

double seconds_to(const std::vector<FlowError>& errors, Cli::TimeScheme scheme, double error) {
  double shortest = 0;
  const FlowError* before = nullptr;  // of the same scheme and tolerance, and of fewer steps
  for (const FlowError& point : errors) {
    if (point.scheme != scheme || !std::isfinite(point.error)) continue;
    if (before != nullptr && before->newton_tolerance != point.newton_tolerance) before = nullptr;
    if (point.error <= error && (before == nullptr || before->error > error)) {
      double seconds = point.seconds;
      if (before != nullptr) {
        const double part = std::log(error / before->error) / std::log(point.error / before->error);
        seconds = before->seconds * std::pow(point.seconds / before->seconds, part);
      }
      if (shortest == 0 || seconds < shortest) shortest = seconds;
    }
    before = &point;
  }
  return shortest;
}

}  // namespace Lamina::Paper
