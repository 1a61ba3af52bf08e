// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <string>

#include "shallow_water/ShallowWaterTask.hpp"

namespace Lamina::Cli {

/// Memory that a run takes on its space: the state, the workspace of its scheme, whose lines are
/// longer than the grid, and where there are files the cells on their way to and from them.
double shallow_water_bytes(const ShallowWaterTask& task);

/// Why a task cannot be run with the memory that is available now: one line, empty where it can.
std::string size_obstacle(const ShallowWaterTask& task);

}  // namespace Lamina::Cli
