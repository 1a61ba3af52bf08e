// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Steps of shallow water by each scheme, as fractions of what a step moves at least, and the mass
// solves and the sweep for tendencies that explicit steps are made of.

#include <lamina/problems/Vortex.hpp>
#include <lamina/shallow_water/Leapfrog.hpp>
#include <lamina/shallow_water/MultigridPeriodic.hpp>
#include <lamina/shallow_water/RungeKutta3.hpp>
#include <lamina/shallow_water/SemiImplicit.hpp>
#include <lamina/shallow_water/ShallowWaterDiagnostics.hpp>

#include <string>
#include <type_traits>
#include <vector>

#include "../support/MeasuredSpaces.hpp"
#include "../support/Runner.hpp"

namespace Lamina::Perf {
namespace {

struct WaterSize {
  int n;
  std::string name() const { return "n:" + std::to_string(n); }
};

/// In cache, beyond it, and beside powers of two.
std::vector<WaterSize> sizes_for(bool on_host) {
  if (tiny_run()) return {{32}, {37}};
  if (on_host) return {{256}, {1024}, {2047}, {2048}, {2500}};
  return {{256}, {1024}, {2048}, {5000}, {5119}, {5120}};
}

constexpr double coriolis = 0.3;

/// The vortex, with time steps that all schemes take without trouble.
template <class Space, class ScalarType>
struct WaterCase {
  using execution_space = Space;
  using Scalar = ScalarType;
  using Memory = typename Space::memory_space;
  using State = ShallowWaterState<Scalar, Memory>;
  static constexpr int steps = 8;

  explicit WaterCase(const WaterSize& size) : state(size.n), time_step(0.1 / size.n) {
    Vortex(coriolis).fill_vortex(space, state);
  }
  static std::string type_names() {
    return std::string(scalar_name<Scalar>) + ',' + Space::name() + '>';
  }
  void prepare() const {}
  std::string error() const {
    const bool sound = diagnose(space, state, coriolis).sound();
    return sound ? "" : "wrong result: not finite";
  }

  Space space{};
  State state;
  double time_step;
};

/// The vortex again, and the first step, which is another scheme's.
template <class Steps>
void start_again(Steps& steps) {
  Vortex(coriolis).fill_vortex(steps.space, steps.state);
  steps.plan.restart();
  steps.plan.step(steps.space, steps.state);
}

/// Steps by a scheme.
template <class Case, class Plan>
struct SchemeSteps : Case {
  template <class... Options>
  explicit SchemeSteps(const WaterSize& size, const Options&... options)
      : Case(size), plan(size.n, this->time_step, coriolis, options...) {}
  void run() {
    for (int n = 0; n < Case::steps; ++n) plan.step(this->space, this->state);
  }
  KernelCost cost() const { return plan.step_cost(); }
  Plan plan;
};

template <class Case>
using LeapfrogPlan = Leapfrog<typename Case::Scalar, typename Case::Memory>;

template <class Case>
struct LeapfrogSteps : SchemeSteps<Case, LeapfrogPlan<Case>> {
  explicit LeapfrogSteps(const WaterSize& size) : SchemeSteps<Case, LeapfrogPlan<Case>>(size) {}
  static std::string name() { return "ShallowWater/step<leapfrog," + Case::type_names(); }
  /// Leapfrog without a filter does not keep the flow for ten thousands of steps.
  void prepare() { start_again(*this); }
};

/// With the paper's three iterations for each velocity; the cost is that of exact solves.
template <class Case>
struct LeapfrogCgSteps : SchemeSteps<Case, LeapfrogPlan<Case>> {
  explicit LeapfrogCgSteps(const WaterSize& size)
      : SchemeSteps<Case, LeapfrogPlan<Case>>(
            size,
            MassOptions{.solver = MassSolver::cg, .criteria = StoppingCriteria::iterations(3)}) {}
  static std::string name() { return "ShallowWater/step<leapfrog-cg3," + Case::type_names(); }
  void prepare() { start_again(*this); }
};

template <class Case>
using RungeKuttaPlan = RungeKutta3<typename Case::Scalar, typename Case::Memory>;

template <class Case>
struct RungeKuttaSteps : SchemeSteps<Case, RungeKuttaPlan<Case>> {
  explicit RungeKuttaSteps(const WaterSize& size) : SchemeSteps<Case, RungeKuttaPlan<Case>>(size) {}
  static std::string name() { return "ShallowWater/step<rk3," + Case::type_names(); }
};

template <class Case>
using SemiImplicitPlan = SemiImplicit<typename Case::Scalar, typename Case::Memory>;

/// The paper's setting: two corrections of three iterations, about a height of 1.
template <class Case>
struct SemiImplicitSteps : SchemeSteps<Case, SemiImplicitPlan<Case>> {
  explicit SemiImplicitSteps(const WaterSize& size)
      : SchemeSteps<Case, SemiImplicitPlan<Case>>(
            size, SemiImplicitOptions{.newton = StoppingCriteria::iterations(2),
                                      .cg = StoppingCriteria::iterations(3),
                                      .reference_height = ReferenceHeight::one}) {}
  static std::string name() { return "ShallowWater/step<semi-implicit," + Case::type_names(); }
  /// So few iterations do not keep the flow for thousands of steps.
  void prepare() { Vortex(coriolis).fill_vortex(this->space, this->state); }
  KernelCost cost() const { return this->plan.step_cost(2, 3); }
};

/// A solve for the height of waves of Courant number 20, to 1e-4 from 0. Its right-hand side is a velocity of the
/// vortex.
template <class Case, CgPreconditioner Choice>
struct HeightSolve : Case {
  using Operator = PeriodicHelmholtz<typename Case::Scalar, typename Case::Memory>;
  using Multigrid = PeriodicMultigrid<typename Case::Scalar, typename Case::Memory>;
  using Model = std::conditional_t<Choice == CgPreconditioner::none, Operator,
                                   MultigridPeriodic<typename Case::Scalar, typename Case::Memory>>;
  static constexpr int steps = 1;
  static constexpr double factor = 20.0 * 20 / 4;

  explicit HeightSolve(const WaterSize& size)
      : Case(size),
        op(size.n, factor, factor, InitialGuess::zero),
        multigrid(this->space, op),
        pcg(this->space, model()),
        x(size.n) {}
  static std::string name() {
    return std::string("ShallowWater/height<") +
           (Choice == CgPreconditioner::none ? "plain," : "multigrid,") + Case::type_names();
  }
  void run() {
    report = pcg.solve(this->space, this->state.cells(this->state.u()), x.cells(x.height()),
                       {.tolerance = 1e-4, .max_iterations = 1000});
  }
  /// Of the iterations that the last run took.
  KernelCost cost() const {
    const double cells = this->state.rectangle().cells(), fields = 6;
    KernelCost iteration{"", cells * fields * sizeof(typename Case::Scalar), cells * 28};
    if constexpr (Choice == CgPreconditioner::multigrid) {
      const KernelCost cycle = multigrid.cycle_cost();
      iteration.bytes += cycle.bytes + cells * sizeof(typename Case::Scalar);
      iteration.flops += cycle.flops;
    }
    return {"", report.iterations * iteration.bytes, report.iterations * iteration.flops};
  }
  std::string error() const { return report.converged() ? "" : "wrong result: not converged"; }

 private:
  Model model() const {
    if constexpr (Choice == CgPreconditioner::none) {
      return op;
    } else {
      return Model(multigrid);
    }
  }

  Operator op;
  Multigrid multigrid;
  FusedPcg<Model> pcg;
  typename Case::State x;
  SolveReport report;
};
template <class Case>
using PlainHeight = HeightSolve<Case, CgPreconditioner::none>;
template <class Case>
using MultigridHeight = HeightSolve<Case, CgPreconditioner::multigrid>;

/// out = x + M^-1 rhs along one direction.
template <class Case, VelocityComponent Component>
struct MassSolve : Case {
  explicit MassSolve(const WaterSize& size) : Case(size), mass(size.n), rhs(size.n), out(size.n) {
    rhs.copy_from(this->space, this->state);
  }
  static std::string name() {
    const char* component = Component == VelocityComponent::u ? "u," : "v,";
    return std::string("ShallowWater/mass<") + component + Case::type_names();
  }
  void run() {
    for (int n = 0; n < Case::steps; ++n) {
      mass.solve(this->space, Component, rhs.u(), 1, this->state.u(), 0, this->state.u(), 1,
                 out.u());
    }
  }
  KernelCost cost() const { return mass.kernel_costs().front(); }
  VelocityMass<typename Case::Scalar, typename Case::Memory> mass;
  typename Case::State rhs, out;
};
template <class Case>
using MassSolveU = MassSolve<Case, VelocityComponent::u>;
template <class Case>
using MassSolveV = MassSolve<Case, VelocityComponent::v>;

/// The sweep of a leapfrog step, fused or in two kernels; the cost is that of the fused one.
template <class Case, bool Fused>
struct TendencyIn : Case {
  explicit TendencyIn(const WaterSize& size)
      : Case(size), base(size.n), rhs(size.n), vorticity(size.n) {}
  static std::string name() {
    return std::string("ShallowWater/tendency<") + (Fused ? "fused," : "two-kernels,") +
           Case::type_names();
  }
  void run() {
    using Scalar = typename Case::Scalar;
    using Kernels = Impl::StageKernels<typename Case::execution_space, Scalar>;
    const auto now = this->state.fields(), old = base.fields(), to = rhs.fields();
    const Rectangle& cells = this->state.rectangle();
    const Impl::StageSweep<Scalar> stage{
        now,        {static_cast<Scalar>(cells.nx), static_cast<Scalar>(coriolis)},
        old.height, 1,
        0,          static_cast<Scalar>(this->time_step),
        old.height, to.u,
        to.v};
    for (int step = 0; step < Case::steps; ++step) {
      if constexpr (Fused) {
        Kernels::sweep(this->space, Impl::CellRange::all(cells), stage);
      } else {
        Kernels::sweep_by_vorticity(this->space, cells, stage, vorticity.fields().height);
      }
    }
  }
  KernelCost cost() const {
    const double cells = this->state.rectangle().cells();
    return {"", cells * 7 * sizeof(typename Case::Scalar), cells * 77};
  }
  typename Case::State base, rhs, vorticity;
};
template <class Case>
using Tendency = TendencyIn<Case, true>;
template <class Case>
using TendencyInTwoKernels = TendencyIn<Case, false>;

template <class Case>
struct Diagnose : Case {
  using Case::Case;
  static std::string name() { return "ShallowWater/diagnose<" + Case::type_names(); }
  void run() {
    for (int n = 0; n < Case::steps; ++n) last = diagnose(this->space, this->state, coriolis);
  }
  KernelCost cost() const {
    const double cells = this->state.rectangle().cells();
    return {"", cells * 3 * sizeof(typename Case::Scalar), cells * 50};
  }
  ShallowWaterDiagnostics last;
};

template <class Space, class Scalar>
void register_case() {
  using Case = WaterCase<Space, Scalar>;
  const auto sizes = sizes_for(runs_on_host<Space>);
  register_subject<LeapfrogSteps<Case>>(sizes);
  register_subject<RungeKuttaSteps<Case>>(sizes);
  register_subject<LeapfrogCgSteps<Case>>(sizes);
  register_subject<SemiImplicitSteps<Case>>(sizes);
  register_subject<PlainHeight<Case>>(sizes);
  register_subject<MultigridHeight<Case>>(sizes);
  register_subject<Tendency<Case>>(sizes);
  register_subject<TendencyInTwoKernels<Case>>(sizes);
  register_subject<MassSolveU<Case>>(sizes);
  register_subject<MassSolveV<Case>>(sizes);
  register_subject<Diagnose<Case>>(sizes);
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
