// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// One solve with bottoms or coefficients on one execution space; instantiated by StoredColumns.cpp.in and
// ProfileColumns.cpp.in alone.

#include <lamina/columns/ColumnLinePreconditioner.hpp>
#include <lamina/columns/ColumnNullSpace.hpp>
#include <lamina/columns/FusedColumns.hpp>
#include <lamina/columns/MixedColumns.hpp>
#include <lamina/krylov/FusedPcg.hpp>
#include <lamina/krylov/FusedRichardson.hpp>
#include <lamina/krylov/Pcg.hpp>
#include <lamina/krylov/TrueResidual.hpp>
#include <lamina/multigrid/ColumnMultigrid.hpp>
#include <lamina/multigrid/MultigridColumns.hpp>

#include <Kokkos_Timer.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "helmholtz/HelmholtzFields.hpp"
#include "helmholtz/HelmholtzFile.hpp"
#include "helmholtz/columns/ColumnsFields.hpp"
#include "helmholtz/columns/ColumnsSolve.hpp"
#include "helmholtz/columns/HelmholtzColumns.hpp"
#include "helmholtz/columns/SharedEdges.hpp"
#include "helmholtz/parts/ColumnPart.hpp"
#include "helmholtz/parts/GridFields.hpp"
#include "support/LevelTimes.hpp"
#include "support/TimedSolve.hpp"
#include "support/machine/Space.hpp"
#include "support/options/InputError.hpp"
#include "support/output/Solution.hpp"

namespace Lamina::Cli {

/// A solve with fields of one type: set-up, solve, and what is told about it. In mixed precision fields are those
/// of the solution.
/// \tparam Kind  of coefficients
template <ExecutionSpace Execution, class Scalar, class LayoutType, class Kind>
class ColumnsSolve {
 public:
  ColumnsSolve(const Execution& space, const HelmholtzTask& task)
      : m_task(task),
        m_columns(*task.problem.columns),
        m_space(space),
        m_part(m_space, task.problem, num_levels() * sizeof(Scalar), task.variant.rank_grid),
        m_mesh(make_agreed(ranks(),
                           [&] {
                             require_rank_of(m_columns, m_part.link().rank());
                             m_scaled = scaled_columns(m_task.problem, m_part.local());
                             return ColumnMesh<Memory>(graph());
                           })),
        m_operator(make_agreed(ranks(), [&] { return make_operator<Scalar>(); })) {}

  HelmholtzResult run() {
    if (ranks() != nullptr) require_same_edges(m_task.problem, *ranks(), *m_part.local());
    double largest = 0;
    run_agreed(ranks(), [&] { largest = make_fields(); });
    require_normal_rhs<Scalar>(ranks(), m_task.problem, largest);
    const ColumnNullSpace<Memory> null_space = make_null_space();
    m_result.parts = ColumnParts{.components = null_space.num_components(),
                                 .singular = null_space.num_singular(),
                                 .rhs_defect = null_space.project(m_space, m_rhs)};
    const bool solvable =
        m_result.parts->rhs_defect <= ColumnNullSpace<Memory>::small_defect || m_columns.project;
    if (!solvable) {
      tell_of_no_solution();
      return m_result;
    }
    solve();
    null_space.remove_means(m_space, m_solution);
    recompute_residuals();
    if (!m_task.output.empty() && has_solution(m_result.report)) write_output();
    return m_result;
  }

 private:
  using Memory = typename Execution::memory_space;
  /// In which `FusedPcg` iterates, whatever the layout of the fields.
  using VectorLayout = SweepLayout<Execution>;
  using FieldType = Kokkos::View<Scalar**, LayoutType, Memory>;
  template <class Value>
  using Coefficients = typename Kind::template Coefficients<Value, Memory, VectorLayout>;

  const Ranks* ranks() const { return m_part.ranks(); }
  std::size_t num_levels() const { return static_cast<std::size_t>(m_columns.num_levels); }

  const ColumnGraph& graph() const {
    if (m_scaled) return m_scaled->graph;
    return ranks() == nullptr ? m_task.problem.grid->graph : m_part.local()->graph;
  }
  ColumnNullSpace<Memory> make_null_space() const {
    if (ranks() == nullptr) return {m_space, m_operator, m_volumes};
    return {m_space, m_part.link().transport(), m_part.local()->halo, m_operator, m_volumes};
  }

  template <class Value>
  ColumnOperator<Coefficients<Value>> make_operator() const {
    return {m_mesh, m_columns.num_levels,
            Kind::template make<Value, VectorLayout>(m_space, m_mesh, m_columns)};
  }
  FieldType make_field(const std::string& label) const {
    return FieldType(Kokkos::view_alloc(m_space, label),
                     static_cast<std::size_t>(m_operator.num_columns()), num_levels());
  }
  /// \return the largest magnitude of a right-hand side that was read
  double make_fields() {
    m_rhs = make_field("Lamina::Cli::rhs");
    m_solution = make_field("Lamina::Cli::solution");
    m_scratch = make_field("Lamina::Cli::scratch");
    const double largest = fill_grid_rhs(m_space, m_task.problem, m_part, m_rhs);
    turn_levels<Kind>(m_space, m_rhs);
    if (!m_columns.has_massless) return largest;  // no part is without mass
    // Weights of dry cells have no effect, but have to be positive.
    std::vector<double> volumes = cell_volumes(m_task.problem, m_part.local());
    std::replace(volumes.begin(), volumes.end(), 0.0, 1.0);
    m_volumes = decltype(m_volumes)("Lamina::Cli::volumes", m_rhs.extent(0), num_levels());
    fill_columns(m_space, m_volumes, volumes);
    turn_levels<Kind>(m_space, m_volumes);
    return largest;
  }

  template <class Value>
  auto make_multigrid(const ColumnOperator<Coefficients<Value>>& op) {
    using Multigrid = ColumnMultigrid<Coefficients<Value>, VectorLayout>;
    const MultigridParameters& cycle = m_task.variant.multigrid;
    const Multigrid multigrid = ranks() == nullptr
                                    ? Multigrid(m_space, graph(), op, cycle)
                                    : Multigrid(m_space, m_part.link().transport(),
                                                m_scaled ? *m_scaled : *m_part.local(), op, cycle);
    m_result.cycle_precision = precision_of<Value>;
    for (int l = 0; l < multigrid.num_levels(); ++l) {
      m_result.levels.push_back({multigrid.num_columns(l), multigrid.num_edges(l)});
    }
    return multigrid;
  }

  void solve() {
    const Solver solver = m_task.variant.solver;
    const bool mixed = m_task.variant.precision == Precision::mixed;
    if (mixed) {
      if constexpr (std::is_same_v<Scalar, double>) solve_in_mixed_precision();
    } else if (solver == Solver::pcg) {
      const auto lines = make_lines();
      Pcg pcg(m_space, m_operator, lines, m_part.decomposition());
      solve_with(pcg, {pcg.kernel_costs(), m_operator.kernel_costs(), lines.kernel_costs()});
    } else {
      solve_fused(FusedColumns(m_space, m_operator, m_part.decomposition()), m_operator);
    }
  }
  void solve_in_mixed_precision() {
    const auto short_operator = make_agreed(ranks(), [&] { return make_operator<float>(); });
    solve_fused(MixedColumns(m_space, m_operator, short_operator, m_part.decomposition()),
                short_operator);
  }
  /// \param op  of the iterations
  template <class Sweeps, class Operator>
  void solve_fused(const Sweeps& sweeps, const Operator& op) {
    if (is_multigrid(m_task.variant.solver)) {
      const MultigridColumns model(sweeps, make_multigrid(op));
      if (m_task.variant.solver == Solver::multigrid) {
        FusedRichardson cycles =
            make_agreed(ranks(), [&] { return FusedRichardson(m_space, model); });
        solve_with(cycles, {model.kernel_costs()});
      } else {
        FusedPcg pcg = make_agreed(ranks(), [&] { return FusedPcg(m_space, model); });
        solve_with(pcg, {model.kernel_costs()});
      }
      keep_level_times(m_result,
                       "Lamina::ColumnMultigrid::", {"Lamina::ColumnMultigrid::first_step"},
                       {"first_step", "step", "residual", "restrict", "sum_rows", "prolong",
                        "turn_r", "turn_z"});
    } else {
      FusedPcg pcg = make_agreed(ranks(), [&] { return FusedPcg(m_space, sweeps); });
      solve_with(pcg, {sweeps.kernel_costs()});
    }
  }

  /// The residual is that of a solution of 0.
  void tell_of_no_solution() {
    m_result.setup_seconds = m_setup_timer.seconds();
    get_ready();
    SolveReport& report = m_result.report;
    report.status = SolveStatus::inconsistent;
    report.initial_residual_norm = norm_of_all(ranks(), two_norm(m_space, m_rhs));
    report.reference_norm = report.residual_norm = report.initial_residual_norm;
    report.residual_history = {1};
    m_result.true_relative_residual = m_result.true_relative_residual_preconditioned = 1;
    combine_over_ranks(m_result, m_part.link(), m_task.variant.space->describe(), m_part.share());
  }
  void get_ready() const {
    run_agreed(ranks(), [&] {
      if (m_task.on_ready) m_task.on_ready();
    });
  }

  template <class Plan>
  void solve_with(Plan& plan, const std::vector<std::vector<KernelCost>>& costs) {
    m_space.fence();
    m_result.setup_seconds = m_setup_timer.seconds();
    get_ready();
    timed_solve(m_space, plan, m_rhs, m_solution, m_scratch, m_task.criteria, costs, m_result,
                m_part.link());
    combine_over_ranks(m_result, m_part.link(), m_task.variant.space->describe(), m_part.share());
  }

  auto make_lines() const {
    return make_agreed(ranks(), [&] { return ColumnLinePreconditioner(m_space, m_operator); });
  }
  void recompute_residuals() {
    m_part.update_halo(m_space, m_solution);
    m_result.true_relative_residual =
        true_relative_residual(m_space, m_operator, m_rhs, m_solution, m_scratch, ranks());
    const auto lines = make_lines();
    const auto solved =
        make_agreed(ranks(), [&] { return make_field("Lamina::Cli::preconditioned"); });
    const auto norm = [&](const FieldType& field) {
      return norm_of_all(ranks(), preconditioned_norm(m_space, m_operator, lines, field, solved));
    };
    const double size = norm(m_scratch), rhs = norm(m_rhs);
    m_result.true_relative_residual_preconditioned = rhs > 0 ? size / rhs : size;
  }

  void write_output() const {
    turn_levels<Kind>(m_space, m_solution);
    turn_levels<Kind>(m_space, m_rhs);
    const auto [solution, rhs] = make_agreed(ranks(), [&] {
      return std::pair(Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), m_solution),
                       Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), m_rhs));
    });
    write_grid(m_task, m_result, m_part, solution, rhs);
  }

  const HelmholtzTask& m_task;
  const HelmholtzColumns& m_columns;
  Kokkos::Timer m_setup_timer;
  Execution m_space;
  ColumnPart<Execution> m_part;
  std::optional<LocalColumns> m_scaled;  // none: couplings are those of the grid
  ColumnMesh<Memory> m_mesh;
  ColumnOperator<Coefficients<Scalar>> m_operator;
  FieldType m_rhs, m_solution, m_scratch;
  Kokkos::View<double**, Kokkos::LayoutLeft, Memory> m_volumes;
  HelmholtzResult m_result;
};

template <ExecutionSpace Execution>
HelmholtzResult solve_stored_columns(const Execution& space, const HelmholtzTask& task) {
  return with_helmholtz_fields(task.variant, [&]<class Scalar, class LayoutType>() {
    return ColumnsSolve<Execution, Scalar, LayoutType, StoredKind>(space, task).run();
  });
}

template <ExecutionSpace Execution>
HelmholtzResult solve_profile_columns(const Execution& space, const HelmholtzTask& task) {
  return with_helmholtz_fields(task.variant, [&]<class Scalar, class LayoutType>() {
    return task.problem.columns->kind == ColumnsClass::profiles
               ? ColumnsSolve<Execution, Scalar, LayoutType, ProfileKind<false>>(space, task).run()
               : ColumnsSolve<Execution, Scalar, LayoutType, ProfileKind<true>>(space, task).run();
  });
}

}  // namespace Lamina::Cli
