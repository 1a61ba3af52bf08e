// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "point_implicit/PointImplicitTask.hpp"
#include "support/options/SolveOptions.hpp"

namespace Lamina::Cli {

/// The command line of `point-implicit` and `compare point-implicit`. The members that are none
/// were not given: `point-implicit` takes the best of them, `compare` all.
struct PointImplicitOptions : SolveOptions {
  PointImplicitProblem problem;
  StoppingCriteria criteria;
  RowOrder order = RowOrder::rcm;
  Colours colours = Colours::greedy;
  std::optional<Storage> storage;
  std::optional<BlockInverse> inverse;
  std::optional<SweepDirection> direction;
  Krylov krylov = Krylov::none;  ///< of one solve
  int num_sweeps = 1;            ///< in each application of the preconditioner
};

/// Reads and checks all options.
/// \return none where help was asked for, and printed
/// \throws InputError
std::optional<PointImplicitOptions> parse_point_implicit(CommandUse use,
                                                         const std::vector<std::string>& arguments);

}  // namespace Lamina::Cli
