// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/blocks/impl/BlockKernels.hpp>
#include <lamina/blocks/impl/ColourSweeps.hpp>
#include <lamina/blocks/impl/slices/BlockSlices_Impl.hpp>
#include <lamina/blocks/impl/values/BlockCopies.hpp>
#include <lamina/core/Concepts.hpp>
#include <lamina/core/Require.hpp>
#include <lamina/distributed/impl/RequireDecomposition.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <type_traits>

namespace Lamina::Impl {

/// \throws InvalidArgument where rows of one colour are coupled, by new numbers.
void require_independent_colours(const ColourOrdering& ordering, const BlockGraph& graph);

/// The matrix in the order of the colours. Fences `space`.
/// \throws InvalidArgument where matrix, ordering and ranks do not fit together.
template <class Space, class Matrix>
Matrix in_colour_order(const Space& space, const Matrix& matrix, const ColourOrdering& ordering,
                       const Decomposition<typename Matrix::memory_space>& ranks) {
  require_decomposition("PointImplicitSolver", "argument ordering", "rows", ranks,
                        ordering.num_rows(), ordering.num_rows() + ordering.num_halo());
  require_extent("PointImplicitSolver", "ordering", "rows", matrix.num_rows(), ordering.num_rows());
  if (matrix.num_rows() > 0) {
    require_independent_colours(
        ordering, graph_of_rows({to_host(space, matrix.row_offsets()),
                                 to_host(space, matrix.columns()), matrix.num_halo()}));
  }
  return matrix.renumbered(space, ordering);
}

template <class Matrix>
template <class Space>
ColourSweeps<Matrix>::ColourSweeps(const Space& space, const Matrix& matrix,
                                   const ColourOrdering& ordering,
                                   const Decomposition<memory_space>& ranks, BlockInverse inverse,
                                   HaloUpdate halo_update)
    : m_matrix(in_colour_order(space, matrix, ordering, ranks)),
      m_copied(m_matrix.diagonal().data() != matrix.diagonal().data()),
      m_ordering(ordering),
      m_old_rows(
          Kokkos::view_alloc("Lamina::PointImplicitSolver::old_rows", Kokkos::WithoutInitializing),
          m_ordering.old_rows().size()),
      m_factors(space, inverse, m_matrix.num_rows(), m_matrix.block_size()),
      m_ranks(ranks),
      m_norms(ranks.reduction),
      m_halo_update(halo_update) {
  if (is_decomposed()) m_side.open(space);
  if (const auto* const window = m_ranks.halo.window();
      window != nullptr && halo_update == HaloUpdate::colour) {
    window->require_parts("PointImplicitSolver", std::max(1, ordering.num_colours()),
                          static_cast<std::size_t>(m_matrix.block_size()) * sizeof(scalar_type));
  }
  for (int colour = 0; colour < ordering.num_colours(); ++colour) {
    m_first_rows.push_back(ordering.offsets()[static_cast<std::size_t>(colour)]);
    if (is_decomposed()) m_first_rows.push_back(ordering.boundary_end(colour));
  }
  m_first_rows.push_back(ordering.num_rows());
  Kokkos::deep_copy(
      space, m_old_rows,
      HostValues<const int>(m_ordering.old_rows().data(), m_ordering.old_rows().size()));
  m_factors.prepare(space, {.values = m_matrix.diagonal().data()});
  m_factors.status().publish(space);
  static_cast<void>(m_factors.status().first_bad_row(space));  // fences
}

template <class Matrix>
template <class Space>
void ColourSweeps<Matrix>::make_slices(const Space& space) {
  if constexpr (!runs_on_host<Space>) {
    const auto inverses = m_factors.get();
    const int size = m_matrix.block_size(), num_rows = m_matrix.num_rows();
    if (inverses.kind != BlockInverse::inverse || num_rows == 0 || size > SliceShape::max_size) {
      return;
    }
    double colour_rows = 0;
    for (int colour = 0; colour < m_ordering.num_colours(); ++colour) {
      colour_rows += static_cast<double>(m_ordering.colour_rows(colour)) / m_ordering.num_colours();
    }
    try {
      m_slices = {space,
                  SliceShape::of(size, colour_rows, space.concurrency()),
                  m_matrix.block_rows(),
                  to_host(space, m_matrix.row_offsets()),
                  m_first_rows,
                  inverses.values};
      if (auto* const window = m_ranks.halo.window(); window != nullptr && m_slices.exist()) {
        m_remote_rows = {*window, m_first_rows, m_ordering.num_halo(), size};
      }
    } catch (const std::exception&) {
      // Memory is short: sweeps work without slices. The type that Kokkos throws depends on its
      // version.
    }
  }
}

template <class Matrix>
template <class Space>
void ColourSweeps<Matrix>::update(const char* function, const Space& space,
                                  const Matrix& matrix) const {
  auto values = in_place(m_matrix.block_rows());
  if (m_copied && m_slices.exist()) {  // the kernels below copy, too
    values = m_matrix.update_from(function, space, matrix);
  } else {
    update_coloured(function, space, m_matrix, m_copied, matrix);
  }
  m_factors.prepare(space, {values.from.diagonal, values.from.rows, values.to.diagonal});
  if constexpr (!runs_on_host<Space>) {
    if (m_slices.exist()) {
      m_slices.fill(space, m_matrix.block_rows(), values, m_factors.get().values);
    }
  }
  m_factors.status().publish(space);
}

template <class Matrix>
KernelCost ColourSweeps<Matrix>::update_cost() const {
  const double rows = m_matrix.num_rows(), blocks = static_cast<double>(m_matrix.num_blocks()),
               size = m_matrix.block_size(), block = size * size * double{sizeof(scalar_type)},
               prepared = m_factors.get().kind == BlockInverse::inverse ? 8.0 / 3 : 2.0 / 3;
  double bytes = 2 * rows * block;  // diagonal blocks, and their factors or inverses
  if (m_copied) bytes += m_matrix.off_diagonal_bytes() + 4 * blocks + rows * (block + 20);
  if (m_slices.exist()) bytes += m_matrix.off_diagonal_bytes() + 8 * blocks + 2 * rows * block;
  if (m_copied || m_slices.exist()) bytes += m_matrix.off_diagonal_bytes();
  if (m_copied && !m_slices.exist()) bytes += rows * block;
  return {"Lamina::PointImplicitSolver::update", bytes, prepared * rows * size * size * size};
}

template <class Matrix>
int ColourSweeps<Matrix>::num_kernels() const {
  const bool in_one = m_halo_update == HaloUpdate::sweep || m_remote_rows.exist();
  const auto together = static_cast<std::size_t>(in_one ? groups() : 1);
  int kernels = 0;
  for (std::size_t g = 0; g + 1 < m_first_rows.size(); g += together) {
    if (m_first_rows[g] < m_first_rows[g + together]) ++kernels;
  }
  return kernels;
}

template <class Matrix>
template <class Space>
void ColourSweeps<Matrix>::run_sweeps(const Space& space, const Sweep& work, int num_sweeps) const {
  for (int n = 0; n < num_sweeps; ++n) {
    if constexpr (std::is_same_v<Space, typename memory_space::execution_space>) {
      if (work.num_rhs == 1 || m_slices.exist()) {
        m_graphs->launch(space, work, [&](auto* graph) { run_sweep(space, work, graph); });
        continue;
      }
    }
    run_sweep<Space>(space, work, nullptr);
  }
}

template <class Matrix>
template <class Space>
void ColourSweeps<Matrix>::run_sweep(const Space& space, const Sweep& work,
                                     LaunchGraph<Space>* graph) const {
  Task task = task_of(work);
  for_each_colour(work.direction, [&](int colour) {
    sweep_groups(work.label, space, task, colour * groups(), (colour + 1) * groups(), graph);
  });
}

template <class Matrix>
auto ColourSweeps<Matrix>::task_of(const Sweep& work) const -> Task {
  Task task;
  task.b = work.b;
  task.x = work.x.read_only();
  task.y = work.x;
  task.work = work.work;
  task.num_rhs = work.num_rhs;
  task.off_diagonal = true;
  task.factors = m_factors.get();
  return task;
}

template <class Matrix>
template <class OnColour>
void ColourSweeps<Matrix>::for_each_colour(SweepDirection direction,
                                           const OnColour& on_colour) const {
  const int last = m_ordering.num_colours() - 1;
  if (direction != SweepDirection::backward) {
    for (int colour = 0; colour <= last; ++colour) on_colour(colour);
  }
  const int first_back = direction == SweepDirection::symmetric ? last - 1 : last;
  if (direction != SweepDirection::forward) {
    for (int colour = first_back; colour >= 0; --colour) on_colour(colour);
  }
}

// traffic: with s = sizeof(scalar), o = sizeof(off-diagonal), per row of k blocks: reads
// k (o nb^2 + 4) + s (nb^2 + nb) + 4, half storage 4 nb besides, reads and writes s nb each; flops:
// 2 nb^2 (k + 1)
template <class Matrix>
template <class Space>
void ColourSweeps<Matrix>::sweep_groups(const char* label, const Space& space, Task& task,
                                        int first, int last, LaunchGraph<Space>* graph) const {
  task.first = m_first_rows[static_cast<std::size_t>(first)];
  task.last = m_first_rows[static_cast<std::size_t>(last)];
  if (task.first == task.last) return;
  if constexpr (!runs_on_host<Space>) {
    if (m_slices.exist()) {
      return SliceKernels<Space, scalar_type, typename Matrix::off_diagonal_type>::sweep(
          label, space, m_slices.rows(), m_slices.first_slice(first), m_slices.first_slice(last),
          splits(space, first / groups()), task.b, task.y, task.num_rhs, graph);
    }
  }
  Kernels<Space>::run(label, space, m_matrix.block_rows(), task, graph);
  task.follows = true;
}

// Of the rows of all ranks: it decides in which order products are added. Rows beside a cut may have more.
template <class Matrix>
template <class Space>
int ColourSweeps<Matrix>::splits(const Space& space, int colour) const {
  const auto& shape = m_slices.rows().shape;
  return shape.splits(static_cast<int>(ceil_divide(m_ordering.colour_rows(colour), shape.rows())),
                      space.concurrency());
}

template <class Matrix>
template <class Space>
void ColourSweeps<Matrix>::solve_diagonal(const Space& space, const ConstVector& b,
                                          const Vector& x) const {
  Task task;
  task.last = m_matrix.num_rows();
  task.b = b;
  task.y = x;
  task.factors = m_factors.get();
  Kernels<Space>::run("Lamina::PointImplicitSolver::solve_diagonal", space, m_matrix.block_rows(),
                      task);
}

template <class Matrix>
template <class Space>
double ColourSweeps<Matrix>::task_norm(const Space& space, const Task& task, bool& flag) const {
  const double own = Kernels<Space>::norm("Lamina::PointImplicitSolver::residual", space,
                                          m_matrix.block_rows(), task);
  return m_norms.combine(space, own, flag);
}

template <class Matrix>
template <class Space>
double ColourSweeps<Matrix>::norm(const Space& space, const ConstVector& b, bool& flag) const {
  Task task;
  task.last = m_matrix.num_rows();
  task.b = b;
  return task_norm(space, task, flag);
}

template <class Matrix>
template <class Space>
double ColourSweeps<Matrix>::residual_norm(const Space& space, const ConstVector& b,
                                           const ConstVector& x, bool& flag) const {
  Task task;
  task.last = m_matrix.num_rows();
  task.b = b;
  task.x = x;
  task.off_diagonal = task.diagonal = true;
  return task_norm(space, task, flag);
}

/// to_i = from_old(i), or with `back` to_old(i) = from_i.
template <class From, class To>
struct RenumberRows {
  const int* old_rows;
  From from;
  To to;
  int size;
  bool back;

  KOKKOS_FUNCTION void operator()(std::int64_t n) const {
    const std::int64_t i = n / size, old_row = old_rows[i];
    const auto p = n % size;
    (back ? to.row(old_row) : to.row(i))[p] = (back ? from.row(i) : from.row(old_row))[p];
  }
};

template <class Matrix>
template <class Space>
void ColourSweeps<Matrix>::renumber(const char* label, const Space& space, int num_values,
                                    const ConstVector& from, const Vector& to, bool back) const {
  using Policy = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;
  Kokkos::parallel_for(
      label, Policy(space, 0, std::int64_t{m_matrix.num_rows()} * num_values),
      RenumberRows<ConstVector, Vector>{m_old_rows.data(), from, to, num_values, back});
}

}  // namespace Lamina::Impl
