// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Multigrid of hypre beside ours, as preconditioners of conjugate gradients, on the matrix and the
// right-hand side of the model problem, on the same cores in the same run:
//
//   OMP_NUM_THREADS=2 OMP_PROC_BIND=false mpirun -np 2 --bind-to none lamina_hypre_helmholtz
//
// hypre runs one rank a core. Ours runs on rank 0, with as many threads, while the other ranks
// sleep. Rank 0 prints.

#include <lamina/Version.hpp>
#include <lamina/multigrid/MultigridHelmholtz.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "../support/MpiProgram.hpp"
#include "../support/PanelSolvers.hpp"
#include "../support/WriteJson.hpp"
#include "HypreSolvers.hpp"

namespace Lamina::Perf {
namespace {

using Space = Kokkos::DefaultHostExecutionSpace;
using Case = PanelCase<Space, double, Kokkos::LayoutRight>;
constexpr double tolerances[] = {1e-5, 1e-10};

struct Settings {
  PanelSize size{};
  int repetitions = 3;
  std::string json{};
};

Setters<Settings> setters() {
  constexpr int most = 1 << 12;
  return {{"--size",
           [](auto& s, const auto& o, auto& v) {
             // Its neighbours in a row of the matrix differ.
             s.size.num_x = v.number(o, 2, most);
             s.size.num_y = v.number(o, 2, most);
             s.size.num_levels = v.number(o, 2, most);
           }},
          {"--repetitions",
           [](auto& s, const auto& o, auto& v) { s.repetitions = v.number(o, 1, most); }},
          {"--json", [](auto& s, const auto& o, auto& v) { s.json = v.text(o); }}};
}

void print_usage() {
  std::printf(
      "Usage: mpirun -np N lamina_hypre_helmholtz [options]\n"
      "  --size NX NY NZ    cells; NX >= N [256 256 128]\n"
      "  --repetitions N    of a solve; the median counts [3]\n"
      "  --json FILE\n");
}

struct Result {
  std::string name;
  double set_up = 0;  // seconds
  struct Solve {
    double tolerance = 0, seconds = 0;
    int iterations = 0;
    double true_residual = 0;
  };
  std::vector<Solve> solves{};
};

/// What each rank knows of MPI_COMM_WORLD.
struct Ranks {
  int rank = 0, size = 1;
  Ranks() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
  }
  /// Waits for all ranks, and leaves the core to others meanwhile.
  void wait() const {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    for (int done = 0; done == 0;) {
      MPI_Test(&request, &done, MPI_STATUS_IGNORE);
      if (done == 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  }
  /// Seconds of work, of the slowest rank.
  template <class Work>
  double seconds_of(const Work& work) const {
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    work();
    double seconds = MPI_Wtime() - begin;
    MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return seconds;
  }
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// --- The equations ---

PanelEquations equations_of(const Settings& settings, const Ranks& ranks) {
  const Case c(settings.size);
  const CsrHelmholtz<double, Kokkos::LayoutRight, Space> csr(c.space, c.mesh, c.grid, c.parameters);
  const auto b = c.right_hand_side();
  const auto matrix = csr.matrix();
  const PanelSize& size = settings.size;
  const auto share = [&](int rank) {
    return static_cast<int>(std::int64_t{size.num_x} * rank / ranks.size);
  };
  PanelEquations equations{.num_x = size.num_x,
                           .num_y = size.num_y,
                           .num_levels = size.num_levels,
                           .first_i = share(ranks.rank),
                           .last_i = share(ranks.rank + 1)};
  const int after[] = {0, 1, size.num_levels, size.num_levels * size.num_y};
  for (int n = 0; n < equations.num_rows(); ++n) {
    const int row = equations.first_row() + n;
    const auto begin = matrix.graph.row_map(row), end = matrix.graph.row_map(row + 1);
    double entries[4] = {};
    for (auto k = begin; k < end; ++k) {
      const int column = matrix.graph.entries(k);
      equations.columns.push_back(column);
      equations.values.push_back(matrix.values(k));
      for (int entry = 0; entry < 4; ++entry) {
        if (column - row == after[entry]) entries[entry] = matrix.values(k);
      }
    }
    equations.row_sizes.push_back(static_cast<int>(end - begin));
    equations.stencil.insert(equations.stencil.end(), entries, entries + 4);
    equations.b.push_back(b.data()[row]);
  }
  return equations;
}

// --- hypre ---

Result measure_hypre(const std::string& name, const Settings& settings, const Ranks& ranks,
                     HypreSystem& system) {
  Result result{.name = name};
  result.set_up = ranks.seconds_of([&] { system.set_up(); });
  for (const double tolerance : tolerances) {
    Result::Solve solve{.tolerance = tolerance};
    std::vector<double> seconds;
    for (int n = 0; n <= settings.repetitions; ++n) {
      const double time = ranks.seconds_of([&] { solve.iterations = system.solve(tolerance); });
      if (n > 0) seconds.push_back(time);  // the first one warms up
    }
    solve.seconds = median(seconds);
    solve.true_residual = system.true_residual();
    result.solves.push_back(solve);
  }
  return result;
}

std::vector<Result> measure_hypre(const Settings& settings, const Ranks& ranks) {
  const PanelEquations equations = equations_of(settings, ranks);
  std::vector<Result> results;
  const auto add = [&](const char* name, const auto& make) {
    const std::unique_ptr<HypreSystem> system = make();
    results.push_back(measure_hypre(name, settings, ranks, *system));
  };
  add("hypre PCG, PFMG",
      [&] { return std::make_unique<HypreStruct>(equations, StructMethod::pfmg); });
  add("hypre PCG, SMG",
      [&] { return std::make_unique<HypreStruct>(equations, StructMethod::smg); });
  add("hypre PCG, BoomerAMG", [&] { return std::make_unique<HypreBoomerAmg>(equations); });
  return results;
}

// --- Ours ---

/// \param make  make() returns a model of `FusedPcg`, set up
template <class Make>
Result measure_ours(const std::string& name, const Settings& settings, const Case& c,
                    const Make& make) {
  using Plan = decltype(FusedPcg(c.space, make()));
  Result result{.name = name};
  std::unique_ptr<Plan> plan;
  result.set_up = seconds_of(c.space, [&] { plan = std::make_unique<Plan>(c.space, make()); });
  const auto b = c.right_hand_side();
  const auto x = c.make_field("Lamina::Perf::solution"),
             image = c.make_field("Lamina::Perf::image");
  for (const double tolerance : tolerances) {
    Result::Solve solve{.tolerance = tolerance};
    std::vector<double> seconds;
    for (int n = 0; n <= settings.repetitions; ++n) {
      Kokkos::deep_copy(c.space, x, 0.0);
      SolveReport report;
      const double time = seconds_of(
          c.space, [&] { report = plan->solve(c.space, b, x, {.tolerance = tolerance}); });
      if (n > 0) seconds.push_back(time);  // the first one warms up
      solve.iterations = report.iterations;
    }
    solve.seconds = median(seconds);
    c.op.apply(c.space, x, image);
    c.space.fence();
    double residual2 = 0, norm2 = 0;
    for (std::size_t n = 0; n < b.size(); ++n) {
      residual2 += std::pow(b.data()[n] - image.data()[n], 2);
      norm2 += std::pow(b.data()[n], 2);
    }
    solve.true_residual = std::sqrt(residual2 / norm2);
    result.solves.push_back(solve);
  }
  return result;
}

std::vector<Result> measure_ours(const Settings& settings) {
  using Memory = Case::Memory;
  const Case c(settings.size);
  const auto multigrid = [&]<class Scalar>(Scalar) {
    return MultigridPreconditioner<Scalar, Memory>(c.space, ColumnHierarchy(c.panel.graph()),
                                                   c.grid, c.parameters);
  };
  return {measure_ours(
              "FusedPcg, multigrid", settings, c,
              [&] { return MultigridHelmholtz<double, Memory>(c.space, multigrid(double{})); }),
          measure_ours("FusedPcg, multigrid in single precision", settings, c,
                       [&] {
                         return MultigridHelmholtz<double, Memory, double, float>(
                             c.space, c.op, multigrid(float{}));
                       }),
          measure_ours("FusedPcg, multigrid, mixed precision", settings, c,
                       [&] {
                         return MultigridHelmholtz<double, Memory, float>(c.space, c.op,
                                                                          multigrid(float{}));
                       }),
          measure_ours("FusedPcg, lines", settings, c,
                       [&] { return FusedHelmholtz<double, Memory>(c.space, c.op); })};
}

// --- The report ---

void print(const std::vector<Result>& results) {
  for (const Result& result : results) {
    std::printf("%-38s set-up %8.3f s", result.name.c_str(), result.set_up);
    for (const auto& solve : result.solves) {
      std::printf("   %.0e: %8.4f s, %3d iterations, |b - A x| / |b| %.1e", solve.tolerance,
                  solve.seconds, solve.iterations, solve.true_residual);
    }
    std::printf("\n");
  }
}

nlohmann::ordered_json json_of(const std::vector<Result>& results) {
  auto list = nlohmann::ordered_json::array();
  for (const Result& result : results) {
    auto solves = nlohmann::ordered_json::array();
    for (const auto& solve : result.solves) {
      solves.push_back({{"tolerance", solve.tolerance},
                        {"seconds", solve.seconds},
                        {"iterations", solve.iterations},
                        {"true_relative_residual", solve.true_residual}});
    }
    list.push_back(
        {{"name", result.name}, {"setup_seconds", result.set_up}, {"solves", std::move(solves)}});
  }
  return list;
}

/// Whether all residuals are what was asked for. CG knows them by recursion: the true ones are a
/// little larger.
bool all_good(const std::vector<Result>& results) {
  for (const Result& result : results) {
    for (const auto& solve : result.solves) {
      if (solve.true_residual <= 2 * solve.tolerance) continue;
      std::fprintf(stderr, "wrong result: %s, |b - A x| / |b| is %.1e\n", result.name.c_str(),
                   solve.true_residual);
      return false;
    }
  }
  return true;
}

int run(const Settings& settings) {
  const Ranks ranks;
  if (settings.size.num_x < ranks.size) throw std::runtime_error("--size: expected NX >= ranks");
  HYPRE_Init();
  std::vector<Result> results = measure_hypre(settings, ranks);
  HYPRE_Finalize();
  if (ranks.rank != 0) {
    ranks.wait();
    return 0;
  }
  const std::vector<Result> ours = measure_ours(settings);
  ranks.wait();
  results.insert(results.begin(), ours.begin(), ours.end());
  print(results);
  const PanelSize& size = settings.size;
  if (!settings.json.empty()) {
    write_json(settings.json, {{"program", "lamina_hypre_helmholtz"},
                               {"lamina_version", LAMINA_VERSION_STRING},
                               {"kokkos_version", KOKKOS_VERSION},
                               {"hypre_version", HYPRE_RELEASE_VERSION},
                               {"space", Space::name()},
                               {"threads", Space().concurrency()},
                               {"ranks", ranks.size},
                               {"precision", "double"},
                               {"size", {size.num_x, size.num_y, size.num_levels}},
                               {"repetitions", settings.repetitions},
                               {"solvers", json_of(results)}});
  }
  return all_good(results) ? 0 : 1;
}

}  // namespace
}  // namespace Lamina::Perf

int main(int argc, char* argv[]) {
  using namespace Lamina::Perf;
  return run_mpi_program("lamina_hypre_helmholtz", argc, argv, setters(), print_usage, run);
}
