// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/io/NetcdfReader.hpp>

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace LaminaTest {

/// All values of a variable; none where it is not there or has other extents.
/// \param with_missing  values may be missing: NaN
inline std::vector<double> values_of(const std::filesystem::path& path, const std::string& name,
                                     const std::vector<std::size_t>& extents,
                                     bool with_missing = false) {
  using Missing = Lamina::NetcdfReader::Missing;
  const Lamina::NetcdfReader file(path);
  const auto variable = file.find_variable(name);
  if (!variable) return {};
  std::size_t size = 1;
  std::vector<std::size_t> found;
  for (const auto& dimension : file.dimensions(*variable)) {
    found.push_back(dimension.length);
    size *= dimension.length;
  }
  if (found != extents) return {};
  std::vector<double> values(size);
  file.read(*variable, std::vector<std::size_t>(extents.size(), 0), extents, values.data(),
            with_missing ? Missing::as_nan : Missing::refused);
  return values;
}

}  // namespace LaminaTest
