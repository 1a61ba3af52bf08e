// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "PointImplicitTask.hpp"

namespace Lamina::Cli {

/// The command line of `point-implicit`.
struct PointImplicitOptions {
  PointImplicitProblem problem;
  PointImplicitVariant variant;  ///< without a space where none was asked for
  StoppingCriteria criteria;
  std::filesystem::path json, output;  ///< empty: none
  bool quiet = false;
};

/// Reads and checks all options.
/// \return none where help was asked for, and printed
/// \throws InputError
std::optional<PointImplicitOptions> parse_point_implicit(const std::vector<std::string>& arguments);

}  // namespace Lamina::Cli
