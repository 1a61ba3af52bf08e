// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "helmholtz/columns/NamedVariable.hpp"

#include <lamina/io/FileError.hpp>

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <fstream>
#include <iomanip>
#include <system_error>

#include "support/options/CommandLine.hpp"

namespace Lamina::Cli {

NamedVariable named_variable(const std::string& text) {
  std::error_code ignored;
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos || std::filesystem::exists(text, ignored)) return {text, ""};
  return {text.substr(0, colon), text.substr(colon + 1)};
}

std::string without_folders(const std::string& text) {
  const NamedVariable named = named_variable(text);
  const std::string file = named.file.filename().string();
  return named.variable.empty() ? file : file + ':' + named.variable;
}

std::vector<double> read_numbers(const std::filesystem::path& path) {
  constexpr std::size_t most_values = 100'000'000;
  constexpr std::size_t longest_word = 64;  // a file need not have blanks
  if (!std::filesystem::is_regular_file(path)) throw FileError(path, "no such file");
  std::ifstream stream(path);
  std::vector<double> values;
  for (std::string word; stream >> std::setw(static_cast<int>(longest_word)) >> word;) {
    const auto value = parse_number<double>(word);
    const bool is_cut = word.size() == longest_word;
    if (is_cut || !value || !std::isfinite(*value) || values.size() == most_values) {
      throw FileError(path, fmt::format("word {}: expected a number, got {}", values.size() + 1,
                                        word.substr(0, 40)));
    }
    values.push_back(*value);
  }
  if (!stream.eof()) throw FileError(path, "cannot be read");
  return values;
}

}  // namespace Lamina::Cli
