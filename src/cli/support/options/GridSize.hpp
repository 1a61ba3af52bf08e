// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/grids/Rectangle.hpp>

#include <string>

#include "support/options/CommandLine.hpp"

// The size of a two-dimensional grid: --n N of a square, or --size NX NY.

namespace Lamina::Cli {

/// \param what  is counted, as "points"
/// \throws InputError
Rectangle read_size(const CommandLine& line, const Rectangle& otherwise, const char* what);

/// The option that it was given by, --n where none was.
const char* size_option(const CommandLine& line);

/// As an option: "--n 64".
std::string size_text(const Rectangle& size);

}  // namespace Lamina::Cli
