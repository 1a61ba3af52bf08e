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

/// A NetCDF-4 file that is written, with CF-1.8 conventions: what Lamina needs of NetCDF-C, with
/// `FileError` for its error codes. Dimensions and variables are named by the numbers that the
/// library gives them. `NetcdfReader` reads.
class NetcdfFile {
 public:
  /// As the variable of an attribute: the file itself.
  static constexpr int global = -1;
  /// As the length of a new dimension: it is as long as what is written along it.
  static constexpr std::size_t unlimited = 0;

  /// A new file with the attribute `Conventions`; replaces what is there. Messages call it `name`.
  /// Any path is taken as it is: the NetCDF library itself changes backslashes and leading blanks,
  /// and takes names like `file://a.nc` for addresses.
  static NetcdfFile create(const std::filesystem::path& path, const std::filesystem::path& name);

  NetcdfFile(NetcdfFile&& other) noexcept
      : m_path(std::move(other.m_path)),
        m_written(std::move(other.m_written)),
        m_id(std::exchange(other.m_id, closed)) {}
  NetcdfFile& operator=(NetcdfFile&&) = delete;
  /// Closes without complaint; a writer calls `close` before.
  ~NetcdfFile();

  int add_dimension(const std::string& name, std::size_t length);
  /// A variable of type `Scalar` (float, double or std::int64_t), its last dimension contiguous.
  template <class Scalar>
  int add_variable(const std::string& name, const std::vector<int>& dimensions);
  /// Lays a new variable down in blocks of these extents, each with a checksum: to read a block
  /// that has changed since is an error. Fast where writes and reads are of whole blocks.
  void set_checked_blocks(int variable, const std::vector<std::size_t>& extents);
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

  /// Brings what was written so far to the file, which can then be read even if the process is killed.
  void sync();
  /// Completes the file; errors of delayed writing show here.
  void close();

  /// True where a file of this process could not be closed, as its disk was full. The library's own
  /// exit handler crashes then (HDF5 1.10): end the process by `std::_Exit`.
  static bool any_left_open();

 private:
  static constexpr int closed = -1;

  NetcdfFile(std::filesystem::path path, int id) : m_path(std::move(path)), m_id(id) {}
  void check(int status) const;

  std::filesystem::path m_path, m_written;  // the second: of a new file
  int m_id;
};

}  // namespace Lamina
