// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// One run on one execution space, in phases; instantiated by ShallowWaterSolve.cpp.in alone.

#include <lamina/core/KernelRecorder.hpp>
#include <lamina/shallow_water/Leapfrog.hpp>
#include <lamina/shallow_water/RungeKutta3.hpp>
#include <lamina/shallow_water/SemiImplicit.hpp>

#include <Kokkos_Timer.hpp>

#include <type_traits>

#include "shallow_water/ShallowWaterJournal.hpp"
#include "shallow_water/ShallowWaterRunState.hpp"
#include "shallow_water/ShallowWaterSchemes.hpp"
#include "shallow_water/ShallowWaterTask.hpp"
#include "support/machine/Space.hpp"

namespace Lamina::Cli {

/// Steps a few times, which warms up: `result` receives what kernels and messages of a step take.
template <class Run, class Stepper>
void replay_steps(Run& run, Stepper& stepper, ShallowWaterResult& result) {
  constexpr int num_warming = 2, num_replayed = 4;  // the first step may be of another kind
  for (int n = 0; n < num_warming; ++n) (void)stepper.step(run.space(), run.state());
  run.space().fence();
  const TransportUse before = run.link().use();
  const KernelRecorder recorder;
  for (int n = 0; n < num_replayed; ++n) (void)stepper.step(run.space(), run.state());
  result.kernels = recorder.records(stepper.kernel_costs());
  for (const KernelRecord& record : result.kernels) {
    result.bytes_per_iteration += record.bytes / num_replayed;
  }
  result.messages.set_traffic(run.link().use().since(before), num_replayed);
}

/// Steps to `stop`, a signal or a breakdown, timed. Takes a step at least, so that no state is visited
/// twice.
/// \return whether the state is still good for more
template <class Run, class Stepper>
bool advance(Run& run, Stepper& stepper, const ShallowWaterTask& task, int& step, int stop,
             ShallowWaterJournal& journal) {
  using Scheme = SemiImplicit<typename Run::Scalar, typename Run::Memory>;
  // After a breakdown this scheme leaves the state as it was.
  constexpr bool breakdown_is_no_step = std::is_same_v<Stepper, Scheme>;
  const TransportUse before = run.link().use();
  const Kokkos::Timer timer;
  StepReport report;
  do {
    report = stepper.step(run.space(), run.state());
    journal.add(report);
    if (breakdown_is_no_step && report.broke_down()) break;
    ++step;
    if (task.on_step) task.on_step(step);
  } while (step < stop && !report.broke_down() && !journal.asked_to_end());
  run.space().fence();
  ShallowWaterResult& result = journal.result();
  result.solve_seconds += timer.seconds();
  result.messages.add_waits(run.link().use().since(before));
  return !report.broke_down();
}

/// Steps from one stop to the next, until the end, a signal that asks for it or a state that is none.
/// \return the last step
template <class Run, class Stepper>
int integrate(Run& run, Stepper& stepper, const ShallowWaterTask& task,
              ShallowWaterJournal& journal) {
  const StateCopies copies = run.copies(stepper);
  journal.open(copies);
  int step = journal.first_step();
  bool sound = true;
  while (sound && !journal.was_interrupted() && step < task.problem.num_steps) {
    const bool continues = advance(run, stepper, task, step, journal.next_stop(step), journal);
    sound = journal.look(step, run.diagnose(), continues, copies);
  }
  if (sound) journal.result().error = run.error(journal.result().end.time);
  return step;
}

/// The phases of a run: set-up, replay, integration.
template <class Run, class Stepper>
ShallowWaterResult run_with(Run& run, Stepper stepper, const ShallowWaterTask& task,
                            const Kokkos::Timer& setup_timer) {
  ShallowWaterJournal journal(task, run.checkpoint());
  stepper.check_every(0);  // the journal looks at the state, at the stops of the run
  run.prepare(stepper);
  journal.begin(run.diagnose());
  run.space().fence();
  journal.result().setup_seconds = setup_timer.seconds();
  replay_steps(run, stepper, journal.result());
  run.prepare(stepper);
  run_agreed(run.link().ranks(), [&] {
    if (task.on_ready) task.on_ready();
    if (task.on_start) task.on_start(journal.first_step());
  });
  const int last_step = integrate(run, stepper, task, journal);
  ShallowWaterResult result = journal.close(last_step);
  combine_over_ranks(result, run.link(), task.variant.space->describe(), run.share());
  return result;
}

/// A plan of this process for its strip. The constructor of the plan may throw on some ranks only.
template <class Stepper, class Run, class Options>
Stepper make_stepper(const Run& run, const ShallowWaterTask& task, const Options& options) {
  const auto make = [&] { return Stepper(run.basin(), task.problem.time_step, options); };
  // Ranks make a multigrid together, and agree themselves.
  if (task.variant.scheme == TimeScheme::semi_implicit &&
      task.systems.cg_preconditioner == CgPreconditioner::multigrid) {
    return make();
  }
  return make_agreed(run.link().ranks(), make);
}

/// A run by the scheme that the task asks for.
template <class Scalar, ExecutionSpace Execution>
ShallowWaterResult run_in_precision(const Execution& space, const ShallowWaterTask& task) {
  using Run = ShallowWaterRunState<Execution, Scalar>;
  using Memory = typename Run::Memory;
  const Kokkos::Timer timer;
  Run run(space, task);
  const ShallowWaterSystems& systems = task.systems;
  switch (task.variant.scheme) {
    case TimeScheme::leapfrog:
      return run_with(run, make_stepper<Leapfrog<Scalar, Memory>>(run, task, mass_options(systems)),
                      task, timer);
    case TimeScheme::semi_implicit: {
      using Stepper = SemiImplicit<Scalar, Memory>;
      const double rounding = Stepper::rounding_of_rest(task.problem.size, task.problem.time_step,
                                                        run.largest_height());
      const auto options = semi_implicit_options(systems, rounding);
      return run_with(run, make_stepper<Stepper>(run, task, options), task, timer);
    }
    default:
      return run_with(run,
                      make_stepper<RungeKutta3<Scalar, Memory>>(run, task, mass_options(systems)),
                      task, timer);
  }
}

/// Integrates on `Execution` in the precision that the task asks for.
template <ExecutionSpace Execution>
ShallowWaterResult solve_on(const Execution& space, const ShallowWaterTask& task) {
  return task.variant.precision == Precision::double_precision
             ? run_in_precision<double>(space, task)
             : run_in_precision<float>(space, task);
}

}  // namespace Lamina::Cli
