// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/io/FileError.hpp>
#include <lamina/io/NetcdfFile.hpp>
#include <lamina/io/PendingFile.hpp>

#include <netcdf.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <system_error>

namespace Lamina {
namespace {

template <class Scalar>
constexpr nc_type type_of = NC_NAT;
template <>
constexpr nc_type type_of<float> = NC_FLOAT;
template <>
constexpr nc_type type_of<double> = NC_DOUBLE;
template <>
constexpr nc_type type_of<std::int64_t> = NC_INT64;

int put_block(int file, int variable, const std::size_t* start, const std::size_t* count,
              const float* values) {
  return nc_put_vara_float(file, variable, start, count, values);
}
int put_block(int file, int variable, const std::size_t* start, const std::size_t* count,
              const double* values) {
  return nc_put_vara_double(file, variable, start, count, values);
}
int put_block(int file, int variable, const std::size_t* start, const std::size_t* count,
              const std::int64_t* values) {
  return nc_put_vara(file, variable, start, count, values);  // of the type of the variable
}

std::atomic<bool> left_open = false;

/// Whether the system's last error says why a disk takes no more.
bool of_disk(int system_error) {
  for (const int error : {ENOSPC, EDQUOT, EFBIG, EIO, EROFS}) {
    if (system_error == error) return true;
  }
  return false;
}

/// Whether a failure may be one of the disk's, of which the library does not tell.
bool may_be_of_disk(int status) {
  return status == NC_EHDFERR || status == NC_ECANTWRITE || status == NC_ECANTCREATE ||
         status == NC_ECANTEXTEND;
}

}  // namespace

void NetcdfFile::check(int status) const {
  const int system_error = errno;
  if (status == NC_NOERR) return;
  if (!m_written.empty() && may_be_of_disk(status)) {
    throw FileError(m_path, write_problem(m_written, of_disk(system_error) ? system_error : 0));
  }
  throw FileError(m_path, nc_strerror(status));
}

NetcdfFile NetcdfFile::create(const std::filesystem::path& path,
                              const std::filesystem::path& name) {
  NetcdfFile file(name, closed);
  file.m_written = path;
  errno = 0;
  file.check(nc_create(path.c_str(), NC_NETCDF4 | NC_CLOBBER, &file.m_id));
  return file;
}

NetcdfFile NetcdfFile::open(const std::filesystem::path& path) {
  // Anything else than a regular file could be taken for an address, or block for ever.
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) throw FileError(path, "no such file");
  if (!std::filesystem::is_regular_file(status)) throw FileError(path, "not a regular file");
  NetcdfFile file(path, closed);
  const int opened = nc_open(path.c_str(), NC_NOWRITE, &file.m_id);
  if (opened == NC_ENOTNC || opened == NC_EHDFERR) throw FileError(path, "not a NetCDF file");
  file.check(opened);
  return file;
}

NetcdfFile::~NetcdfFile() {
  if (m_id != closed && nc_close(m_id) != NC_NOERR) left_open = true;
}

void NetcdfFile::sync() { check(nc_sync(m_id)); }

void NetcdfFile::close() {
  const int status = nc_close(std::exchange(m_id, closed));
  if (status != NC_NOERR) left_open = true;
  check(status);
}

bool NetcdfFile::any_left_open() { return left_open; }

int NetcdfFile::add_dimension(const std::string& name, std::size_t length) {
  int dimension = 0;
  check(nc_def_dim(m_id, name.c_str(), length, &dimension));
  return dimension;
}

template <class Scalar>
int NetcdfFile::add_variable(const std::string& name, const std::vector<int>& dimensions) {
  int variable = 0;
  check(nc_def_var(m_id, name.c_str(), type_of<Scalar>, static_cast<int>(dimensions.size()),
                   dimensions.data(), &variable));
  check(nc_def_var_fill(m_id, variable, NC_NOFILL, nullptr));  // every value will be written
  return variable;
}

void NetcdfFile::set_checked_blocks(int variable, const std::vector<std::size_t>& extents) {
  check(nc_def_var_chunking(m_id, variable, NC_CHUNKED, extents.data()));
  check(nc_def_var_fletcher32(m_id, variable, NC_FLETCHER32));
}

void NetcdfFile::add_attribute(int variable, const std::string& name, const std::string& value) {
  check(nc_put_att_text(m_id, variable, name.c_str(), value.size(), value.c_str()));
}

void NetcdfFile::add_attribute(int variable, const std::string& name, double value) {
  check(nc_put_att_double(m_id, variable, name.c_str(), NC_DOUBLE, 1, &value));
}

void NetcdfFile::add_attributes(const std::vector<FileAttribute>& attributes) {
  for (const FileAttribute& attribute : attributes) {
    std::visit([&](const auto& value) { add_attribute(global, attribute.name, value); },
               attribute.value);
  }
}

std::optional<std::string> NetcdfFile::find_text(const std::string& name) const {
  nc_type type = NC_NAT;
  std::size_t length = 0;
  const int status = nc_inq_att(m_id, NC_GLOBAL, name.c_str(), &type, &length);
  if (status == NC_ENOTATT || (status == NC_NOERR && type != NC_CHAR)) return std::nullopt;
  check(status);
  std::string text(length, ' ');
  check(nc_get_att_text(m_id, NC_GLOBAL, name.c_str(), text.data()));
  return text;
}

std::optional<double> NetcdfFile::find_number(const std::string& name) const {
  nc_type type = NC_NAT;
  std::size_t length = 0;
  const int status = nc_inq_att(m_id, NC_GLOBAL, name.c_str(), &type, &length);
  if (status == NC_ENOTATT) return std::nullopt;
  check(status);
  if (type != NC_DOUBLE || length != 1) return std::nullopt;
  double value = 0;
  check(nc_get_att_double(m_id, NC_GLOBAL, name.c_str(), &value));
  return value;
}

std::optional<int> NetcdfFile::find_variable(const std::string& name) const {
  int variable = 0;
  const int status = nc_inq_varid(m_id, name.c_str(), &variable);
  if (status == NC_ENOTVAR) return std::nullopt;
  check(status);
  return variable;
}

std::vector<NetcdfFile::Dimension> NetcdfFile::dimensions(int variable) const {
  int count = 0;
  check(nc_inq_varndims(m_id, variable, &count));
  std::vector<int> ids(static_cast<std::size_t>(count));
  check(nc_inq_vardimid(m_id, variable, ids.data()));
  std::vector<Dimension> result;
  for (const int id : ids) {
    char name[NC_MAX_NAME + 1] = {};
    std::size_t length = 0;
    check(nc_inq_dim(m_id, id, name, &length));
    result.push_back({name, length});
  }
  return result;
}

std::optional<double> NetcdfFile::fill_value(int variable) const {
  double value = 0;
  std::size_t length = 0;
  if (nc_inq_attlen(m_id, variable, "_FillValue", &length) == NC_NOERR && length == 1 &&
      nc_get_att_double(m_id, variable, "_FillValue", &value) == NC_NOERR) {
    return value;
  }
  // Without the attribute, what was never written holds a value that depends on the type.
  nc_type type = NC_NAT;
  int without_fill = 0;
  check(nc_inq_vartype(m_id, variable, &type));
  check(nc_inq_var_fill(m_id, variable, &without_fill, nullptr));
  if (without_fill != 0) return std::nullopt;
  if (type == NC_FLOAT) return NC_FILL_FLOAT;
  if (type == NC_DOUBLE) return NC_FILL_DOUBLE;
  return std::nullopt;
}

template <class Scalar>
void NetcdfFile::write(int variable, const std::vector<std::size_t>& start,
                       const std::vector<std::size_t>& count, const Scalar* values) {
  check(put_block(m_id, variable, start.data(), count.data(), values));
}

void NetcdfFile::read(int variable, const std::vector<std::size_t>& start,
                      const std::vector<std::size_t>& count, double* values) const {
  check(nc_get_vara_double(m_id, variable, start.data(), count.data(), values));
}

#define LAMINA_NETCDF_TYPE(Scalar)                                                            \
  template int NetcdfFile::add_variable<Scalar>(const std::string&, const std::vector<int>&); \
  template void NetcdfFile::write<Scalar>(int, const std::vector<std::size_t>&,               \
                                          const std::vector<std::size_t>&, const Scalar*);
LAMINA_NETCDF_TYPE(float)
LAMINA_NETCDF_TYPE(double)
LAMINA_NETCDF_TYPE(std::int64_t)

}  // namespace Lamina
