// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What pages of docs/guide show beside the examples, between marks of its name.

#include <lamina/Lamina.hpp>
#include <lamina/problems/PoissonProblem.hpp>

#include <cstdio>

namespace {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;
using Field = Kokkos::View<double**, Kokkos::LayoutLeft, Memory>;

// [own operator]
/// y_c = 3 x_c - x_{c-1} - x_{c+1} on a ring of columns, on each level.
struct Ring {
  using scalar_type = double;
  using memory_space = Memory;

  int columns, levels;

  int num_owned() const { return columns; }    // columns solved for
  int num_columns() const { return columns; }  // the same: there is no halo
  int num_levels() const { return levels; }

  template <class In, class Out>
  void apply(const Space& space, const In& x, const Out& y) const {
    const int n = columns;
    Kokkos::parallel_for(
        "Ring::apply",
        Kokkos::MDRangePolicy<Space, Kokkos::Rank<2>>(space, {0, 0}, {columns, levels}),
        KOKKOS_LAMBDA(int c, int k) {
          y(c, k) = 3 * x(c, k) - x((c + n - 1) % n, k) - x((c + 1) % n, k);
        });
  }
};
// [own operator]

bool solve_ring(const Space& space) {
  const Field b("b", 100, 20), x("x", 100, 20);
  Kokkos::deep_copy(space, b, 1.0);
  // [own operator solve]
  Lamina::Pcg pcg(space, Ring{100, 20}, Lamina::IdentityPreconditioner{});
  const auto report = pcg.solve(space, b, x, {.tolerance = 1e-8});
  // [own operator solve]
  return report.converged();
}

bool solve_poisson(const Space& space) {
  constexpr int n = 100;
  const Field b("b", n, n), x("x", n, n);
  // [poisson]
  const Lamina::PoissonProblem<Memory> problem(n);  // the published test problem
  problem.fill_rhs(space, b);
  const Lamina::PoissonOperator<double, Memory> op(n);
  const Lamina::FusedPoisson<double, Memory> model(space, op);
  Lamina::FusedCg cg(space, model);
  const auto report = cg.solve(space, b, x, {.tolerance = 1e-6});
  std::printf("%d iterations, largest error %.1e\n", report.iterations,
              problem.error(space, x).linf);
  // [poisson]
  // [measure]
  const double copy = Lamina::best_gb_per_s(Lamina::measure_copy_bandwidth(space));
  const Lamina::KernelRecorder recorder;
  const auto replay = cg.solve(space, b, x, Lamina::StoppingCriteria::iterations(10));
  for (const auto& record : recorder.records(model.kernel_costs())) {
    std::printf("%s: %.2f of copy\n", record.name.c_str(), record.gb_per_s() / copy);
  }
  // [measure]
  return report.converged() && replay.succeeded();
}

}  // namespace

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  const Space space;
  return solve_ring(space) && solve_poisson(space) ? 0 : 1;
}
