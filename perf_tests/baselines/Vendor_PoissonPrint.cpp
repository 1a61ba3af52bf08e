// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <algorithm>
#include <cstddef>
#include <cstdio>

#include "Vendor_Poisson.hpp"

namespace Lamina::Perf {
namespace {

using Json = nlohmann::ordered_json;

/// A dash where it could not be measured.
void print_value(const char* format, double value, int width) {
  char text[32] = "-";
  if (value > 0) std::snprintf(text, sizeof text, format, value);
  std::printf("%*s", width, text);
}

void print_row(const SquareRow& row) {
  std::printf("%6d", row.size);
  for (const SquareResult& result : row.solvers) print_value("%.2f", result.iteration * 1e6, 15);
  std::printf(" |");
  for (const SquareSolver solver : {vendor_graph, vendor_stream, lamina_pcg}) {
    const bool known = row.solvers[lamina_fused].failure.empty();
    print_value("%.2f", known ? row.over_fused(solver) : 0, 8);
  }
  std::printf(" |%5.0f %% |", 100 * row.copy_fraction);
  for (const SquareSolver solver : {vendor_graph, vendor_stream, lamina_fused}) {
    print_value("%.1e", row.solvers[solver].difference, 9);
  }
  std::printf("\n");
}

Json json_of(const SquareResult& result) {
  if (!result.failure.empty()) return {{"failure", result.failure}};
  return {{"iteration_seconds", result.iteration},
          {"values", result.values},
          {"history_difference", result.difference},
          {"residual_history", result.history}};
}
Json json_of(const SquareRow& row) {
  Json value{{"size", row.size}};
  const bool known = row.solvers[lamina_fused].failure.empty();
  for (std::size_t n = 0; n < num_square_solvers; ++n) {
    const auto solver = static_cast<SquareSolver>(n);
    Json one = json_of(row.solvers[solver]);
    if (known && row.solvers[solver].failure.empty()) one["over_fused"] = row.over_fused(solver);
    value["solvers"][square_solver_names[solver]] = one;
  }
  if (known) value["fused_fraction_of_copy"] = row.copy_fraction;
  return value;
}

}  // namespace

void print_square_heads(const SquareSettings& settings, const VendorVersions& versions,
                        double copy_gb_per_s) {
  std::printf(
      "CG of Wang et al. (2012) from a stencil kernel and cuBLAS %s, CUDA %s, %s\n"
      "N x N points; us per iteration, median of %d runs of %d iterations, the start of a solve "
      "included.\n"
      "\"vendor\": an iteration as one CUDA graph, and as calls on a stream. \"copy\": counted "
      "traffic of FusedPcg at the\nspeed of a copy, %.0f GB/s, over its time; problems that stay "
      "in "
      "cache exceed it. \"from Pcg\": difference of the\nresidual histories, over the largest "
      "value.\n",
      versions.cublas.c_str(), versions.cuda.c_str(), versions.device.c_str(), vendor_repetitions,
      settings.iterations, copy_gb_per_s);
}

void print_square_precision(const SquarePrecision& precision) {
  std::printf("\n%s precision; values per point and iteration:", precision.name.c_str());
  for (std::size_t n = 0; n < num_square_solvers; ++n) {
    const auto of_solver = [&](const SquareRow& row) { return row.solvers[n].failure.empty(); };
    const auto row = std::find_if(precision.rows.begin(), precision.rows.end(), of_solver);
    if (row == precision.rows.end()) continue;
    std::printf("%s %s %.3g", n == 0 ? "" : ",", square_solver_names[n], row->solvers[n].values);
  }
  std::printf("\n%6s%60s |%24s |%7s |%27s\n%6s", "", "us per iteration", "over FusedPcg", "copy",
              "from Pcg", "N");
  for (const char* name : square_solver_names) std::printf("%15s", name);
  std::printf(" |%8s%8s%8s |%7s |%9s%9s%9s\n", "graph", "stream", "Pcg", "", "graph", "stream",
              "FusedPcg");
  for (const SquareRow& row : precision.rows) print_row(row);
}

bool print_square_faults(const SquarePrecision& precision) {
  bool sound = true;
  double largest = 0;
  for (const SquareRow& row : precision.rows) {
    for (std::size_t n = 0; n < num_square_solvers; ++n) {
      const SquareResult& result = row.solvers[n];
      largest = std::max(largest, result.difference);
      if (!result.failure.empty()) {
        std::printf("%s precision, N = %d, %s: not usable: %s\n", precision.name.c_str(), row.size,
                    square_solver_names[n], result.failure.c_str());
        sound = false;
      } else if (!(result.difference <= precision.tolerance)) {
        std::printf("%s precision, N = %d, %s: NOT EQUAL: the history differs by %.1e\n",
                    precision.name.c_str(), row.size, square_solver_names[n], result.difference);
        sound = false;
      }
    }
  }
  if (sound) {
    std::printf("%s precision: histories agree to %.1e (%.0e allowed): checked equal\n",
                precision.name.c_str(), largest, precision.tolerance);
  }
  return sound;
}

void write_square_json(const SquareSettings& settings, const VendorVersions& versions,
                       double copy_gb_per_s, const std::vector<SquarePrecision>& precisions) {
  Json results = Json::array();
  for (const SquarePrecision& precision : precisions) {
    Json rows = Json::array();
    for (const SquareRow& row : precision.rows) rows.push_back(json_of(row));
    results.push_back({{"precision", precision.name},
                       {"history_tolerance", precision.tolerance},
                       {"sizes", rows}});
  }
  Json report = json_of(versions);
  report["copy_gb_per_s"] = copy_gb_per_s;
  report["iterations"] = settings.iterations;
  report["repetitions"] = vendor_repetitions;
  report["precisions"] = results;
  write_json(settings.json, report);
}

}  // namespace Lamina::Perf
