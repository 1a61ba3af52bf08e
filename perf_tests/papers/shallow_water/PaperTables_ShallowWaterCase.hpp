// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Runs of the schemes on one space, for the tables.

#include <lamina/problems/Vortex.hpp>
#include <lamina/shallow_water/Leapfrog.hpp>
#include <lamina/shallow_water/RungeKutta3.hpp>
#include <lamina/shallow_water/SemiImplicit.hpp>
#include <lamina/shallow_water/ShallowWaterDiagnostics.hpp>
#include <lamina/shallow_water/ShallowWaterState.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include "PaperTables_ShallowWater.hpp"

namespace Lamina::Paper {

/// How a scheme solves its systems.
struct FlowSystems {
  MassOptions mass{};
  SemiImplicitOptions semi_implicit{};
};

inline constexpr double flow_coriolis = 0.3;

/// Calls `function` with a plan of the scheme in double precision.
template <class Memory, class Function>
void with_stepper(Cli::TimeScheme scheme, int n, double time_step, const FlowSystems& systems,
                  const Function& function) {
  switch (scheme) {
    case Cli::TimeScheme::leapfrog:
      function(Leapfrog<double, Memory>(n, time_step, flow_coriolis, systems.mass));
      break;
    case Cli::TimeScheme::rk3:
      function(RungeKutta3<double, Memory>(n, time_step, flow_coriolis, systems.mass));
      break;
    case Cli::TimeScheme::semi_implicit:
      function(SemiImplicit<double, Memory>(n, time_step, flow_coriolis, systems.semi_implicit));
      break;
  }
}

/// Squares of the difference of two heights.
template <class Field>
struct HeightDifference {
  Field a, b;

  KOKKOS_FUNCTION void operator()(int j, double& sum) const {
    for (int i = 0; i < static_cast<int>(a.extent(0)); ++i) {
      const double difference = a(i, j) - b(i, j);
      sum += difference * difference;
    }
  }
};

/// One grid with one initial state.
template <class Space>
class FlowCase {
 public:
  using Memory = typename Space::memory_space;
  using State = ShallowWaterState<double, Memory>;
  using Field = typename State::field_type;

  /// \param moving  the depression with its uniform flow, else the stationary vortex
  FlowCase(int n, bool moving)
      : m_moving(moving),
        m_vortex(flow_coriolis, moving ? flow : 0, moving ? flow : 0),
        m_state(n) {}

  const Space& space() const { return m_space; }
  int size() const { return m_state.rectangle().nx; }
  State& state() { return m_state; }

  template <class Stepper>
  void prepare(Stepper& stepper) {
    if constexpr (requires { stepper.restart(); }) stepper.restart();
    fill();
  }
  void fill() {
    if (m_moving) {
      m_vortex.fill_depression(m_space, m_state);
    } else {
      m_vortex.fill_vortex(m_space, m_state);
    }
  }

  /// A run from the start, timed, after two steps that warm up.
  FlowRun run(Cli::TimeScheme scheme, double time_step, int steps, const FlowSystems& systems) {
    FlowRun result{.scheme = scheme,
                   .mass_solver = systems.mass.solver,
                   .courant_number = time_step * size(),
                   .steps = steps};
    with_stepper<Memory>(scheme, size(), time_step, systems, [&](auto stepper) {
      prepare(stepper);
      for (int n = 0; n < 2; ++n) (void)stepper.step(m_space, m_state);
      prepare(stepper);
      result.seconds = Perf::seconds_of(m_space, [&] {
        for (int n = 0; n < steps; ++n) {
          const StepReport report = stepper.step(m_space, m_state);
          const bool of_another_kind = n == 0 && scheme == Cli::TimeScheme::leapfrog;
          if (!of_another_kind) add(report, result);
        }
      });
    });
    result.sound = diagnose(m_space, m_state, flow_coriolis).sound();
    return result;
  }

  /// The height now.
  Field height() const {
    const auto n = static_cast<std::size_t>(size());
    const Field copy("Lamina::Perf::height", n, n);
    Kokkos::deep_copy(copy, m_state.cells(m_state.height()));
    return copy;
  }
  /// sqrt(h^2 sum of the squared difference to the height now)
  double distance(const Field& height) const {
    double sum = 0;
    const auto here = m_state.cells(m_state.height());
    Kokkos::parallel_reduce("Lamina::Perf::distance",
                            Kokkos::RangePolicy<Space>(m_space, 0, size()),
                            HeightDifference<Field>{here, height}, sum);
    return std::sqrt(sum) / size();
  }

 private:
  static constexpr double flow = 0.2;

  static void add(const StepReport& report, FlowRun& run) {
    run.newton_iterations = std::max(run.newton_iterations, report.newton_iterations);
    const int solves = run.scheme == Cli::TimeScheme::rk3 ? 6
                       : run.scheme == Cli::TimeScheme::leapfrog
                           ? 2
                           : std::max(report.newton_iterations, 1);
    const int iterations = report.cg_iterations + report.mass_iterations;
    run.cg_iterations = std::max(run.cg_iterations, (iterations + solves - 1) / solves);
  }

  bool m_moving;
  Space m_space;
  Vortex m_vortex;
  State m_state;
};

}  // namespace Lamina::Paper
