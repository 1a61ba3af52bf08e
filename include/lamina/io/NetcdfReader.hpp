// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace Lamina {

/// A dimension of a variable in a file.
struct NetcdfDimension {
  std::string name;
  std::size_t length;
};

/// "(y = 8, x = 9)"
std::string shape_text(const std::vector<NetcdfDimension>& dimensions);

/// What the NetCDF library may use for a file. A damaged file of a few hundred bytes can make it
/// ask for gigabytes, or never return.
struct ReadLimits {
  /// Values of the largest variable that will be read. The library may decompress all of it at
  /// once: memory and time grow with this number.
  std::size_t num_values = 0;
  double seconds = 10;          ///< without values; time for the size of the file comes on top
  std::size_t megabytes = 256;  ///< without values
};

/// A NetCDF file of any format, opened for reading.
///
/// The NetCDF and HDF5 libraries crash, hang or ask for gigabytes on damaged files. A child process
/// calls them, with limits of memory and time, and hands values over through shared memory. Its
/// death is a `FileError` here. The child is a fork of this process and lives as long as the
/// reader: make the reader while this process is small, before it starts threads or a device. The
/// thread that makes a reader must live as long as the reader.
///
/// Any name is taken as it is. (The NetCDF library itself changes backslashes and leading blanks,
/// and takes names like `file://a.nc` for addresses.)
///
/// Values are those that the CF conventions define: packed numbers (`scale_factor`, `add_offset`,
/// `_Unsigned`) are unpacked in double precision. A value is missing where the packed number is
/// `_FillValue`, or without this attribute what the library writes for it by default (types of one
/// byte have no such default); where it is one of `missing_value`; and where it is outside
/// `valid_range`, `valid_min` or `valid_max`.
/// Source: CF conventions, sections 2.5 and 8.1; NetCDF Users Guide, appendix A.
///
/// Calls of one reader must not overlap. All throw `FileError` for a file that the library cannot
/// read, crashes on, or does not read within the limits.
class NetcdfReader {
 public:
  /// \throws FileError where there is no such file, or it is no NetCDF file
  explicit NetcdfReader(const std::filesystem::path& path, const ReadLimits& limits = {});
  ~NetcdfReader();
  NetcdfReader(NetcdfReader&&) noexcept;
  NetcdfReader& operator=(NetcdfReader&&) = delete;

  const std::filesystem::path& path() const { return m_path; }

  /// A text, of characters or one string, or a number of any type, of the whole file; none where
  /// there is no attribute of this name and kind.
  std::optional<std::string> find_text(const std::string& name) const;
  std::optional<double> find_number(const std::string& name) const;
  /// The same of a variable.
  std::optional<std::string> find_text(int variable, const std::string& name) const;
  std::optional<double> find_number(int variable, const std::string& name) const;

  /// Variables are numbered from 0.
  int num_variables() const;
  std::optional<int> find_variable(const std::string& name) const;
  std::vector<NetcdfDimension> dimensions(int variable) const;

  /// Checks that a variable holds numbers, and that its attributes say how to unpack them, without
  /// reading them.
  /// \throws FileError with variable and attribute where they do not
  void require_numbers(int variable) const;
  /// Whether a variable holds whole numbers that are not packed.
  bool holds_integers(int variable) const;

  enum class Missing { refused, as_nan };

  /// Reads the block that begins at `start` and has the extents `count`.
  /// \param values   the last dimension contiguous
  /// \param missing  what a missing value becomes
  /// \throws FileError as `require_numbers`, and with variable and index for a missing value, unless
  ///   that becomes NaN
  void read(int variable, const std::vector<std::size_t>& start,
            const std::vector<std::size_t>& count, double* values,
            Missing missing = Missing::refused) const;

  /// Closes the file, which the library locks against writers, until it is read again.
  void release() const;

 private:
  class Process;

  std::filesystem::path m_path;
  std::unique_ptr<Process> m_process;
};

}  // namespace Lamina
