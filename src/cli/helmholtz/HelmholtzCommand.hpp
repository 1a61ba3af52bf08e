// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "support/machine/KokkosSession.hpp"

namespace Lamina::Cli {

int helmholtz_command(const Arguments& arguments);          ///< `lamina helmholtz`
int compare_helmholtz_command(const Arguments& arguments);  ///< `lamina compare helmholtz`

}  // namespace Lamina::Cli
