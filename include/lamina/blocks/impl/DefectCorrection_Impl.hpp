// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/blocks/DefectCorrection.hpp>
#include <lamina/blocks/impl/BlockKernels.hpp>
#include <lamina/core/ProfilingRegion.hpp>
#include <lamina/core/Require.hpp>
#include <lamina/core/impl/RequireDisjoint.hpp>
#include <lamina/krylov/SweepHistory.hpp>
#include <lamina/krylov/impl/AgreedCriteria.hpp>

#include <cstdint>
#include <string>

namespace Lamina {

template <class Matrix, class Rounded>
template <ExecutionSpace Space>
requires WorksIn<Space, typename Matrix::memory_space>
DefectCorrection<Matrix, Rounded>::DefectCorrection(const Space& space, const Matrix& matrix,
                                                    const PointImplicitSolver<Rounded>& solver)
    : m_solver(solver) {
  const char* name = "DefectCorrection";
  const Rounded& rounded = solver.coloured_matrix();
  Impl::require_extent(name, "matrix", "rows", rounded.num_rows(), matrix.num_rows());
  Impl::require_extent(name, "matrix", "columns", rounded.num_columns(), matrix.num_columns());
  Impl::require_extent(name, "matrix", "rows of a block", rounded.block_size(),
                       matrix.block_size());
  Impl::require_extent(name, "matrix", "blocks off the diagonal", rounded.num_blocks(),
                       matrix.num_blocks());
  m_matrix = matrix.renumbered(space, solver.ordering());
  m_copied = m_matrix.diagonal().data() != matrix.diagonal().data();
  const auto allocate = [&](const std::string& label) {
    return Vector(
        Kokkos::view_alloc("Lamina::DefectCorrection::" + label, Kokkos::WithoutInitializing),
        static_cast<std::size_t>(matrix.num_columns()),
        static_cast<std::size_t>(matrix.block_size()));
  };
  m_residual = allocate("residual");
  m_correction = allocate("correction");
}

template <class Matrix, class Rounded>
template <ExecutionSpace Space>
requires WorksIn<Space, typename Matrix::memory_space>
void DefectCorrection<Matrix, Rounded>::update(const Space& space, const Matrix& matrix) {
  const Impl::ProfilingRegion region("Lamina::DefectCorrection::update");
  Impl::update_coloured("DefectCorrection::update", space, m_matrix, m_copied, matrix);
}

template <class Matrix, class Rounded>
template <class FieldType>
void DefectCorrection<Matrix, Rounded>::require(const char* function, const char* argument,
                                                const FieldType& field) const {
  Impl::require_block_field(function, argument, field, m_matrix.num_columns(),
                            m_matrix.block_size());
}

template <class Matrix, class Rounded>
template <class Space>
double DefectCorrection<Matrix, Rounded>::norm(const char* label, const Space& space,
                                               const Task& task, bool& flag) const {
  using BlockKernels = Impl::BlockKernels<Space, scalar_type, typename Matrix::off_diagonal_type>;
  const double own = BlockKernels::norm(label, space, m_matrix.block_rows(), task);
  return m_solver.colour_sweeps().rank_norms().combine(space, own, flag);
}

template <class Matrix, class Rounded>
template <ExecutionSpace Space,
          BlockField<typename Matrix::scalar_type, typename Matrix::memory_space> Rhs,
          BlockField<typename Matrix::scalar_type, typename Matrix::memory_space> Solution>
requires WorksIn<Space, typename Matrix::memory_space>
double DefectCorrection<Matrix, Rounded>::residual_norm_in_colour_order(const Space& space,
                                                                        const Rhs& b,
                                                                        const Solution& x) const {
  require("DefectCorrection::residual_norm_in_colour_order", "b", b);
  require("DefectCorrection::residual_norm_in_colour_order", "x", x);
  const Impl::ProfilingRegion region("Lamina::DefectCorrection::residual_norm_in_colour_order");
  Task task;
  task.last = m_matrix.num_rows();
  task.b = Impl::BlockVector<const scalar_type>(b);
  task.x = Impl::BlockVector<const scalar_type>(x);
  task.off_diagonal = task.diagonal = true;
  bool flag = false;
  return norm("Lamina::DefectCorrection::norm", space, task, flag);
}

// traffic: of the residual, with s = sizeof(scalar), o = sizeof(off-diagonal) of A, per row of k
// blocks: reads k (o nb^2 + 4) + s (nb^2 + 2 nb) + 4, writes s nb; flops: 2 nb^2 (k + 1). Of the
// addition: reads and writes 2 s nb each; flops: nb
template <class Matrix, class Rounded>
template <ExecutionSpace Space,
          BlockField<typename Matrix::scalar_type, typename Matrix::memory_space> Rhs,
          BlockField<typename Matrix::scalar_type, typename Matrix::memory_space> Solution>
requires WorksIn<Space, typename Matrix::memory_space> && WritableField<Solution> SolveReport
DefectCorrection<Matrix, Rounded>::solve_in_colour_order(const Space& space, const Rhs& b,
                                                         const Solution& x,
                                                         const StoppingCriteria& criteria,
                                                         SweepDirection direction)
const {
  const char* name = "DefectCorrection::solve_in_colour_order";
  require(name, "b", b);
  require(name, "x", x);
  Impl::require_disjoint(name, "b", b, "x", x);
  const Impl::UseOfPlan use(name, m_in_use);
  const Impl::ProfilingRegion region("Lamina::DefectCorrection::solve_in_colour_order");
  // See `PointImplicitSolver::solve_in_colour_order`.
  bool is_bad = m_solver.status(space) == SolveStatus::breakdown_zero_pivot;
  Impl::AgreedCriteria agreed(criteria, m_solver.is_decomposed());
  SweepHistory history(name, agreed.get());
  Task task;
  task.last = m_matrix.num_rows();
  task.b = Impl::BlockVector<const scalar_type>(b);
  const double rhs_norm = norm("Lamina::DefectCorrection::rhs_norm", space, task, is_bad);
  m_solver.colour_sweeps().update_halo(space, x);
  if (is_bad) {
    return history.broken(SolveStatus::breakdown_zero_pivot, rhs_norm,
                          residual_norm_in_colour_order(space, b, x));
  }
  if (!history.start(rhs_norm)) {
    if (rhs_norm == 0) {
      Kokkos::deep_copy(space, x, scalar_type(0));
      space.fence();
    }
    return history.report();
  }
  task.x = Impl::BlockVector<const scalar_type>(x);
  task.y = Impl::BlockVector<scalar_type>(m_residual);
  task.off_diagonal = task.diagonal = true;
  Kokkos::deep_copy(space, m_correction, scalar_type(0));
  const Impl::BlockVector<scalar_type> solution(x);
  return sweep_to_the_end(
      history,
      [&] {
        return agreed.ask([&](bool& stop) {
          return norm("Lamina::DefectCorrection::residual", space, task, stop);
        });
      },
      [&](int count) {  // halo rows of d, and so of x, stay up to date
        m_solver.colour_sweeps().sweep(space, m_residual, m_correction, direction, count);
        Impl::CorrectionKernels<Space, scalar_type>::add(
            space, static_cast<std::int64_t>(m_correction.size()), m_matrix.block_size(), solution,
            m_correction.data());
      });
}

template <class Matrix, class Rounded>
KernelCost DefectCorrection<Matrix, Rounded>::correction_cost() const {
  KernelCost sum{"Lamina::DefectCorrection", 0, 0};
  for (const KernelCost& cost : kernel_costs()) {
    if (cost.label == "Lamina::DefectCorrection::norm") continue;
    sum.bytes += cost.bytes;
    sum.flops += cost.flops;
  }
  return sum;
}

template <class Matrix, class Rounded>
std::vector<KernelCost> DefectCorrection<Matrix, Rounded>::kernel_costs() const {
  const double rows = m_matrix.num_rows(), blocks = static_cast<double>(m_matrix.num_blocks()),
               size = m_matrix.block_size(), scalar = sizeof(scalar_type);
  const double read = m_matrix.off_diagonal_bytes() + 4 * blocks +
                      rows * (scalar * (size * size + 2 * size) + 4),
               flops = 2 * size * size * (blocks + rows);
  return {{"Lamina::DefectCorrection::residual", read + rows * size * scalar, flops},
          {"Lamina::DefectCorrection::norm", read, flops},
          {"Lamina::DefectCorrection::add", 4 * rows * size * scalar, rows * size}};
}

}  // namespace Lamina
