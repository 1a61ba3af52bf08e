// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// What the vendor baseline of the point-implicit sweep measures, and how it is told.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "../support/BlockSystem.hpp"
#include "VendorReport.hpp"

namespace Lamina::Perf {

/// What was asked for on the command line.
struct SweepSettings {
  std::vector<int> block_sizes;  ///< empty: the default list
  bool has_mesh = false;         ///< else meshes that fit the block sizes
  MeshSize mesh;
  bool with_kernels = true;  ///< Kokkos Kernels as well
  std::string json;          ///< empty: none
};

/// Median seconds of one sweep.
struct SweepTimes {
  double stream = 0;  ///< its calls one by one
  double graph = 0;   ///< all of it one launch of a CUDA graph; 0: it could not be captured

  double best() const { return graph > 0 ? std::min(stream, graph) : stream; }
};

/// The vendor's sweep in one precision with one of its sparse products.
struct VendorSweepResult {
  std::string precision, product;
  std::string failure;  ///< why it could not be used; empty: it could
  SweepTimes times;
  double difference = 0;  ///< of x from Lamina's after `compared_sweeps`, over the largest |x|
  bool agrees = false;    ///< to the precision used
};
inline constexpr int compared_sweeps = 3;

/// What Kokkos Kernels has that comes closest, in single precision.
struct KernelsResult {
  std::string failure;      ///< why not; empty: measured
  double product = 0;       ///< median seconds of y = A x with the diagonal
  double gauss_seidel = 0;  ///< of one forward sweep, which relaxes scalar rows
  double residual = 0;      ///< |b - A x| / |b| after `compared_sweeps` of these from x = 0
};

/// One block size on one mesh.
struct SweepCase {
  int block_size = 0;
  MeshSize mesh;
  int num_colours = 0;
  std::int64_t num_blocks = 0;  ///< off the diagonal
  double setup_seconds = 0;     ///< of Lamina's solver, on host and device
  double bytes = 0;             ///< of one sweep at least
  SweepTimes lamina;
  double residual = 0;  ///< |b - A x| / |b| after `compared_sweeps` from x = 0
  std::vector<VendorSweepResult> vendor;
  KernelsResult kernels;

  /// The fastest that could be used in a precision, or none.
  const VendorSweepResult* fastest(const std::string& precision) const {
    const VendorSweepResult* best = nullptr;
    for (const VendorSweepResult& result : vendor) {
      if (result.precision != precision || !result.failure.empty()) continue;
      if (best == nullptr || result.times.best() < best->times.best()) best = &result;
    }
    return best;
  }
};

void print_sweep_heads(const VendorVersions& versions, double copy_gb_per_s);
/// One line of the table.
void print_sweep_case(const SweepCase& result, double copy_gb_per_s);
/// What does not agree or could not be used, a line each. \return whether all agrees
bool print_sweep_faults(const std::vector<SweepCase>& cases);
/// \throws std::runtime_error where the file cannot be written.
void write_sweep_json(const std::string& path, const VendorVersions& versions, double copy_gb_per_s,
                      const std::vector<SweepCase>& cases);

}  // namespace Lamina::Perf
