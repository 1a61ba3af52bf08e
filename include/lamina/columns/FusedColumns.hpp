// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/columns/ColumnOperator.hpp>
#include <lamina/distributed/Decomposition.hpp>
#include <lamina/distributed/impl/ExchangeHalo.hpp>
#include <lamina/distributed/impl/RequireDecomposition.hpp>
#include <lamina/grids/impl/ColumnOrder.hpp>
#include <lamina/grids/impl/Reordering.hpp>
#include <lamina/krylov/FusedStep.hpp>
#include <lamina/krylov/impl/AdvanceHalo.hpp>
#include <lamina/krylov/impl/ExchangeInPlaces.hpp>
#include <lamina/krylov/impl/OwnedColumns.hpp>
#include <lamina/lines/impl/LineWorkspace.hpp>

#include <concepts>
#include <vector>

namespace Lamina {

namespace Impl {

/// Whether sweeps of these coefficients are as fast on fields of `SweepLayout` as they can be: not where
/// values are stored in the other layout.
template <class Coefficients>
concept SuitsSweepLayout =
    (Coefficients::fields == 0) ||
    std::same_as<typename Coefficients::array_layout,
                 SweepLayout<typename Coefficients::memory_space::execution_space>>;

}  // namespace Impl

/// The three sweeps per iteration of `FusedPcg` for any `ColumnOperator` with its line preconditioner. It
/// is a model of `FusedModel`, which describes arguments and guards of the sweeps. They also take fields in the
/// order of columns that `column_order` tells. An iteration reads or writes 9 fields, and the coefficients three
/// times.
///
/// \par Several ranks
/// With a decomposition the operator is that of the columns of a rank, owned ones first, and all ranks
/// solve together. An iteration exchanges the halo columns of z once, and adds up the scalars over all
/// ranks once. Rows and couplings are asked of owned columns alone: both ranks of an edge must give it
/// the same coupling.
template <ColumnCoefficients Coefficients>
class FusedColumns {
 public:
  using scalar_type = typename Coefficients::scalar_type;
  using memory_space = typename Coefficients::memory_space;

  /// Allocates scratch for `space`, and prepares the line solves. Copies share the scratch: one solve
  /// runs at a time, on one instance.
  /// \param ranks  the decomposition of the mesh; by default one process
  /// \throws InvalidArgument where the mesh has halo columns and there is one process, and where
  ///   `ranks` is that of another number of columns.
  template <ExecutionSpace Space>
  requires WorksIn<Space, memory_space> FusedColumns(const Space& space,
                                                     const ColumnOperator<Coefficients>& op,
                                                     const Decomposition<memory_space>& ranks = {})
      : m_operator(op),
        m_ranks(ranks),
        m_sweeps(op.num_columns(), make_sweeps(space, op.system(), ranks.halo)) {
    Impl::require_decomposition("FusedColumns", "op", "columns", ranks, op.num_owned(),
                                op.num_columns());
    if constexpr (!runs_on_host<Space>) {
      m_parts = Impl::TeamParts<memory_space>("Lamina::FusedColumns::parts");
    }
    update(space);
  }

  /// See `ColumnLinePreconditioner::update`. Solvers that were made from this model follow.
  template <ExecutionSpace Space>
  requires WorksIn<Space, memory_space>
  void update(const Space& space) const {
    const Impl::ProfilingRegion region("Lamina::FusedColumns::update");
    m_sweeps.visit([&](const Sweeps& sweeps) {
      Impl::prepare_columns(space, sweeps.system, sweeps.workspace);
    });
  }

  /// See `ColumnLinePreconditioner::status`; `FusedPcg` asks where a solve has failed.
  template <ExecutionSpace Space>
  requires WorksIn<Space, memory_space> SolveStatus status(const Space& space)
  const { return Impl::status_of_pivots(Impl::first_bad_column(space, m_operator.system())); }

  int num_owned() const { return m_operator.num_owned(); }
  int num_columns() const { return m_operator.num_columns(); }
  int num_levels() const { return m_operator.num_levels(); }
  const ColumnOperator<Coefficients>& columns() const { return m_operator; }

  /// \cond
  // For solvers and models of the library. Types of `Impl` may change at any time.

  /// The order in which fields of `FusedPcg` are, in the layout of the faster sweeps. Empty: that of the mesh.
  const Impl::ColumnOrder<memory_space>& column_order() const
      requires(Impl::SuitsSweepLayout<Coefficients>) {
    return m_sweeps.order();
  }
  /// Adds sweeps over fields whose rows are padded, where coefficients take packs, and rows of the grid do not begin
  /// with one, or levels with a cache line. `FusedPcg` calls it on devices.
  template <ExecutionSpace Space>
  requires WorksIn<Space, memory_space>
  void pad_rows(const Space& space) {
    if constexpr (Impl::PlacedCoefficients<Coefficients>) {
      static_assert(
          !requires(const Coefficients& c) { c.update(space); },
          "update would have to reach the padded sweeps of solvers");
      if (!m_sweeps.order().empty() || Impl::is_in_order(m_operator.system())) return;
      const auto padded = m_operator.with_padded_rows();
      if (!padded) return;
      const auto halo = Impl::exchange_in_places(m_ranks.halo, padded->order);
      m_sweeps.add(padded->order, make_sweeps(space, padded->system, halo));
      update(space);
    }
  }
  /// The operator on fields of so many columns, in the order of the mesh or in that one.
  template <class FieldType>
  const ColumnSystem<Coefficients>& system_of(const FieldType& field) const {
    return m_sweeps.of(field).system;
  }
  /// \endcond

  /// r = b - A x;  row n: <r, r>.
  template <ExecutionSpace Space, class In, class Out>
  void residual(const Space& space, const FusedStep<memory_space>& step, const In& b, const In& x,
                const Out& r) const {
    run_sweep("Lamina::FusedColumns::residual", space, system_of(r),
              ResidualSweep<scalar_type, typename In::array_layout, memory_space>{step, b, x, r},
              m_parts);
  }

  /// z = M^-1 r;  row n: <r, z>. Over several ranks also in the halo columns of z.
  template <ExecutionSpace Space, class In, class Out>
  void precondition(const Space& space, const FusedStep<memory_space>& step, const In& r,
                    const Out& z) const {
    const Sweeps& sweeps = m_sweeps.of(r);
    Impl::solve_fused_lines("Lamina::FusedColumns::precondition", space, sweeps.system, step,
                            m_parts, r, z, sweeps.workspace);
    Impl::exchange_halo(space, sweeps.halo, z);
  }

  /// Row n: <z, A z>.
  template <ExecutionSpace Space, class In>
  void measure(const Space& space, const FusedStep<memory_space>& step, const In& z) const {
    run_sweep("Lamina::FusedColumns::measure", space, system_of(z),
              MeasureSweep<scalar_type, typename In::array_layout, memory_space>{step, z}, m_parts);
  }

  /// p' = z + beta p;  r -= alpha A p';  row n + 1: <r, r>;  row n: <p', A p'>.
  /// With `update` also u += alpha_before p + alpha p'.
  template <ExecutionSpace Space, class In, class Out>
  void advance(const Space& space, const FusedStep<memory_space>& step, bool update, const In& z,
               const In& p, const Out& new_p, const Out& r, const Out& u) const {
    using Layout = typename In::array_layout;
    if (update) {
      run_sweep("Lamina::FusedColumns::advance_and_update", space, system_of(r),
                AdvanceSweep<scalar_type, Layout, memory_space, true>{step, z, p, new_p, r, u},
                m_parts);
    } else {
      run_sweep("Lamina::FusedColumns::advance", space, system_of(r),
                AdvanceSweep<scalar_type, Layout, memory_space, false>{step, z, p, new_p, r, u},
                m_parts);
    }
  }

  /// See `FusedModel`.
  const Decomposition<memory_space>& decomposition() const { return m_ranks; }
  /// p' = z + beta p on the halo columns.
  template <ExecutionSpace Space, class In, class Out>
  void advance_halo(const Space& space, const FusedStep<memory_space>& step, const In& z,
                    const In& p, const Out& new_p) const {
    const int owned = system_of(z).topology.num_owned;
    const auto halo = [owned](const auto& field) { return Impl::last_columns(field, owned); };
    Impl::advance_halo("Lamina::FusedColumns::advance_halo", space, step, halo(z), halo(p),
                       halo(new_p));
  }

  /// Costs of the sweeps, by label; over several ranks also that of halo columns.
  std::vector<KernelCost> kernel_costs() const {
    const auto& system = m_operator.system();
    const double cells = system.topology.cells();
    std::vector<KernelCost> costs{
        Impl::line_cost("Lamina::FusedColumns::precondition", system,
                        2 + m_sweeps.given().workspace.values_off_chip(), 14),
        Impl::stencil_cost("Lamina::FusedColumns::measure", system, 1, 23),
        Impl::stencil_cost("Lamina::FusedColumns::advance", system, 5, 27),
        Impl::stencil_cost("Lamina::FusedColumns::advance_and_update", system, 7, 31),
        Impl::stencil_cost("Lamina::FusedColumns::residual", system, 3, 24),
        {"Lamina::FusedModel::add", cells * 3 * sizeof(scalar_type), cells * 2}};
    const double halo_cells = static_cast<double>(num_columns() - num_owned()) * num_levels();
    if (halo_cells > 0) {
      costs.push_back({"Lamina::FusedColumns::advance_halo", halo_cells * 3 * sizeof(scalar_type),
                       2 * halo_cells});
    }
    if constexpr (Impl::SuitsSweepLayout<Coefficients>) {
      for (const KernelCost& cost : Impl::column_copy_costs(cells * sizeof(scalar_type))) {
        costs.push_back(cost);
      }
    }
    return costs;
  }

 private:
  struct Sweeps {
    ColumnSystem<Coefficients> system;
    Impl::LineWorkspace<scalar_type, memory_space> workspace;
    HaloExchange<memory_space> halo;
  };
  template <class Space>
  static Sweeps make_sweeps(const Space& space, const ColumnSystem<Coefficients>& system,
                            const HaloExchange<memory_space>& halo) {
    const auto& topology = system.topology;
    return {system, {space, topology.num_owned, topology.num_levels, Impl::column_segments}, halo};
  }

  ColumnOperator<Coefficients> m_operator;
  Decomposition<memory_space> m_ranks;
  Impl::InEitherOrder<Sweeps, memory_space> m_sweeps;
  Impl::TeamParts<memory_space> m_parts;  // of the sums, on a device
};

}  // namespace Lamina
