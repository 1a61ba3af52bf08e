// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/blocks/PointImplicitSolver.hpp>
#include <lamina/blocks/SweepHistory.hpp>
#include <lamina/blocks/impl/AgreedCriteria.hpp>
#include <lamina/blocks/impl/BlockKernels.hpp>
#include <lamina/blocks/impl/slices/BlockSlices_Impl.hpp>
#include <lamina/blocks/impl/values/BlockCopies.hpp>
#include <lamina/core/ProfilingRegion.hpp>
#include <lamina/core/Require.hpp>
#include <lamina/core/impl/RequireDisjoint.hpp>
#include <lamina/distributed/impl/RequireDecomposition.hpp>

#include <algorithm>
#include <exception>
#include <string>
#include <type_traits>

namespace Lamina {
namespace Impl {

/// \throws InvalidArgument where rows of one colour are coupled, by new numbers.
void require_independent_colours(const ColourOrdering& ordering, const BlockGraph& graph);

/// Checks that two fields have the extents of the vectors of a matrix.
template <class Matrix, class From, class To>
void require_vectors(const char* function, const Matrix& matrix, const char* name_from,
                     const From& from, const char* name_to, const To& to) {
  require_block_field(function, name_from, from, matrix.num_columns(), matrix.block_size());
  require_block_field(function, name_to, to, matrix.num_columns(), matrix.block_size());
}
/// The same, and that they do not overlap.
template <class Matrix, class From, class To>
void require_disjoint_vectors(const char* function, const Matrix& matrix, const char* name_from,
                              const From& from, const char* name_to, const To& to) {
  require_vectors(function, matrix, name_from, from, name_to, to);
  require_disjoint(function, name_from, from, name_to, to);
}

}  // namespace Impl

template <class Matrix>
template <ExecutionSpace Space>
requires WorksIn<Space, typename Matrix::memory_space>
PointImplicitSolver<Matrix>::PointImplicitSolver(const Space& space, const Matrix& matrix,
                                                 const ColourOrdering& ordering,
                                                 BlockInverse inverse)
    : PointImplicitSolver(space, matrix, ordering, Decomposition<memory_space>(), inverse) {}

template <class Matrix>
template <ExecutionSpace Space>
requires WorksIn<Space, typename Matrix::memory_space>
PointImplicitSolver<Matrix>::PointImplicitSolver(const Space& space, const Matrix& matrix,
                                                 const ColourOrdering& ordering,
                                                 const Decomposition<memory_space>& ranks,
                                                 BlockInverse inverse, HaloUpdate halo_update)
    : m_ordering(ordering),
      m_inverse(inverse),
      m_ranks(ranks),
      m_norms(ranks.reduction),
      m_halo_update(halo_update) {
  Impl::require_decomposition("PointImplicitSolver", "argument ordering", "rows", ranks,
                              ordering.num_rows(), ordering.num_rows() + ordering.num_halo());
  Impl::require_extent("PointImplicitSolver", "ordering", "rows", matrix.num_rows(),
                       ordering.num_rows());
  if (matrix.num_rows() > 0) {
    Impl::require_independent_colours(
        ordering, Impl::graph_of_rows({Impl::to_host(space, matrix.row_offsets()),
                                       Impl::to_host(space, matrix.columns()), matrix.num_halo()}));
  }
  if (is_decomposed()) m_side.open(space);
  for (int colour = 0; colour < ordering.num_colours(); ++colour) {
    m_first_rows.push_back(ordering.offsets()[static_cast<std::size_t>(colour)]);
    if (is_decomposed()) m_first_rows.push_back(ordering.boundary_end(colour));
  }
  m_first_rows.push_back(ordering.num_rows());
  m_matrix = matrix.renumbered(space, ordering);
  m_copied = m_matrix.diagonal().data() != matrix.diagonal().data();
  allocate(space);
  Kokkos::deep_copy(
      space, m_old_rows,
      Impl::HostValues<const int>(m_ordering.old_rows().data(), m_ordering.old_rows().size()));
  prepare_diagonal(space, {.values = m_matrix.diagonal().data()});
  m_pivot_status.publish(space);
  static_cast<void>(m_pivot_status.first_bad_row(space));  // fences
  if (inverse == BlockInverse::inverse) make_slices(space);
}

template <class Matrix>
template <class Space>
void PointImplicitSolver<Matrix>::allocate(const Space& space) {
  const auto size = static_cast<std::size_t>(m_matrix.block_size()),
             num_rows = static_cast<std::size_t>(m_matrix.num_rows()),
             num_columns = static_cast<std::size_t>(m_matrix.num_columns());
  const auto label = [](const std::string& name) {
    return Kokkos::view_alloc("Lamina::PointImplicitSolver::" + name, Kokkos::WithoutInitializing);
  };
  m_factors = decltype(m_factors)(label("factors"), size, size, num_rows);
  m_old_rows = decltype(m_old_rows)(label("old_rows"), num_rows);
  if (!std::is_sorted(m_ordering.old_rows().begin(), m_ordering.old_rows().end())) {
    m_coloured_b = decltype(m_coloured_b)(label("coloured_b"), num_columns, size);
    m_coloured_x = decltype(m_coloured_x)(label("coloured_x"), num_columns, size);
  }
  m_num_slots = Impl::FactorKernels<Space, scalar_type>::num_slots(space, m_matrix.num_rows(),
                                                                   m_matrix.block_size());
  const bool inverts = m_inverse == BlockInverse::inverse;
  const std::size_t slots = static_cast<std::size_t>(m_num_slots);
  if (inverts) m_scratch = decltype(m_scratch)(label("scratch"), size, size, slots);
  if (m_inverse != BlockInverse::lu) {
    m_pivots = decltype(m_pivots)(label("pivots"), size, inverts ? slots : num_rows);
  }
}

template <class Matrix>
template <class Space>
void PointImplicitSolver<Matrix>::make_slices(const Space& space) {
  if constexpr (!runs_on_host<Space>) {
    const int size = m_matrix.block_size(), num_rows = m_matrix.num_rows();
    if (num_rows == 0 || size > Impl::SliceShape::max_size) return;
    double colour_rows = 0;
    for (int colour = 0; colour < m_ordering.num_colours(); ++colour) {
      colour_rows += static_cast<double>(m_ordering.colour_rows(colour)) / m_ordering.num_colours();
    }
    try {
      m_slices = {space,
                  Impl::SliceShape::of(size, colour_rows, space.concurrency()),
                  m_matrix.block_rows(),
                  Impl::to_host(space, m_matrix.row_offsets()),
                  m_first_rows,
                  m_factors.data()};
    } catch (const std::exception&) {
      // Memory is short: sweeps work without slices. The type that Kokkos throws depends on its
      // version.
    }
  }
}

template <class Matrix>
int PointImplicitSolver<Matrix>::first_bad_row() const {
  const int row = m_pivot_status.first_bad_row();
  return row < 0 ? -1 : m_ordering.old_rows()[static_cast<std::size_t>(row)];
}

template <class Matrix>
template <class Space>
void PointImplicitSolver<Matrix>::run(const char* label, const Space& space, const Task& task,
                                      Impl::LaunchGraph<Space>* graph) const {
  Impl::BlockKernels<Space, scalar_type, typename Matrix::off_diagonal_type>::run(
      label, space, m_matrix.block_rows(), task, graph);
}

// traffic: with s = sizeof(scalar), o = sizeof(off-diagonal), per row of k blocks: reads
// k (o nb^2 + 4) + s (nb^2 + nb) + 4, half storage 4 nb besides, reads and writes s nb each; flops:
// 2 nb^2 (k + 1)
template <class Matrix>
template <class Space>
void PointImplicitSolver<Matrix>::sweep_group(const char* label, const Space& space, Task& task,
                                              int group, Impl::LaunchGraph<Space>* graph) const {
  const auto g = static_cast<std::size_t>(group);
  task.first = m_first_rows[g];
  task.last = m_first_rows[g + 1];
  if (task.first == task.last) return;
  if constexpr (!runs_on_host<Space>) {
    if (m_slices.exist()) {
      using SliceKernels =
          Impl::SliceKernels<Space, scalar_type, typename Matrix::off_diagonal_type>;
      const auto& shape = m_slices.rows().shape;
      // Of all ranks: it decides in which order products are added.
      const auto slices = static_cast<int>(
          Impl::ceil_divide(m_ordering.colour_rows(group / groups()), shape.rows()));
      return SliceKernels::sweep(label, space, m_slices.rows(), m_slices.first_slice(group),
                                 m_slices.first_slice(group + 1),
                                 shape.splits(slices, space.concurrency()), task.b, task.y,
                                 task.num_rhs, graph);
    }
  }
  run(label, space, task, graph);
  task.follows = true;
}

template <class Matrix>
template <ExecutionSpace Space,
          BlockField<typename Matrix::scalar_type, typename Matrix::memory_space> Rhs,
          BlockField<typename Matrix::scalar_type, typename Matrix::memory_space> Solution>
requires WorksIn<Space, typename Matrix::memory_space> && WritableField<Solution>
void PointImplicitSolver<Matrix>::sweep_in_colour_order(const Space& space, const Rhs& b,
                                                        const Solution& x, SweepDirection direction,
                                                        int num_sweeps) const {
  const char* name = "PointImplicitSolver::sweep_in_colour_order";
  Impl::require_disjoint_vectors(name, m_matrix, "b", b, "x", x);
  LAMINA_REQUIRE(num_sweeps >= 0, name,
                 "argument num_sweeps: expected a value >= 0, got " + std::to_string(num_sweeps));
  const Impl::ProfilingRegion region("Lamina::PointImplicitSolver::sweep_in_colour_order");
  update_halo(space, x);
  sweep_with_halo(space, b, x, direction, num_sweeps);
}

template <class Matrix>
template <class Space>
void PointImplicitSolver<Matrix>::run_sweeps(const Space& space, const Sweep& work,
                                             int num_sweeps) const {
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
void PointImplicitSolver<Matrix>::run_sweep(const Space& space, const Sweep& work,
                                            Impl::LaunchGraph<Space>* graph) const {
  Task task = task_of(work);
  for_each_colour(work.direction,
                  [&](int colour) { sweep_group(work.label, space, task, colour, graph); });
}

template <class Matrix>
auto PointImplicitSolver<Matrix>::task_of(const Sweep& work) const -> Task {
  Task task;
  task.b = work.b;
  task.x = work.x.read_only();
  task.y = work.x;
  task.work = work.work;
  task.num_rhs = work.num_rhs;
  task.off_diagonal = true;
  task.factors = {m_inverse, m_factors.data(), m_pivots.data()};
  return task;
}

template <class Matrix>
template <class OnColour>
void PointImplicitSolver<Matrix>::for_each_colour(SweepDirection direction,
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

template <class Matrix>
template <class Space>
double PointImplicitSolver<Matrix>::norm(const Space& space, const Task& task, bool& flag) const {
  using BlockKernels = Impl::BlockKernels<Space, scalar_type, typename Matrix::off_diagonal_type>;
  const double own = BlockKernels::norm("Lamina::PointImplicitSolver::residual", space,
                                        m_matrix.block_rows(), task);
  return m_norms.combine(space, own, flag);
}

template <class Matrix>
template <class Rhs, class Solution>
auto PointImplicitSolver<Matrix>::residual_task(const Rhs& b, const Solution& x) const -> Task {
  Task task;
  task.last = m_matrix.num_rows();
  task.b = Impl::BlockVector<const scalar_type>(b);
  task.x = Impl::BlockVector<const scalar_type>(x);
  task.off_diagonal = task.diagonal = true;
  return task;
}

template <class Matrix>
template <ExecutionSpace Space,
          BlockField<typename Matrix::scalar_type, typename Matrix::memory_space> Rhs,
          BlockField<typename Matrix::scalar_type, typename Matrix::memory_space> Solution>
requires WorksIn<Space, typename Matrix::memory_space>
double PointImplicitSolver<Matrix>::residual_norm_in_colour_order(const Space& space, const Rhs& b,
                                                                  const Solution& x) const {
  Impl::require_vectors("PointImplicitSolver::residual_norm_in_colour_order", m_matrix, "b", b, "x",
                        x);
  const Impl::ProfilingRegion region("Lamina::PointImplicitSolver::residual_norm_in_colour_order");
  bool flag = false;
  return norm(space, residual_task(b, x), flag);
}

template <class Matrix>
template <ExecutionSpace Space,
          BlockField<typename Matrix::scalar_type, typename Matrix::memory_space> Rhs,
          BlockField<typename Matrix::scalar_type, typename Matrix::memory_space> Solution>
requires WorksIn<Space, typename Matrix::memory_space> && WritableField<Solution>
void PointImplicitSolver<Matrix>::solve_diagonal_in_colour_order(const Space& space, const Rhs& b,
                                                                 const Solution& x) const {
  Impl::require_vectors("PointImplicitSolver::solve_diagonal_in_colour_order", m_matrix, "b", b,
                        "x", x);
  Impl::require_same_or_disjoint("PointImplicitSolver::solve_diagonal_in_colour_order", "b", b, "x",
                                 x);
  const Impl::ProfilingRegion region("Lamina::PointImplicitSolver::solve_diagonal_in_colour_order");
  Task task;
  task.last = m_matrix.num_rows();
  task.b = Impl::BlockVector<const scalar_type>(b);
  task.y = Impl::BlockVector<scalar_type>(x);
  task.factors = {m_inverse, m_factors.data(), m_pivots.data()};
  run("Lamina::PointImplicitSolver::solve_diagonal", space, task);
}

template <class Matrix>
template <ExecutionSpace Space,
          BlockField<typename Matrix::scalar_type, typename Matrix::memory_space> Rhs,
          BlockField<typename Matrix::scalar_type, typename Matrix::memory_space> Solution>
requires WorksIn<Space, typename Matrix::memory_space> && WritableField<Solution> SolveReport
PointImplicitSolver<Matrix>::solve_in_colour_order(const Space& space, const Rhs& b,
                                                   const Solution& x,
                                                   const StoppingCriteria& criteria,
                                                   SweepDirection direction)
const {
  Impl::require_disjoint_vectors("PointImplicitSolver::solve_in_colour_order", m_matrix, "b", b,
                                 "x", x);
  const Impl::ProfilingRegion region("Lamina::PointImplicitSolver::solve_in_colour_order");
  Task rhs;
  rhs.last = m_matrix.num_rows();
  rhs.b = Impl::BlockVector<const scalar_type>(b);
  // Ranks agree in the sums of the norms on what only one of them knows.
  bool is_bad = is_decomposed() && status(space) == SolveStatus::breakdown_zero_pivot;
  Impl::AgreedCriteria agreed(criteria, is_decomposed());
  SweepHistory history("PointImplicitSolver::solve_in_colour_order", agreed.get());
  const double rhs_norm = norm(space, rhs, is_bad);
  update_halo(space, x);
  const auto residual_norm = [&] {
    return agreed.ask([&](bool& stop) { return norm(space, residual_task(b, x), stop); });
  };
  if (!is_decomposed()) is_bad = status(space) == SolveStatus::breakdown_zero_pivot;
  if (is_bad) {
    return history.broken(SolveStatus::breakdown_zero_pivot, rhs_norm, residual_norm());
  }
  if (!history.start(rhs_norm)) {
    if (rhs_norm == 0) {
      Kokkos::deep_copy(space, x, scalar_type(0));
      space.fence();
    }
    return history.report();
  }
  return sweep_to_the_end(history, residual_norm,
                          [&](int count) { sweep_with_halo(space, b, x, direction, count); });
}

template <class Matrix>
KernelCost PointImplicitSolver<Matrix>::sweep_cost() const {
  const double rows = m_matrix.num_rows(), blocks = static_cast<double>(m_matrix.num_blocks()),
               size = m_matrix.block_size(), scalar = sizeof(scalar_type);
  return {
      "Lamina::PointImplicitSolver::sweep",
      m_matrix.off_diagonal_bytes() + 4 * blocks + rows * (scalar * (size * size + 3 * size) + 4),
      2 * size * size * (blocks + rows)};
}

template <class Matrix>
KernelCost PointImplicitSolver<Matrix>::residual_cost() const {
  const KernelCost sweep = sweep_cost();  // which writes x as well
  const double written = static_cast<double>(m_matrix.num_rows()) * m_matrix.block_size();
  return {"Lamina::PointImplicitSolver::residual",
          sweep.bytes - written * static_cast<double>(sizeof(scalar_type)), sweep.flops};
}

template <class Matrix>
std::vector<KernelCost> PointImplicitSolver<Matrix>::kernel_costs() const {
  const KernelCost sweep = sweep_cost();
  int kernels = 0;  // of a sweep: one for each group of rows that has any
  for (std::size_t g = 0; g + 1 < m_first_rows.size(); ++g) {
    if (m_first_rows[g] < m_first_rows[g + 1]) ++kernels;
  }
  const double share = std::max(1, kernels);
  const double rows = m_matrix.num_rows(), size = m_matrix.block_size();
  return {{sweep.label, sweep.bytes / share, sweep.flops / share},
          residual_cost(),
          {"Lamina::PointImplicitSolver::solve_diagonal",
           rows * (size * size + 2 * size) * static_cast<double>(sizeof(scalar_type)),
           2 * rows * size * size}};
}

}  // namespace Lamina
