// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <string>

#include "HelmholtzTask.hpp"

namespace Lamina::Cli {

/// Why a solve does not fit into the memory of its space, or of the host: one line with what it
/// needs at most and what is available. Empty where it fits.
std::string memory_shortage(const HelmholtzProblem& problem, const HelmholtzVariant& variant,
                            bool with_output);

}  // namespace Lamina::Cli
