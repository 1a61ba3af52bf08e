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

bool solve_poisson(const Space& space) {
  constexpr int n = 100;
  const Field b("b", n, n), x("x", n, n);
  // [poisson]
  const Lamina::PoissonProblem<Memory> problem(n);  // the published test problem
  problem.fill_rhs(space, b);
  const Lamina::PoissonOperator<double, Memory> op(n);
  const Lamina::FusedPoisson<double, Memory> model(space, op);
  Lamina::FusedPcg cg(space, model);
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
  return solve_poisson(space) ? 0 : 1;
}
