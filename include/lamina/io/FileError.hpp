// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

namespace Lamina {

/// Thrown where a file cannot be read or written. The message is one line: the file, then what is
/// wrong with it.
class FileError : public std::runtime_error {
 public:
  FileError(const std::filesystem::path& file, const std::string& problem)
      : std::runtime_error(file.string() + ": " + problem) {}
};

}  // namespace Lamina
