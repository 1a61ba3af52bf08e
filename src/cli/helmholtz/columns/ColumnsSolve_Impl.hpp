// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// One solve with bottoms or coefficients on one execution space; instantiated in Columns_<Name>.cpp alone.

#include <lamina/columns/ColumnLinePreconditioner.hpp>
#include <lamina/columns/ColumnNullSpace.hpp>
#include <lamina/columns/FusedColumns.hpp>
#include <lamina/columns/MixedColumns.hpp>
#include <lamina/columns/StoredCoefficients.hpp>
#include <lamina/krylov/FusedPcg.hpp>
#include <lamina/krylov/Pcg.hpp>
#include <lamina/krylov/TrueResidual.hpp>
#include <lamina/multigrid/ColumnMultigrid.hpp>
#include <lamina/multigrid/MultigridColumns.hpp>

#include <Kokkos_Timer.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

#include "helmholtz/HelmholtzFields.hpp"
#include "helmholtz/HelmholtzFile.hpp"
#include "helmholtz/HelmholtzMemory.hpp"
#include "helmholtz/columns/ColumnsBytes.hpp"
#include "helmholtz/columns/ColumnsSolve.hpp"
#include "helmholtz/columns/HelmholtzColumns.hpp"
#include "support/LevelTimes.hpp"
#include "support/TimedSolve.hpp"
#include "support/output/Solution.hpp"

namespace Lamina::Cli {

/// A solve with fields of one type: set-up, solve, and what is told about it. In mixed precision fields are those
/// of the solution.
template <ExecutionSpace Execution, class Scalar, class LayoutType>
class ColumnsSolve {
 public:
  explicit ColumnsSolve(const HelmholtzTask& task)
      : m_task(task),
        m_columns(*task.problem.columns),
        m_mesh(task.problem.grid->graph),
        m_operator(make_operator<Scalar>()) {}

  HelmholtzResult run() {
    make_fields();
    const ColumnNullSpace null_space(m_space, m_operator, m_volumes);
    m_result.parts = ColumnParts{.components = null_space.num_components(),
                                 .singular = null_space.num_singular(),
                                 .rhs_defect = null_space.project(m_space, m_rhs)};
    const bool solvable =
        m_result.parts->rhs_defect <= ColumnNullSpace<Memory>::small_defect || m_columns.project;
    if (!solvable) {
      if (m_task.on_ready) m_task.on_ready();
      tell_of_no_solution();
      return m_result;
    }
    solve();
    null_space.remove_means(m_space, m_solution);
    recompute_residuals();
    if (!m_task.output.empty() && has_solution(m_result.report)) {
      write_helmholtz_file<Scalar>(
          m_task, m_result, Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), m_solution),
          Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), m_rhs));
    }
    return m_result;
  }

  /// Bytes that a solve allocates in `Memory`, at most.
  static double required_bytes(const HelmholtzProblem& problem, const HelmholtzVariant& variant) {
    return columns_solve_bytes<Execution, Scalar, LayoutType>(
        {.grid = grid_of_rank(problem, variant.rank_grid),
         .num_edges = static_cast<double>(problem.grid->graph.edges.size()),
         .mixed = variant.precision == Precision::mixed,
         .multigrid = variant.solver == Solver::multigrid_pcg});
  }

 private:
  using Memory = typename Execution::memory_space;
  using VectorLayout = ColumnsLayout<Execution, LayoutType>;
  using FieldType = Kokkos::View<Scalar**, LayoutType, Memory>;
  template <class Value>
  using Stored = StoredCoefficients<Value, Memory, VectorLayout>;

  /// A plan whose cycles take fields of one layout alone: copies them there and back, as `FusedPcg` does for other
  /// models.
  template <class Plan>
  struct TurnedPlan {
    Plan& plan;
    Kokkos::View<Scalar**, VectorLayout, Memory> b, x;

    SolveReport solve(const Execution& space, const FieldType& rhs, const FieldType& solution,
                      const StoppingCriteria& criteria) {
      Kokkos::deep_copy(space, b, rhs);
      Kokkos::deep_copy(space, x, solution);
      const SolveReport report = plan.solve(space, b, x, criteria);
      Kokkos::deep_copy(space, solution, x);
      return report;
    }
  };

  std::size_t num_levels() const { return static_cast<std::size_t>(m_columns.num_levels); }

  template <class FieldView>
  void fill(const FieldView& field, const std::vector<double>& values) const {
    const auto host = Kokkos::create_mirror_view(field);
    for (std::size_t c = 0; c < host.extent(0); ++c) {
      for (std::size_t k = 0; k < num_levels(); ++k) {
        host(c, k) = static_cast<typename FieldView::value_type>(values[c * num_levels() + k]);
      }
    }
    Kokkos::deep_copy(m_space, field, host);
    m_space.fence();
  }
  template <class Value>
  ColumnOperator<Stored<Value>> make_operator() const {
    using Values = Kokkos::View<Value**, VectorLayout, Memory>;
    const auto make = [&](const char* name, const std::vector<double>& values) {
      const Values field(
          Kokkos::view_alloc(std::string("Lamina::Cli::") + name, Kokkos::WithoutInitializing),
          values.size() / num_levels(), num_levels());
      fill(field, values);
      return field;
    };
    return {m_mesh, m_columns.num_levels,
            Stored<Value>(m_space, m_mesh, make("mass", m_columns.mass),
                          make("vertical", m_columns.vertical),
                          make("horizontal", m_columns.horizontal))};
  }

  FieldType make_field(const std::string& label) const {
    return FieldType(Kokkos::view_alloc(m_space, label),
                     static_cast<std::size_t>(m_operator.num_columns()), num_levels());
  }
  void make_fields() {
    m_rhs = make_field("Lamina::Cli::rhs");
    m_solution = make_field("Lamina::Cli::solution");
    m_scratch = make_field("Lamina::Cli::scratch");
    const auto host = Kokkos::create_mirror_view(m_rhs);
    if (m_task.problem.generated_rhs) {
      generate_right_hand_side(m_task.problem, host);
    } else {
      read_right_hand_side(m_task.problem, host);
    }
    Kokkos::deep_copy(m_space, m_rhs, host);
    // Weights of dry cells have no effect, but have to be positive.
    std::vector<double> volumes = m_columns.volumes;
    std::replace(volumes.begin(), volumes.end(), 0.0, 1.0);
    m_volumes = decltype(m_volumes)("Lamina::Cli::volumes", m_rhs.extent(0), num_levels());
    fill(m_volumes, volumes);
  }

  template <class Value>
  auto make_multigrid(const ColumnOperator<Stored<Value>>& op) {
    const ColumnMultigrid<Stored<Value>, VectorLayout> multigrid(
        m_space, m_task.problem.grid->graph, op, m_task.variant.multigrid);
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
      const ColumnLinePreconditioner lines(m_space, m_operator);
      Pcg pcg(m_space, m_operator, lines);
      solve_with(pcg, {pcg.kernel_costs(), m_operator.kernel_costs(), lines.kernel_costs()});
    } else {
      solve_fused(FusedColumns(m_space, m_operator), m_operator);
    }
  }
  void solve_in_mixed_precision() {
    const auto short_operator = make_operator<float>();
    solve_fused(MixedColumns(m_space, m_operator, short_operator), short_operator);
  }
  /// \param op  of the iterations
  template <class Sweeps, class Operator>
  void solve_fused(const Sweeps& sweeps, const Operator& op) {
    if (m_task.variant.solver == Solver::multigrid_pcg) {
      const MultigridColumns model(sweeps, make_multigrid(op));
      FusedPcg pcg(m_space, model);
      if constexpr (std::is_same_v<LayoutType, VectorLayout>) {
        solve_with(pcg, {model.kernel_costs()});
      } else {
        const auto vector = [&](const std::string& label) {
          return Kokkos::View<Scalar**, VectorLayout, Memory>(label, m_rhs.extent(0), num_levels());
        };
        TurnedPlan<decltype(pcg)> plan{pcg, vector("Lamina::Cli::turned_rhs"),
                                       vector("Lamina::Cli::turned_solution")};
        solve_with(plan, {model.kernel_costs()});
      }
      keep_level_times(m_result, "Lamina::ColumnMultigrid::", {"Lamina::MultigridColumns::energy"},
                       {"lines", "residual", "first_step", "add", "restrict", "prolong"});
    } else {
      FusedPcg pcg(m_space, sweeps);
      solve_with(pcg, {sweeps.kernel_costs()});
    }
  }

  /// The residual is that of a solution of 0.
  void tell_of_no_solution() {
    m_result.setup_seconds = m_setup_timer.seconds();
    SolveReport& report = m_result.report;
    report.status = SolveStatus::inconsistent;
    report.initial_residual_norm = two_norm(m_space, m_rhs);
    report.reference_norm = report.residual_norm = report.initial_residual_norm;
    report.residual_history = {1};
    m_result.true_relative_residual = m_result.true_relative_residual_preconditioned = 1;
  }

  template <class Plan>
  void solve_with(Plan& plan, const std::vector<std::vector<KernelCost>>& costs) {
    m_space.fence();
    m_result.setup_seconds = m_setup_timer.seconds();
    if (m_task.on_ready) m_task.on_ready();
    timed_solve(m_space, plan, m_rhs, m_solution, m_scratch, m_task.criteria, costs, m_result);
  }

  void recompute_residuals() {
    m_result.true_relative_residual =
        true_relative_residual(m_space, m_operator, m_rhs, m_solution, m_scratch);
    const ColumnLinePreconditioner lines(m_space, m_operator);
    const FieldType solved = make_field("Lamina::Cli::preconditioned");
    const double size = preconditioned_norm(m_space, m_operator, lines, m_scratch, solved),
                 rhs = preconditioned_norm(m_space, m_operator, lines, m_rhs, solved);
    m_result.true_relative_residual_preconditioned = rhs > 0 ? size / rhs : size;
  }

  const HelmholtzTask& m_task;
  const HelmholtzColumns& m_columns;
  Kokkos::Timer m_setup_timer;
  Execution m_space;
  ColumnMesh<Memory> m_mesh;
  ColumnOperator<Stored<Scalar>> m_operator;
  FieldType m_rhs, m_solution, m_scratch;
  Kokkos::View<double**, Kokkos::LayoutLeft, Memory> m_volumes;
  HelmholtzResult m_result;
};

template <ExecutionSpace Execution>
HelmholtzResult solve_columns(const HelmholtzTask& task) {
  return with_helmholtz_fields(task.variant, [&]<class Scalar, class LayoutType>() {
    return ColumnsSolve<Execution, Scalar, LayoutType>(task).run();
  });
}

template <ExecutionSpace Execution>
double columns_bytes(const HelmholtzProblem& problem, const HelmholtzVariant& variant) {
  return with_helmholtz_fields(variant, [&]<class Scalar, class LayoutType>() {
    return ColumnsSolve<Execution, Scalar, LayoutType>::required_bytes(problem, variant);
  });
}

}  // namespace Lamina::Cli
