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

/// Generates or reads the system.
/// \throws InputError for bad files, and where the system fits with none of the variants
std::shared_ptr<const PointImplicitInput> checked_input(
    const PointImplicitProblem& problem, const std::vector<PointImplicitVariant>& variants);

}  // namespace Lamina::Cli
