// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Sweeps over several ranks.

#include <lamina/blocks/impl/ColourSweeps.hpp>
#include <lamina/core/Concepts.hpp>

#include <cstddef>

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
  if (m_ranks.halo.window() != nullptr) return sweep_through_window(space, work, x, num_sweeps);
  const JoinAtEnd join(m_side, space);
  for (int n = 0; n < num_sweeps; ++n) sweep_with_messages(space, work, x);
}

// The rows of a colour that peers need, or that need rows of peers, are beside the other rows, with their messages:
// each of both goes on to the next colour when it may.
template <class Matrix>
template <class Space, class Solution>
void ColourSweeps<Matrix>::sweep_with_messages(const Space& space, const Sweep& work,
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

// On a device a colour is one kernel over slices, which also sends its rows. Elsewhere, without slices, and where this rank has
// no row of the colour, a kernel unpacks what the step before has brought, and another one packs: peers see no difference.
template <class Matrix>
template <class Space, class Solution>
void ColourSweeps<Matrix>::sweep_through_window(const Space& space, const Sweep& work,
                                                const Solution& x, int num_sweeps) const {
  auto& window = *m_ranks.halo.window();
  HaloFields fields;
  fields.add(halo_field(x));
  Task task = task_of(work);
  const auto sweep = [&](int group) {
    task.follows = false;  // other kernels are between
    sweep_groups<Space>(work.label, space, task, group, group + 1, nullptr);
  };
  window.begin(space, fields);
  for (int n = 0; n < num_sweeps; ++n) {
    for_each_colour(work.direction, [&](int colour) {
      if (sweep_and_send(space, work, colour)) {
        return window.count_step(space, colour, static_cast<std::size_t>(fields.bytes()));
      }
      window.receive(space, colour, fields);
      sweep(2 * colour);
      window.send(space, colour, fields);
      sweep(2 * colour + 1);
    });
  }
  window.end(space, fields);
}

template <class Matrix>
template <class Space>
bool ColourSweeps<Matrix>::sweep_and_send(const Space& space, const Sweep& work, int colour) const {
  if constexpr (runs_on_host<Space>) {
    return false;
  } else {
    if (!m_remote_rows.exist()) return false;
    const int first = m_slices.first_slice(2 * colour),
              others = m_slices.first_slice(2 * colour + 1),
              last = m_slices.first_slice(2 * colour + 2);
    if (first == last) return false;
    SliceKernels<Space, scalar_type, typename Matrix::off_diagonal_type>::sweep_of_rank(
        work.label, space, m_slices.rows(), first, others, last, splits(space, colour), work.b,
        work.x, m_remote_rows.of_step(*m_ranks.halo.window()));
    return true;
  }
}

}  // namespace Lamina::Impl
