// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/io/NetcdfFile.hpp>

#include <string>
#include <vector>

#include "support/SolveResult.hpp"

namespace Lamina::Cli {

/// What every NetCDF file tells of itself, as CF names it: `title`, `source` (the program) and
/// `history` (time and command).
std::vector<FileAttribute> origin_attributes(const std::string& title, const std::string& command);

/// How the solve ended that the file holds the solution of.
std::vector<FileAttribute> outcome_attributes(const SolveResult& result);

}  // namespace Lamina::Cli
