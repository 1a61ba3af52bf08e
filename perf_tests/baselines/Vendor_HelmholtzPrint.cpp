// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <algorithm>
#include <cstdio>

#include "Vendor_Helmholtz.hpp"

namespace Lamina::Perf {
namespace {

constexpr int name_width = 33;

double least(const std::array<double, 2>& seconds) { return seconds[faster_of(seconds)]; }

void print_result(const VendorResult& result) {
  std::printf("  %-*s", name_width, result.tridiagonal_routine.c_str());
  if (!result.failure.empty()) {
    std::printf("not usable: %s\n", result.failure.c_str());
    return;
  }
  std::printf("%8.4f %11.4f %8.4f %8.4f %10.4f   %8.1e %8.1e   %s\n", result.tridiagonal * 1e3,
              result.diagonal_copies * 1e3, least(result.spmv) * 1e3, least(result.level1) * 1e3,
              result.iteration * 1e3, result.tridiagonal_error, result.history_difference,
              result.copied_diagonals.c_str());
}
void print_variants(const VendorResult& result) {
  std::printf("  taken: %s, %s; ms of each variant:", result.tridiagonal_routine.c_str(),
              result.layout.c_str());
  for (std::size_t n = 0; n < 2; ++n) {
    std::printf(" %s %.4f,", vendor_spmv_names[n], result.spmv[n] * 1e3);
  }
  for (std::size_t n = 0; n < 2; ++n) {
    std::printf(" level 1 with %s %.4f%s", vendor_update_names[n], result.level1[n] * 1e3,
                n == 0 ? "," : "\n");
  }
}

using Json = nlohmann::ordered_json;

Json json_of(const VendorResult& result) {
  Json value{{"tridiagonal_routine", result.tridiagonal_routine}, {"layout", result.layout}};
  if (!result.failure.empty()) {
    value["failure"] = result.failure;
    return value;
  }
  for (std::size_t n = 0; n < 2; ++n) {
    value["spmv_seconds"][vendor_spmv_names[n]] = result.spmv[n];
    value["level1_seconds"][vendor_update_names[n]] = result.level1[n];
  }
  value["tridiagonal_seconds"] = result.tridiagonal;
  value["diagonal_copies_seconds"] = result.diagonal_copies;
  value["copied_diagonals"] = result.copied_diagonals;
  value["tridiagonal_error"] = result.tridiagonal_error;
  value["iteration_seconds"] = result.iteration;
  value["history_difference"] = result.history_difference;
  value["residual_history"] = result.history;
  return value;
}
Json json_of(const VendorPrecision& precision) {
  Json vendor = Json::array(), lamina = Json::array();
  for (const VendorResult& result : precision.vendor) vendor.push_back(json_of(result));
  for (const LaminaResult& result : precision.lamina) {
    lamina.push_back({{"name", result.name},
                      {"iteration_seconds", result.iteration},
                      {"residual_history", result.history}});
    if (precision.fastest < 0) continue;
    const VendorResult& best = precision.vendor[static_cast<std::size_t>(precision.fastest)];
    lamina.back()["vendor_over_lamina"] = best.iteration / result.iteration;
  }
  return {{"precision", precision.name},
          {"fastest_vendor", precision.fastest},
          {"vendor", vendor},
          {"lamina", lamina}};
}

}  // namespace

void print_vendor_heads(const VendorSettings& settings, const VendorVersions& versions) {
  std::printf(
      "Matrix-explicit PCG of Mueller et al. (2013) from cuSPARSE %s and cuBLAS %s, CUDA %s, %s\n"
      "%d x %d x %d, smooth right-hand side; ms, median of %d runs of %d iterations, the start of "
      "a solve included.\n"
      "The tridiagonal solvers work in place: their times hold the copy of r to z and those of the "
      "diagonals (d.c.)\nthat they overwrite. cuSPARSE does not say which: those are copied that "
      "differ after a solve.\n",
      versions.cusparse.c_str(), versions.cublas.c_str(), versions.cuda.c_str(),
      versions.device.c_str(), settings.size.num_x, settings.size.num_y, settings.size.num_levels,
      vendor_repetitions, settings.iterations);
}

void print_vendor_precision(const VendorPrecision& precision) {
  std::printf("\n%s precision\n  %-*s%8s %11s %8s %8s %10s   %8s %8s   %s\n",
              precision.name.c_str(), name_width, "vendor, with", "tridiag.", "(of it d.c.)",
              "SpMV", "level 1", "iteration", "error", "history", "diagonals copied");
  for (const VendorResult& result : precision.vendor) print_result(result);
  if (precision.fastest < 0) return;
  const VendorResult& best = precision.vendor[static_cast<std::size_t>(precision.fastest)];
  print_variants(best);

  std::printf("  %-*s%10s %14s\n", name_width, "", "iteration", "vendor/Lamina");
  std::printf("  %-*s%10.4f\n", name_width, "vendor, fastest", best.iteration * 1e3);
  for (const LaminaResult& result : precision.lamina) {
    std::printf("  %-*s%10.4f %14.2f\n", name_width, result.name.c_str(), result.iteration * 1e3,
                best.iteration / result.iteration);
  }
  std::printf("  residual after %zu iterations: vendor %.3e, Pcg %.3e\n", best.history.size() - 1,
              best.history.back(), precision.pcg().history.back());
}

void write_vendor_json(const VendorSettings& settings, const VendorVersions& versions,
                       const std::vector<VendorPrecision>& precisions) {
  Json results = Json::array();
  for (const VendorPrecision& precision : precisions) results.push_back(json_of(precision));
  Json report = json_of(versions);
  report["size"] = {settings.size.num_x, settings.size.num_y, settings.size.num_levels};
  report["rhs"] = "smooth";
  report["iterations"] = settings.iterations;
  report["repetitions"] = vendor_repetitions;
  report["precisions"] = results;
  write_json(settings.json, report);
}

}  // namespace Lamina::Perf
