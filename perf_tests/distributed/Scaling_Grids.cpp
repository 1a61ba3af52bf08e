// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Time per iteration of Poisson, and per step of shallow water, over ranks:
//
//   for n in 1 2 4; do mpirun -np $n lamina_scaling_grids --system poisson --cells 8192 8192; done
//   for n in 1 2 4; do mpirun -np $n lamina_scaling_grids --system leapfrog --weak; done
//
// Each rank has a strip of the rectangle. One rank runs without a decomposition. Rank 0 prints.

#include <lamina/krylov/FusedPcg.hpp>
#include <lamina/multigrid/MultigridPoisson.hpp>
#include <lamina/poisson/FusedPoisson.hpp>
#include <lamina/problems/PoissonProblem.hpp>
#include <lamina/problems/Vortex.hpp>
#include <lamina/shallow_water/Leapfrog.hpp>
#include <lamina/shallow_water/SemiImplicit.hpp>

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdio>
#include <stdexcept>
#include <string>

#include "../support/WriteJson.hpp"
#include "Scaling.hpp"

namespace Lamina::Perf {
namespace {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;

struct Settings {
  int num_x = 2048, num_y = 2048, iterations = 20, repetitions = 5;
  bool weak = false, single = false;
  std::string system = "poisson", json{};
};

Setters<Settings> setters() {
  constexpr int most = 1 << 20;
  return {{"--cells",
           [](auto& s, const auto& o, auto& v) {
             s.num_x = v.number(o, 1, most);
             s.num_y = v.number(o, 1, most);
           }},
          {"--system", [](auto& s, const auto& o, auto& v) { s.system = v.text(o); }},
          {"--iterations",
           [](auto& s, const auto& o, auto& v) { s.iterations = v.number(o, 1, most); }},
          {"--repetitions",
           [](auto& s, const auto& o, auto& v) { s.repetitions = v.number(o, 1, most); }},
          {"--weak", [](auto& s, const auto&, auto&) { s.weak = true; }},
          {"--single", [](auto& s, const auto&, auto&) { s.single = true; }},
          {"--json", [](auto& s, const auto& o, auto& v) { s.json = v.text(o); }}};
}

void print_usage() {
  std::printf(
      "Usage: mpirun -np N lamina_scaling_grids [options]\n"
      "  --system NAME    poisson, leapfrog, runge-kutta or semi-implicit [poisson]\n"
      "  --cells NX NY    [2048 2048]; lines that are cut: i of both poisson, j of the others\n"
      "  --weak           as many lines on each rank\n"
      "  --single         single precision\n"
      "  --iterations N   of a solve, or steps [20]\n"
      "  --repetitions N  the median counts [5]\n"
      "  --json FILE\n");
}

/// Seconds of an iteration, of which work() does as many as the settings say.
template <class Work>
double measure_iteration(const Settings& settings, const Transport& transport, const Work& work) {
  return median_over_ranks(
             Space(), transport, settings.repetitions, [] {}, work) /
         settings.iterations;
}
/// The whole rectangle, whose lines along one direction are cut.
Rectangle rectangle(const Settings& settings, const Transport& transport, bool along_x) {
  const int factor = settings.weak ? transport.size() : 1;
  return {settings.num_x * (along_x ? factor : 1), settings.num_y * (along_x ? 1 : factor)};
}

/// The solver of conjugate gradients, with a multigrid cycle or without a preconditioner.
template <class Scalar>
auto make_cycles(const Space& space, const Transport& transport, const LocalRectangle& local,
                 const PoissonOperator<Scalar, Memory>& op) {
  const PoissonMultigrid<Scalar, Memory> multigrid(space, transport, op, local);
  return FusedPcg(space, MultigridPoisson<Scalar, Memory>(space, multigrid));
}
template <class Scalar>
auto make_sweeps(const Space& space, const Transport& transport, const LocalRectangle& local,
                 const PoissonOperator<Scalar, Memory>& op) {
  const auto bytes = static_cast<std::size_t>(op.num_levels()) * sizeof(Scalar);
  const bool alone = transport.size() == 1;
  const auto ranks =
      alone ? Decomposition<Memory>() : Decomposition<Memory>(transport, local.halo, bytes);
  return FusedPcg(space, FusedPoisson<Scalar, Memory>(space, op, ranks));
}

/// \param make  makes the solver
template <class Scalar, class Make>
double measure_poisson(const Settings& settings, const Transport& transport, const Make& make) {
  const Space space;
  const Rectangle whole = rectangle(settings, transport, true);
  const auto local =
      local_rectangle(whole, Partition::blocks(whole.nx, transport.size()), transport.rank());
  const PoissonOperator<Scalar, Memory> op(local);
  const auto columns = static_cast<std::size_t>(op.num_columns()),
             levels = static_cast<std::size_t>(whole.ny);
  const Kokkos::View<Scalar**, Kokkos::LayoutRight, Memory> b("Lamina::Perf::rhs", columns, levels),
      x("Lamina::Perf::solution", columns, levels);
  PoissonProblem<Memory>(local).fill_rhs(space, b);
  auto pcg = make(space, transport, local, op);
  return measure_iteration(settings, transport, [&] {
    Kokkos::deep_copy(space, x, Scalar(0));
    (void)pcg.solve(space, b, x, StoppingCriteria::iterations(settings.iterations));
  });
}

template <class Scalar, template <class, class> class Plan, class... Options>
double measure_water(const Settings& settings, const Transport& transport,
                     const Options&... options) {
  const Space space;
  const Rectangle whole = rectangle(settings, transport, false);
  const WaterStrip<Memory> strip =
      transport.size() == 1
          ? WaterStrip<Memory>(whole)
          : WaterStrip<Memory>(transport, whole, Partition::blocks(whole.ny, transport.size()));
  ShallowWaterState<Scalar, Memory> state(strip);
  const Vortex vortex;
  vortex.fill_vortex(space, state);
  Plan<Scalar, Memory> plan(strip, 0.1 / whole.nx, vortex.coriolis(), options...);
  return measure_iteration(settings, transport, [&] {
    for (int n = 0; n < settings.iterations; ++n) (void)plan.step(space, state);
  });
}

template <class Scalar>
double measure(const Settings& settings, const Transport& transport) {
  const std::string& system = settings.system;
  if (system == "poisson") {
    return measure_poisson<Scalar>(settings, transport, make_sweeps<Scalar>);
  }
  if (system == "poisson-multigrid") {
    return measure_poisson<Scalar>(settings, transport, make_cycles<Scalar>);
  }
  if (system == "leapfrog") return measure_water<Scalar, Leapfrog>(settings, transport);
  if (system == "runge-kutta") return measure_water<Scalar, RungeKutta3>(settings, transport);
  if (system == "semi-implicit") {
    // Counts of the paper
    SemiImplicitOptions options;
    options.newton = StoppingCriteria::iterations(2);
    options.cg = StoppingCriteria::iterations(3);
    return measure_water<Scalar, SemiImplicit>(settings, transport, options);
  }
  throw std::runtime_error(
      "--system: expected poisson, poisson-multigrid, leapfrog, runge-kutta or semi-implicit, "
      "got " +
      system);
}

int run(const Settings& settings) {
  const auto transport = make_transport(MPI_COMM_WORLD, Space());
  const double milliseconds = 1e3 * (settings.single ? measure<float>(settings, *transport)
                                                     : measure<double>(settings, *transport));
  const auto report = transport->report();
  if (transport->rank() != 0) return 0;
  const int ranks = transport->size();
  std::printf("%s, %d ranks, %d threads each, %d x %d%s: %.4f ms\n", settings.system.c_str(), ranks,
              static_cast<int>(Space().concurrency()), settings.num_x, settings.num_y,
              settings.weak ? " per rank" : "", milliseconds);
  if (!settings.json.empty()) {
    write_json(settings.json, {{"program", "lamina_scaling_grids"},
                               {"space", Space::name()},
                               {"threads", static_cast<int>(Space().concurrency())},
                               {"ranks", ranks},
                               {"transport", report.name},
                               {"library", report.library},
                               {"system", settings.system},
                               {"precision", settings.single ? "single" : "double"},
                               {"weak", settings.weak},
                               {"cells", {settings.num_x, settings.num_y}},
                               {"iterations", settings.iterations},
                               {"milliseconds", milliseconds}});
  }
  return 0;
}

}  // namespace
}  // namespace Lamina::Perf

int main(int argc, char* argv[]) {
  using namespace Lamina::Perf;
  return run_mpi_program("lamina_scaling_grids", argc, argv, setters(), print_usage, run);
}
