// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/columns/FusedColumns.hpp>
#include <lamina/sweeps/impl/MixedSweeps.hpp>

#include <algorithm>
#include <concepts>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace Lamina {

/// The sweeps of `FusedPcg` in mixed precision for any `ColumnOperator` with its line preconditioner.
/// Residuals use the operator in double precision, iterations use that in single precision: two kinds of
/// coefficients of the same matrix. Both may read the same stored values. It is a model of `FusedModel`,
/// which describes arguments and guards of the sweeps. Over several ranks it works as `FusedColumns`.
template <ColumnCoefficients Coefficients, ColumnCoefficients ShortCoefficients>
requires std::same_as<typename Coefficients::scalar_type, double> &&
    std::same_as<typename ShortCoefficients::scalar_type, float> &&
    std::same_as<typename Coefficients::memory_space, typename ShortCoefficients::memory_space>
class MixedColumns {
 public:
  using scalar_type = double;
  using vector_scalar_type = float;
  using memory_space = typename Coefficients::memory_space;

  /// Allocates scratch for `space`, and prepares the line solves. Copies share the scratch: one solve
  /// runs at a time, on one instance.
  /// \param op, short_op  the same equation on the same mesh
  /// \param ranks  the decomposition of the mesh, for fields in double precision; by default one process
  /// \throws InvalidArgument where their extents differ, and as `FusedColumns`.
  template <ExecutionSpace Space>
  requires WorksIn<Space, memory_space> MixedColumns(
      const Space& space, const ColumnOperator<Coefficients>& op,
      const ColumnOperator<ShortCoefficients>& short_op,
      const Decomposition<memory_space>& ranks = {})
      : m_operator(op), m_sweeps(space, short_op, ranks), m_systems(op.num_columns(), op.system()) {
    require_equal("columns", op.num_columns(), short_op.num_columns());
    require_equal("levels", op.num_levels(), short_op.num_levels());
    if constexpr (!runs_on_host<Space>) {
      m_parts = Impl::TeamParts<memory_space>("Lamina::MixedColumns::parts");
    }
  }

  /// See `ColumnLinePreconditioner::update`; of both operators.
  template <ExecutionSpace Space>
  requires WorksIn<Space, memory_space>
  void update(const Space& space) const {
    if constexpr (requires { m_operator.system().coefficients.update(space); }) {
      m_operator.system().coefficients.update(space);
    }
    m_sweeps.update(space);
  }

  /// See `FusedColumns::status`, of the single-precision operator.
  template <ExecutionSpace Space>
  requires WorksIn<Space, memory_space> SolveStatus status(const Space& space)
  const { return m_sweeps.status(space); }

  int num_owned() const { return m_operator.num_owned(); }
  int num_columns() const { return m_operator.num_columns(); }
  int num_levels() const { return m_operator.num_levels(); }

  /// \cond
  /// See `FusedColumns`.
  const Impl::ColumnOrder<memory_space>& column_order() const
      requires(Impl::SuitsSweepLayout<Coefficients>&& Impl::SuitsSweepLayout<ShortCoefficients>) {
    return m_systems.order();
  }
  template <ExecutionSpace Space>
  requires WorksIn<Space, memory_space>
  void pad_rows(const Space& space) {
    if constexpr (Impl::PlacedCoefficients<Coefficients> &&
                  Impl::PlacedCoefficients<ShortCoefficients>) {
      if (!m_systems.order().empty()) return;
      m_sweeps.pad_rows(space);
      if (m_sweeps.column_order().empty()) return;
      if (const auto padded = m_operator.with_padded_rows()) {
        m_systems.add(padded->order, padded->system);
      }
    }
  }
  /// \endcond

  /// r = step.scale (b - A x), computed in double precision;  row n: <r, r>.
  template <ExecutionSpace Space, class In, class Out>
  void residual(const Space& space, const FusedStep<memory_space>& step, const In& b, const In& x,
                const Out& r) const {
    run_sweep("Lamina::MixedColumns::residual", space, m_systems.of(r),
              Impl::RoundedResidualSweep<typename In::array_layout, memory_space>{step, step.scale,
                                                                                  b, x, r},
              m_parts);
  }

  /// See `FusedColumns::precondition`.
  template <ExecutionSpace Space, class In, class Out>
  void precondition(const Space& space, const FusedStep<memory_space>& step, const In& r,
                    const Out& z) const {
    m_sweeps.precondition(space, step, r, z);
  }

  /// Row n: <z, A z>.
  template <ExecutionSpace Space, class In>
  void measure(const Space& space, const FusedStep<memory_space>& step, const In& z) const {
    m_sweeps.measure(space, step, z);
  }

  /// p' = z + beta p;  r -= alpha A p';  row n + 1: <r, r>;  row n: <p', A p'>.
  /// With `update` also u += (alpha_before p + alpha p') / step.scale in double precision.
  template <ExecutionSpace Space, class In, class Out, class Solution>
  void advance(const Space& space, const FusedStep<memory_space>& step, bool update, const In& z,
               const In& p, const Out& new_p, const Out& r, const Solution& u) const {
    if (update) {
      run_sweep("Lamina::MixedColumns::advance_and_update", space, m_sweeps.system_of(r),
                Impl::AdvanceAndUpdateSweep<typename In::array_layout, memory_space>{
                    step, 1 / step.scale, z, p, new_p, r, u},
                m_parts);
    } else {
      m_sweeps.advance(space, step, false, z, p, new_p, r, r);  // no solution to be updated
    }
  }

  /// See `FusedModel`.
  const Decomposition<memory_space>& decomposition() const { return m_sweeps.decomposition(); }
  /// p' = z + beta p on the halo columns.
  template <ExecutionSpace Space, class In, class Out>
  void advance_halo(const Space& space, const FusedStep<memory_space>& step, const In& z,
                    const In& p, const Out& new_p) const {
    m_sweeps.advance_halo(space, step, z, p, new_p);
  }

  /// Costs of the sweeps, by label.
  std::vector<KernelCost> kernel_costs() const {
    const auto& system = m_operator.system();
    const auto& short_system = m_sweeps.columns().system();
    const double cells = system.topology.cells();
    std::vector<KernelCost> costs{
        {"Lamina::MixedColumns::residual", cells * 20 + Impl::stencil_bytes(system), cells * 25},
        {"Lamina::MixedColumns::advance_and_update", cells * 36 + Impl::stencil_bytes(short_system),
         cells * 31},
        {"Lamina::FusedModel::add", cells * 20, cells * 2}};
    // Of the sweeps in single precision, those that `FusedPcg` runs.
    constexpr std::string_view used[] = {
        "Lamina::FusedColumns::precondition", "Lamina::FusedColumns::measure",
        "Lamina::FusedColumns::advance", "Lamina::FusedColumns::advance_halo"};
    for (const KernelCost& cost : m_sweeps.kernel_costs()) {
      if (std::find(std::begin(used), std::end(used), cost.label) != std::end(used)) {
        costs.push_back(cost);
      }
    }
    if constexpr (Impl::has_column_order<MixedColumns>) {
      for (const KernelCost& cost : Impl::column_copy_costs(cells * sizeof(double))) {
        costs.push_back(cost);
      }
    }
    return costs;
  }

 private:
  static void require_equal(const std::string& what, int expected, int got) {
    LAMINA_REQUIRE(expected == got, "MixedColumns",
                   "short_op: expected " + std::to_string(expected) + ' ' + what + ", got " +
                       std::to_string(got));
  }

  ColumnOperator<Coefficients> m_operator;
  FusedColumns<ShortCoefficients> m_sweeps;
  Impl::InEitherOrder<ColumnSystem<Coefficients>, memory_space> m_systems;
  Impl::TeamParts<memory_space> m_parts;  // of the sums, on a device
};

}  // namespace Lamina
