// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

namespace Lamina::Cli {

/// What the program returns.
enum ExitStatus : int {
  success = 0,        ///< converged, or a fixed count completed
  not_converged = 1,  ///< ran, but did not converge or broke down; the report says which
  bad_input = 2,      ///< bad option or bad input; one line on stderr says which
};

}  // namespace Lamina::Cli
