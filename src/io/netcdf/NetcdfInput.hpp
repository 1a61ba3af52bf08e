// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/io/NetcdfReader.hpp>

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "NetcdfNumbers.hpp"

namespace Lamina {

/// A file in the hands of the NetCDF library; only the child process of a `NetcdfReader` has one.
/// All throw `ReadProblem`.
class NetcdfInput {
 public:
  /// \param cache_bytes  at most, for what is decompressed
  NetcdfInput(const std::string& path, std::size_t cache_bytes);
  ~NetcdfInput();
  NetcdfInput(const NetcdfInput&) = delete;
  NetcdfInput& operator=(const NetcdfInput&) = delete;

  /// \param variable  NC_GLOBAL: the file
  std::optional<std::string> find_text(int variable, const std::string& name) const;
  std::optional<double> find_number(int variable, const std::string& name) const;
  int num_variables() const;
  std::optional<int> find_variable(const std::string& name) const;
  std::vector<NetcdfDimension> dimensions(int variable) const;
  bool holds_integers(int variable) const;

  /// How the numbers of a variable are packed.
  const NetcdfNumbers& numbers(int variable);

 private:
  void set_cache(int variable) const;

  int m_file = -1;
  std::size_t m_cache_bytes;
  std::map<int, std::unique_ptr<NetcdfNumbers>> m_numbers;
};

}  // namespace Lamina
