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
  if (m_halo_update == HaloUpdate::sweep) {
    for (int n = 0; n < num_sweeps; ++n) {
      run_sweeps(space, work, 1);
      update_halo(space, x);
    }
    return;
  }
  const JoinAtEnd join(m_side, space);
  for (int n = 0; n < num_sweeps; ++n) sweep_over_ranks(space, work, x);
}

// The rows of a colour that peers need, or that need rows of peers, are beside the other rows, with their messages:
// each of both goes on to the next colour when it may.
template <class Matrix>
template <class Space, class Solution>
void ColourSweeps<Matrix>::sweep_over_ranks(const Space& space, const Sweep& work,
                                            const Solution& x) const {
  Task task = task_of(work);
  const auto sweep = [&](const Space& instance, int group) {
    task.follows = false;  // other kernels may be between
    sweep_groups<Space>(work.label, instance, task, group, group + 1, nullptr);
  };
  for_each_colour(work.direction, [&](int colour) {
    const int sent = 2 * colour, others = sent + 1;
    const Space& beside = m_side.after(space);  // after the other rows of the colour before,
    m_side.wait_for_mark(space);                // as these after the sent ones
    sweep(beside, sent);
    m_side.mark();
    m_ranks.halo.start_part(beside, colour, x);
    sweep(space, others);
    m_ranks.halo.finish(beside);
  });
}

}  // namespace Lamina::Impl
