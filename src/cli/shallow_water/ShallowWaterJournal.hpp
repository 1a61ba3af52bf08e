// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/shallow_water/ShallowWaterDiagnostics.hpp>
#include <lamina/shallow_water/StepReport.hpp>

#include <functional>
#include <optional>

#include "shallow_water/ShallowWaterTask.hpp"
#include "shallow_water/files/ShallowWaterCheckpoint.hpp"
#include "shallow_water/files/ShallowWaterOutput.hpp"
#include "support/ranks/LineStream.hpp"

namespace Lamina::Cli {

/// Copies of a state to the host, each made by a call; over ranks of the lines j of this one.
struct StateCopies {
  std::function<FieldLines()> now;
  std::function<std::optional<FieldLines>()> previous;  ///< the level before, where there is one
  LineStream::Block cells;                              ///< of this rank
};

/// What a run leaves behind: its result, and files as they fall due. Over ranks all calls but `add`,
/// `result` and `next_stop` are collective: all look at the same state, and rank 0 writes the files.
class ShallowWaterJournal {
 public:
  /// \param checkpoint  that the run goes on from; none: it starts at step 0
  ShallowWaterJournal(const ShallowWaterTask& task, const std::optional<Checkpoint>& checkpoint);

  int first_step() const { return m_result.first_step; }
  ShallowWaterResult& result() { return m_result; }

  /// Looks at the state before the first step.
  /// \throws InputError where it is none
  void begin(const ShallowWaterDiagnostics& found);
  /// Opens the output file and writes what is due of the first state.
  void open(const StateCopies& copies);

  /// Counts what a step did.
  void add(const StepReport& report);
  /// Looks at the state after a step and, if it is one, keeps and writes what is due of it.
  /// \param continues  the steps left the state good for more
  /// \return whether the state is sound
  bool look(int step, const ShallowWaterDiagnostics& found, bool continues,
            const StateCopies& copies);

  /// Whether a signal came, on any rank.
  bool asked_to_end() const;
  /// The next step after which there is something to do.
  int next_stop(int step) const;
  /// Whether a signal ends the run although steps are left.
  bool was_interrupted() const { return m_result.report.status == SolveStatus::interrupted; }

  /// Completes the output file, after `step`.
  const ShallowWaterResult& close(int step);

 private:
  StateDiagnostics diagnostics_of(int step, const ShallowWaterDiagnostics& found);
  void note_interruption(int step);
  void visit(const StateDiagnostics& diagnostics, const StateCopies& copies);
  void write_checkpoint_at(int step, const StateCopies& copies);
  /// Calls write(lines, lines before or null) on the process that writes files, with those of all
  /// ranks.
  template <class Write>
  void with_lines(const StateCopies& copies, const FieldLines& now, const FieldLines* previous,
                  const Write& write) const;

  const ShallowWaterTask& m_task;
  const Ranks* m_ranks;
  std::optional<StateDiagnostics> m_start;     // of the whole run, from a checkpoint
  std::optional<ShallowWaterOutput> m_output;  // of rank 0
  ShallowWaterResult m_result;
};

}  // namespace Lamina::Cli
