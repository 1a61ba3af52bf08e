// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/core/KernelRecord.hpp>
#include <lamina/core/ProfilingRegion.hpp>
#include <lamina/core/Require.hpp>
#include <lamina/core/SolveReport.hpp>
#include <lamina/lines/Tridiagonal.hpp>
#include <lamina/lines/impl/LineSolver_Impl.hpp>
#include <lamina/lines/impl/LineWorkspace.hpp>

#include <vector>

namespace Lamina {

/// Solves one tridiagonal system per column, T_c x_c = rhs_c for every column c, by Thomas'
/// algorithm without pivoting.
///
/// The coefficients are read at every solve and not copied: factoring again on the fly costs no
/// more traffic than reading stored factors. Call `check` after changing them: on a device a small
/// part of the elimination is kept. On CPU cores a tile of columns is solved in vector lanes and
/// stays in cache between the two sweeps. On a device several threads share a column and hold it in
/// registers (the "substructuring" of Müller et al. 2013, section 8): forward and backward sweep
/// are affine maps, composed over the segments. That presumes columns that elimination without
/// pivoting suits, such as diagonally dominant ones.
///
/// Scratch is shared by copies: one solve at a time, on one instance.
///
/// Traffic per cell and solve: the coefficients (3 values for the general and the difference form,
/// 2 for the symmetric one) and the right-hand side read, the solution written. On a device columns
/// of more than 512 levels do not fit on chip: one thread takes a column, a value of scratch is
/// written and read as well, and the solution written and read once more.
///
/// \tparam Coefficients  `GeneralTridiagonal`, `SymmetricTridiagonal` or `DifferenceTridiagonal` of
///   Views over (column, level), all of the same extents.
template <class Coefficients>
class LineSolver {
 public:
  using scalar_type = typename Coefficients::field_type::non_const_value_type;
  using memory_space = typename Coefficients::field_type::memory_space;
  using layout = typename Coefficients::field_type::array_layout;

  /// Allocates scratch for `space` and eliminates once to look for bad pivots. Fences `space`.
  /// \throws InvalidArgument where the extents of the coefficients differ.
  template <ExecutionSpace Space>
  requires WorksIn<Space, memory_space> LineSolver(const Space& space,
                                                   const Coefficients& coefficients)
      : m_coefficients(coefficients) {
    const auto& first = coefficients.field(0);
    m_num_columns = static_cast<int>(first.extent(0));
    m_num_levels = static_cast<int>(first.extent(1));
    for (int i = 0; i < Coefficients::num_fields; ++i) {
      Impl::require_field("LineSolver", "coefficients", coefficients.field(i), m_num_columns,
                          m_num_levels);
    }
    m_workspace = Impl::LineWorkspace<scalar_type, memory_space>(
        space, m_num_columns, m_num_levels, std::array<int, 1>{Impl::stored_segment_levels});
    check(space);
  }

  /// To be called after the coefficients were changed: looks for bad pivots and prepares for solves
  /// with the new ones. Fences `space`.
  template <ExecutionSpace Space>
  requires WorksIn<Space, memory_space>
  void check(const Space& space) {
    m_first_bad_column =
        Kernels<Space>::prepare(space, columns(), m_workspace, m_num_columns, m_num_levels);
  }

  int num_columns() const { return m_num_columns; }
  int num_levels() const { return m_num_levels; }

  /// `completed`, or `breakdown_zero_pivot` where a pivot of some column is zero or not finite:
  /// solutions of that column are not usable.
  SolveStatus status() const {
    return m_first_bad_column < 0 ? SolveStatus::completed : SolveStatus::breakdown_zero_pivot;
  }
  /// The first column with such a pivot, or -1.
  int first_bad_column() const { return m_first_bad_column; }

  /// x = T^-1 rhs in every column. Enqueued on `space`: no allocation, no fence.
  /// \param rhs, x  (num_columns, num_levels), of the layout of the coefficients; may be the same
  ///   View, but must not overlap otherwise, nor overlap the coefficients.
  /// \throws InvalidArgument for wrong extents.
  template <ExecutionSpace Space, FieldOf<scalar_type, memory_space> Rhs,
            FieldOf<scalar_type, memory_space> Solution>
  requires WorksIn<Space, memory_space> && WritableField<Solution> &&
      std::same_as<typename Rhs::array_layout, layout> &&
      std::same_as<typename Solution::array_layout, layout>
  void solve(const Space& space, const Rhs& rhs, const Solution& x) const {
    Impl::require_field("LineSolver::solve", "rhs", rhs, m_num_columns, m_num_levels);
    Impl::require_field("LineSolver::solve", "x", x, m_num_columns, m_num_levels);
    const Impl::ProfilingRegion region("Lamina::LineSolver::solve");
    Kernels<Space>::solve(space, columns(), Impl::as_const_field(rhs), Impl::as_field(x),
                          m_workspace);
  }

  /// What one `solve` costs.
  std::vector<KernelCost> kernel_costs() const {
    const double cells = static_cast<double>(m_num_columns) * m_num_levels;
    return {{"Lamina::LineSolver::solve",
             cells * (Coefficients::num_fields + 2 + m_workspace.values_off_chip()) *
                 sizeof(scalar_type),
             cells * 9}};
  }

 private:
  using Columns = Impl::StoredColumns<Coefficients>;
  template <class Space>
  using Kernels = Impl::LineSolverKernels<Space, Columns>;

  Columns columns() const {
    Columns result;
    for (int i = 0; i < Coefficients::num_fields; ++i) {
      result.fields[i] = Impl::as_const_field(m_coefficients.field(i));
    }
    return result;
  }

  Coefficients m_coefficients;
  int m_num_columns = 0, m_num_levels = 0, m_first_bad_column = -1;
  Impl::LineWorkspace<scalar_type, memory_space> m_workspace;
};

}  // namespace Lamina
