// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/helmholtz/HelmholtzOperator.hpp>
#include <lamina/krylov/FusedStep.hpp>
#include <lamina/lines/impl/LineWorkspace.hpp>

#include <vector>

namespace Lamina {

/// The two sweeps per iteration of the fused PCG (Müller et al. 2013, algorithms 2 and 3) for
/// `HelmholtzOperator` with its line preconditioner, for `FusedPcgStored`. It is a model of
/// `StoredFusedModel`, which describes arguments and guards of the sweeps. An iteration reads or
/// writes 11 fields. Separate operations move 18.
template <FieldScalar Scalar, MemorySpace Memory>
class FusedHelmholtzStored {
 public:
  using scalar_type = Scalar;
  using memory_space = Memory;

  /// Allocates scratch for `space`, and prepares the line solves. Fences `space`. Copies share the
  /// scratch: one solve runs at a time, on one instance.
  template <ExecutionSpace Space>
  requires WorksIn<Space, Memory> FusedHelmholtzStored(const Space& space,
                                                       const HelmholtzOperator<Scalar, Memory>& op)
      : m_operator(op), m_workspace(op.make_line_workspace(space)) {
    if constexpr (!runs_on_host<Space>) {
      m_parts = Impl::TeamParts<Memory>("Lamina::FusedHelmholtzStored::parts");
    }
  }

  /// Bytes in `Memory` of a model and of a `FusedPcgStored` made from it, on a grid of that size, at
  /// most, beside those of the operator.
  template <ExecutionSpace Space>
  requires WorksIn<Space, Memory>
  static double required_bytes(const Space& space, const ColumnGridSize& size) {
    const double lines = Impl::LineWorkspace<Scalar, Memory>::required_bytes(
        space, size.num_columns(), size.num_levels, Impl::helmholtz_segments);
    return lines + Impl::parts_bytes<Memory> + Impl::small_arrays_bytes +
           Impl::fields_bytes<Scalar>(size.num_columns(), size, 4);
  }

  int num_owned() const { return m_operator.num_owned(); }
  int num_columns() const { return m_operator.num_columns(); }
  int num_levels() const { return m_operator.num_levels(); }

  /// \cond
  /// `FusedPcgStored` may bring fields to the layout of the faster sweeps, in the order of the mesh.
  Impl::ColumnOrder<Memory> column_order() const { return {}; }
  /// \endcond

  /// r = b - A x;  row n: <r, r>.
  template <ExecutionSpace Space, class In, class Out>
  void residual(const Space& space, const FusedStep<Memory>& step, const In& b, const In& x,
                const Out& r) const {
    Kernels<Space, In>::residual(space, m_operator.system(), step, m_parts, b, x, r);
  }

  /// r -= alpha q; z = M^-1 r; row n: <r, r>, <r, z>. Column-local.
  template <ExecutionSpace Space, class In, class Out>
  void precondition(const Space& space, const FusedStep<Memory>& step, const In& q, const Out& r,
                    const Out& z) const {
    Kernels<Space, In>::stored_precondition(space, m_operator.system(), step, m_parts, q, r, z,
                                            m_workspace);
  }

  /// u += alpha p (with the old p); p = z + beta p; q = A z + beta q; row n: <p, q>.
  template <ExecutionSpace Space, class In, class Out>
  void advance(const Space& space, const FusedStep<Memory>& step, const In& z, const Out& u,
               const Out& p, const Out& q) const {
    Kernels<Space, In>::stored_advance(space, m_operator.system(), step, m_parts, z, u, p, q);
  }

  /// Costs of the sweeps, by label.
  std::vector<KernelCost> kernel_costs() const;

 private:
  template <class Space, class In>
  using Kernels = Impl::HelmholtzKernels<Space, Scalar, typename In::array_layout>;

  HelmholtzOperator<Scalar, Memory> m_operator;
  Impl::LineWorkspace<Scalar, Memory> m_workspace;
  Impl::TeamParts<Memory> m_parts;  // of the sums, on a device
};

}  // namespace Lamina
