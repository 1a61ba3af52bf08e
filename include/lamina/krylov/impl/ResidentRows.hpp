// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/krylov/FusedStep.hpp>

#include <cstddef>

namespace Lamina::Impl {

/// The rows of scalar products in a kernel that runs several passes. Each team has copies in its
/// scratch memory: of row 0, of the rows around the current pass, and of the reference of the
/// tolerances.
template <class Memory>
class ResidentRows {
 public:
  using Step = FusedStep<Memory>;
  /// The reference has a whole row, which keeps the scratch behind it aligned.
  static constexpr std::size_t scratch_bytes = 5 * Step::row_length * sizeof(double);

  /// \param scratch  of the team: `scratch_bytes`
  KOKKOS_FORCEINLINE_FUNCTION ResidentRows(const FusedSteps<Memory>& steps, void* scratch)
      : m_steps(steps), m_rows(static_cast<double*>(scratch)) {}

  /// Loads the rows from before pass `first_pass`. The caller places a barrier after it.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void load(const Team& team, int first_pass) const {
    const int entry = team.team_rank();
    if (entry >= Step::row_length) return;
    if (entry == 0 && !refers_to_first()) *own_reference() = *m_steps.reference;
    copy(0, entry);
    copy(first_pass, entry);
    if (first_pass > 0) copy(first_pass - 1, entry);
  }

  /// The step of a pass, with the rows of the team.
  KOKKOS_FORCEINLINE_FUNCTION Step step(int pass) const {
    Step step = m_steps.step(pass);
    // Pass 0 computes <r_0, r_0>. This team finds it in its copy of row 0.
    step.reference = refers_to_first() ? row(0) + Step::residual2 : own_reference();
    step.before = row(pass > 0 ? pass - 1 : 0);
    step.now = row(pass);
    step.next = row(pass + 1);
    return step;
  }

  /// Sets an entry of row `pass` in the copy of this team, and in memory. The caller places a
  /// barrier after it.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void set(const Team& team, int pass, int entry, double value) const {
    if (team.team_rank() > 0) return;
    row(pass)[entry] = value;
    if (team.league_rank() == 0) m_steps.row(pass)[entry] = value;
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION bool refers_to_first() const {
    return m_steps.reference == m_steps.row(0) + Step::residual2;
  }
  KOKKOS_FORCEINLINE_FUNCTION double* own_reference() const {
    return m_rows + 4 * Step::row_length;
  }
  KOKKOS_FORCEINLINE_FUNCTION double* row(int pass) const {
    return m_rows + Step::row_length * (pass == 0 ? 0 : 1 + pass % 3);
  }
  KOKKOS_FORCEINLINE_FUNCTION void copy(int pass, int entry) const {
    row(pass)[entry] = m_steps.row(pass)[entry];
  }

  const FusedSteps<Memory>& m_steps;
  double* m_rows;
};

}  // namespace Lamina::Impl
