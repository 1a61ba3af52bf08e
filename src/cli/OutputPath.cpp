// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OutputPath.hpp"

#include <lamina/io/FileError.hpp>
#include <lamina/io/PendingFile.hpp>

#include "CommandLine.hpp"
#include "InputError.hpp"

namespace Lamina::Cli {

bool same_file(const std::filesystem::path& a, const std::filesystem::path& b) {
  return std::filesystem::weakly_canonical(std::filesystem::absolute(a)) ==
         std::filesystem::weakly_canonical(std::filesystem::absolute(b));
}

std::filesystem::path output_path(const CommandLine& line, const std::string& name,
                                  const std::string& suffix) {
  if (!line.given(name)) return {};
  std::filesystem::path path = line.text(name, "");
  if (path.empty() || (!suffix.empty() && path.extension() != suffix)) {
    CommandLine::fail(name, "a file name" + (suffix.empty() ? "" : " that ends in " + suffix),
                      path.string());
  }
  try {
    require_writable(path);
  } catch (const FileError& error) {
    throw InputError(name + ": " + error.what());
  }
  return path;
}

}  // namespace Lamina::Cli
