// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The five-point stencil through each way to its memory, and time per iteration of the conjugate
// gradients, plain and fused.

#include <cmath>
#include <string>
#include <vector>

#include "../support/MeasuredSpaces.hpp"
#include "../support/Runner.hpp"
#include "../support/SquareSolvers.hpp"

namespace Lamina::Perf {
namespace {

struct SquareSize {
  int n;
  std::string name() const { return "n:" + std::to_string(n); }
};

/// In cache, beyond it, and beside powers of two.
std::vector<SquareSize> sizes_for(bool on_host) {
  if (tiny_run()) return {{32}, {37}};
  if (on_host) return {{256}, {1024}, {4095}, {4096}, {5000}};
  return {{256}, {1024}, {4096}, {5000}, {8191}, {8192}};
}

constexpr const char* memory_names[] = {"global", "texture1d", "texture2d", "shared", "auto"};

/// The test problem through one of the ways to its memory.
template <class Space, class ScalarType, StencilMemory Path>
struct PathCase : SquareCase<Space, ScalarType> {
  explicit PathCase(const SquareSize& size) : SquareCase<Space, ScalarType>(size.n, Path) {}
  static std::string type_names() {
    return std::string(memory_names[static_cast<int>(Path)]) + ',' + scalar_name<ScalarType> + ',' +
           Space::name() + '>';
  }
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
  using Case = PathCase<Space, Scalar, Path>;
  const auto sizes = sizes_for(runs_on_host<Space>);
  register_subject<Apply<Case>>(sizes);
  register_subject<Iterations<Case, PlainCgSolver>>(sizes);
  register_subject<Iterations<Case, FusedCgSolver>>(sizes);
  if constexpr (!runs_on_host<Space> && Path == StencilMemory::automatic) {
    register_subject<Iterations<Case, SweptCgSolver>>(sizes);
  }
}

template <class Space, class Scalar>
void register_paths() {
  register_case<Space, Scalar, StencilMemory::automatic>();
  register_case<Space, Scalar, StencilMemory::global>();
  register_case<Space, Scalar, StencilMemory::shared>();
  if constexpr (!runs_on_host<Space>) {  // there both are `global`
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
