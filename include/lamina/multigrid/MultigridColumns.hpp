// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/columns/FusedColumns.hpp>
#include <lamina/columns/MixedColumns.hpp>
#include <lamina/distributed/impl/ExchangeHalo.hpp>
#include <lamina/krylov/FusedStep.hpp>
#include <lamina/krylov/impl/FieldRows.hpp>
#include <lamina/multigrid/ColumnMultigrid.hpp>

#include <concepts>
#include <vector>

namespace Lamina {

/// The sweeps of `FusedPcg` for any `ColumnOperator` with a cycle of `ColumnMultigrid` as preconditioner. It is a
/// model of `FusedModel`, which describes arguments and guards of the sweeps. With the sweeps of
/// `MixedColumns` iterations and cycles are in single precision, the solution is in double.
///
/// \par Several ranks
/// Sweeps and cycle are those of the columns of a rank, the sweeps with `ColumnMultigrid::decomposition`. An
/// iteration exchanges messages as often as a cycle does, and once more, of z; it adds up the scalars over
/// all ranks once.
///
/// \par Example
///
///   const Lamina::ColumnMultigrid<Stored, Layout> multigrid(space, graph, op);
///   Lamina::FusedPcg pcg(space, Lamina::MultigridColumns(Lamina::FusedColumns(space, op), multigrid));
///
/// \tparam Sweeps     `FusedColumns` or `MixedColumns`
/// \tparam Multigrid  `ColumnMultigrid`, of the precision of the iterations. In `SweepLayout` it takes x of either
///   layout, unless coefficients are stored in the other one; otherwise x of its own layout
template <class Sweeps, class Multigrid>
class MultigridColumns {
 public:
  using scalar_type = typename Sweeps::scalar_type;
  using vector_scalar_type = typename Multigrid::scalar_type;
  using memory_space = typename Sweeps::memory_space;
  static constexpr bool few_iterations = true;

  /// Copies both (shallowly): they share scratch.
  /// \throws InvalidArgument where their extents differ.
  MultigridColumns(const Sweeps& sweeps, const Multigrid& multigrid)
      : m_sweeps(sweeps), m_multigrid(multigrid) {
    Impl::require_extent("MultigridColumns", "multigrid", "columns", sweeps.num_columns(),
                         multigrid.finest().num_columns());
    Impl::require_extent("MultigridColumns", "multigrid", "levels", sweeps.num_levels(),
                         multigrid.finest().num_levels());
    if constexpr (Impl::cycles_in_packs<memory_space>) {
      m_parts = Impl::TeamParts<memory_space>("Lamina::MultigridColumns::parts");
    }
  }

  /// See `ColumnMultigrid::update`; of the sweeps, too.
  template <ExecutionSpace Space>
  requires WorksIn<Space, memory_space>
  void update(const Space& space) const {
    m_sweeps.update(space);
    m_multigrid.update(space);
  }

  /// See `ColumnMultigrid::status`; `FusedPcg` asks where a solve has failed.
  template <ExecutionSpace Space>
  requires WorksIn<Space, memory_space> SolveStatus status(const Space& space)
  const { return m_multigrid.status(space); }

  int num_owned() const { return m_sweeps.num_owned(); }
  int num_columns() const { return m_sweeps.num_columns(); }
  int num_levels() const { return m_sweeps.num_levels(); }

  /// \cond
  /// `FusedPcg` may bring fields to the layout of the faster sweeps, where the cycle has it, too; in the order of
  /// the mesh, which is that of the cycle.
  Impl::ColumnOrder<memory_space> column_order() const requires(
      Impl::has_column_order<Sweeps>&& std::same_as<
          typename Multigrid::array_layout, SweepLayout<typename memory_space::execution_space>>) {
    return {};
  }
  /// \endcond

  /// r = step.scale (b - A x);  row n: <r, r>.
  template <ExecutionSpace Space, class In, class Out>
  void residual(const Space& space, const FusedStep<memory_space>& step, const In& b, const In& x,
                const Out& r) const {
    m_sweeps.residual(space, step, b, x, r);
  }
  /// z = B r, a cycle;  row n: <r, z>. Over several ranks also in the halo columns of z.
  template <ExecutionSpace Space, class In, class Out>
  void precondition(const Space& space, const FusedStep<memory_space>& step, const In& r,
                    const Out& z) const {
    static_assert(std::same_as<typename In::array_layout, typename Out::array_layout>);
    const Impl::CycleGuard<memory_space> guard{.step = step, .guarded = true};
    m_multigrid.cycle(space, guard, r, z, m_parts, step.now + FusedStep<memory_space>::energy);
    Impl::exchange_halo(space, decomposition().halo, z);
  }
  /// Row n: <z, A z>.
  template <ExecutionSpace Space, class In>
  void measure(const Space& space, const FusedStep<memory_space>& step, const In& z) const {
    m_sweeps.measure(space, step, z);
  }
  /// p' = z + beta p;  r -= alpha A p';  row n + 1: <r, r>;  row n: <p', A p'>.
  /// With `update` also u += (alpha_before p + alpha p') / step.scale.
  template <ExecutionSpace Space, class In, class Out, class Solution>
  void advance(const Space& space, const FusedStep<memory_space>& step, bool update, const In& z,
               const In& p, const Out& new_p, const Out& r, const Solution& u) const {
    m_sweeps.advance(space, step, update, z, p, new_p, r, u);
  }

  /// See `FusedModel`.
  const Decomposition<memory_space>& decomposition() const { return m_sweeps.decomposition(); }
  /// p' = z + beta p on the halo columns.
  template <ExecutionSpace Space, class In, class Out>
  void advance_halo(const Space& space, const FusedStep<memory_space>& step, const In& z,
                    const In& p, const Out& new_p) const {
    m_sweeps.advance_halo(space, step, z, p, new_p);
  }

  /// Costs of the kernels, by label.
  std::vector<KernelCost> kernel_costs() const {
    std::vector<KernelCost> costs = m_sweeps.kernel_costs();
    for (const KernelCost& cost : m_multigrid.kernel_costs()) costs.push_back(cost);
    const double cells = static_cast<double>(num_owned()) * num_levels(),
                 field = cells * sizeof(vector_scalar_type);
    if constexpr (Impl::cycles_in_packs<memory_space>) {
      costs.back().bytes += field;  // of the copy of z, which adds up the energy
      costs.back().flops += cells * 2;
    } else {
      costs.push_back({"Lamina::MultigridColumns::energy", 2 * field, cells * 2});
    }
    return costs;
  }

 private:
  Sweeps m_sweeps;
  Multigrid m_multigrid;
  Impl::TeamParts<memory_space> m_parts{};  // of the energy, on a device
};

}  // namespace Lamina
