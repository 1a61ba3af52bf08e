// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <nlohmann/json.hpp>

#include <fstream>
#include <stdexcept>
#include <string>

namespace Lamina::Perf {

/// Writes what --json asks for.
/// \throws std::runtime_error where the file cannot be written.
inline void write_json(const std::string& path, const nlohmann::ordered_json& report) {
  std::ofstream file(path);
  file << report.dump(2) << '\n';
  file.close();
  if (!file) throw std::runtime_error("--json: " + path + " cannot be written");
}

}  // namespace Lamina::Perf
