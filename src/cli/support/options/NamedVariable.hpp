// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <filesystem>
#include <string>

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

}  // namespace Lamina::Cli
