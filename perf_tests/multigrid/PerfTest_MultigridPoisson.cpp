// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Time of a multigrid cycle for the Poisson problem, of a pass of full multigrid, and to a residual of 1e-6 by
// cycles, by conjugate gradients with them, and without.

#include <lamina/multigrid/MultigridPoisson.hpp>
#include <lamina/multigrid/PoissonMultigridSolver.hpp>

#include <string>
#include <vector>

#include "../support/MeasuredSpaces.hpp"
#include "../support/Runner.hpp"
#include "../support/SquareSolvers.hpp"

namespace Lamina::Perf {
namespace {

struct GridSize {
  int n;
  std::string name() const { return "n:" + std::to_string(n); }
};
std::vector<GridSize> grid_sizes() {
  if (tiny_run()) return {{32}, {37}};
  return {{1023}, {2047}, {4095}, {8191}};
}

std::string wrong_above(double allowed, double error) {
  return error <= allowed ? "" : "wrong result: error " + std::to_string(error);
}

/// With so many smoothing steps; the names of other cases than those of two tell how many.
template <class Space, class ScalarType, int Steps = 2>
struct MultigridCase : SquareCase<Space, ScalarType> {
  using Multigrid = PoissonMultigrid<ScalarType, typename Space::memory_space>;

  explicit MultigridCase(const GridSize& size)
      : SquareCase<Space, ScalarType>(size.n, StencilMemory::automatic),
        multigrid(this->space, this->op, Steps) {}
  static std::string type_names() {
    const std::string steps = Steps == 2 ? "" : ",steps=" + std::to_string(Steps);
    return std::string(scalar_name<ScalarType>) + steps + ',' + Space::name() + '>';
  }

  Multigrid multigrid;
};

template <class Case>
struct OneCycle : Case {
  using Case::Case;
  static constexpr int steps = 1;
  static std::string name() { return "MultigridPoisson/cycle<" + Case::type_names(); }
  void run() { this->multigrid.solve(this->space, this->b, this->x); }
  KernelCost cost() const { return this->multigrid.cycle_cost(); }
  /// The error of a cycle is a part of the solution, which is at most 1.
  std::string error() const {
    return wrong_above(0.5, this->problem.error(this->space, this->x).linf);
  }
};

template <class Case>
struct FullMultigrid : Case {
  using Case::Case;
  static constexpr int steps = 1;
  static std::string name() { return "MultigridPoisson/full_multigrid<" + Case::type_names(); }
  void run() { this->multigrid.full_multigrid(this->space, this->b, this->x); }
  KernelCost cost() const { return this->multigrid.full_multigrid_cost(); }
  /// The discretisation error is pi^2 h^2 / 3.
  std::string error() const {
    const double h = this->problem.mesh_width();
    const bool single = sizeof(typename Case::Scalar) == sizeof(float);
    return wrong_above((single ? 1e-3 : 0) + 2 * 3.3 * h * h,
                       this->problem.error(this->space, this->x).linf);
  }
};

template <class Case>
struct CyclesSolver {
  static constexpr const char* name = "multigrid";
  using Plan = PoissonMultigridSolver<typename Case::Scalar, typename Case::Memory>;
  explicit CyclesSolver(const Case& c) : multigrid(c.multigrid), plan(c.space, c.multigrid) {}
  KernelCost iteration_cost() const {
    return sum_of({multigrid.improve_cost(),
                   cost_of(plan.kernel_costs(), "Lamina::PoissonMultigridSolver::residual")});
  }
  typename Case::Multigrid multigrid;
  Plan plan;
};

template <class Case>
struct MultigridCgSolver {
  static constexpr const char* name = "multigrid-cg";
  using Model = MultigridPoisson<typename Case::Scalar, typename Case::Memory>;
  explicit MultigridCgSolver(const Case& c)
      : multigrid(c.multigrid), model(c.space, c.multigrid), plan(c.space, model) {}
  KernelCost iteration_cost() const {
    const auto costs = model.kernel_costs();
    const KernelCost both =
        sum_of({cost_of(costs, "Lamina::MultigridPoisson::advance"),
                cost_of(costs, "Lamina::MultigridPoisson::advance_and_update")});
    return sum_of({multigrid.cycle_cost(),
                   cost_of(costs, "Lamina::MultigridPoisson::measure"),
                   {both.label, both.bytes / 2, both.flops / 2}});
  }
  typename Case::Multigrid multigrid;
  Model model;
  FusedPcg<Model> plan;
};

/// A solve from zero.
template <class Case, template <class> class Solver>
struct ToTolerance : Case {
  static constexpr int steps = 1;

  explicit ToTolerance(const GridSize& size) : Case(size), solver(*this) {}
  static std::string name() {
    return std::string("MultigridPoisson/to_1e-6<") + Solver<Case>::name + ',' + Case::type_names();
  }
  void run() {
    report = solver.plan.solve(this->space, this->b, this->x,
                               {.tolerance = 1e-6, .max_iterations = 100000});
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
  SolveReport report;
};

/// The same from the result of a pass of full multigrid.
template <class Case>
struct StartedToTolerance : ToTolerance<Case, MultigridCgSolver> {
  using Base = ToTolerance<Case, MultigridCgSolver>;
  using Base::Base;
  static std::string name() {
    return "MultigridPoisson/to_1e-6<full-multigrid,multigrid-cg," + Case::type_names();
  }
  void run() {
    this->multigrid.full_multigrid(this->space, this->b, this->x);
    Base::run();
  }
  KernelCost cost() const {
    const KernelCost iterations = Base::cost(), start = this->multigrid.full_multigrid_cost();
    return {"solve", iterations.bytes + start.bytes, iterations.flops + start.flops};
  }
};

template <class Space, class Scalar>
void register_case() {
  using Case = MultigridCase<Space, Scalar>;
  const auto sizes = grid_sizes();
  register_subject<OneCycle<Case>>(sizes);
  register_subject<FullMultigrid<Case>>(sizes);
  register_subject<ToTolerance<Case, MultigridCgSolver>>(sizes);
  using ThreeSteps = MultigridCase<Space, Scalar, 3>;
  register_subject<OneCycle<ThreeSteps>>(sizes);
  register_subject<FullMultigrid<ThreeSteps>>(sizes);
  register_subject<ToTolerance<ThreeSteps, MultigridCgSolver>>(sizes);
  register_subject<StartedToTolerance<Case>>(sizes);
  register_subject<StartedToTolerance<ThreeSteps>>(sizes);
  register_subject<ToTolerance<Case, FusedCgSolver>>(sizes);
  if constexpr (sizeof(Scalar) == sizeof(double)) {
    // True residuals of single precision do not fall by 1e-6 on these grids.
    register_subject<ToTolerance<Case, CyclesSolver>>(sizes);
    register_subject<ToTolerance<Case, PlainCgSolver>>(sizes);
  }
}

}  // namespace

void register_benchmarks() {
#define LAMINA_REGISTER(Space)    \
  register_case<Space, double>(); \
  register_case<Space, float>();
  LAMINA_FOR_EACH_SPACE(LAMINA_REGISTER)
#undef LAMINA_REGISTER
}

}  // namespace Lamina::Perf
