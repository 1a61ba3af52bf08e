// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Sweeps over several ranks.

#include <lamina/blocks/PointImplicitSolver.hpp>
#include <lamina/blocks/impl/PointImplicitSolver_Impl.hpp>

namespace Lamina {

template <class Matrix>
template <class Space, class Solution>
void PointImplicitSolver<Matrix>::update_halo(const Space& space, const Solution& x) const {
  if (!is_decomposed()) return;
  m_ranks.halo.start(space, x);
  m_ranks.halo.finish(space);
}

template <class Matrix>
template <class Space, class Rhs, class Solution>
void PointImplicitSolver<Matrix>::sweep_with_halo(const Space& space, const Rhs& b,
                                                  const Solution& x, SweepDirection direction,
                                                  int num_sweeps) const {
  const Sweep work{"Lamina::PointImplicitSolver::sweep", Impl::BlockVector<const scalar_type>(b),
                   Impl::BlockVector<scalar_type>(x), direction};
  if (!is_decomposed()) return run_sweeps(space, work, num_sweeps);
  for (int n = 0; n < num_sweeps; ++n) sweep_over_ranks(space, work, x);
}

template <class Matrix>
template <class Space, class Solution>
void PointImplicitSolver<Matrix>::sweep_over_ranks(const Space& space, const Sweep& work,
                                                   const Solution& x) const {
  Task task = task_of(work);
  const auto sweep = [&](int group) {
    task.follows = false;  // other kernels may be between
    sweep_group<Space>(work.label, space, task, group, nullptr);
  };
  for_each_colour(work.direction, [&](int colour) {
    sweep(2 * colour);
    if (m_halo_update == HaloUpdate::colour) m_ranks.halo.start_part(space, colour, x);
    sweep(2 * colour + 1);
    if (m_halo_update == HaloUpdate::colour) m_ranks.halo.finish(space);
  });
  if (m_halo_update == HaloUpdate::sweep) update_halo(space, x);
}

}  // namespace Lamina
