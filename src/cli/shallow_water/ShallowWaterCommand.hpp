// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "support/machine/KokkosSession.hpp"

namespace Lamina::Cli {

int shallow_water_command(const Arguments& arguments);          ///< `lamina shallow-water`
int compare_shallow_water_command(const Arguments& arguments);  ///< `lamina compare shallow-water`

}  // namespace Lamina::Cli
