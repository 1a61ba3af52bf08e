// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "point_implicit/PointImplicitOutcome.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace Lamina::Cli {

std::vector<int> colour_sizes_of(const ColourOrdering& ordering) {
  std::vector<int> sizes;
  for (int colour = 0; colour < ordering.num_colours(); ++colour) {
    sizes.push_back(static_cast<int>(ordering.colour_rows(colour)));
  }
  return sizes;
}

SolveStatus obstacle_of(SolveStatus status, const std::optional<double>& asymmetry,
                        double rounding) {
  if (status != SolveStatus::completed) return status;
  const bool is_symmetric = !asymmetry || *asymmetry <= rounding;
  return is_symmetric ? SolveStatus::completed : SolveStatus::breakdown_indefinite;
}

SolveReport unsolved_report(SolveStatus status, double residual_norm, bool with_history) {
  SolveReport report;
  report.status = status;
  report.reference_norm = report.initial_residual_norm = report.residual_norm = residual_norm;
  if (with_history) report.residual_history = {report.relative_residual()};
  return report;
}

SolutionError error_of(const std::vector<double>& solution, const std::vector<double>& exact) {
  SolutionError error;
  for (std::size_t n = 0; n < exact.size(); ++n) {
    const double e = solution[n] - exact[n];
    error.l2 += e * e;
    error.linf = std::isnan(e) ? e : std::max(error.linf, std::abs(e));
  }
  error.l2 = exact.empty() ? 0 : std::sqrt(error.l2 / static_cast<double>(exact.size()));
  return error;
}

double sum_of_bytes(const std::vector<KernelRecord>& records) {
  double bytes = 0;
  for (const KernelRecord& record : records) bytes += record.bytes;
  return bytes;
}

}  // namespace Lamina::Cli
