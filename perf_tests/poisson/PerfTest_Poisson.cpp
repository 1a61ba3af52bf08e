// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The five-point stencil through each way to its memory, and time per iteration of the conjugate
// gradients, plain and fused.

#include <lamina/core/impl/Instantiate.hpp>
#include <lamina/krylov/FusedCg.hpp>
#include <lamina/krylov/Pcg.hpp>
#include <lamina/poisson/FusedPoisson.hpp>
#include <lamina/poisson/PoissonProblem.hpp>

#include <cmath>
#include <string>
#include <vector>

#include "../support/Runner.hpp"

namespace Lamina::Perf {
namespace {

struct SquareSize {
  int n;
  std::string name() const { return "n:" + std::to_string(n); }
};

/// In cache, beyond it, and beside powers of two.
std::vector<SquareSize> sizes_for(bool on_host) {
  if (on_host) return {{256}, {1024}, {4095}, {4096}, {5000}};
  return {{256}, {1024}, {4096}, {5000}, {8191}, {8192}};
}

constexpr const char* memory_names[] = {"global", "texture1d", "texture2d", "shared", "auto"};

/// The test problem with fields of the user's.
template <class Space, class ScalarType, StencilMemory Path>
struct SquareCase {
  using execution_space = Space;
  using Scalar = ScalarType;
  using Memory = typename Space::memory_space;
  using Operator = PoissonOperator<Scalar, Memory>;
  using Field = Kokkos::View<Scalar**, Kokkos::LayoutRight, Memory>;

  explicit SquareCase(const SquareSize& size)
      : problem(size.n), op(size.n, Path), b(field(size)), x(field(size)) {
    problem.fill_rhs(space, b);
  }
  static Field field(const SquareSize& size) {
    return Field("Lamina::Perf::field", static_cast<std::size_t>(size.n),
                 static_cast<std::size_t>(size.n));
  }
  static std::string type_names() {
    return std::string(memory_names[static_cast<int>(Path)]) + ',' + scalar_name<Scalar> + ',' +
           Space::name() + '>';
  }
  void prepare() { Kokkos::deep_copy(space, x, Scalar(0)); }

  Space space{};
  PoissonProblem<Memory> problem;
  Operator op;
  Field b, x;
};

template <class Case>
struct Apply : Case {
  using Case::Case;
  static constexpr int steps = 1;
  static std::string name() { return "PoissonOperator/apply<" + Case::type_names(); }
  void run() { this->op.apply(this->space, this->b, this->x); }
  KernelCost cost() const { return this->op.kernel_costs().front(); }
  std::string error() const {
    // <A b, 1> is what the points beside the boundary hold.
    const auto on_host = [](const auto& view) {
      return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
    };
    const auto b = on_host(this->b), x = on_host(this->x);
    const auto n = b.extent(0);
    double sum = 0, edge = 0, size = 0;
    for (std::size_t i = 0; i < n; ++i) {
      edge += static_cast<double>(b(i, 0)) + static_cast<double>(b(i, n - 1)) +
              static_cast<double>(b(0, i)) + static_cast<double>(b(n - 1, i));
      for (std::size_t j = 0; j < n; ++j) {
        sum += static_cast<double>(x(i, j));
        size += std::abs(static_cast<double>(b(i, j)));
      }
    }
    return std::abs(sum - edge) <= 1e-6 * size ? "" : "wrong result: " + std::to_string(sum - edge);
  }
};

/// The plans of the two solvers, and what one of their iterations costs.
template <class Case>
struct PlainCg {
  static constexpr const char* name = "cg";
  using Plan = Pcg<typename Case::Operator, IdentityPreconditioner>;
  explicit PlainCg(const Case& c) : plan(c.space, c.op, IdentityPreconditioner()), op(c.op) {}
  KernelCost iteration_cost() const {
    const auto blas = plan.kernel_costs();
    const KernelCost dot = cost_of(blas, "KokkosBlas::dot"),
                     axpby = cost_of(blas, "Lamina::Pcg::axpby");
    return sum_of({op.kernel_costs().front(), dot, dot, axpby, axpby, axpby});
  }
  Plan plan;
  typename Case::Operator op;
};
template <class Case, OnChip Where>
struct FusedWhere {
  static constexpr const char* name = Where == OnChip::never ? "fused-cg-swept" : "fused-cg";
  using Model = FusedPoisson<typename Case::Scalar, typename Case::Memory>;
  explicit FusedWhere(const Case& c)
      : model(c.space, c.op, OnChip::never), plan(Model(c.space, c.op, Where)) {}
  /// Of the sweeps, also where the fields stay on the chip.
  KernelCost iteration_cost() const {
    const auto costs = model.kernel_costs();
    const KernelCost two[] = {cost_of(costs, "Lamina::FusedPoisson::advance"),
                              cost_of(costs, "Lamina::FusedPoisson::advance_and_update")};
    KernelCost cost = cost_of(costs, "Lamina::FusedPoisson::measure");
    for (const KernelCost& advance : two) {
      cost.bytes += advance.bytes / 2;
      cost.flops += advance.flops / 2;
    }
    return cost;
  }
  Model model;
  FusedCg<Model> plan;
};
template <class Case>
using Fused = FusedWhere<Case, OnChip::automatic>;
template <class Case>
using Swept = FusedWhere<Case, OnChip::never>;

/// A solve of a fixed number of iterations, from zero; its start and end count as part of them.
template <class Case, template <class> class Solver>
struct Iterations : Case {
  static constexpr int steps = 40;

  explicit Iterations(const SquareSize& size) : Case(size), solver(*this) {}
  static std::string name() {
    return std::string("Poisson/iteration<") + Solver<Case>::name + ',' + Case::type_names();
  }
  void run() {
    report = solver.plan.solve(this->space, this->b, this->x, StoppingCriteria::iterations(steps));
  }
  KernelCost cost() const { return solver.iteration_cost(); }
  std::string error() const {
    const bool sound = report.status == SolveStatus::completed && report.iterations == steps &&
                       std::isfinite(report.relative_residual());
    return sound ? "" : "wrong result: " + std::string(to_string(report.status));
  }

  Solver<Case> solver;
  SolveReport report;
};

template <class Space, class Scalar, StencilMemory Path>
void register_case() {
  using Case = SquareCase<Space, Scalar, Path>;
  const auto sizes = sizes_for(Impl::runs_on_host<Space>);
  register_subject<Apply<Case>>(sizes);
  register_subject<Iterations<Case, PlainCg>>(sizes);
  register_subject<Iterations<Case, Fused>>(sizes);
  if constexpr (!Impl::runs_on_host<Space> && Path == StencilMemory::automatic) {
    register_subject<Iterations<Case, Swept>>(sizes);
  }
}

template <class Space, class Scalar>
void register_paths() {
  register_case<Space, Scalar, StencilMemory::automatic>();
  register_case<Space, Scalar, StencilMemory::global>();
  register_case<Space, Scalar, StencilMemory::shared>();
  if constexpr (!Impl::runs_on_host<Space>) {  // there both are `global`
    register_case<Space, Scalar, StencilMemory::texture1d>();
    register_case<Space, Scalar, StencilMemory::texture2d>();
  }
}

}  // namespace

void register_benchmarks() {
#define LAMINA_REGISTER(Space)     \
  register_paths<Space, double>(); \
  register_paths<Space, float>();
  LAMINA_FOR_EACH_SPACE(LAMINA_REGISTER)
#undef LAMINA_REGISTER
}

}  // namespace Lamina::Perf
