// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OutputPath.hpp"

#include <lamina/io/PendingFile.hpp>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <string>

#include "CommandLine.hpp"
#include "InputError.hpp"

namespace Lamina::Cli {
namespace {

/// Whether two names stand for one file, however they are written.
bool same_file(const std::filesystem::path& left, const std::filesystem::path& right) {
  if (left.empty() || right.empty()) return false;
  const auto real = [](const std::filesystem::path& path) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(path));
  };
  return real(left) == real(right);
}

}  // namespace

std::filesystem::path output_path(const CommandLine& line, const std::string& name,
                                  const std::vector<std::string>& suffixes) {
  if (!line.given(name)) return {};
  std::filesystem::path path = line.text(name, "");
  const bool ends_well = suffixes.empty() || std::find(suffixes.begin(), suffixes.end(),
                                                       path.extension()) != suffixes.end();
  if (path.empty() || !ends_well) {
    CommandLine::fail(name,
                      fmt::format("a file name{}{}", suffixes.empty() ? "" : " that ends in ",
                                  fmt::join(suffixes, " or ")),
                      path.string());
  }
  for_option(name, [&] { require_writable(path); });
  return path;
}

void require_different_files(const std::vector<NamedFile>& written,
                             const std::vector<NamedFile>& read) {
  const auto require_other = [](const NamedFile& file, const NamedFile& other) {
    if (!same_file(file.path, other.path)) return;
    CommandLine::fail(file.option, std::string("another file than ") + other.option,
                      file.path.string());
  };
  for (auto file = written.begin(); file != written.end(); ++file) {
    for (auto other = file + 1; other != written.end(); ++other) require_other(*file, *other);
    for (const NamedFile& other : read) require_other(*file, other);
  }
}

std::string history_text(const std::string& command) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}: {}", fmt::gmtime(std::time(nullptr)), command);
}

}  // namespace Lamina::Cli
