// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// One solve on one execution space; instantiated by HelmholtzSolve.cpp.in alone.

#include <lamina/helmholtz/CsrHelmholtz.hpp>
#include <lamina/helmholtz/FusedHelmholtz.hpp>
#include <lamina/helmholtz/FusedHelmholtzStored.hpp>
#include <lamina/helmholtz/LinePreconditioner.hpp>
#include <lamina/helmholtz/MixedHelmholtz.hpp>
#include <lamina/krylov/FusedPcg.hpp>
#include <lamina/krylov/FusedPcgStored.hpp>
#include <lamina/krylov/FusedRichardson.hpp>
#include <lamina/krylov/Pcg.hpp>
#include <lamina/krylov/TrueResidual.hpp>
#include <lamina/lines/LineSolver.hpp>
#include <lamina/multigrid/MultigridHelmholtz.hpp>

#include <Kokkos_Timer.hpp>

#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "helmholtz/HelmholtzBytes.hpp"
#include "helmholtz/HelmholtzError.hpp"
#include "helmholtz/HelmholtzLimits.hpp"
#include "helmholtz/HelmholtzMultigrid.hpp"
#include "helmholtz/HelmholtzTask.hpp"
#include "helmholtz/columns/ColumnsSolve.hpp"
#include "helmholtz/parts/ColumnPart.hpp"
#include "helmholtz/parts/GridFields.hpp"
#include "helmholtz/parts/PanelFields.hpp"
#include "support/TimedSolve.hpp"
#include "support/machine/Space.hpp"
#include "support/output/Solution.hpp"

namespace Lamina::Cli {

/// A solve with fields of one type on one space: set-up, solve, and what is told about it. In mixed
/// precision fields are those of the solution.
template <ExecutionSpace Execution, class Scalar, class LayoutType>
class HelmholtzSolve {
 public:
  HelmholtzSolve(const Execution& space, const HelmholtzTask& task)
      : m_task(task),
        m_space(space),
        m_grid(task.problem.vertical()),
        m_part(m_space, task.problem, num_levels() * sizeof(Scalar), task.variant.rank_grid),
        m_mesh(make_agreed(ranks(), [&] { return m_part.make_mesh(); })),
        m_operator(make_agreed(ranks(), [&] {
          return HelmholtzOperator<Scalar, Memory>(m_mesh, m_grid, m_task.problem.parameters);
        })) {}

  HelmholtzResult run() {
    if (m_task.variant.solver != Solver::csr_pcg) keep_rounding(m_operator.rounding_error());
    double largest = 0;
    run_agreed(ranks(), [&] {
      largest = fill_right_hand_side();
      m_solution = make_field("Lamina::Cli::solution");
      m_scratch = make_field("Lamina::Cli::scratch");
    });
    require_normal_rhs<Scalar>(ranks(), m_task.problem, largest);
    const Solver solver = m_task.variant.solver;
    if (m_task.variant.precision == Precision::mixed) {
      if constexpr (std::is_same_v<Scalar, double>) solve_in_mixed_precision();
    } else if (is_multigrid(solver)) {
      if (cycles_in_single_precision()) {
        if constexpr (std::is_same_v<Scalar, double>) solve_by_multigrid<double, float>();
      } else {
        solve_by_multigrid<Scalar, Scalar>();
      }
    } else if (solver == Solver::fused_pcg && recomputes<Execution>(m_task.variant)) {
      const FusedHelmholtz<Scalar, Memory> model(m_space, m_operator, m_part.decomposition());
      FusedPcg pcg(m_space, model);
      solve_with(pcg, {model.kernel_costs()});
    } else if (solver == Solver::fused_pcg || solver == Solver::fused_pcg_stored) {
      const FusedHelmholtzStored<Scalar, Memory> model(m_space, m_operator);
      FusedPcgStored pcg(m_space, model);
      solve_with(pcg, {model.kernel_costs()});
    } else if (solver == Solver::pcg) {
      const LinePreconditioner<Scalar, Memory> lines(m_space, m_operator);
      Pcg pcg(m_space, m_operator, lines, m_part.decomposition());
      solve_with(pcg, {pcg.kernel_costs(), m_operator.kernel_costs(), lines.kernel_costs()});
    } else {
      const Matrix matrix(m_space, m_mesh, m_grid, m_task.problem.parameters);
      keep_rounding(matrix.rounding_error());
      const MatrixLines lines(m_space, matrix.tridiagonal());
      Pcg pcg(m_space, matrix, lines);
      solve_with(pcg, {pcg.kernel_costs(), matrix.kernel_costs(), lines.kernel_costs()});
    }
    recompute_residuals();
    if (m_task.problem.solved_by_one()) {
      m_result.error = distance_from_one(m_space, m_rhs, m_solution,
                                         static_cast<std::size_t>(m_operator.num_owned()), ranks());
    }
    if (!m_task.output.empty() && has_solution(m_result.report)) write_output();
    return m_result;
  }

 private:
  using Memory = typename Execution::memory_space;
  using FieldType = Kokkos::View<Scalar**, LayoutType, Memory>;
  using Matrix = CsrHelmholtz<Scalar, LayoutType, Execution>;
  using MatrixLines = LineSolver<typename Matrix::tridiagonal_type>;

  const Ranks* ranks() const { return m_part.ranks(); }
  std::size_t num_levels() const { return static_cast<std::size_t>(m_grid.num_levels()); }

  /// Whether cycles of a solve in double precision are in single precision. Collective.
  bool cycles_in_single_precision() const {
    if (!std::is_same_v<Scalar, double> || !suits_single_cycle(m_rounding)) return false;
    const bool in_range = is_in_range(m_task.problem, Precision::single_precision);
    return largest_of_all(ranks(), in_range ? 0 : 1) == 0;
  }

  template <class VectorScalar, class CycleScalar>
  void solve_by_multigrid() {
    using Model = MultigridHelmholtz<Scalar, Memory, VectorScalar, CycleScalar>;
    const auto multigrid = make_multigrid<CycleScalar>(m_space, m_part, m_task, m_result);
    const Model model = [&] {
      if constexpr (std::is_same_v<Scalar, CycleScalar>) {
        return Model(m_space, multigrid);
      } else {
        return Model(m_space, m_operator, multigrid);
      }
    }();
    m_result.cycle_precision = precision_of<CycleScalar>;
    if (m_task.variant.solver == Solver::multigrid) {
      FusedRichardson cycles(m_space, model);
      solve_with(cycles, {model.kernel_costs()});
    } else {
      FusedPcg pcg(m_space, model);
      solve_with(pcg, {model.kernel_costs()});
    }
    keep_level_times(m_result);
  }

  void solve_in_mixed_precision() {
    if (is_multigrid(m_task.variant.solver)) return solve_by_multigrid<float, float>();
    const HelmholtzOperator<float, Memory> short_operator(m_mesh, m_grid,
                                                          m_task.problem.parameters);
    const MixedHelmholtz<Memory> model(m_space, m_operator, short_operator);
    FusedPcg pcg(m_space, model);
    solve_with(pcg, {model.kernel_costs()});
  }

  FieldType make_field(const std::string& label) const {
    return FieldType(Kokkos::view_alloc(m_space, label),
                     static_cast<std::size_t>(m_operator.num_columns()), num_levels());
  }

  /// 0 in halo columns. \return the largest magnitude that was read from a file
  double fill_right_hand_side() {
    m_rhs = make_field("Lamina::Cli::rhs");
    const HelmholtzProblem& problem = m_task.problem;
    return problem.grid ? fill_grid_rhs(m_space, problem, m_part, m_rhs)
                        : fill_panel_rhs(m_space, problem, m_part, m_rhs);
  }

  template <class Plan>
  void solve_with(Plan& plan, const std::vector<std::vector<KernelCost>>& costs) {
    m_space.fence();
    m_result.setup_seconds = m_setup_timer.seconds();
    run_agreed(ranks(), [&] {
      if (m_task.on_ready) m_task.on_ready();
    });
    timed_solve(m_space, plan, m_rhs, m_solution, m_scratch, m_task.criteria, costs, m_result,
                m_part.link());
    combine_over_ranks(m_result, m_part.link(), m_task.variant.space->describe(), m_part.share());
  }

  void keep_rounding(const RoundingError& mine) {
    m_rounding = rounding_of_all(ranks(), mine, m_part.area());
    const RoundingError& rounding = m_rounding;
    // Residuals of mixed precision, and of cycles alone, are those of the operator, applied.
    const HelmholtzVariant& variant = m_task.variant;
    const bool by_product = variant.solver == Solver::pcg || variant.solver == Solver::csr_pcg ||
                            variant.solver == Solver::multigrid ||
                            variant.precision == Precision::mixed;
    const double horizontal = by_product ? rounding.by_product : rounding.by_recurrence;
    run_agreed(ranks(),
               [&] { require_mass_term(m_task.problem, variant, horizontal, rounding.vertical); });
    m_result.rounding_error = horizontal + rounding.vertical;
  }

  void recompute_residuals() {
    const FieldType& residual = m_scratch;
    m_part.update_halo(m_space, m_solution);
    m_result.true_relative_residual =
        true_relative_residual(m_space, m_operator, m_rhs, m_solution, residual, ranks());
    const auto lines = make_agreed(
        ranks(), [&] { return LinePreconditioner<Scalar, Memory>(m_space, m_operator); });
    const auto solved =
        make_agreed(ranks(), [&] { return make_field("Lamina::Cli::preconditioned"); });
    const auto norm = [&](const FieldType& field) {
      return norm_of_all(ranks(), preconditioned_norm(m_space, m_operator, lines, field, solved));
    };
    const double size = norm(residual), rhs = norm(m_rhs);
    m_result.true_relative_residual_preconditioned = rhs > 0 ? size / rhs : size;
  }

  void write_output() const {
    const auto [host_solution, host_rhs] = make_agreed(ranks(), [&] {
      return std::pair(Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), m_solution),
                       Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), m_rhs));
    });
    m_task.problem.grid ? write_grid(m_task, m_result, m_part, host_solution, host_rhs)
                        : write_panel(m_task, m_result, m_part, host_solution, host_rhs);
  }

  const HelmholtzTask& m_task;
  Kokkos::Timer m_setup_timer;
  Execution m_space;
  VerticalGrid m_grid;
  ColumnPart<Execution> m_part;
  ColumnMesh<Memory> m_mesh;
  HelmholtzOperator<Scalar, Memory> m_operator;
  FieldType m_rhs, m_solution, m_scratch;
  RoundingError m_rounding;  // of all ranks
  HelmholtzResult m_result;
};

template <ExecutionSpace Execution>
HelmholtzResult solve_on(const Execution& space, const HelmholtzTask& task) {
  if (task.problem.columns) return solve_columns(space, task);
  return with_helmholtz_fields(task.variant, [&]<class Scalar, class LayoutType>() {
    return HelmholtzSolve<Execution, Scalar, LayoutType>(space, task).run();
  });
}

}  // namespace Lamina::Cli
