// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/impl/RequireDisjoint.hpp>
#include <lamina/helmholtz/HelmholtzOperator.hpp>
#include <lamina/lines/impl/LineWorkspace.hpp>

#include <vector>

namespace Lamina {

/// The vertical line preconditioner of `HelmholtzOperator` (Müller et al. 2013, section 3). M is A
/// without the couplings between columns: a symmetric positive definite tridiagonal matrix for each
/// column. Its coefficients are recomputed from the tensor product, not stored.
template <FieldScalar Scalar, MemorySpace Memory>
class LinePreconditioner {
 public:
  using scalar_type = Scalar;
  using memory_space = Memory;

  /// Allocates scratch for `space`, and prepares the line solves. Fences `space`. Copies share the
  /// scratch: one solve runs at a time, on one instance.
  template <ExecutionSpace Space>
  requires WorksIn<Space, Memory> LinePreconditioner(const Space& space,
                                                     const HelmholtzOperator<Scalar, Memory>& op)
      : m_operator(op),
        m_workspace(op.make_line_workspace(
            space, Impl::plain_helmholtz_segments<Scalar>(op.num_levels()))) {}

  /// Bytes in `Memory` of a preconditioner on a grid of that size, beside those of its operator.
  template <ExecutionSpace Space>
  requires WorksIn<Space, Memory>
  static double required_bytes(const Space& space, const ColumnGridSize& size) {
    const auto segments = Impl::plain_helmholtz_segments<Scalar>(size.num_levels);
    return Impl::small_arrays_bytes + Impl::LineWorkspace<Scalar, Memory>::required_bytes(
                                          space, size.num_columns(), size.num_levels, segments);
  }

  /// Changes to another operator with the same numbers of columns and levels, for example when
  /// omega^2 or lambda^2 change between time steps. Enqueued on `space`: no allocation, no fence.
  /// On CPU cores it costs nothing. On a device it computes the pivots once, and reads no fields.
  /// Copies of this preconditioner share its scratch: they are not usable after the call.
  /// \throws InvalidArgument for another number of columns or levels.
  template <ExecutionSpace Space>
  requires WorksIn<Space, Memory>
  void refresh(const Space& space, const HelmholtzOperator<Scalar, Memory>& op) {
    const auto require = [&](const char* what, int expected, int got) {
      Impl::require_extent("LinePreconditioner::refresh", "op", what, expected, got);
    };
    require("owned columns", m_operator.num_owned(), op.num_owned());
    require("columns", m_operator.num_columns(), op.num_columns());
    require("levels", m_operator.num_levels(), op.num_levels());
    const Impl::ProfilingRegion region("Lamina::LinePreconditioner::refresh");
    m_operator = op;
    Impl::prepare_helmholtz_lines(space, m_operator.system(), m_workspace);
  }

  /// z = M^-1 r on the owned columns. Enqueued on `space`: no allocation, no fence.
  /// \param r,  z  (num_columns, num_levels), of one layout; they must not overlap. Halo columns
  ///   are not changed.
  /// \throws InvalidArgument for wrong extents, and where r and z overlap.
  template <ExecutionSpace Space, FieldOf<Scalar, Memory> In, FieldOf<Scalar, Memory> Out>
  requires WorksIn<Space, Memory> && WritableField<Out> &&
      std::same_as<typename In::array_layout, typename Out::array_layout>
  void solve(const Space& space, const In& r, const Out& z) const {
    Impl::require_field("LinePreconditioner::solve", "r", r, m_operator.num_columns(),
                        m_operator.num_levels());
    Impl::require_field("LinePreconditioner::solve", "z", z, m_operator.num_columns(),
                        m_operator.num_levels());
    Impl::require_disjoint("LinePreconditioner::solve", "r", r, "z", z);
    const Impl::ProfilingRegion region("Lamina::LinePreconditioner::solve");
    Impl::HelmholtzKernels<Space, Scalar, typename In::array_layout>::precondition(
        space, m_operator.system(), Impl::as_const_field(r), Impl::as_field(z), m_workspace);
  }
  /// Refuses all other types.
  template <class Space, class In, class Out>
  Impl::ExpectsFieldAndWritableField<Scalar, Impl::SameLayout, Memory> solve(
      const Space& space, const In& r, const Out& z) const = delete;

  /// Cost of one `solve`: it reads one field and writes one. It moves 4 more on a device where
  /// columns of more than 1024 levels do not fit on chip.
  std::vector<KernelCost> kernel_costs() const;

 private:
  HelmholtzOperator<Scalar, Memory> m_operator;
  Impl::LineWorkspace<Scalar, Memory> m_workspace;
};

}  // namespace Lamina
