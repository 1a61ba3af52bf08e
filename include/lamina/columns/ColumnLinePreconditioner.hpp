// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/columns/ColumnOperator.hpp>
#include <lamina/lines/impl/LineWorkspace.hpp>

#include <concepts>
#include <vector>

namespace Lamina {

/// The vertical line preconditioner of any `ColumnOperator`. M is A without the couplings between
/// columns: a symmetric tridiagonal matrix for each column, whose rows are asked of the coefficients. A
/// pivot that is exactly 0 makes its unknown 0: M^-1 then is a generalised inverse.
/// `status` tells of pivots that are negative or not finite, as negative coefficients make them.
template <ColumnCoefficients Coefficients>
class ColumnLinePreconditioner {
 public:
  using scalar_type = typename Coefficients::scalar_type;
  using memory_space = typename Coefficients::memory_space;

  /// Allocates scratch for `space`, and prepares the line solves. Copies share the scratch: one solve
  /// runs at a time, on one instance.
  template <ExecutionSpace Space>
  requires WorksIn<Space, memory_space> ColumnLinePreconditioner(
      const Space& space, const ColumnOperator<Coefficients>& op)
      : m_operator(op), m_workspace(space, op.num_owned(), op.num_levels(), Impl::column_segments) {
    update(space);
  }

  /// Bytes in `memory_space` of a preconditioner on a grid of that size, beside those of its operator.
  template <ExecutionSpace Space>
  requires WorksIn<Space, memory_space>
  static double required_bytes(const Space& space, const ColumnGridSize& size) {
    return Impl::LineWorkspace<scalar_type, memory_space>::required_bytes(
        space, size.num_columns(), size.num_levels, Impl::column_segments);
  }

  /// Prepares for coefficients whose values have changed. Enqueued on `space`: no allocation, no
  /// fence. It updates the coefficients themselves, too, where these have `update`.
  template <ExecutionSpace Space>
  requires WorksIn<Space, memory_space>
  void update(const Space& space) const {
    const Impl::ProfilingRegion region("Lamina::ColumnLinePreconditioner::update");
    Impl::prepare_columns(space, m_operator.system(), m_workspace);
  }

  /// z = M^-1 r on the owned columns. Enqueued on `space`: no allocation, no fence.
  /// \param r,  z  (num_columns, num_levels), of one layout; they must not overlap. Halo columns
  ///   are not changed.
  /// \throws InvalidArgument for wrong extents, and where r and z overlap.
  template <ExecutionSpace Space, FieldOf<scalar_type, memory_space> In,
            FieldOf<scalar_type, memory_space> Out>
  requires WorksIn<Space, memory_space> && WritableField<Out> &&
      std::same_as<typename In::array_layout, typename Out::array_layout>
  void solve(const Space& space, const In& r, const Out& z) const {
    const char* function = "ColumnLinePreconditioner::solve";
    Impl::require_field(function, "r", r, m_operator.num_columns(), m_operator.num_levels());
    Impl::require_field(function, "z", z, m_operator.num_columns(), m_operator.num_levels());
    Impl::require_disjoint(function, "r", r, "z", z);
    const Impl::ProfilingRegion region("Lamina::ColumnLinePreconditioner::solve");
    Impl::solve_column_lines("Lamina::ColumnLinePreconditioner::solve", space, m_operator.system(),
                             Impl::as_const_field(r), Impl::as_field(z), m_workspace);
  }
  /// Refuses all other types.
  template <class Space, class In, class Out>
  Impl::ExpectsFieldAndWritableField<scalar_type, Impl::SameLayout, memory_space> solve(
      const Space& space, const In& r, const Out& z) const = delete;

  /// The first owned column with a pivot that is negative or not finite, or -1. Eliminates all columns
  /// once more. Fences `space`.
  template <ExecutionSpace Space>
  requires WorksIn<Space, memory_space>
  int first_bad_column(const Space& space) const {
    return Impl::first_bad_column(space, m_operator.system());
  }
  /// `completed`, or `breakdown_zero_pivot` where there is such a column. `Pcg` asks where a solve has
  /// failed, and has this status then. Fences `space`.
  template <ExecutionSpace Space>
  requires WorksIn<Space, memory_space> SolveStatus status(const Space& space)
  const { return Impl::status_of_pivots(first_bad_column(space)); }

  /// \cond
  // For multigrid.
  const Impl::LineWorkspace<scalar_type, memory_space>& workspace() const { return m_workspace; }
  /// \endcond

  /// Cost of one `solve`: it reads one field, writes one, and reads the coefficients. It moves 4 more on
  /// a device where columns of more than 1024 levels do not fit on chip.
  std::vector<KernelCost> kernel_costs() const {
    return {Impl::line_cost("Lamina::ColumnLinePreconditioner::solve", m_operator.system(),
                            2 + m_workspace.values_off_chip(), 12)};
  }

 private:
  ColumnOperator<Coefficients> m_operator;
  Impl::LineWorkspace<scalar_type, memory_space> m_workspace;
};

}  // namespace Lamina
