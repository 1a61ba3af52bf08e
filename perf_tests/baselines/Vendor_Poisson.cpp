// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The vendor baseline: the conjugate gradients of Wang et al. (2012) from a clean stencil kernel
// and today's cuBLAS, beside Lamina's solvers on the same device in the same run.
//
// The vendor gets our own stencil, scalars in device memory, no look of the host at the residual
// during a solve, and each iteration both as calls on a stream and as one launch of a CUDA graph.
// Lamina is timed on a stream, where nothing is prepared, and looks as it does by default.

#include "Vendor_Poisson.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "../support/Program.hpp"
#include "../support/SquareSolvers.hpp"
#include "VendorCg.hpp"
#include "VendorMeasure.hpp"

namespace Lamina::Perf {
namespace {

template <class Scalar>
using Case = SquareCase<Kokkos::Cuda, Scalar>;

// --- The vendor ---

template <class Scalar, class Iteration>
SquareResult measure_cg(const VendorContext& context, const VendorCg<Scalar>& cg, int iterations,
                        const Iteration& one_iteration) {
  SquareResult result;
  result.values = VendorCg<Scalar>::values_moved;
  result.iteration = median_seconds(context.space(), [&] { cg.solve(one_iteration); }) / iterations;
  result.history = cg.residual_history();
  return result;
}

template <class Scalar>
void measure_vendor(const VendorContext& context, const Case<Scalar>& problem, int iterations,
                    SquareRow& row) {
  const VendorCg<Scalar> cg(context, problem, iterations);
  const auto iterate = [&] { cg.iterate(); };
  row.solvers[vendor_stream] = measure_cg(context, cg, iterations, iterate);
  try {
    const VendorGraph graph(context, iterate);
    row.solvers[vendor_graph] = measure_cg(context, cg, iterations, [&] { graph.launch(); });
  } catch (const std::exception& error) {
    row.solvers[vendor_graph].failure = error.what();
    (void)cudaGetLastError();  // so that the next call does not find it
  }
}

// --- Lamina ---

template <template <class> class Solver, class Scalar>
SquareResult measure_lamina(const Case<Scalar>& problem, int iterations) {
  Solver<Case<Scalar>> solver(problem);
  Kokkos::fence();  // its vectors were filled on another stream
  SolveReport report;
  SquareResult result;
  const double seconds = median_seconds(problem.space, [&] {
    problem.prepare();
    report = solver.plan.solve(problem.space, problem.b, problem.x,
                               StoppingCriteria::iterations(iterations));
  });
  if (report.status != SolveStatus::completed || report.iterations != iterations) {
    result.failure = "ended with " + std::string(to_string(report.status)) + " after " +
                     std::to_string(report.iterations) + " iterations";
    return result;
  }
  result.iteration = seconds / iterations;
  result.values = solver.iteration_cost().bytes / static_cast<double>(sizeof(Scalar)) /
                  static_cast<double>(problem.b.size());
  result.history = report.residual_history;
  return result;
}

// --- All of it ---

template <class Scalar>
SquareRow measure_size(const VendorContext& context, int size, int iterations, double copy) {
  std::fprintf(stderr, "  %s precision, N = %d\n", scalar_name<Scalar>, size);
  SquareRow row;
  row.size = size;
  Case<Scalar> problem(size, StencilMemory::automatic);
  Kokkos::fence();  // it was filled on another stream
  problem.space = context.space();
  row.solvers[lamina_pcg] = measure_lamina<PlainCgSolver>(problem, iterations);
  row.solvers[lamina_fused] = measure_lamina<FusedCgSolver>(problem, iterations);
  measure_vendor(context, problem, iterations, row);

  const std::vector<double>& expected = row.pcg().history;
  for (SquareResult& result : row.solvers) {
    if (!result.failure.empty() || expected.empty()) continue;
    result.difference = largest_difference(result.history, expected) /
                        *std::max_element(expected.begin(), expected.end());
  }
  const SquareResult& fused = row.solvers[lamina_fused];
  if (fused.failure.empty()) {
    const double bytes = fused.values * static_cast<double>(problem.b.size() * sizeof(Scalar));
    row.copy_fraction = bytes * 1e-9 / copy / fused.iteration;
  }
  return row;
}

/// Of the largest value of a history, which rises with N, to 31 times the first residual at 2048;
/// what rounding makes of it rises too. In single precision the sums of cuBLAS keep 7 digits where
/// Lamina's keep 16: on CPU cores that makes 4e-3 at most, for N from 64 to 2048. In double precision
/// a GPU made 1.3e-9 of it for N = 8191, and less than 4e-11 up to 2048.
template <class Scalar>
constexpr double history_tolerance = std::is_same_v<Scalar, float> ? 0.05 : 1e-8;

template <class Scalar>
SquarePrecision measure_precision(const VendorContext& context, const SquareSettings& settings,
                                  double copy) {
  SquarePrecision precision{.name = std::is_same_v<Scalar, float> ? "single" : "double",
                            .tolerance = history_tolerance<Scalar>};
  for (const int size : settings.sizes) {
    precision.rows.push_back(measure_size<Scalar>(context, size, settings.iterations, copy));
  }
  return precision;
}

int run(const SquareSettings& settings) {
  const VendorContext context;
  const VendorVersions versions = vendor_versions(context);
  const double copy = copy_gb_per_s(context.space());
  const std::vector<SquarePrecision> precisions{measure_precision<double>(context, settings, copy),
                                                measure_precision<float>(context, settings, copy)};
  print_square_heads(settings, versions, copy);
  for (const SquarePrecision& precision : precisions) print_square_precision(precision);
  std::printf("\n");
  bool sound = true;
  for (const SquarePrecision& precision : precisions) {
    sound = print_square_faults(precision) && sound;
  }
  if (!settings.json.empty()) write_square_json(settings, versions, copy, precisions);
  return sound ? 0 : 1;
}

// --- Options ---

/// Smaller problems are solved nearly exactly before the iterations are done; the points of larger
/// ones are more than the 2^31 - 1 that cuBLAS counts.
constexpr int smallest_size = 64, largest_size = 46340;
constexpr int most_iterations = 1000;

Setters<SquareSettings> setters() {
  return {{"--sizes", [](auto& s, const auto& o,
                         auto& v) { s.sizes = v.numbers(o, smallest_size, largest_size); }},
          {"--iterations",
           [](auto& s, const auto& o, auto& v) { s.iterations = v.number(o, 1, most_iterations); }},
          {"--json", [](auto& s, const auto& o, auto& v) { s.json = v.text(o); }}};
}

void print_usage() {
  std::printf(
      "Usage: lamina_vendor_poisson [options]\n"
      "  --sizes N,N,...  points along a side, from 64 on\n"
      "                   [64,128,256,512,1024,2048,4096,5000,8191,8192]\n"
      "  --iterations N   of a solve [100]\n"
      "  --json FILE\n");
}

}  // namespace
}  // namespace Lamina::Perf

int main(int argc, char* argv[]) {
  using namespace Lamina::Perf;
  return run_program("lamina_vendor_poisson", argc, argv, setters(), print_usage, run);
}
