// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "shallow_water/ShallowWaterTask.hpp"

// The options of the time schemes, from those of the command.

namespace Lamina::Cli {

MassOptions mass_options(const ShallowWaterSystems& systems);

/// \param rounding  `SemiImplicit::rounding_of_rest`
SemiImplicitOptions semi_implicit_options(const ShallowWaterSystems& systems, double rounding);

}  // namespace Lamina::Cli
