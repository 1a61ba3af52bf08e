// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/blocks/PointImplicitSolver.hpp>
#include <lamina/core/ProfilingRegion.hpp>
#include <lamina/core/Require.hpp>
#include <lamina/core/impl/RequireDisjoint.hpp>
#include <lamina/krylov/SweepHistory.hpp>
#include <lamina/krylov/impl/AgreedCriteria.hpp>

#include <algorithm>
#include <cstddef>
#include <string>

namespace Lamina {
namespace Impl {

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
    : m_sweeps(space, matrix, ordering, ranks, inverse, halo_update) {
  const auto allocate = [&](const std::string& name) {
    return decltype(m_coloured_b)(
        Kokkos::view_alloc("Lamina::PointImplicitSolver::" + name, Kokkos::WithoutInitializing),
        static_cast<std::size_t>(coloured_matrix().num_columns()),
        static_cast<std::size_t>(coloured_matrix().block_size()));
  };
  if (!std::is_sorted(ordering.old_rows().begin(), ordering.old_rows().end())) {
    m_coloured_b = allocate("coloured_b");
    m_coloured_x = allocate("coloured_x");
  }
  m_sweeps.make_slices(space);  // after all else is allocated
}

template <class Matrix>
template <ExecutionSpace Space>
requires WorksIn<Space, typename Matrix::memory_space>
void PointImplicitSolver<Matrix>::update(const Space& space, const Matrix& matrix) {
  const Impl::ProfilingRegion region("Lamina::PointImplicitSolver::update");
  m_sweeps.update("PointImplicitSolver::update", space, matrix);
}

template <class Matrix>
int PointImplicitSolver<Matrix>::first_bad_row() const {
  const int row = m_sweeps.pivot_status().first_bad_row();
  return row < 0 ? -1 : ordering().old_rows()[static_cast<std::size_t>(row)];
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
  Impl::require_disjoint_vectors(name, coloured_matrix(), "b", b, "x", x);
  LAMINA_REQUIRE(num_sweeps >= 0, name,
                 "argument num_sweeps: expected a value >= 0, got " + std::to_string(num_sweeps));
  const Impl::ProfilingRegion region("Lamina::PointImplicitSolver::sweep_in_colour_order");
  m_sweeps.update_halo(space, x);
  m_sweeps.sweep(space, b, x, direction, num_sweeps);
}

template <class Matrix>
template <ExecutionSpace Space,
          BlockField<typename Matrix::scalar_type, typename Matrix::memory_space> Rhs,
          BlockField<typename Matrix::scalar_type, typename Matrix::memory_space> Solution>
requires WorksIn<Space, typename Matrix::memory_space>
double PointImplicitSolver<Matrix>::residual_norm_in_colour_order(const Space& space, const Rhs& b,
                                                                  const Solution& x) const {
  Impl::require_vectors("PointImplicitSolver::residual_norm_in_colour_order", coloured_matrix(),
                        "b", b, "x", x);
  const Impl::ProfilingRegion region("Lamina::PointImplicitSolver::residual_norm_in_colour_order");
  bool flag = false;
  return m_sweeps.residual_norm(space, Impl::BlockVector<const scalar_type>(b),
                                Impl::BlockVector<const scalar_type>(x), flag);
}

template <class Matrix>
template <ExecutionSpace Space,
          BlockField<typename Matrix::scalar_type, typename Matrix::memory_space> Rhs,
          BlockField<typename Matrix::scalar_type, typename Matrix::memory_space> Solution>
requires WorksIn<Space, typename Matrix::memory_space> && WritableField<Solution>
void PointImplicitSolver<Matrix>::solve_diagonal_in_colour_order(const Space& space, const Rhs& b,
                                                                 const Solution& x) const {
  Impl::require_vectors("PointImplicitSolver::solve_diagonal_in_colour_order", coloured_matrix(),
                        "b", b, "x", x);
  Impl::require_same_or_disjoint("PointImplicitSolver::solve_diagonal_in_colour_order", "b", b, "x",
                                 x);
  const Impl::ProfilingRegion region("Lamina::PointImplicitSolver::solve_diagonal_in_colour_order");
  m_sweeps.solve_diagonal(space, Impl::BlockVector<const scalar_type>(b),
                          Impl::BlockVector<scalar_type>(x));
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
  Impl::require_disjoint_vectors("PointImplicitSolver::solve_in_colour_order", coloured_matrix(),
                                 "b", b, "x", x);
  const Impl::ProfilingRegion region("Lamina::PointImplicitSolver::solve_in_colour_order");
  const Impl::BlockVector<const scalar_type> rhs(b), solution(x);
  // Ranks agree in the sums of the norms on what only one of them knows.
  bool is_bad = is_decomposed() && status(space) == SolveStatus::breakdown_zero_pivot;
  Impl::AgreedCriteria agreed(criteria, is_decomposed());
  SweepHistory history("PointImplicitSolver::solve_in_colour_order", agreed.get());
  const double rhs_norm = m_sweeps.norm(space, rhs, is_bad);
  m_sweeps.update_halo(space, x);
  const auto residual_norm = [&] {
    return agreed.ask(
        [&](bool& stop) { return m_sweeps.residual_norm(space, rhs, solution, stop); });
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
                          [&](int count) { m_sweeps.sweep(space, b, x, direction, count); });
}

// Calls with vectors in the user's order, and the conversion to the order of the colours.

template <class Matrix>
template <ExecutionSpace Space,
          BlockField<typename Matrix::scalar_type, typename Matrix::memory_space> From,
          BlockField<typename Matrix::scalar_type, typename Matrix::memory_space> To>
requires WorksIn<Space, typename Matrix::memory_space> && WritableField<To>
void PointImplicitSolver<Matrix>::to_colour_order(const Space& space, const From& from,
                                                  const To& to) const {
  Impl::require_disjoint_vectors("PointImplicitSolver::to_colour_order", coloured_matrix(), "from",
                                 from, "to", to);
  const Impl::ProfilingRegion region("Lamina::PointImplicitSolver::to_colour_order");
  m_sweeps.renumber("Lamina::PointImplicitSolver::to_colour_order", space,
                    coloured_matrix().block_size(), Impl::BlockVector<const scalar_type>(from),
                    Impl::BlockVector<scalar_type>(to), false);
}

template <class Matrix>
template <ExecutionSpace Space,
          BlockField<typename Matrix::scalar_type, typename Matrix::memory_space> From,
          BlockField<typename Matrix::scalar_type, typename Matrix::memory_space> To>
requires WorksIn<Space, typename Matrix::memory_space> && WritableField<To>
void PointImplicitSolver<Matrix>::from_colour_order(const Space& space, const From& from,
                                                    const To& to) const {
  Impl::require_disjoint_vectors("PointImplicitSolver::from_colour_order", coloured_matrix(),
                                 "from", from, "to", to);
  const Impl::ProfilingRegion region("Lamina::PointImplicitSolver::from_colour_order");
  m_sweeps.renumber("Lamina::PointImplicitSolver::from_colour_order", space,
                    coloured_matrix().block_size(), Impl::BlockVector<const scalar_type>(from),
                    Impl::BlockVector<scalar_type>(to), true);
}

template <class Matrix>
template <ExecutionSpace Space,
          BlockField<typename Matrix::scalar_type, typename Matrix::memory_space> Rhs,
          BlockField<typename Matrix::scalar_type, typename Matrix::memory_space> Solution>
requires WorksIn<Space, typename Matrix::memory_space> && WritableField<Solution>
void PointImplicitSolver<Matrix>::sweep(const Space& space, const Rhs& b, const Solution& x,
                                        SweepDirection direction, int num_sweeps) const {
  Impl::require_disjoint_vectors("PointImplicitSolver::sweep", coloured_matrix(), "b", b, "x", x);
  const Impl::ProfilingRegion region("Lamina::PointImplicitSolver::sweep");
  if (!moves_rows()) return sweep_in_colour_order(space, b, x, direction, num_sweeps);
  const Impl::UseOfPlan use("PointImplicitSolver::sweep", m_in_use);
  to_colour_order(space, b, m_coloured_b);
  to_colour_order(space, x, m_coloured_x);
  sweep_in_colour_order(space, m_coloured_b, m_coloured_x, direction, num_sweeps);
  from_colour_order(space, m_coloured_x, x);
}

template <class Matrix>
template <ExecutionSpace Space,
          BlockField<typename Matrix::scalar_type, typename Matrix::memory_space> Rhs,
          BlockField<typename Matrix::scalar_type, typename Matrix::memory_space> Solution>
requires WorksIn<Space, typename Matrix::memory_space> && WritableField<Solution> SolveReport
PointImplicitSolver<Matrix>::solve(const Space& space, const Rhs& b, const Solution& x,
                                   const StoppingCriteria& criteria, SweepDirection direction)
const {
  Impl::require_disjoint_vectors("PointImplicitSolver::solve", coloured_matrix(), "b", b, "x", x);
  const Impl::ProfilingRegion region("Lamina::PointImplicitSolver::solve");
  if (!moves_rows()) return solve_in_colour_order(space, b, x, criteria, direction);
  const Impl::UseOfPlan use("PointImplicitSolver::solve", m_in_use);
  to_colour_order(space, b, m_coloured_b);
  to_colour_order(space, x, m_coloured_x);
  SolveReport report =
      solve_in_colour_order(space, m_coloured_b, m_coloured_x, criteria, direction);
  from_colour_order(space, m_coloured_x, x);
  space.fence();  // x is complete when the caller has the report
  return report;
}

template <class Matrix>
KernelCost PointImplicitSolver<Matrix>::sweep_cost() const {
  const Matrix& a = coloured_matrix();
  const double rows = a.num_rows(), blocks = static_cast<double>(a.num_blocks()),
               size = a.block_size(), scalar = sizeof(scalar_type);
  return {"Lamina::PointImplicitSolver::sweep",
          a.off_diagonal_bytes() + 4 * blocks + rows * (scalar * (size * size + 3 * size) + 4),
          2 * size * size * (blocks + rows)};
}

template <class Matrix>
KernelCost PointImplicitSolver<Matrix>::residual_cost() const {
  const KernelCost sweep = sweep_cost();  // which writes x as well
  const Matrix& a = coloured_matrix();
  const double written = static_cast<double>(a.num_rows()) * a.block_size();
  return {"Lamina::PointImplicitSolver::residual",
          sweep.bytes - written * static_cast<double>(sizeof(scalar_type)), sweep.flops};
}

template <class Matrix>
std::vector<KernelCost> PointImplicitSolver<Matrix>::kernel_costs() const {
  const KernelCost sweep = sweep_cost();
  const double share = std::max(1, m_sweeps.num_kernels());
  const double rows = coloured_matrix().num_rows(), size = coloured_matrix().block_size();
  return {{sweep.label, sweep.bytes / share, sweep.flops / share},
          residual_cost(),
          {"Lamina::PointImplicitSolver::solve_diagonal",
           rows * (size * size + 2 * size) * static_cast<double>(sizeof(scalar_type)),
           2 * rows * size * size}};
}

}  // namespace Lamina
