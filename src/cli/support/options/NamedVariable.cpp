// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/options/NamedVariable.hpp"

#include <cstddef>
#include <system_error>

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

}  // namespace Lamina::Cli
