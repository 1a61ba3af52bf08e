// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "shallow_water/ShallowWaterJournal.hpp"

#include <cstddef>
#include <string>
#include <vector>

#include "support/Interruption.hpp"
#include "support/machine/Launcher.hpp"
#include "support/options/InputError.hpp"
#include "support/ranks/Ranks.hpp"

namespace Lamina::Cli {
namespace {

/// Three fields of a stream, from `first` on.
FieldLines lines_of(LineStream& stream, std::size_t first) {
  return {stream.values(first), stream.values(first + 1), stream.values(first + 2)};
}

}  // namespace

ShallowWaterJournal::ShallowWaterJournal(const ShallowWaterTask& task,
                                         const std::optional<Checkpoint>& checkpoint)
    : m_task(task), m_ranks(task.variant.rank_grid.ranks) {
  if (!checkpoint) return;
  m_start = checkpoint->start;
  m_result.first_step = checkpoint->step;
}

void ShallowWaterJournal::begin(const ShallowWaterDiagnostics& found) {
  const StateDiagnostics first = diagnostics_of(first_step(), found);
  m_result.start = m_start.value_or(first);
  m_result.end = first;
  const auto& cell = m_result.bad_cell;
  if (!cell) return;
  run_agreed(m_ranks, [&] {
    const std::string option = m_task.restart.empty() ? "--initial" : "--restart";
    const bool is_dry = cell->fault.status == SolveStatus::diverged;
    if (is_dry && m_task.problem.has_bottom() && m_task.problem.generated_initial) {
      throw InputError(
          "--bottom: expected it below the surface, got a depth that is not positive at "
          "(i, j) = (" +
          std::to_string(cell->fault.i) + ", " + std::to_string(cell->fault.j) + ")");
    }
    throw InputError(option + ": expected finite values and heights > 0, got others at (i, j) = (" +
                     std::to_string(cell->fault.i) + ", " + std::to_string(cell->fault.j) + ")");
  });
}

void ShallowWaterJournal::open(const StateCopies& copies) {
  m_result.report.status = SolveStatus::completed;
  run_agreed(m_ranks, [&] {
    if (!m_task.output.empty() && (m_ranks == nullptr || m_ranks->is_first()))
      m_output.emplace(m_task);
  });
  note_interruption(first_step());
  visit(m_result.end, copies);
}

void ShallowWaterJournal::add(const StepReport& report) {
  if (!report.succeeded()) m_result.report.status = report.status;
  if (report.status == SolveStatus::max_iterations) ++m_result.unconverged_steps;
  m_result.newton_iterations += report.newton_iterations;
  m_result.cg_iterations += report.cg_iterations;
  m_result.mass_iterations += report.mass_iterations;
}

bool ShallowWaterJournal::look(int step, const ShallowWaterDiagnostics& found, bool continues,
                               const StateCopies& copies) {
  const StateDiagnostics diagnostics = diagnostics_of(step, found);
  if (m_result.bad_cell) m_result.report.status = m_result.bad_cell->fault.status;
  if (!continues || m_result.bad_cell) return false;
  note_interruption(step);
  visit(diagnostics, copies);
  return true;
}

int ShallowWaterJournal::next_stop(int step) const {
  int stop = m_task.problem.num_steps;
  for (const int every : {m_task.diagnostics_every, m_task.output_every, m_task.checkpoint_every}) {
    if (every > 0 && every - step % every < stop - step) stop = step + every - step % every;
  }
  return stop;
}

const ShallowWaterResult& ShallowWaterJournal::close(int step) {
  m_result.report.iterations = step - first_step();
  run_agreed(m_ranks, [&] {
    if (m_output) m_output->finish(m_result);
  });
  return m_result;
}

/// The sums of a state. Keeps its bad cell, if it has one.
StateDiagnostics ShallowWaterJournal::diagnostics_of(int step,
                                                     const ShallowWaterDiagnostics& found) {
  const ShallowWaterProblem& problem = m_task.problem;
  const double time = step * problem.time_step;
  if (!found.sound()) m_result.bad_cell = {step, time, found.fault};
  return {.step = step,
          .time = time,
          .mass = found.mass,
          .energy = found.energy,
          .potential_enstrophy = found.potential_enstrophy,
          .circulation = found.circulation,
          .courant_number = found.courant_number(problem.time_step, problem.size)};
}

bool ShallowWaterJournal::asked_to_end() const {
  return largest_of_all(m_ranks, interrupted() ? 1 : 0) > 0;
}

void ShallowWaterJournal::note_interruption(int step) {
  if (step < m_task.problem.num_steps && asked_to_end()) {
    m_result.report.status = SolveStatus::interrupted;
  }
}

/// Keeps and writes what is due of a sound state.
void ShallowWaterJournal::visit(const StateDiagnostics& diagnostics, const StateCopies& copies) {
  m_result.end = diagnostics;
  const int step = diagnostics.step;
  const bool first = step == first_step();
  const bool last = step == m_task.problem.num_steps || was_interrupted();
  const auto due = [&](int every) { return last || (every > 0 && step % every == 0); };
  if (m_task.with_series && (first || due(m_task.diagnostics_every))) {
    m_result.series.push_back(diagnostics);
    if (m_task.on_series) m_task.on_series(diagnostics);
  }
  if (!m_task.output.empty() && (first || due(m_task.output_every))) {
    FieldLines lines = copies.now();
    if (!first) lines.bottom = {};  // that of the first record stays
    with_lines(copies, lines, nullptr, [&](const FieldLines& now, const FieldLines*) {
      m_output->write(diagnostics, now);
    });
  }
  const bool started = last || !first;  // the file to go on from holds the first state itself
  if (!m_task.checkpoint.empty() && started && due(m_task.checkpoint_every)) {
    write_checkpoint_at(step, copies);
    m_result.checkpoint_written = true;
  }
}

void ShallowWaterJournal::write_checkpoint_at(int step, const StateCopies& copies) {
  const FieldLines now = copies.now();
  const std::optional<FieldLines> previous = copies.previous();
  with_lines(copies, now, previous ? &*previous : nullptr,
             [&](const FieldLines& all, const FieldLines* all_previous) {
               write_checkpoint(m_task, step, m_result.start, all, all_previous);
             });
}

template <class Write>
void ShallowWaterJournal::with_lines(const StateCopies& copies, const FieldLines& now,
                                     const FieldLines* previous, const Write& write) const {
  if (m_ranks == nullptr) return write(now, previous);
  std::vector<LineStream::Values> sources{now.height, now.u, now.v};
  const bool has_bottom = static_cast<bool>(now.bottom);
  if (has_bottom) sources.push_back(now.bottom);
  if (previous != nullptr) {
    sources.insert(sources.end(), {previous->height, previous->u, previous->v});
  }
  LineStream stream(*m_ranks, copies.cells, sources);
  stream.run([&] {
    FieldLines all = lines_of(stream, 0);
    const FieldLines all_previous = lines_of(stream, has_bottom ? 4 : 3);
    if (has_bottom) all.bottom = stream.values(3);
    write(all, previous == nullptr ? nullptr : &all_previous);
  });
}

}  // namespace Lamina::Cli
