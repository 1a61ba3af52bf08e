// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "support/machine/KokkosSession.hpp"

namespace Lamina::Cli {

int point_implicit_command(const Arguments& arguments);  ///< `lamina point-implicit`
int compare_point_implicit_command(
    const Arguments& arguments);  ///< `lamina compare point-implicit`

}  // namespace Lamina::Cli
