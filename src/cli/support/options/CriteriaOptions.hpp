// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/StoppingCriteria.hpp>

#include <string>

#include "support/options/Choices.hpp"
#include "support/options/CommandLine.hpp"

namespace Lamina::Cli {

/// The options that say when an iteration ends; `tolerance` as the help shows its default.
void declare_criteria(CommandLine& line, const std::string& tolerance);

/// \throws InputError
StoppingCriteria read_criteria(const CommandLine& line, double tolerance);

/// The options that say the same, in a line.
std::string criteria_text(const StoppingCriteria& criteria);

/// Checks that residuals can be compared with the tolerance in a precision.
/// \throws InputError
void require_in_range(const StoppingCriteria& criteria, Precision precision);

}  // namespace Lamina::Cli
