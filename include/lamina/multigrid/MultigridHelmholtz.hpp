// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/helmholtz/FusedHelmholtz.hpp>
#include <lamina/krylov/FusedStep.hpp>
#include <lamina/multigrid/MultigridPreconditioner.hpp>

#include <vector>

namespace Lamina {

/// The sweeps of `FusedPcg` for `HelmholtzOperator` with a multigrid cycle as preconditioner. It is a
/// model of `FusedModel`, which describes arguments and guards of the sweeps. Residual, curvature and
/// update are those of `FusedHelmholtz`, 7 fields an iteration. A cycle moves about 23 more, on CPU
/// cores.
///
/// \par Example
///
///   const Lamina::MultigridPreconditioner<double, Memory> multigrid(space, hierarchy, grid, equation);
///   Lamina::FusedPcg pcg(space, Lamina::MultigridHelmholtz<double, Memory>(space, multigrid));
template <FieldScalar Scalar, MemorySpace Memory>
class MultigridHelmholtz {
 public:
  using scalar_type = Scalar;
  using memory_space = Memory;

  /// Allocates scratch for `space`. Fences `space`. Copies share it, and that of `multigrid`: one solve
  /// runs at a time, on one instance.
  template <ExecutionSpace Space>
  requires WorksIn<Space, Memory> MultigridHelmholtz(
      const Space& space, const MultigridPreconditioner<Scalar, Memory>& multigrid)
      : m_multigrid(multigrid), m_lines(space, multigrid.finest()) {
    if constexpr (!runs_on_host<Space>) {
      m_parts = Impl::TeamParts<Memory>("Lamina::MultigridHelmholtz::parts");
    }
  }

  int num_owned() const { return m_lines.num_owned(); }
  int num_columns() const { return m_lines.num_columns(); }
  int num_levels() const { return m_lines.num_levels(); }

  /// r = b - A x;  row n: <r, r>.
  template <ExecutionSpace Space, class In, class Out>
  void residual(const Space& space, const FusedStep<Memory>& step, const In& b, const In& x,
                const Out& r) const {
    m_lines.residual(space, step, b, x, r);
  }
  /// z = B r, a cycle;  row n: <r, z>.
  template <ExecutionSpace Space, class In, class Out>
  void precondition(const Space& space, const FusedStep<Memory>& step, const In& r,
                    const Out& z) const {
    m_multigrid.cycle(space, {.step = step, .guarded = true}, m_parts, r, z);
  }
  /// Row n: <z, A z>.
  template <ExecutionSpace Space, class In>
  void measure(const Space& space, const FusedStep<Memory>& step, const In& z) const {
    m_lines.measure(space, step, z);
  }
  /// p' = z + beta p;  r -= alpha A p';  row n + 1: <r, r>;  row n: <p', A p'>.
  /// With `update` also u += alpha_before p + alpha p'.
  template <ExecutionSpace Space, class In, class Out>
  void advance(const Space& space, const FusedStep<Memory>& step, bool update, const In& z,
               const In& p, const Out& new_p, const Out& r, const Out& u) const {
    m_lines.advance(space, step, update, z, p, new_p, r, u);
  }

  /// Costs of the kernels, by label.
  std::vector<KernelCost> kernel_costs() const {
    std::vector<KernelCost> costs = m_lines.kernel_costs();
    for (const KernelCost& cost : m_multigrid.kernel_costs()) costs.push_back(cost);
    return costs;
  }

 private:
  MultigridPreconditioner<Scalar, Memory> m_multigrid;
  FusedHelmholtz<Scalar, Memory> m_lines;
  Impl::TeamParts<Memory> m_parts;  // of <r, z>, on a device
};

}  // namespace Lamina
