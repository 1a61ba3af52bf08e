// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "point_implicit/PointImplicitTask.hpp"

namespace Lamina::Cli {

/// The option that says how large the problem is.
std::string size_option(const PointImplicitProblem& problem);

/// Why a problem is too large for the memory of its space, or of the host: one line with what is
/// needed at most and what is available. Empty where it is not.
std::string size_obstacle(const PointImplicitTask& task);

/// Blocks off the diagonal in a row of a system on a box, at most.
inline constexpr double most_neighbours_on_box = 14;

/// \param num_rows, num_blocks  of all ranks; blocks off the diagonal
/// \throws InputError where the part of a rank does not fit
void require_share_fits(const PointImplicitTask& task, double num_rows, double num_blocks);

/// Generates or reads the system.
/// \throws InputError for bad files, and where the system fits with none of the variants
std::shared_ptr<const PointImplicitInput> checked_input(
    const PointImplicitProblem& problem, const std::vector<PointImplicitVariant>& variants);

}  // namespace Lamina::Cli
