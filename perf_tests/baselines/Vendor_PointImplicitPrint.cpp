// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <cstdio>

#include "Vendor_PointImplicit.hpp"

namespace Lamina::Perf {
namespace {

using Json = nlohmann::ordered_json;

/// Of the traffic at the speed of a copy.
double fraction_of_copy(const SweepCase& result, double seconds, double copy_gb_per_s) {
  return result.bytes * 1e-9 / copy_gb_per_s / seconds;
}

void print_time(double seconds, int width) {
  if (seconds > 0) {
    std::printf("%*.4f", width, seconds * 1e3);
  } else {
    std::printf("%*s", width, "-");
  }
}

/// Its time as a graph and on the stream, and how much faster Lamina is.
void print_baseline(const SweepCase& result, const std::string& precision) {
  const VendorSweepResult* best = result.fastest(precision);
  print_time(best == nullptr ? 0 : best->times.graph, 10);
  print_time(best == nullptr ? 0 : best->times.stream, 9);
  if (best == nullptr) {
    std::printf("%7s %-5s", "-", "");
  } else {
    std::printf("%7.2f %-5s", best->times.best() / result.lamina.stream, best->product.c_str());
  }
}

Json json_of(const SweepTimes& times) {
  Json value{{"stream", times.stream}};
  if (times.graph > 0) value["graph"] = times.graph;
  return value;
}
Json json_of(const VendorSweepResult& result) {
  Json value{{"precision", result.precision}, {"product", result.product}};
  if (!result.failure.empty()) {
    value["failure"] = result.failure;
    return value;
  }
  value["seconds"] = json_of(result.times);
  value["difference"] = result.difference;
  value["agrees"] = result.agrees;
  return value;
}
Json json_of(const KernelsResult& result) {
  if (!result.failure.empty()) return {{"failure", result.failure}};
  return {{"block_spmv_seconds", result.product},
          {"gauss_seidel_seconds", result.gauss_seidel},
          {"relative_residual", result.residual}};
}
Json json_of(const SweepCase& result, double copy_gb_per_s) {
  Json vendor = Json::array();
  for (const VendorSweepResult& one : result.vendor) vendor.push_back(json_of(one));
  Json value{{"block_size", result.block_size},
             {"mesh", {result.mesh.num_x, result.mesh.num_y, result.mesh.num_z}},
             {"rows", result.mesh.num_rows()},
             {"blocks", result.num_blocks},
             {"colours", result.num_colours},
             {"setup_seconds", result.setup_seconds},
             {"bytes", result.bytes},
             {"seconds", json_of(result.lamina)},
             {"fraction_of_copy", fraction_of_copy(result, result.lamina.stream, copy_gb_per_s)},
             {"relative_residual", result.residual},
             {"vendor", vendor},
             {"kokkos_kernels", json_of(result.kernels)}};
  for (const char* precision : {"single", "double"}) {
    const VendorSweepResult* best = result.fastest(precision);
    if (best == nullptr) continue;
    value["vendor_over_lamina"][precision] = best->times.best() / result.lamina.stream;
  }
  return value;
}

}  // namespace

void print_sweep_heads(const VendorVersions& versions, double copy_gb_per_s) {
  std::printf(
      "The library baseline of Zubair et al. (2016) from cuSPARSE %s and cuBLAS %s, CUDA %s, %s\n"
      "One forward sweep, ms. Lamina: blocks off the diagonal in single, all else in double\n"
      "precision, as calls and captured in a CUDA graph; \"bound\": its least traffic at the\n"
      "speed of a copy, %.0f GB/s, over the time of a call. Baselines: all single and all double,\n"
      "graph and stream, and the faster of them over a call of Lamina's. Kokkos Kernels, single:\n"
      "product with A, a sweep over scalar rows.\n\n"
      "%4s %8s %3s %9s %9s %6s | %9s %8s %13s | %9s %8s %13s | %8s %8s\n",
      versions.cusparse.c_str(), versions.cublas.c_str(), versions.cuda.c_str(),
      versions.device.c_str(), copy_gb_per_s, "nb", "rows", "nc", "call", "graph", "bound",
      "single gr.", "stream", "ratio", "double gr.", "stream", "ratio", "KK SpMV", "KK GS");
}

void print_sweep_case(const SweepCase& result, double copy_gb_per_s) {
  std::printf("%4d %8d %3d", result.block_size, result.mesh.num_rows(), result.num_colours);
  print_time(result.lamina.stream, 10);
  print_time(result.lamina.graph, 10);
  std::printf("%5.0f %% |", 100 * fraction_of_copy(result, result.lamina.stream, copy_gb_per_s));
  for (const char* precision : {"single", "double"}) {
    print_baseline(result, precision);
    std::printf(" |");
  }
  print_time(result.kernels.product, 9);
  print_time(result.kernels.gauss_seidel, 9);
  std::printf("\n");
  std::fflush(stdout);
}

bool print_sweep_faults(const std::vector<SweepCase>& cases) {
  bool agrees = true, any = false;
  for (const SweepCase& one : cases) {
    for (const VendorSweepResult& result : one.vendor) {
      const char* name = result.product.c_str();
      any = any || result.failure.empty();
      if (!result.failure.empty()) {
        std::printf("nb %d, %d rows, %s precision, %s: not usable: %s\n", one.block_size,
                    one.mesh.num_rows(), result.precision.c_str(), name, result.failure.c_str());
      } else if (!result.agrees) {
        std::printf("nb %d, %d rows, %s precision, %s: NOT EQUAL: x differs by %.1e\n",
                    one.block_size, one.mesh.num_rows(), result.precision.c_str(), name,
                    result.difference);
        agrees = false;
      }
    }
    if (!one.kernels.failure.empty()) {
      std::printf("nb %d, %d rows, Kokkos Kernels: not measured: %s\n", one.block_size,
                  one.mesh.num_rows(), one.kernels.failure.c_str());
    }
  }
  if (!any) {
    std::printf("no baseline could be used\n");
  } else if (agrees) {
    std::printf(
        "x of all baselines that could be used: checked equal to Lamina's after %d "
        "sweeps, to their precision\n",
        compared_sweeps);
  }
  return agrees && any;
}

void write_sweep_json(const std::string& path, const VendorVersions& versions, double copy_gb_per_s,
                      const std::vector<SweepCase>& cases) {
  Json results = Json::array();
  for (const SweepCase& result : cases) results.push_back(json_of(result, copy_gb_per_s));
  Json report = json_of(versions);
  report["copy_gb_per_s"] = copy_gb_per_s;
  report["repetitions"] = vendor_repetitions;
  report["cases"] = results;
  write_json(path, report);
}

}  // namespace Lamina::Perf
