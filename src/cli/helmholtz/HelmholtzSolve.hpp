// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// One solve on one execution space; instantiated in Space_<Name>.cpp alone.

#include <lamina/helmholtz/CsrHelmholtz.hpp>
#include <lamina/helmholtz/FusedHelmholtz.hpp>
#include <lamina/helmholtz/FusedHelmholtzStored.hpp>
#include <lamina/helmholtz/LinePreconditioner.hpp>
#include <lamina/helmholtz/MixedHelmholtz.hpp>
#include <lamina/krylov/FusedPcg.hpp>
#include <lamina/krylov/FusedPcgStored.hpp>
#include <lamina/krylov/Pcg.hpp>
#include <lamina/krylov/TrueResidual.hpp>
#include <lamina/lines/LineSolver.hpp>
#include <lamina/multigrid/MultigridHelmholtz.hpp>

#include <Kokkos_Timer.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>

#include "helmholtz/HelmholtzFile.hpp"
#include "helmholtz/HelmholtzLimits.hpp"
#include "helmholtz/HelmholtzMemory.hpp"
#include "helmholtz/HelmholtzSource.hpp"
#include "helmholtz/HelmholtzTask.hpp"
#include "helmholtz/PanelPart.hpp"
#include "helmholtz/columns/ColumnsSolve.hpp"
#include "support/TimedSolve.hpp"
#include "support/machine/Space.hpp"
#include "support/output/Solution.hpp"

namespace Lamina::Cli {

/// How far a solution is from u = 1: in the mean, weighted with the volumes, and at most.
template <class Field>
struct DistanceFromOne {
  Field volumes, solution;

  KOKKOS_FUNCTION double error(int column, int k) const {
    return static_cast<double>(solution(column, k)) - 1;
  }
  struct Squares {};
  KOKKOS_FUNCTION void operator()(Squares, int column, double& sum) const {
    for (int k = 0; k < static_cast<int>(solution.extent(1)); ++k) {
      sum += static_cast<double>(volumes(column, k)) * error(column, k) * error(column, k);
    }
  }
  struct Largest {};
  KOKKOS_FUNCTION void operator()(Largest, int column, double& largest) const {
    for (int k = 0; k < static_cast<int>(solution.extent(1)); ++k) {
      const double size = error(column, k) < 0 ? -error(column, k) : error(column, k);
      if (size > largest) largest = size;
    }
  }
};

/// The error of `solution` where u = 1 is the exact one, over all ranks. `volumes` are those of the
/// cells, which the right-hand side f = 1 consists of. Fences `space`.
template <class Execution, class Field>
SolutionError distance_from_one(const Execution& space, const Field& volumes, const Field& solution,
                                std::size_t num_owned, const Ranks* ranks) {
  using Distance = DistanceFromOne<Field>;
  const Distance distance{volumes, solution};
  double sum = 0, largest = 0;
  Kokkos::parallel_reduce(
      "Lamina::Cli::error_l2",
      Kokkos::RangePolicy<Execution, typename Distance::Squares>(space, 0, num_owned), distance,
      sum);
  Kokkos::parallel_reduce(
      "Lamina::Cli::error_linf",
      Kokkos::RangePolicy<Execution, typename Distance::Largest>(space, 0, num_owned), distance,
      Kokkos::Max<double>(largest));
  sum = sum_of_all(ranks, sum);
  largest = largest_of_all(ranks, largest);
  // Comparisons pass over a NaN, the sum keeps it.
  return {.l2 = std::sqrt(sum), .linf = std::isnan(sum) ? sum : largest};
}

/// What the kernels of each level took in a cycle, which calls `first_step` once.
inline void keep_level_times(HelmholtzResult& result) {
  const std::string prefix = "Lamina::MultigridPreconditioner::";
  const auto record_of = [&](const std::string& name) {
    for (const KernelRecord& kernel : result.kernels) {
      if (kernel.name == prefix + name) return kernel;
    }
    return KernelRecord{};
  };
  const auto cycles = static_cast<double>(std::max(1L, record_of("first_step").calls));
  for (std::size_t l = 0; l < result.levels.size(); ++l) {
    const std::string level = l > 0 ? "level_" + std::to_string(l) + "::" : "";
    double seconds = 0;
    for (const char* name : {"first_step", "step", "restrict", "prolong"}) {
      seconds += record_of(level + name).seconds;
    }
    // One kernel may take a level together with all coarser ones.
    const bool together = seconds == 0;
    if (together) seconds = record_of("coarse_levels").seconds;
    result.levels[l].seconds = seconds / cycles;
    if (together) return;
  }
}

/// A solve with fields of one type on one space: set-up, solve, and what is told about it. In mixed
/// precision fields are those of the solution.
template <ExecutionSpace Execution, class Scalar, class LayoutType>
class HelmholtzSolve {
 public:
  /// Bytes that a solve allocates in `Memory`, at most.
  static double required_bytes(const HelmholtzProblem& problem, const HelmholtzVariant& variant) {
    const Execution space;
    const ColumnGridSize size = grid_of_rank(problem, variant.rank_grid);
    const double field = static_cast<double>(size.num_cells()) * sizeof(Scalar);
    const double bytes = ColumnMesh<Memory>::required_bytes(size) +
                         HelmholtzOperator<Scalar, Memory>::required_bytes(size) +
                         3 * field;  // right-hand side, solution, scratch
    if (variant.solver == Solver::multigrid_pcg) {
      return bytes + (variant.precision == Precision::mixed
                          ? multigrid_bytes<float>(size, variant) +
                                MixedHelmholtz<Memory>::required_bytes(space, size)
                          : multigrid_bytes<Scalar>(size, variant) +
                                FusedHelmholtz<Scalar, Memory>::required_bytes(space, size));
    }
    if (variant.precision == Precision::mixed) {
      return bytes + HelmholtzOperator<float, Memory>::required_bytes(size) +
             MixedHelmholtz<Memory>::required_bytes(space, size);
    }
    if (variant.solver == Solver::fused_pcg && recomputes(variant)) {
      return bytes + FusedHelmholtz<Scalar, Memory>::required_bytes(space, size);
    }
    if (variant.solver == Solver::fused_pcg || variant.solver == Solver::fused_pcg_stored) {
      return bytes + FusedHelmholtzStored<Scalar, Memory>::required_bytes(space, size);
    }
    const double of_pcg = 4 * field;
    if (variant.solver == Solver::pcg) {
      return bytes + of_pcg + LinePreconditioner<Scalar, Memory>::required_bytes(space, size);
    }
    return bytes + of_pcg + Matrix::required_bytes(size) +
           MatrixLines::required_bytes(space, size.num_columns(), size.num_levels);
  }

  explicit HelmholtzSolve(const HelmholtzTask& task)
      : m_task(task),
        m_grid(task.problem.vertical()),
        m_part(m_space, task.problem, num_levels() * sizeof(Scalar), task.variant.rank_grid),
        m_mesh(make_agreed(ranks(), [&] { return m_part.make_mesh(); })),
        m_operator(make_agreed(ranks(), [&] {
          return HelmholtzOperator<Scalar, Memory>(m_mesh, m_grid, m_task.problem.parameters);
        })) {}

  HelmholtzResult run() {
    if (m_task.variant.solver != Solver::csr_pcg) keep_rounding(m_operator.rounding_error());
    run_agreed(ranks(), [&] {
      fill_right_hand_side();
      m_solution = make_field("Lamina::Cli::solution");
      m_scratch = make_field("Lamina::Cli::scratch");
    });
    const Solver solver = m_task.variant.solver;
    if (m_task.variant.precision == Precision::mixed) {
      if constexpr (std::is_same_v<Scalar, double>) solve_in_mixed_precision();
    } else if (solver == Solver::multigrid_pcg) {
      const MultigridHelmholtz<Scalar, Memory> model(m_space, make_multigrid<Scalar>());
      FusedPcg pcg(m_space, model);
      solve_with(pcg, {model.kernel_costs()});
      keep_level_times(m_result);
    } else if (solver == Solver::fused_pcg && recomputes(m_task.variant)) {
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

  /// `fused-pcg` is the faster of the two fused forms. On CPU cores that is the published one, by a
  /// twentieth on two cores and a seventh on one (lamina_paper_tables): its updates in place need no
  /// line of cache that is about to be overwritten, and line solves are bound by arithmetic there,
  /// which hides the traffic of a second field.
  static constexpr bool recomputing_is_faster = !runs_on_host<Execution>;
  /// Over ranks that is the one that there is.
  static bool recomputes(const HelmholtzVariant& variant) {
    return recomputing_is_faster || variant.rank_grid.ranks != nullptr;
  }

  const Ranks* ranks() const { return m_part.ranks(); }
  std::size_t num_levels() const { return static_cast<std::size_t>(m_grid.num_levels()); }

  template <class CycleScalar>
  static double multigrid_bytes(const ColumnGridSize& size, const HelmholtzVariant& variant) {
    return MultigridPreconditioner<CycleScalar, Memory>::required_bytes(Execution(), size,
                                                                        variant.multigrid);
  }
  template <class CycleScalar>
  MultigridPreconditioner<CycleScalar, Memory> make_multigrid() {
    const ColumnHierarchy hierarchy(m_task.problem.graph());
    MultigridPreconditioner<CycleScalar, Memory> multigrid(
        m_space, hierarchy, m_grid, m_task.problem.parameters, m_task.variant.multigrid);
    for (int l = 0; l < multigrid.num_used_levels(); ++l) {
      const ColumnGraph& graph = hierarchy.levels()[static_cast<std::size_t>(l)].graph;
      m_result.levels.push_back({static_cast<std::int64_t>(graph.areas.size()),
                                 static_cast<std::int64_t>(graph.edges.size())});
    }
    return multigrid;
  }

  void solve_in_mixed_precision() {
    if (m_task.variant.solver == Solver::multigrid_pcg) {
      const MultigridHelmholtz<double, Memory, float> model(m_space, m_operator,
                                                            make_multigrid<float>());
      FusedPcg pcg(m_space, model);
      solve_with(pcg, {model.kernel_costs()});
      return keep_level_times(m_result);
    }
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

  /// 0 in halo columns.
  void fill_right_hand_side() {
    m_rhs = make_field("Lamina::Cli::rhs");
    const HelmholtzProblem& problem = m_task.problem;
    if (problem.generated_rhs && !problem.grid && ranks() == nullptr) {
      return fill_rhs(m_space, *problem.generated_rhs, problem.panel(), m_grid, m_rhs);
    }
    if (problem.generated_rhs && !problem.grid) {
      return fill_rhs(m_space, *problem.generated_rhs, problem.panel(), m_grid, m_part.local(),
                      m_rhs);
    }
    const auto host_rhs = Kokkos::create_mirror_view(m_rhs);
    if (problem.generated_rhs) {
      generate_right_hand_side(problem, host_rhs);
    } else if (problem.grid) {
      read_right_hand_side(problem, host_rhs);
    } else {
      const auto [first_x, first_y, num_x, num_y] = m_part.block();
      read_right_hand_side(problem, {first_x, first_y, num_x, num_y}, host_rhs);
    }
    Kokkos::deep_copy(m_space, m_rhs, host_rhs);
    m_space.fence();
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
    const RoundingError rounding = rounding_of_all(ranks(), mine, m_part.area());
    // Residuals of mixed precision are those of the operator in double precision, applied.
    const HelmholtzVariant& variant = m_task.variant;
    const bool by_product = variant.solver == Solver::pcg || variant.solver == Solver::csr_pcg ||
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
    if (m_task.problem.grid) {
      return write_helmholtz_file<Scalar>(m_task, m_result, host_solution, host_rhs);
    }
    m_part.with_slabs(host_solution, host_rhs, [&](const auto& solution, const auto& rhs) {
      write_helmholtz_file<Scalar>(m_task, m_result, m_grid, solution, rhs);
    });
  }

  const HelmholtzTask& m_task;
  Kokkos::Timer m_setup_timer;
  Execution m_space;
  VerticalGrid m_grid;
  PanelPart<Execution> m_part;
  ColumnMesh<Memory> m_mesh;
  HelmholtzOperator<Scalar, Memory> m_operator;
  FieldType m_rhs, m_solution, m_scratch;
  HelmholtzResult m_result;
};

/// Calls call.operator()<Solve>() with the class for the precision and layout of a variant.
template <ExecutionSpace Execution, class Call>
auto with_helmholtz_solve(const HelmholtzVariant& variant, const Call& call) {
  using Kokkos::LayoutLeft, Kokkos::LayoutRight;
  const bool in_double = variant.precision != Precision::single_precision;
  if (variant.layout == Layout::left) {
    return in_double ? call.template operator()<HelmholtzSolve<Execution, double, LayoutLeft>>()
                     : call.template operator()<HelmholtzSolve<Execution, float, LayoutLeft>>();
  }
  return in_double ? call.template operator()<HelmholtzSolve<Execution, double, LayoutRight>>()
                   : call.template operator()<HelmholtzSolve<Execution, float, LayoutRight>>();
}

template <ExecutionSpace Execution>
HelmholtzResult solve_helmholtz(const HelmholtzTask& task) {
  if (task.problem.columns) return solve_columns<Execution>(task);
  return with_helmholtz_solve<Execution>(task.variant,
                                         [&]<class Solve>() { return Solve(task).run(); });
}

template <ExecutionSpace Execution>
double helmholtz_bytes(const HelmholtzProblem& problem, const HelmholtzVariant& variant) {
  if (problem.columns) return columns_bytes<Execution>(problem, variant);
  return with_helmholtz_solve<Execution>(
      variant, [&]<class Solve>() { return Solve::required_bytes(problem, variant); });
}

}  // namespace Lamina::Cli
