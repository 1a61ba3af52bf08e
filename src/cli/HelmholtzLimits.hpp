// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "HelmholtzTask.hpp"

namespace Lamina::Cli {

// Numbers that are legal, but from which a solve would compute others that are too large or too
// small for its precision. Both throw InputError with option, what was expected, what was given.

/// Depth, omega^2, lambda^2: what the operator is made of.
void require_in_range(const HelmholtzProblem& problem, Precision precision);
/// The tolerance.
void require_in_range(const StoppingCriteria& criteria, Precision precision);

}  // namespace Lamina::Cli
