// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/device/impl/TeamSums_Device.hpp>
#include <lamina/distributed/impl/ExchangeHalo.hpp>
#include <lamina/krylov/FusedStep.hpp>
#include <lamina/krylov/impl/AdvanceHalo.hpp>
#include <lamina/krylov/impl/OwnedColumns.hpp>
#include <lamina/multigrid/PoissonMultigrid.hpp>
#include <lamina/poisson/impl/PoissonPcgKernels.hpp>

#include <vector>

namespace Lamina {

/// The sweeps of `FusedPcg` for `PoissonOperator` with a cycle of `PoissonMultigrid` as preconditioner. It is
/// a model of `FusedModel`, which describes arguments and guards of the sweeps. An iteration reads or writes 7
/// fields beside those of the cycle.
///
/// Sums of a cycle use scratch of Kokkos, which grows at the first call.
///
/// \par Several ranks
/// With a `multigrid` of several ranks all of them solve together. An iteration exchanges messages as often as a
/// cycle does, and once more, of z; it adds up the scalars over all ranks once.
///
/// \par Example
///
///   const Lamina::PoissonMultigrid<double, Memory> multigrid(space, op);
///   Lamina::FusedPcg pcg(space, Lamina::MultigridPoisson<double, Memory>(space, multigrid));
template <FieldScalar Scalar, MemorySpace Memory>
class MultigridPoisson {
 public:
  using scalar_type = Scalar;
  using memory_space = Memory;
  static constexpr bool few_iterations = true;

  /// Allocates scratch for `space`. Copies share it, and that of `multigrid`: one solve runs at a time, on one
  /// instance.
  template <ExecutionSpace Space>
  requires WorksIn<Space, Memory> MultigridPoisson(
      const Space&, const PoissonMultigrid<Scalar, Memory>& multigrid)
      : m_multigrid(multigrid) {
    if constexpr (!runs_on_host<Space>) {
      m_parts = Impl::TeamParts<Memory>("Lamina::MultigridPoisson::parts");
    }
  }

  int num_owned() const { return m_multigrid.finest().num_owned(); }
  int num_columns() const { return m_multigrid.finest().num_columns(); }
  int num_levels() const { return m_multigrid.finest().num_levels(); }

  /// r = b - A x;  row n: <r, r>.
  template <ExecutionSpace Space, class In, class Out>
  void residual(const Space& space, const FusedStep<Memory>& step, const In& b, const In& x,
                const Out& r) const {
    using Impl::lines_of;
    Impl::PoissonPcgKernels<Space, Scalar>::residual(space, grid<Out>(), step, m_parts, lines_of(b),
                                                     lines_of(x), lines_of(r));
  }
  /// z = B r, a cycle;  row n: <r, z>. Over several ranks also in the halo columns of z.
  template <ExecutionSpace Space, class In, class Out>
  void precondition(const Space& space, const FusedStep<Memory>& step, const In& r,
                    const Out& z) const {
    m_multigrid.cycle(space, {.step = step, .guarded = true}, r, z);
    Impl::exchange_halo(space, decomposition().halo, z);
  }
  /// Row n: <z, A z>.
  template <ExecutionSpace Space, class In>
  void measure(const Space& space, const FusedStep<Memory>& step, const In& z) const {
    Impl::PoissonPcgKernels<Space, Scalar>::measure(space, grid<In>(), step, m_parts,
                                                    Impl::lines_of(z));
  }
  /// p' = z + beta p;  r -= alpha A p';  row n + 1: <r, r>;  row n: <p', A p'>.
  /// With `update` also u += alpha_before p + alpha p'.
  template <ExecutionSpace Space, class In, class Out>
  void advance(const Space& space, const FusedStep<Memory>& step, bool update, const In& z,
               const In& p, const Out& new_p, const Out& r, const Out& u) const {
    using Impl::lines_of;
    Impl::PoissonPcgKernels<Space, Scalar>::advance(space, grid<Out>(), step, update, m_parts,
                                                    lines_of(z), lines_of(p), lines_of(new_p),
                                                    lines_of(r), lines_of(u));
  }

  /// See `FusedModel`.
  const Decomposition<Memory>& decomposition() const { return m_multigrid.decomposition(); }
  /// p' = z + beta p on the halo columns.
  template <ExecutionSpace Space, class In, class Out>
  void advance_halo(const Space& space, const FusedStep<Memory>& step, const In& z, const In& p,
                    const Out& new_p) const {
    const auto halo = [this](const auto& field) { return Impl::last_columns(field, num_owned()); };
    Impl::advance_halo("Lamina::MultigridPoisson::advance_halo", space, step, halo(z), halo(p),
                       halo(new_p));
  }

  /// Costs of the kernels, by label.
  std::vector<KernelCost> kernel_costs() const {
    const double cells = m_multigrid.finest().rectangle().cells();
    const auto cost = [cells](const char* label, double fields, double flops) {
      return KernelCost{label, fields * cells * sizeof(Scalar), flops * cells};
    };
    std::vector<KernelCost> costs{cost("Lamina::MultigridPoisson::residual", 3, 8),
                                  cost("Lamina::MultigridPoisson::measure", 1, 7),
                                  cost("Lamina::MultigridPoisson::advance", 5, 11),
                                  cost("Lamina::MultigridPoisson::advance_and_update", 7, 15),
                                  cost("Lamina::FusedModel::add", 3, 2)};
    for (const KernelCost& of_cycle : m_multigrid.kernel_costs()) costs.push_back(of_cycle);
    const double halo_cells = static_cast<double>(num_columns() - num_owned()) * num_levels();
    if (halo_cells > 0) {
      costs.push_back({"Lamina::MultigridPoisson::advance_halo", halo_cells * 3 * sizeof(Scalar),
                       2 * halo_cells});
    }
    return costs;
  }

 private:
  template <class FieldType>
  Impl::Grid grid() const {
    return m_multigrid.finest().template grid<typename FieldType::array_layout>();
  }

  PoissonMultigrid<Scalar, Memory> m_multigrid;
  Impl::TeamParts<Memory> m_parts;  // of sums, on a device
};

}  // namespace Lamina
