// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// What the vendor baseline measures, and how it is told.

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "../support/PanelCase.hpp"
#include "VendorReport.hpp"

namespace Lamina::Perf {

/// What was asked for on the command line.
struct VendorSettings {
  PanelSize size;
  int iterations = 50;
  std::string json;  ///< empty: none
};

/// The vendor's iteration with one of the tridiagonal solvers, medians in seconds.
struct VendorResult {
  std::string tridiagonal_routine, layout;
  std::string failure;             ///< why it could not be used; empty: it could
  std::array<double, 2> spmv{};    ///< CUSPARSE_SPMV_CSR_ALG1 and ALG2
  double tridiagonal = 0;          ///< with all copies
  double diagonal_copies = 0;      ///< that part of it
  std::string copied_diagonals;    ///< which
  double tridiagonal_error = 0;    ///< largest difference from `LineSolver` / largest value
  std::array<double, 2> level1{};  ///< with the two kinds of `VendorUpdate`
  double iteration = 0;            ///< with the faster SpMV and update, the start included
  std::vector<double> history;     ///< |r_n| / |r_0|
  double history_difference = 0;   ///< from Lamina's Pcg
};
/// Of two variants.
inline std::size_t faster_of(const std::array<double, 2>& seconds) {
  return seconds[1] < seconds[0] ? 1 : 0;
}
inline constexpr std::array vendor_spmv_names{"CUSPARSE_SPMV_CSR_ALG1", "CUSPARSE_SPMV_CSR_ALG2"};
inline constexpr std::array vendor_update_names{"scal, axpy", "geam"};

/// One of Lamina's solvers on the same device.
struct LaminaResult {
  std::string name;
  double iteration = 0;  ///< median in seconds, the start included
  std::vector<double> history;
  std::vector<double> sample;      ///< some values of the solution
  double history_difference = 0;   ///< from that of Pcg
  double solution_difference = 0;  ///< from the sample of Pcg, relative to its largest value
};

struct VendorPrecision {
  std::string name;
  std::vector<LaminaResult> lamina;  ///< FusedPcg, Pcg and csr Pcg
  std::vector<VendorResult> vendor;
  int fastest = -1;  ///< of `vendor`; -1: none could be used

  const LaminaResult& pcg() const { return lamina[1]; }
};

void print_vendor_heads(const VendorSettings& settings, const VendorVersions& versions);
void print_vendor_precision(const VendorPrecision& precision);
/// \throws std::runtime_error where the file cannot be written.
void write_vendor_json(const VendorSettings& settings, const VendorVersions& versions,
                       const std::vector<VendorPrecision>& precisions);

}  // namespace Lamina::Perf
