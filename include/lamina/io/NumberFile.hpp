// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <filesystem>
#include <vector>

namespace Lamina {

/// Reads all numbers of a text file, with blanks or ends of lines between them, as C or Fortran programs write
/// them.
/// \throws FileError with the line at fault for a word that is no finite number, and for more than 10^8 of them.
std::vector<double> read_numbers(const std::filesystem::path& file);

}  // namespace Lamina
