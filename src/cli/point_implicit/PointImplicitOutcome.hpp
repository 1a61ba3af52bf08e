// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// What is told of a solve, as far as the host alone works it out.

#include <optional>
#include <vector>

#include "point_implicit/PointImplicitTask.hpp"

namespace Lamina::Cli {

/// The number of rows of each colour, on all ranks.
std::vector<int> colour_sizes_of(const ColourOrdering& ordering);

/// Why nothing can be solved; `completed`: it can. No method works without pivots, and conjugate
/// gradients over a matrix that is not symmetric go astray in silence.
/// \param status  of the factors of the diagonal
/// \param rounding  of the entries that sweeps read, by which those of a symmetric matrix may differ
SolveStatus obstacle_of(SolveStatus status, const std::optional<double>& asymmetry,
                        double rounding);

/// The report where nothing was done about x = 0.
/// \param with_history  as Krylov methods tell of one
SolveReport unsolved_report(SolveStatus status, double residual_norm, bool with_history);

/// How far `solution` is from `exact`.
SolutionError error_of(const std::vector<double>& solution, const std::vector<double>& exact);

/// Bytes of all kernels.
double sum_of_bytes(const std::vector<KernelRecord>& records);

}  // namespace Lamina::Cli
