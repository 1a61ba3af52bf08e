// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// One run on one execution space; instantiated in Space_<Name>.cpp alone.

#include <lamina/core/KernelRecorder.hpp>
#include <lamina/shallow_water/Leapfrog.hpp>
#include <lamina/shallow_water/RungeKutta3.hpp>
#include <lamina/shallow_water/SemiImplicit.hpp>
#include <lamina/shallow_water/ShallowWaterDiagnostics.hpp>
#include <lamina/shallow_water/ShallowWaterState.hpp>
#include <lamina/problems/Vortex.hpp>

#include <Kokkos_Timer.hpp>

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>

#include "support/InputError.hpp"
#include "support/Interruption.hpp"
#include "shallow_water/ShallowWaterCheckpoint.hpp"
#include "shallow_water/ShallowWaterHostState.hpp"
#include "shallow_water/ShallowWaterOutput.hpp"
#include "shallow_water/ShallowWaterTask.hpp"

namespace Lamina::Cli {

template <ExecutionSpace Execution, class Scalar>
class ShallowWaterRun {
 public:
  explicit ShallowWaterRun(const ShallowWaterTask& task)
      : m_task(task),
        m_problem(task.problem),
        m_vortex(m_problem.coriolis, m_problem.velocity[0], m_problem.velocity[1]),
        m_state(m_problem.size) {
    read_files();
  }

  ShallowWaterResult run() {
    const int n = m_problem.size;
    const double dt = m_problem.time_step, f = m_problem.coriolis;
    switch (m_task.variant.scheme) {
      case TimeScheme::leapfrog:
        run_with(Leapfrog<Scalar, Memory>(n, dt, f, mass_options()));
        break;
      case TimeScheme::rk3: run_with(RungeKutta3<Scalar, Memory>(n, dt, f, mass_options())); break;
      case TimeScheme::semi_implicit:
        run_with(SemiImplicit<Scalar, Memory>(n, dt, f, semi_implicit_options()));
        break;
    }
    return m_result;
  }

 private:
  using Memory = typename Execution::memory_space;
  using State = ShallowWaterState<Scalar, Memory>;
  using LeapfrogStepper = Leapfrog<Scalar, Memory>;
  using SemiImplicitStepper = SemiImplicit<Scalar, Memory>;

  // --- Options of the schemes ---

  static StoppingCriteria criteria_of(StoppingCriteria criteria, int iterations, double tolerance) {
    if (iterations > 0) return StoppingCriteria::iterations(iterations);
    criteria.tolerance = tolerance;
    return criteria;
  }
  MassOptions mass_options() const {
    const ShallowWaterSystems& systems = m_task.systems;
    return {.solver = systems.mass_solver,
            .criteria =
                criteria_of(MassOptions().criteria, systems.cg_iterations, systems.mass_tolerance)};
  }
  SemiImplicitOptions semi_implicit_options() const {
    const ShallowWaterSystems& systems = m_task.systems;
    const SemiImplicitOptions usual;
    StoppingCriteria newton =
        criteria_of(usual.newton, systems.newton_iterations, systems.newton_tolerance);
    // Residuals are made of heights and velocities of order 1, of which rounding leaves about so
    // much. In single precision it may be more than the relative tolerance asks for.
    constexpr double rounding = 0.5 * std::numeric_limits<Scalar>::epsilon();
    newton.absolute_tolerance = rounding * m_problem.size;
    return {.newton = newton,
            .cg = criteria_of(usual.cg, systems.cg_iterations, systems.cg_tolerance),
            .reference_height = systems.phi_star};
  }

  // --- Start ---

  void read_files() {
    const auto read = [&](const char* option, const NetcdfReader& file, StateLevel level) {
      HostState<Scalar, Memory> state(m_problem.size);
      for_option(option, [&] { state.read(file, level); });
      return state;
    };
    if (m_task.restart.empty()) {
      if (!m_problem.generated_initial)
        m_now = read("--initial", *m_problem.initial_file, StateLevel::now);
      return;
    }
    const NetcdfReader& file = *m_task.restart_file;
    m_checkpoint = for_option("--restart", [&] { return read_checkpoint(file); });
    m_result.first_step = m_checkpoint->step;
    m_now = read("--restart", file, StateLevel::now);
    if (with_previous() && m_checkpoint->has_previous) {
      m_before = read("--restart", file, StateLevel::previous);
    }
  }

  bool with_previous() const { return m_task.variant.scheme == TimeScheme::leapfrog; }

  /// The state at the start; may be called again.
  template <class Stepper>
  void prepare(Stepper& stepper) {
    if (m_now) {
      m_now->put(m_space, m_state);
    } else if (m_problem.generated_initial == InitialState::vortex) {
      m_vortex.fill_vortex(m_space, m_state);
    } else {
      m_vortex.fill_depression(m_space, m_state);
    }
    if constexpr (std::is_same_v<Stepper, LeapfrogStepper>) {
      stepper.restart();
      if (m_before) {
        const State before(m_problem.size);
        m_before->put(m_space, before);
        stepper.set_previous(m_space, before);
        m_space.fence();
      }
    }
  }

  /// What the kernels of a few steps take, which warm up as well.
  template <class Stepper>
  void replay(Stepper& stepper) {
    constexpr int num_warming = 2, num_replayed = 4;  // the first step may be of another kind
    for (int n = 0; n < num_warming; ++n) (void)stepper.step(m_space, m_state);
    m_space.fence();
    const KernelRecorder recorder;
    for (int n = 0; n < num_replayed; ++n) (void)stepper.step(m_space, m_state);
    m_result.kernels = recorder.records(stepper.kernel_costs());
    for (const KernelRecord& record : m_result.kernels) {
      m_result.bytes_per_iteration += record.bytes / num_replayed;
    }
  }

  // --- Run ---

  template <class Stepper>
  void run_with(Stepper stepper) {
    stepper.check_every(0);  // `look` does that, at the stops of the run
    prepare(stepper);
    require_sound_start();
    m_space.fence();
    m_result.setup_seconds = m_setup_timer.seconds();
    replay(stepper);
    prepare(stepper);
    if (m_task.on_ready) m_task.on_ready(m_result.first_step);
    integrate(stepper);
    if (m_output) m_output->finish(m_result);
  }

  void require_sound_start() {
    const StateDiagnostics first = look(m_result.first_step);
    m_result.start = m_checkpoint ? m_checkpoint->start : first;
    m_result.end = first;
    if (const auto& cell = m_result.bad_cell) {
      const std::string option = m_task.restart.empty() ? "--initial" : "--restart";
      throw InputError(option +
                       ": expected finite values and heights > 0, got others at (i, j) = (" +
                       std::to_string(cell->fault.i) + ", " + std::to_string(cell->fault.j) + ")");
    }
  }

  /// Steps from one stop to the next, until the end, a signal that asks for it or a state that is none.
  template <class Stepper>
  void integrate(Stepper& stepper) {
    m_result.report.status = SolveStatus::completed;
    if (!m_task.output.empty()) m_output.emplace(m_task);
    int step = m_result.first_step;
    bool sound = true, stops = is_to_stop(step);
    visit(stepper, m_result.end);
    while (sound && !stops && step < m_problem.num_steps) {
      sound = advance(stepper, step, next_stop(step));
      const StateDiagnostics diagnostics = look(step);
      if (m_result.bad_cell) m_result.report.status = m_result.bad_cell->fault.status;
      sound = sound && !m_result.bad_cell;
      stops = sound && is_to_stop(step);
      if (sound) visit(stepper, diagnostics);
    }
    m_result.report.iterations = step - m_result.first_step;
    if (sound) add_error();
  }

  /// Whether the state is to be the last although steps are left.
  bool is_to_stop(int step) {
    const bool stops = step < m_problem.num_steps && interrupted();
    if (stops) m_result.report.status = SolveStatus::interrupted;
    return stops;
  }

  /// The next step after which there is something to do.
  int next_stop(int step) const {
    int stop = m_problem.num_steps;
    for (const int every :
         {m_task.diagnostics_every, m_task.output_every, m_task.checkpoint_every}) {
      if (every > 0 && every - step % every < stop - step) stop = step + every - step % every;
    }
    return stop;
  }

  /// Takes a step at least, so that no state is visited twice.
  /// \return whether the state is still good for more
  template <class Stepper>
  bool advance(Stepper& stepper, int& step, int stop) {
    const Kokkos::Timer timer;
    StepReport report;
    do {
      report = stepper.step(m_space, m_state);
      add(report);
      // After a breakdown this scheme leaves the state as it was.
      if (std::is_same_v<Stepper, SemiImplicitStepper> && report.broke_down()) break;
      ++step;
      if (m_task.on_step) m_task.on_step(step);
    } while (step < stop && !report.broke_down() && !interrupted());
    m_space.fence();
    m_result.solve_seconds += timer.seconds();
    return !report.broke_down();
  }

  void add(const StepReport& report) {
    if (!report.succeeded()) m_result.report.status = report.status;
    if (report.status == SolveStatus::max_iterations) ++m_result.unconverged_steps;
    m_result.newton_iterations += report.newton_iterations;
    m_result.cg_iterations += report.cg_iterations;
    m_result.mass_iterations += report.mass_iterations;
  }

  /// Sums of the state, and whether it is one.
  StateDiagnostics look(int step) {
    const ShallowWaterDiagnostics found = diagnose(m_space, m_state, m_problem.coriolis);
    const double time = step * m_problem.time_step;
    if (!found.sound()) m_result.bad_cell = {step, time, found.fault};
    return {.step = step,
            .time = time,
            .mass = found.mass,
            .energy = found.energy,
            .potential_enstrophy = found.potential_enstrophy,
            .circulation = found.circulation,
            .courant_number = found.courant_number(m_problem.time_step, m_problem.size)};
  }

  /// Keeps and writes what is to be kept of a sound state.
  template <class Stepper>
  void visit(Stepper& stepper, const StateDiagnostics& diagnostics) {
    m_result.end = diagnostics;
    const int step = diagnostics.step;
    const bool first = step == m_result.first_step;
    const bool last =
        step == m_problem.num_steps || m_result.report.status == SolveStatus::interrupted;
    const auto due = [&](int every) { return last || (every > 0 && step % every == 0); };
    if (m_task.with_series && (first || due(m_task.diagnostics_every))) {
      m_result.series.push_back(diagnostics);
      if (m_task.on_series) m_task.on_series(diagnostics);
    }
    if (m_output && (first || due(m_task.output_every))) {
      m_output->write(diagnostics, take(m_now, m_state));
    }
    const bool started = last || !first;  // the file to go on from holds the first state itself
    if (!m_task.checkpoint.empty() && started && due(m_task.checkpoint_every)) {
      write_checkpoint_at(stepper, step);
      m_result.checkpoint_written = true;
    }
  }

  FieldLines take(std::optional<HostState<Scalar, Memory>>& host, const State& state) {
    if (!host) host.emplace(m_problem.size);
    return host->take(m_space, state);
  }

  template <class Stepper>
  void write_checkpoint_at(Stepper& stepper, int step) {
    const FieldLines now = take(m_now, m_state);
    if constexpr (std::is_same_v<Stepper, LeapfrogStepper>) {
      if (stepper.has_previous()) {
        const FieldLines before = take(m_before, stepper.previous());
        return write_checkpoint(m_task, step, m_result.start, now, &before);
      }
    }
    write_checkpoint(m_task, step, m_result.start, now, nullptr);
  }

  // --- End ---

  void add_error() {
    if (m_problem.generated_initial == InitialState::vortex && m_vortex.has_exact_solution()) {
      m_result.error = m_vortex.error(m_space, m_state, m_result.end.time);
    }
  }

  const ShallowWaterTask& m_task;
  const ShallowWaterProblem& m_problem;
  Kokkos::Timer m_setup_timer;
  Execution m_space;
  Vortex m_vortex;
  State m_state;
  std::optional<Checkpoint> m_checkpoint;
  /// The state on the host, and the one before of leapfrog: read first, then written.
  std::optional<HostState<Scalar, Memory>> m_now, m_before;
  std::optional<ShallowWaterOutput> m_output;
  ShallowWaterResult m_result;
};

/// Integrates on `Execution` in the precision that the task asks for.
template <ExecutionSpace Execution>
ShallowWaterResult solve_shallow_water(const ShallowWaterTask& task) {
  return task.variant.precision == Precision::double_precision
             ? ShallowWaterRun<Execution, double>(task).run()
             : ShallowWaterRun<Execution, float>(task).run();
}

}  // namespace Lamina::Cli
