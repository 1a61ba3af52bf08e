// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Time per iteration of the conjugate gradients: with the assembled matrix, plain, fused, and fused in
// mixed precision. The fused forms also on polygons, which have 4 to 8 neighbours, and on a panel with a
// few irregular columns.

#include <cmath>
#include <type_traits>

#include "../support/GraphCase.hpp"
#include "../support/MeasuredSpaces.hpp"
#include "../support/PanelSolvers.hpp"
#include "../support/Runner.hpp"

namespace Lamina::Perf {
namespace {

/// A solve of a fixed number of iterations, from zero; its start counts as part of them.
template <class Case, template <class> class Solver>
struct Iterations : Case {
  static constexpr int steps = 20;

  explicit Iterations(const PanelSize& size)
      : Case(size),
        solver(*this),
        rhs(this->right_hand_side()),
        solution(this->make_field("Lamina::Perf::solution")) {}
  static std::string name() {
    return std::string("Pcg/iteration<") + Solver<Case>::name + ',' + Case::type_names() + '>';
  }
  void prepare() { Kokkos::deep_copy(this->space, solution, typename Case::Scalar(0)); }
  void run() {
    report = solver.plan().solve(this->space, rhs, solution, StoppingCriteria::iterations(steps));
  }
  KernelCost cost() const { return solver.iteration_cost(); }
  std::string error() const {
    // The residual in the 2-norm may rise at first, by a little.
    const bool sound = report.status == SolveStatus::completed && report.iterations == steps &&
                       report.relative_residual() < 2;
    return sound ? "" : "wrong result: " + std::string(to_string(report.status));
  }

  Solver<Case> solver;
  typename Case::Field rhs, solution;
  SolveReport report;
};

template <class Case>
void register_case() {
  const auto sizes = panel_sizes();
  register_subject<Iterations<Case, CsrSolver>>(sizes);
  register_subject<Iterations<Case, PlainSolver>>(sizes);
  register_subject<Iterations<Case, StoredSolver>>(sizes);
  register_subject<Iterations<Case, FusedSolver>>(sizes);
  if constexpr (std::is_same_v<typename Case::Scalar, double>) {
    register_subject<Iterations<Case, MixedSolver>>(sizes);
  }
}

template <class Case>
void register_graph() {
  register_subject<Iterations<Case, FusedSolver>>(graph_sizes());
  register_subject<Iterations<Case, StoredSolver>>(graph_sizes());
}

}  // namespace

void register_benchmarks() {
#define LAMINA_REGISTER(Space, Scalar, Layout)                  \
  register_case<PanelCase<Space, Scalar, Layout>>();            \
  register_graph<GraphCase<Polygons, Space, Scalar, Layout>>(); \
  register_graph<GraphCase<PatchedPanel, Space, Scalar, Layout>>();
  LAMINA_FOR_EACH_FIELD(LAMINA_REGISTER)
#undef LAMINA_REGISTER
}

}  // namespace Lamina::Perf
