// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/helmholtz/HelmholtzOperator.hpp>
#include <lamina/lines/impl/LineWorkspace.hpp>

#include <vector>

namespace Lamina {

/// The vertical line preconditioner of `HelmholtzOperator` (Müller et al. 2013, section 3): M is A
/// without the couplings between columns, a tridiagonal matrix per column, symmetric positive
/// definite. Its coefficients are recomputed from the tensor product, never stored.
template <FieldScalar Scalar, MemorySpace Memory>
class LinePreconditioner {
 public:
  using scalar_type = Scalar;
  using memory_space = Memory;

  /// Allocates scratch for `space`, which copies share: one solve at a time, on one instance.
  /// Prepares the line solves. Fences `space`.
  template <ExecutionSpace Space>
  requires WorksIn<Space, Memory> LinePreconditioner(const Space& space,
                                                     const HelmholtzOperator<Scalar, Memory>& op)
      : m_operator(op),
        m_workspace(op.make_line_workspace(
            space, Impl::plain_helmholtz_segments<Scalar>(op.num_levels()))) {}

  /// z = M^-1 r on the owned columns. Enqueued on `space`: no allocation, no fence.
  /// \param r, z  (num_columns, num_levels), of one layout; halo columns are not touched; z must
  /// not
  ///   overlap r
  /// \throws InvalidArgument for wrong extents.
  template <ExecutionSpace Space, FieldOf<Scalar, Memory> In, FieldOf<Scalar, Memory> Out>
  requires WorksIn<Space, Memory> && WritableField<Out> &&
      std::same_as<typename In::array_layout, typename Out::array_layout>
  void solve(const Space& space, const In& r, const Out& z) const {
    Impl::require_field("LinePreconditioner::solve", "r", r, m_operator.num_columns(),
                        m_operator.num_levels());
    Impl::require_field("LinePreconditioner::solve", "z", z, m_operator.num_columns(),
                        m_operator.num_levels());
    const Impl::ProfilingRegion region("Lamina::LinePreconditioner::solve");
    Impl::HelmholtzKernels<Space, Scalar, typename In::array_layout>::precondition(
        space, m_operator.data(), Impl::as_const_field(r), Impl::as_field(z), m_workspace);
  }

  /// Cost of one `solve`: reads 1, writes 1 field; 4 more are moved on a device where columns of
  /// more than 1024 levels do not fit on chip.
  std::vector<KernelCost> kernel_costs() const;

 private:
  HelmholtzOperator<Scalar, Memory> m_operator;
  Impl::LineWorkspace<Scalar, Memory> m_workspace;
};

}  // namespace Lamina
