// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <netcdf.h>

#include <cstddef>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace LaminaTest {

/// A type of variables, and what the library fills them with.
struct NumericType {
  nc_type type;
  const char* name;
  double fill;
};
inline constexpr NumericType numeric_types[] = {
    {NC_BYTE, "byte", NC_FILL_BYTE},
    {NC_UBYTE, "ubyte", NC_FILL_UBYTE},
    {NC_SHORT, "short", NC_FILL_SHORT},
    {NC_USHORT, "ushort", NC_FILL_USHORT},
    {NC_INT, "int", NC_FILL_INT},
    {NC_UINT, "uint", NC_FILL_UINT},
    {NC_INT64, "int64", static_cast<double>(NC_FILL_INT64)},
    {NC_UINT64, "uint64", static_cast<double>(NC_FILL_UINT64)},
    {NC_FLOAT, "float", NC_FILL_FLOAT},
    {NC_DOUBLE, "double", NC_FILL_DOUBLE}};

/// A NetCDF file as programs other than Lamina write it: with variables and attributes of any type.
class RawNetcdf {
 public:
  /// \param mode  NC_NETCDF4, or 0 for the classic format
  explicit RawNetcdf(const std::filesystem::path& path, int mode = NC_NETCDF4) {
    check(nc_create(path.c_str(), mode | NC_CLOBBER, &m_file));
  }
  ~RawNetcdf() {
    if (m_file >= 0) nc_close(m_file);
  }
  RawNetcdf(const RawNetcdf&) = delete;
  RawNetcdf& operator=(const RawNetcdf&) = delete;

  int dimension(const std::string& name, std::size_t length) const {
    int id = 0;
    check(nc_def_dim(m_file, name.c_str(), length, &id));
    return id;
  }
  int variable(const std::string& name, nc_type type, const std::vector<int>& dimensions) const {
    int id = 0;
    check(nc_def_var(m_file, name.c_str(), type, static_cast<int>(dimensions.size()),
                     dimensions.data(), &id));
    return id;
  }
  /// Numbers that are converted to the type.
  void attribute(int variable, const std::string& name, nc_type type,
                 const std::vector<double>& values) const {
    check(nc_put_att_double(m_file, variable, name.c_str(), type, values.size(), values.data()));
  }
  void attribute(int variable, const std::string& name, const std::string& text) const {
    check(nc_put_att_text(m_file, variable, name.c_str(), text.size(), text.c_str()));
  }
  /// An attribute of type NC_STRING.
  void string_attribute(int variable, const std::string& name, const std::string& text) const {
    const char* pointer = text.c_str();
    check(nc_put_att_string(m_file, variable, name.c_str(), 1, &pointer));
  }
  /// Stored in chunks, of which those that are not written take no space.
  void chunks(int variable, const std::vector<std::size_t>& extents) const {
    check(nc_def_var_chunking(m_file, variable, NC_CHUNKED, extents.data()));
  }
  void without_fill(int variable) const {
    check(nc_def_var_fill(m_file, variable, NC_NOFILL, nullptr));
  }
  /// Ends definitions.
  void write(int variable, const std::vector<std::size_t>& start,
             const std::vector<std::size_t>& count, const std::vector<double>& values) {
    if (!m_defined) check(nc_enddef(m_file));
    m_defined = true;
    check(nc_put_vara_double(m_file, variable, start.data(), count.data(), values.data()));
  }
  void close() {
    const int file = m_file;
    m_file = -1;
    check(nc_close(file));
  }

 private:
  static void check(int status) {
    if (status != NC_NOERR) throw std::runtime_error(nc_strerror(status));
  }

  int m_file = -1;
  bool m_defined = false;
};

}  // namespace LaminaTest
