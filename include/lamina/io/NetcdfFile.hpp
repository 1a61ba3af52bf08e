// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace Lamina {

/// An attribute of a whole file.
struct FileAttribute {
  std::string name;
  std::variant<std::string, double> value;
};

/// How a file lays its values down.
enum class NetcdfFormat {
  netcdf4,  ///< over HDF5; a file whose process is killed while it writes may not be readable
  /// The classic layout with 64-bit sizes, for records along an unlimited dimension. A record counts
  /// once it is complete: those that `sync` has brought to the file stay if the process is killed.
  cdf5
};

/// A NetCDF file that is written, with CF-1.8 conventions: what Lamina needs of NetCDF-C, with
/// `FileError` for its error codes. Dimensions and variables are named by the numbers that the
/// library gives them. `NetcdfReader` reads.
class NetcdfFile {
 public:
  /// As the variable of an attribute: the file itself.
  static constexpr int global = -1;
  /// As the length of a new dimension, the first of its variables: as long as what is written.
  static constexpr std::size_t unlimited = 0;

  /// A new file with the attribute `Conventions`; replaces what is there. Messages call it `name`.
  /// Any path is taken as it is: the NetCDF library itself changes backslashes and leading blanks,
  /// and takes names like `file://a.nc` for addresses.
  static NetcdfFile create(const std::filesystem::path& path, const std::filesystem::path& name,
                           NetcdfFormat format = NetcdfFormat::netcdf4);

  NetcdfFile(NetcdfFile&& other) noexcept
      : m_path(std::move(other.m_path)),
        m_written(std::move(other.m_written)),
        m_id(std::exchange(other.m_id, closed)),
        m_phase(other.m_phase) {}
  NetcdfFile& operator=(NetcdfFile&&) = delete;
  /// Closes without complaint; a writer calls `close` before.
  ~NetcdfFile();

  int add_dimension(const std::string& name, std::size_t length);
  /// A variable of type `Scalar` (float, double or std::int64_t), its last dimension contiguous.
  template <class Scalar>
  int add_variable(const std::string& name, const std::vector<int>& dimensions);
  void add_attribute(int variable, const std::string& name, const std::string& value);
  void add_attribute(int variable, const std::string& name, double value);
  /// A whole number; `_FillValue` only of a variable of type std::int64_t that has no values yet.
  void add_integer(int variable, const std::string& name, std::int64_t value);
  /// `_FillValue` NaN of a variable of type float or double that has no values yet.
  void add_missing_as_nan(int variable);
  /// Of the whole file.
  void add_attributes(const std::vector<FileAttribute>& attributes);

  /// Writes the block that begins at `start` and has the extents `count`; values are converted to
  /// the type of the variable.
  template <class Scalar>
  void write(int variable, const std::vector<std::size_t>& start,
             const std::vector<std::size_t>& count, const Scalar* values);

  /// Brings the records that were written so far to the file.
  void sync();
  /// Completes the file; errors of delayed writing show here.
  void close();

  /// True where a file of this process could not be closed, as its disk was full. The library's own
  /// exit handler crashes then (HDF5 1.10): end the process by `std::_Exit`.
  static bool any_left_open();

 private:
  static constexpr int closed = -1;
  /// Of the classic formats.
  enum class Phase { first_definitions, later_definitions, values };

  NetcdfFile(std::filesystem::path path, int id) : m_path(std::move(path)), m_id(id) {}
  void check(int status) const;
  void begin_definitions();
  void begin_values();

  std::filesystem::path m_path, m_written;  // the second: of a new file
  int m_id;
  Phase m_phase = Phase::first_definitions;
};

}  // namespace Lamina
