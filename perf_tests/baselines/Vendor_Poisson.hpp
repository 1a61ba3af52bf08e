// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// What the vendor baseline of the Poisson equation measures, and how it is told.

#include <array>
#include <string>
#include <vector>

#include "VendorReport.hpp"

namespace Lamina::Perf {

/// What was asked for on the command line.
struct SquareSettings {
  std::vector<int> sizes{64, 128, 256, 512, 1024, 2048, 4096, 5000, 8191, 8192};
  int iterations = 100;
  std::string json;  ///< empty: none
};

/// One solver at one size.
struct SquareResult {
  std::string failure;          ///< why it could not be used; empty: it could
  double iteration = 0;         ///< median in seconds, the start of a solve included
  double values = 0;            ///< counted per point and iteration
  std::vector<double> history;  ///< |r_n| / |r_0|
  double difference = 0;        ///< from Pcg's history, over the largest value of that
};

enum SquareSolver { vendor_graph, vendor_stream, lamina_pcg, lamina_fused, num_square_solvers };
inline constexpr std::array<const char*, num_square_solvers> square_solver_names{
    "vendor graph", "vendor stream", "Lamina Pcg", "Lamina FusedPcg"};

/// All solvers in one precision at N x N points.
struct SquareRow {
  int size = 0;
  std::array<SquareResult, num_square_solvers> solvers;
  double copy_fraction = 0;  ///< of FusedPcg: its counted traffic at the speed of a copy / its time

  const SquareResult& pcg() const { return solvers[lamina_pcg]; }
  /// How much faster FusedPcg is; 0: unknown.
  double over_fused(SquareSolver solver) const {
    return solvers[solver].iteration / solvers[lamina_fused].iteration;
  }
};

struct SquarePrecision {
  std::string name;
  double tolerance = 0;  ///< of `SquareResult::difference`
  std::vector<SquareRow> rows{};
};

void print_square_heads(const SquareSettings& settings, const VendorVersions& versions,
                        double copy_gb_per_s);
void print_square_precision(const SquarePrecision& precision);
/// What does not agree or could not be used, a line each. \return whether all agrees
bool print_square_faults(const SquarePrecision& precision);
/// \throws std::runtime_error where the file cannot be written.
void write_square_json(const SquareSettings& settings, const VendorVersions& versions,
                       double copy_gb_per_s, const std::vector<SquarePrecision>& precisions);

}  // namespace Lamina::Perf
