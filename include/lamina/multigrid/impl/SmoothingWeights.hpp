// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/multigrid/ColumnHierarchy.hpp>

#include <vector>

namespace Lamina {

struct MultigridParameters;

namespace Impl {

/// Weights w_k of steps x += w_k M^-1 (f - A x), such that the product of the 1 - w_k t is the
/// Chebyshev polynomial on [low, high] with value 1 at t = 0. They are in an order in which large and
/// small ones alternate: no partial product becomes large.
std::vector<double> chebyshev_weights(int steps, double low, double high);

/// Those of the smoother.
/// \param function  that is named where steps are refused
/// \throws InvalidArgument unless 1 <= steps <= 3
std::vector<double> smoothing_weights(int steps, const char* function = "MultigridPreconditioner");

/// Largest omega^2 (sum_n alpha_n + alpha_b) / |T| of a level: how stiff its couplings are, relative
/// to the mass term.
double largest_stiffness(const ColumnGraph& graph, double omega2);

/// Up to this stiffness a level may be the coarsest one: then 5 Chebyshev steps suffice. They move no more than coarser
/// levels would, in half as many kernels; see docs/developer/tuning.md.
inline constexpr double most_coarsest_stiffness = 4;

/// The weights on the coarsest level that is used: every eigenvalue of M^-1 A is between low and 2 -
/// low, with low = 1 / (1 + stiffness). At least 2, as many as divide errors by 10, but not more than 16.
std::vector<double> coarsest_weights(double stiffness);

/// How many levels of a hierarchy a cycle uses.
/// \param stiffness  of each level, as `largest_stiffness`
/// \throws InvalidArgument unless parameters.max_levels >= 1
int count_used_levels(const std::vector<double>& stiffness, const MultigridParameters& parameters);

}  // namespace Impl
}  // namespace Lamina
