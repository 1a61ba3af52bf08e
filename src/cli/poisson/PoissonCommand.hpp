// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "support/machine/KokkosSession.hpp"

namespace Lamina::Cli {

int poisson_command(const Arguments& arguments);          ///< `lamina poisson`
int compare_poisson_command(const Arguments& arguments);  ///< `lamina compare poisson`

}  // namespace Lamina::Cli
