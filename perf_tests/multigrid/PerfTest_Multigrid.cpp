// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Time to a residual of 1e-5, by conjugate gradients with lines and with a multigrid cycle as
// preconditioner, in double precision also with a cycle in single precision, with cycles also to 1e-10; and the
// time of one cycle, and of the set-up.

#include <lamina/krylov/FusedRichardson.hpp>
#include <lamina/multigrid/MultigridHelmholtz.hpp>

#include <optional>
#include <string>
#include <type_traits>

#include "../support/MeasuredSpaces.hpp"
#include "../support/PanelSolvers.hpp"
#include "../support/Runner.hpp"

namespace Lamina::Perf {
namespace {

template <class Scalar, class Case>
MultigridPreconditioner<Scalar, typename Case::Memory> multigrid_of(const Case& c) {
  return MultigridPreconditioner<Scalar, typename Case::Memory>(
      c.space, ColumnHierarchy(c.panel.graph()), c.grid, c.parameters);
}

/// In mixed precision the solution is in double.
template <class Case, class VectorScalar, class CycleScalar>
class CycleSolver {
 public:
  static constexpr bool is_mixed = !std::is_same_v<typename Case::Scalar, VectorScalar>;
  static constexpr bool rounds = !std::is_same_v<VectorScalar, CycleScalar>;
  static constexpr const char* name = is_mixed ? "mixed-multigrid"
                                      : rounds ? "single-cycle-multigrid"
                                               : "multigrid";

  explicit CycleSolver(const Case& c)
      : m_multigrid(multigrid_of<CycleScalar>(c)), m_model(make(c)), m_pcg(c.space, m_model) {}
  auto& plan() { return m_pcg; }
  /// Of two iterations, one updates the solution.
  KernelCost iteration_cost() const {
    const auto costs = m_model.kernel_costs();
    const KernelCost both =
        sum_of({cost_of(costs, "Lamina::FusedHelmholtz::advance"),
                cost_of(costs, is_mixed ? "Lamina::MixedHelmholtz::advance_and_update"
                                        : "Lamina::FusedHelmholtz::advance_and_update")});
    const KernelCost all = sum_of({m_multigrid.cycle_cost(),
                                   cost_of(costs, "Lamina::FusedHelmholtz::measure"),
                                   {both.label, both.bytes / 2, both.flops / 2}});
    if constexpr (!rounds) return all;
    return sum_of({all, cost_of(costs, "Lamina::MultigridHelmholtz::round"),
                   cost_of(costs, "Lamina::MultigridHelmholtz::widen")});
  }

 private:
  using Memory = typename Case::Memory;
  using Model = MultigridHelmholtz<typename Case::Scalar, Memory, VectorScalar, CycleScalar>;
  Model make(const Case& c) const {
    if constexpr (std::is_same_v<typename Case::Scalar, CycleScalar>) {
      return Model(c.space, m_multigrid);
    } else {
      return Model(c.space, c.op, m_multigrid);
    }
  }

  MultigridPreconditioner<CycleScalar, Memory> m_multigrid;
  Model m_model;
  FusedPcg<Model> m_pcg;
};
template <class Case>
using MultigridSolver = CycleSolver<Case, typename Case::Scalar, typename Case::Scalar>;
template <class Case>
using SingleCycleSolver = CycleSolver<Case, double, float>;
template <class Case>
using MixedMultigridSolver = CycleSolver<Case, float, float>;

/// Cycles without conjugate gradients.
template <class Case>
class CyclesAlone {
 public:
  static constexpr const char* name = "cycles";

  explicit CyclesAlone(const Case& c)
      : m_multigrid(multigrid_of<typename Case::Scalar>(c)),
        m_model(c.space, m_multigrid),
        m_cycles(c.space, m_model) {}
  auto& plan() { return m_cycles; }
  KernelCost iteration_cost() const {
    const auto costs = m_model.kernel_costs();
    return sum_of({m_multigrid.cycle_cost(), cost_of(costs, "Lamina::FusedHelmholtz::residual"),
                   cost_of(costs, "Lamina::FusedModel::add")});
  }

 private:
  using Model = MultigridHelmholtz<typename Case::Scalar, typename Case::Memory>;
  MultigridPreconditioner<typename Case::Scalar, typename Case::Memory> m_multigrid;
  Model m_model;
  FusedRichardson<Model> m_cycles;
};

/// A solve from zero, to 10^-Digits.
template <class Case, template <class> class Solver, int Digits = 5>
struct SolveToTolerance : Case {
  static_assert(Digits == 5 || Digits == 10);
  static constexpr int steps = 1;

  explicit SolveToTolerance(const PanelSize& size)
      : Case(size),
        solver(*this),
        rhs(this->right_hand_side()),
        solution(this->make_field("Lamina::Perf::solution")) {}
  static std::string name() {
    return "Multigrid/to_1e-" + std::to_string(Digits) + '<' + Solver<Case>::name + ',' +
           Case::type_names() + '>';
  }
  void prepare() { Kokkos::deep_copy(this->space, solution, typename Case::Scalar(0)); }
  void run() {
    constexpr double tolerance = Digits == 5 ? 1e-5 : 1e-10;
    report = solver.plan().solve(this->space, rhs, solution, {.tolerance = tolerance});
  }
  KernelCost cost() const {
    const KernelCost of_iteration = solver.iteration_cost();
    return {"solve", report.iterations * of_iteration.bytes,
            report.iterations * of_iteration.flops};
  }
  std::string error() const {
    return report.converged() ? "" : "wrong result: " + std::string(to_string(report.status));
  }

  Solver<Case> solver;
  typename Case::Field rhs, solution;
  SolveReport report;
};

/// One cycle.
template <class Case>
struct Cycle : Case {
  static constexpr int steps = 1;

  explicit Cycle(const PanelSize& size)
      : Case(size),
        multigrid(multigrid_of<typename Case::Scalar>(*this)),
        r(this->right_hand_side(RightHandSide::constant)),
        z(this->make_field("Lamina::Perf::preconditioned")) {}
  static std::string name() { return "Multigrid/cycle<" + Case::type_names() + '>'; }
  void prepare() {}
  void run() { multigrid.solve(this->space, r, z); }
  KernelCost cost() const { return multigrid.cycle_cost(); }
  /// The right-hand side is that of 1, of which a cycle finds the most part.
  std::string error() const {
    return error_above(0.5, worst_ratio(z, [](auto, auto) { return 1.0; }));
  }

  MultigridPreconditioner<typename Case::Scalar, typename Case::Memory> multigrid;
  typename Case::Field r, z;
};

/// Hierarchy and preconditioner of a graph.
template <class Case>
struct SetUp : Case {
  using Multigrid = MultigridPreconditioner<typename Case::Scalar, typename Case::Memory>;
  static constexpr int steps = 1;

  explicit SetUp(const PanelSize& size) : Case(size), graph(this->panel.graph()) {}
  static std::string name() { return "Multigrid/set-up<" + Case::type_names() + '>'; }
  void prepare() { multigrid.reset(); }
  void run() {
    multigrid.emplace(this->space, ColumnHierarchy(graph), this->grid, this->parameters);
  }
  KernelCost cost() const { return {"set-up", 0, 0}; }
  std::string error() const {
    return multigrid->num_used_levels() > 1 ? "" : "wrong result: one level";
  }

  ColumnGraph graph;
  std::optional<Multigrid> multigrid;
};

template <class Case>
void register_case() {
  const auto sizes = panel_sizes();
  register_subject<SetUp<Case>>(sizes);
  register_subject<Cycle<Case>>(sizes);
  register_subject<SolveToTolerance<Case, StoredSolver>>(sizes);
  register_subject<SolveToTolerance<Case, FusedSolver>>(sizes);
  register_subject<SolveToTolerance<Case, MultigridSolver>>(sizes);
  if constexpr (std::is_same_v<typename Case::Scalar, double>) {
    register_subject<SolveToTolerance<Case, SingleCycleSolver>>(sizes);
    register_subject<SolveToTolerance<Case, MixedMultigridSolver>>(sizes);
    register_subject<SolveToTolerance<Case, CyclesAlone>>(sizes);
    register_subject<SolveToTolerance<Case, MultigridSolver, 10>>(sizes);
    register_subject<SolveToTolerance<Case, SingleCycleSolver, 10>>(sizes);
    register_subject<SolveToTolerance<Case, MixedMultigridSolver, 10>>(sizes);
  }
}

}  // namespace

void register_benchmarks() {
#define LAMINA_REGISTER(Space, Scalar, Layout) register_case<PanelCase<Space, Scalar, Layout>>();
  LAMINA_FOR_EACH_FIELD(LAMINA_REGISTER)
#undef LAMINA_REGISTER
}

}  // namespace Lamina::Perf
