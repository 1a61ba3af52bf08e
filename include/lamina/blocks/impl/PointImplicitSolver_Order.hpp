// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Calls with vectors in the user's order, and the conversion to the order of the colours.

#include <lamina/blocks/PointImplicitSolver.hpp>
#include <lamina/blocks/impl/PointImplicitSolver_Impl.hpp>
#include <lamina/core/ProfilingRegion.hpp>

#include <cstdint>

namespace Lamina {
namespace Impl {

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

template <class Space, class Scalar>
void renumber_rows(const char* label, const Space& space, const int* old_rows, int num_rows,
                   int size, const BlockVector<const Scalar>& from, const BlockVector<Scalar>& to,
                   bool back) {
  using Policy = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;
  Kokkos::parallel_for(
      label, Policy(space, 0, std::int64_t{num_rows} * size),
      RenumberRows<BlockVector<const Scalar>, BlockVector<Scalar>>{old_rows, from, to, size, back});
}

}  // namespace Impl

template <class Matrix>
template <ExecutionSpace Space,
          BlockField<typename Matrix::scalar_type, typename Matrix::memory_space> From,
          BlockField<typename Matrix::scalar_type, typename Matrix::memory_space> To>
requires WorksIn<Space, typename Matrix::memory_space> && WritableField<To>
void PointImplicitSolver<Matrix>::to_colour_order(const Space& space, const From& from,
                                                  const To& to) const {
  Impl::require_disjoint_vectors("PointImplicitSolver::to_colour_order", m_matrix, "from", from,
                                 "to", to);
  const Impl::ProfilingRegion region("Lamina::PointImplicitSolver::to_colour_order");
  Impl::renumber_rows<Space, scalar_type>(
      "Lamina::PointImplicitSolver::to_colour_order", space, m_old_rows.data(), m_matrix.num_rows(),
      m_matrix.block_size(), Impl::BlockVector<const scalar_type>(from),
      Impl::BlockVector<scalar_type>(to), false);
}

template <class Matrix>
template <ExecutionSpace Space,
          BlockField<typename Matrix::scalar_type, typename Matrix::memory_space> From,
          BlockField<typename Matrix::scalar_type, typename Matrix::memory_space> To>
requires WorksIn<Space, typename Matrix::memory_space> && WritableField<To>
void PointImplicitSolver<Matrix>::from_colour_order(const Space& space, const From& from,
                                                    const To& to) const {
  Impl::require_disjoint_vectors("PointImplicitSolver::from_colour_order", m_matrix, "from", from,
                                 "to", to);
  const Impl::ProfilingRegion region("Lamina::PointImplicitSolver::from_colour_order");
  Impl::renumber_rows<Space, scalar_type>(
      "Lamina::PointImplicitSolver::from_colour_order", space, m_old_rows.data(),
      m_matrix.num_rows(), m_matrix.block_size(), Impl::BlockVector<const scalar_type>(from),
      Impl::BlockVector<scalar_type>(to), true);
}

template <class Matrix>
template <ExecutionSpace Space,
          BlockField<typename Matrix::scalar_type, typename Matrix::memory_space> Rhs,
          BlockField<typename Matrix::scalar_type, typename Matrix::memory_space> Solution>
requires WorksIn<Space, typename Matrix::memory_space> && WritableField<Solution>
void PointImplicitSolver<Matrix>::sweep(const Space& space, const Rhs& b, const Solution& x,
                                        SweepDirection direction, int num_sweeps) const {
  Impl::require_disjoint_vectors("PointImplicitSolver::sweep", m_matrix, "b", b, "x", x);
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
  Impl::require_disjoint_vectors("PointImplicitSolver::solve", m_matrix, "b", b, "x", x);
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

}  // namespace Lamina
