// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/grids/impl/ColumnOrder.hpp>
#include <lamina/helmholtz/FusedHelmholtz.hpp>
#include <lamina/helmholtz/MixedHelmholtz.hpp>
#include <lamina/krylov/FusedStep.hpp>
#include <lamina/krylov/impl/AdvanceHalo.hpp>
#include <lamina/krylov/impl/OwnedColumns.hpp>
#include <lamina/multigrid/MultigridPreconditioner.hpp>

#include <concepts>
#include <type_traits>
#include <vector>

namespace Lamina {

/// The sweeps of `FusedPcg` for `HelmholtzOperator` with a multigrid cycle as preconditioner. It is a
/// model of `FusedModel`, which describes arguments and guards of the sweeps. Residual, curvature and
/// update are those of `FusedHelmholtz`, 7 fields an iteration. A cycle moves about 19 more, on a
/// device 22.
///
/// With `CycleScalar` float and `Scalar` double it is a model in mixed precision: iterations and cycles
/// are in single precision, the solution is in double, as with `MixedHelmholtz`.
///
/// \par Several ranks
/// With a `multigrid` of several ranks all of them solve together. An iteration exchanges messages as often as
/// a cycle does, and once more, of z; it adds up the scalars over all ranks once.
///
/// \par Example
///
///   const Lamina::MultigridPreconditioner<double, Memory> multigrid(space, hierarchy, grid, equation);
///   Lamina::FusedPcg pcg(space, Lamina::MultigridHelmholtz<double, Memory>(space, multigrid));
template <FieldScalar Scalar, MemorySpace Memory, FieldScalar CycleScalar = Scalar>
class MultigridHelmholtz {
 public:
  using scalar_type = Scalar;
  using vector_scalar_type = CycleScalar;
  using memory_space = Memory;
  static constexpr bool few_iterations = true;

  /// Allocates scratch for `space`. Fences `space`. Copies share it, and that of `multigrid`: one solve
  /// runs at a time, on one instance.
  template <ExecutionSpace Space>
  requires WorksIn<Space, Memory> && std::same_as<Scalar, CycleScalar> MultigridHelmholtz(
      const Space& space, const MultigridPreconditioner<Scalar, Memory>& multigrid)
      : MultigridHelmholtz(space, multigrid, Sweeps(space, multigrid.finest())) {}

  /// The same in mixed precision.
  /// \param op  the operator of the finest level of `multigrid` in double precision
  /// \throws InvalidArgument where extents differ.
  template <ExecutionSpace Space>
  requires WorksIn<Space, Memory> && std::same_as<Scalar, double> &&
      std::same_as<CycleScalar, float>
      MultigridHelmholtz(const Space& space, const HelmholtzOperator<double, Memory>& op,
                         const MultigridPreconditioner<float, Memory>& multigrid)
      : MultigridHelmholtz(space, multigrid, Sweeps(space, op, multigrid.finest())) {}

  int num_owned() const { return m_sweeps.num_owned(); }
  int num_columns() const { return m_sweeps.num_columns(); }
  int num_levels() const { return m_sweeps.num_levels(); }

  /// \cond
  /// `FusedPcg` may bring fields to the layout of the faster sweeps, in the order of the mesh.
  Impl::ColumnOrder<Memory> column_order() const { return {}; }
  /// \endcond

  /// r = step.scale (b - A x);  row n: <r, r>.
  template <ExecutionSpace Space, class In, class Out>
  void residual(const Space& space, const FusedStep<Memory>& step, const In& b, const In& x,
                const Out& r) const {
    m_sweeps.residual(space, step, b, x, r);
  }
  /// z = B r, a cycle;  row n: <r, z>. Over several ranks also in the halo columns of z.
  template <ExecutionSpace Space, class In, class Out>
  void precondition(const Space& space, const FusedStep<Memory>& step, const In& r,
                    const Out& z) const {
    m_multigrid.cycle(space, {.step = step, .guarded = true}, m_parts, r, z);
    Impl::exchange_halo(space, decomposition().halo, z);
  }
  /// Row n: <z, A z>.
  template <ExecutionSpace Space, class In>
  void measure(const Space& space, const FusedStep<Memory>& step, const In& z) const {
    m_sweeps.measure(space, step, z);
  }
  /// p' = z + beta p;  r -= alpha A p';  row n + 1: <r, r>;  row n: <p', A p'>.
  /// With `update` also u += (alpha_before p + alpha p') / step.scale.
  template <ExecutionSpace Space, class In, class Out, class Solution>
  void advance(const Space& space, const FusedStep<Memory>& step, bool update, const In& z,
               const In& p, const Out& new_p, const Out& r, const Solution& u) const {
    m_sweeps.advance(space, step, update, z, p, new_p, r, u);
  }

  /// See `FusedModel`.
  const Decomposition<Memory>& decomposition() const { return m_multigrid.decomposition(); }
  /// p' = z + beta p on the halo columns.
  template <ExecutionSpace Space, class In, class Out>
  void advance_halo(const Space& space, const FusedStep<Memory>& step, const In& z, const In& p,
                    const Out& new_p) const {
    const auto halo = [this](const auto& field) { return Impl::last_columns(field, num_owned()); };
    Impl::advance_halo("Lamina::MultigridHelmholtz::advance_halo", space, step, halo(z), halo(p),
                       halo(new_p));
  }

  /// Costs of the kernels, by label.
  std::vector<KernelCost> kernel_costs() const {
    std::vector<KernelCost> costs = m_sweeps.kernel_costs();
    for (const KernelCost& cost : m_multigrid.kernel_costs()) costs.push_back(cost);
    const double halo_cells = static_cast<double>(num_columns() - num_owned()) * num_levels();
    if (halo_cells > 0) {
      costs.push_back({"Lamina::MultigridHelmholtz::advance_halo",
                       halo_cells * 3 * sizeof(vector_scalar_type), 2 * halo_cells});
    }
    return costs;
  }

 private:
  using Sweeps = std::conditional_t<std::is_same_v<Scalar, CycleScalar>,
                                    FusedHelmholtz<Scalar, Memory>, MixedHelmholtz<Memory>>;

  template <ExecutionSpace Space>
  MultigridHelmholtz(const Space&, const MultigridPreconditioner<CycleScalar, Memory>& multigrid,
                     const Sweeps& sweeps)
      : m_multigrid(multigrid), m_sweeps(sweeps) {
    if constexpr (!runs_on_host<Space>) {
      m_parts = Impl::TeamParts<Memory>("Lamina::MultigridHelmholtz::parts");
    }
  }

  MultigridPreconditioner<CycleScalar, Memory> m_multigrid;
  Sweeps m_sweeps;
  Impl::TeamParts<Memory> m_parts;  // of <r, z>, on a device
};

}  // namespace Lamina
