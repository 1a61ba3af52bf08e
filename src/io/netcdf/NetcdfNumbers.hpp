// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace Lamina {

/// Throws `ReadProblem` with the text of the library unless `status` is that of success.
void require_netcdf(int status, const std::string& where = "");

/// The numbers of a variable, unpacked as `NetcdfReader` says.
class NetcdfNumbers {
 public:
  virtual ~NetcdfNumbers() = default;

  /// \param missing_as_nan  otherwise they are refused
  /// \throws ReadProblem with the index of a missing value
  virtual void read(const std::vector<std::size_t>& start, const std::vector<std::size_t>& count,
                    double* values, bool missing_as_nan) const = 0;

  /// \param file, variable  as the NetCDF library numbers them
  /// \throws ReadProblem for variables of texts or types of a user, and with variable and attribute
  ///   for attributes that make no sense
  static std::unique_ptr<NetcdfNumbers> of(int file, int variable);
};

}  // namespace Lamina
