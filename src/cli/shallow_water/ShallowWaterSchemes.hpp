// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "shallow_water/ShallowWaterTask.hpp"

// The options of the time schemes, from those of the command.

namespace Lamina::Cli {

MassOptions mass_options(const ShallowWaterSystems& systems);

/// \param epsilon  of the precision
SemiImplicitOptions semi_implicit_options(const ShallowWaterSystems& systems, const Rectangle& size,
                                          double epsilon);

}  // namespace Lamina::Cli
