// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/io/NetcdfFile.hpp>

#include <string>
#include <vector>

namespace Lamina::Cli {

/// What every NetCDF file tells of itself, as CF names it: `title`, `source` (the program) and
/// `history` (time and command).
std::vector<FileAttribute> origin_attributes(const std::string& title, const std::string& command);

}  // namespace Lamina::Cli
