// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <string>

#include "shallow_water/ShallowWaterTask.hpp"
#include "support/options/CommandLine.hpp"

namespace Lamina::Cli {

// The options of bottom, sides and rotation.

void declare_basin(CommandLine& line);
/// \throws InputError
void read_basin(const CommandLine& line, ShallowWaterProblem& problem);

/// The file of the bottom; empty: none.
std::string bottom_path(const ShallowWaterProblem& problem);
/// Opens that file, if there is one, and checks the shape of its variable. \throws InputError
void open_bottom(ShallowWaterProblem& problem);

}  // namespace Lamina::Cli
