// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace Lamina::Cli {

/// `FILE:VARIABLE`, or `FILE` alone.
struct NamedVariable {
  std::filesystem::path file;
  std::string variable;  ///< may be empty
};

/// What stands before the last colon is a file, unless the whole is one.
NamedVariable named_variable(const std::string& text);

/// The same without the folders of the file.
std::string without_folders(const std::string& text);

/// The numbers of a text file, with blanks or ends of lines between them. \throws FileError for a word that is no
/// finite number
std::vector<double> read_numbers(const std::filesystem::path& path);

}  // namespace Lamina::Cli
