// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The vendor baseline: the matrix-explicit conjugate gradients of Müller et al. (2013) from
// today's cuSPARSE and cuBLAS, beside Lamina's solvers on the same device in the same run.
//
// The vendor gets the best of each: both CSR algorithms of cuSPARSE, all of its batched tridiagonal
// solvers in the layouts that they want, two ways to update the direction, each iteration one
// launch of a CUDA graph, and no look of the host at the residual during a solve.

#include "Vendor_Helmholtz.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "../support/PanelSolvers.hpp"
#include "../support/Program.hpp"
#include "VendorMeasure.hpp"
#include "VendorPcg.hpp"

namespace Lamina::Perf {
namespace {

// --- Times ---

/// Of one call of `enqueue`, many of which make up a graph: launching it hardly counts.
template <class Work>
double seconds_per_call(const VendorContext& context, const Work& enqueue) {
  constexpr int calls = 20;
  enqueue();
  const VendorGraph graph(context, [&] {
    for (int n = 0; n < calls; ++n) enqueue();
  });
  return median_seconds(context.space(), [&] { graph.launch(); }) / calls;
}

// --- The vendor ---

template <class Scalar>
void measure_spmv(const VendorContext& context, const VendorProblem<Scalar>& problem,
                  const std::array<VendorSpmv<Scalar>, 2>& spmv, VendorResult& result) {
  const decltype(problem.rhs) y("Lamina::Perf::y", problem.rhs.extent(0));
  Kokkos::fence();  // y was filled on another stream
  for (std::size_t n = 0; n < 2; ++n) {
    result.spmv[n] =
        seconds_per_call(context, [&] { spmv[n].apply(problem.rhs.data(), y.data()); });
  }
}

template <class Scalar>
void measure_tridiagonal(const VendorContext& context, const VendorProblem<Scalar>& problem,
                         VendorTridiagonal<Scalar>& lines, VendorResult& result) {
  const decltype(problem.rhs) z("Lamina::Perf::z", problem.rhs.extent(0));
  Kokkos::fence();  // z was filled on another stream
  lines.skip_needless_copies(problem.rhs.data(), z.data());
  result.copied_diagonals = lines.copied_diagonals();
  result.tridiagonal =
      seconds_per_call(context, [&] { lines.solve(problem.rhs.data(), z.data()); });
  if (lines.copies_diagonals()) {
    result.diagonal_copies = seconds_per_call(context, [&] { lines.copy_diagonals(); });
  }
  // After all those calls, so that the copies left out are seen to be needless
  result.tridiagonal_error = relative_difference(context.space(), z, problem.preconditioned);
}

template <class Scalar>
void measure_iteration(const VendorSettings& settings, const VendorContext& context,
                       const VendorProblem<Scalar>& problem, const VendorSpmv<Scalar>& spmv,
                       const VendorTridiagonal<Scalar>& lines, VendorResult& result) {
  const auto make_pcg = [&](VendorUpdate update) {
    return VendorPcg<Scalar>(context, problem, spmv, lines, update, settings.iterations);
  };
  for (const VendorUpdate update : {VendorUpdate::scal_axpy, VendorUpdate::geam}) {
    VendorPcg<Scalar> pcg = make_pcg(update);
    result.level1[static_cast<std::size_t>(update)] =
        seconds_per_call(context, [&] { pcg.iterate_level1(); });
  }
  VendorPcg<Scalar> pcg = make_pcg(static_cast<VendorUpdate>(faster_of(result.level1)));
  const VendorGraph iteration(context, [&] { pcg.iterate(); });
  result.iteration =
      median_seconds(context.space(), [&] { pcg.solve(iteration); }) / settings.iterations;
  result.history = pcg.residual_history();
}

template <class Scalar>
VendorResult measure_vendor(const VendorSettings& settings, const VendorProblem<Scalar>& problem,
                            const VendorTridiagonalRoutine& routine) {
  VendorResult result;
  result.tridiagonal_routine = routine.name;
  result.layout = problem.levels_contiguous ? layout_name<Kokkos::LayoutRight>
                                            : layout_name<Kokkos::LayoutLeft>;
  std::fprintf(stderr, "  %s precision, vendor, %s\n", scalar_name<Scalar>, routine.name);
  try {
    const VendorContext context;
    const std::array<VendorSpmv<Scalar>, 2> spmv{
        VendorSpmv<Scalar>(context, problem, CUSPARSE_SPMV_CSR_ALG1),
        VendorSpmv<Scalar>(context, problem, CUSPARSE_SPMV_CSR_ALG2)};
    VendorTridiagonal<Scalar> lines(context, problem, routine);
    measure_spmv(context, problem, spmv, result);
    measure_tridiagonal(context, problem, lines, result);
    measure_iteration(settings, context, problem, spmv[faster_of(result.spmv)], lines, result);
  } catch (const VendorError& error) {
    result.failure = error.what();
    (void)cudaGetLastError();  // so that the next routine does not find it
  }
  return result;
}

template <class Scalar, class Layout>
void measure_vendor_layout(const VendorSettings& settings, VendorPrecision& precision) {
  const PanelCase<Kokkos::Cuda, Scalar, Layout> panel_case(settings.size);
  const auto problem = make_vendor_problem(panel_case);
  for (const VendorTridiagonalRoutine& routine : vendor_tridiagonal_routines) {
    if (routine.levels_contiguous() != problem.levels_contiguous) continue;
    precision.vendor.push_back(measure_vendor(settings, problem, routine));
  }
}

// --- Lamina ---

/// Some values of a field, far from each other in columns and levels.
template <class Field>
std::vector<double> sample_of(const Field& field) {
  constexpr std::size_t step = 1009;
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), field);
  std::vector<double> values;
  for (std::size_t n = 0; n < host.size(); n += step) {
    values.push_back(static_cast<double>(host(n % host.extent(0), n / host.extent(0))));
  }
  return values;
}

/// How far a solve is from that of Pcg.
void compare(LaminaResult& result, const LaminaResult& pcg) {
  result.history_difference = largest_difference(result.history, pcg.history);
  double largest = 0;
  for (const double value : pcg.sample) largest = std::max(largest, std::abs(value));
  result.solution_difference = largest_difference(result.sample, pcg.sample) / largest;
}

template <template <class> class Solver, class Scalar>
LaminaResult measure_lamina(const VendorSettings& settings, const char* name) {
  using Case = PanelCase<Kokkos::Cuda, Scalar, Kokkos::LayoutLeft>;
  std::fprintf(stderr, "  %s precision, Lamina, %s\n", scalar_name<Scalar>, name);
  const Case panel_case(settings.size);
  Solver<Case> solver(panel_case);
  const auto rhs = panel_case.right_hand_side();
  const auto solution = panel_case.make_field("Lamina::Perf::solution");
  SolveReport report;
  const double seconds = median_seconds(panel_case.space, [&] {
    Kokkos::deep_copy(panel_case.space, solution, Scalar(0));
    report = solver.plan().solve(panel_case.space, rhs, solution,
                                 StoppingCriteria::iterations(settings.iterations));
  });
  if (report.status != SolveStatus::completed || report.iterations != settings.iterations) {
    throw std::runtime_error(std::string(name) + ", " + scalar_name<Scalar> + ": ended with " +
                             std::string(to_string(report.status)) + " after " +
                             std::to_string(report.iterations) + " iterations");
  }
  return {name, seconds / settings.iterations, report.residual_history, sample_of(solution)};
}

// --- All of it ---

template <class Scalar>
VendorPrecision measure_precision(const VendorSettings& settings) {
  VendorPrecision precision;
  precision.name = std::is_same_v<Scalar, float> ? "single" : "double";
  precision.lamina = {measure_lamina<FusedSolver, Scalar>(settings, "Lamina FusedPcg"),
                      measure_lamina<PlainSolver, Scalar>(settings, "Lamina Pcg"),
                      measure_lamina<CsrSolver, Scalar>(settings, "Lamina csr Pcg")};
  const LaminaResult pcg = precision.pcg();
  for (LaminaResult& result : precision.lamina) compare(result, pcg);
  measure_vendor_layout<Scalar, Kokkos::LayoutLeft>(settings, precision);
  measure_vendor_layout<Scalar, Kokkos::LayoutRight>(settings, precision);
  double fastest = HUGE_VAL;
  for (std::size_t n = 0; n < precision.vendor.size(); ++n) {
    VendorResult& result = precision.vendor[n];
    if (!result.failure.empty()) continue;
    result.history_difference = largest_difference(result.history, precision.pcg().history);
    if (result.iteration < fastest) {
      fastest = result.iteration;
      precision.fastest = static_cast<int>(n);
    }
  }
  return precision;
}

/// In double precision the iterates differ by rounding; in single precision, where the two forms of
/// the matrix differ too, both must have converged about as far.
bool agrees_with_pcg(const VendorPrecision& precision, const LaminaResult& result) {
  const bool is_double = precision.name == "double";
  const double last = result.history.back();
  const bool sound =
      is_double
          ? result.history_difference <= 1e-9 && result.solution_difference <= 1e-6
          : last < 10 * precision.pcg().history.back() + 1e-5 && result.solution_difference <= 1e-2;
  std::printf("%s precision: %s and Pcg agree to %.1e in residuals, to %.1e in solutions: %s\n",
              precision.name.c_str(), result.name.c_str(), result.history_difference,
              result.solution_difference, sound ? "yes" : "NOT EQUAL");
  return sound;
}

/// The same of the vendor's residuals.
bool agrees(const VendorPrecision& precision) {
  if (precision.fastest < 0) {
    std::printf("%s precision: no tridiagonal solver of the vendor could be used\n",
                precision.name.c_str());
    return false;
  }
  const VendorResult& best = precision.vendor[static_cast<std::size_t>(precision.fastest)];
  const bool is_double = precision.name == "double";
  const bool sound = is_double
                         ? best.history_difference <= 1e-9
                         : std::isfinite(best.history_difference) &&
                               best.history.back() < 10 * precision.pcg().history.back() + 1e-5;
  std::printf("%s precision: histories of vendor and Lamina's Pcg agree to %.1e: %s\n",
              precision.name.c_str(), best.history_difference,
              !sound      ? "NOT EQUAL"
              : is_double ? "iterates checked equal"
                          : "both converge alike");
  return sound;
}

/// \throws BadOption
void require_32_bit_indices(const VendorSettings& settings) {
  if (has_32_bit_indices(settings.size)) return;
  char entries[32];
  std::snprintf(entries, sizeof entries, "%.3g", matrix_entries(settings.size));
  throw BadOption(std::string("--size: the matrix would have ") + entries +
                  " entries, more than the 2^31 - 1 that 32-bit indices of cuSPARSE reach");
}

int run(const VendorSettings& settings) {
  require_32_bit_indices(settings);
  const VendorVersions libraries = vendor_versions(VendorContext());
  std::vector<VendorPrecision> precisions{measure_precision<double>(settings),
                                          measure_precision<float>(settings)};
  print_vendor_heads(settings, libraries);
  for (const VendorPrecision& precision : precisions) print_vendor_precision(precision);
  std::printf("\n");
  bool sound = true;
  for (const VendorPrecision& precision : precisions) {
    for (const int n : {0, 2}) {  // the others beside `Pcg`
      sound = agrees_with_pcg(precision, precision.lamina[n]) && sound;
    }
    sound = agrees(precision) && sound;
  }
  if (!settings.json.empty()) write_vendor_json(settings, libraries, precisions);
  return sound ? 0 : 1;
}

// --- Options ---

/// Smaller problems are solved nearly exactly before the iterations are done.
constexpr int smallest_extent = 16;
constexpr int most_iterations = 1000;

void set_size(VendorSettings& settings, const std::string& option, OptionValues& values) {
  for (int* extent : {&settings.size.num_x, &settings.size.num_y, &settings.size.num_levels}) {
    *extent = values.number(option, smallest_extent, std::numeric_limits<int>::max());
  }
}

Setters<VendorSettings> setters() {
  return {{"--size", set_size},
          {"--iterations",
           [](auto& s, const auto& o, auto& v) { s.iterations = v.number(o, 1, most_iterations); }},
          {"--json", [](auto& s, const auto& o, auto& v) { s.json = v.text(o); }}};
}

void print_usage() {
  std::printf(
      "Usage: lamina_vendor_helmholtz [--size NX NY NZ] [--iterations N] [--json FILE]\n"
      "Defaults are 256 256 128 and 50; extents from 16 on.\n");
}

}  // namespace
}  // namespace Lamina::Perf

int main(int argc, char* argv[]) {
  using namespace Lamina::Perf;
  return run_program("lamina_vendor_helmholtz", argc, argv, setters(), print_usage, run);
}
