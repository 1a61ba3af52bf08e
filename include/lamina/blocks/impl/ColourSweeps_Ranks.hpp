// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Sweeps over several ranks.

#include <lamina/blocks/impl/ColourSweeps.hpp>

namespace Lamina::Impl {

template <class Matrix>
template <class Space, class Solution>
void ColourSweeps<Matrix>::update_halo(const Space& space, const Solution& x) const {
  if (!is_decomposed()) return;
  m_ranks.halo.start(space, x);
  m_ranks.halo.finish(space);
}

template <class Matrix>
template <class Space, class Rhs, class Solution>
void ColourSweeps<Matrix>::sweep(const Space& space, const Rhs& b, const Solution& x,
                                 SweepDirection direction, int num_sweeps) const {
  const Sweep work{"Lamina::PointImplicitSolver::sweep", ConstVector(b), Vector(x), direction};
  if (!is_decomposed()) return run_sweeps(space, work, num_sweeps);
  for (int n = 0; n < num_sweeps; ++n) sweep_over_ranks(space, work, x);
}

template <class Matrix>
template <class Space, class Solution>
void ColourSweeps<Matrix>::sweep_over_ranks(const Space& space, const Sweep& work,
                                            const Solution& x) const {
  Task task = task_of(work);
  const auto sweep = [&](const Space& instance, int group) {
    task.follows = false;  // other kernels may be between
    sweep_group<Space>(work.label, instance, task, group, nullptr);
  };
  for_each_colour(work.direction, [&](int colour) {
    const int sent = 2 * colour, others = sent + 1;
    if (m_halo_update == HaloUpdate::sweep) {
      sweep(space, sent);
      return sweep(space, others);
    }
    // Rows that peers need, and their messages, beside the other rows of the colour, which read neither.
    const Space& beside = m_side.after(space);
    const JoinAtEnd join(m_side, space);
    sweep(beside, sent);
    m_ranks.halo.start_part(beside, colour, x);
    sweep(space, others);
    m_ranks.halo.finish(beside);
  });
  if (m_halo_update == HaloUpdate::sweep) update_halo(space, x);
}

}  // namespace Lamina::Impl
