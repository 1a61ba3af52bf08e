// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/io/FileError.hpp>
#include <lamina/io/NetcdfFile.hpp>
#include <lamina/io/PendingFile.hpp>

#include <fcntl.h>
#include <netcdf.h>
#include <netcdf_meta.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <limits>
#include <system_error>

#if defined(NC_HAS_CDF5) && !NC_HAS_CDF5
#error "NetCDF-C was built without CDF-5"
#endif

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
         status == NC_ECANTEXTEND || of_disk(status);
}

// Of files in CDF-5. The library writes through a buffer, and the number of records, which stands at
// the begin of the file, when it syncs: the buffer moves there, and what it held is written before. For
// this order records must not lie in one buffer with the number, which keeps up to three blocks.
constexpr std::size_t buffer_size = 16 * 1024;
constexpr std::size_t record_alignment = 4 * buffer_size;
/// Room for attributes that come later, so that records need not move.
constexpr std::size_t room_for_definitions = 8 * 1024;

}  // namespace

void NetcdfFile::check(int status) const {
  const int system_error = errno;
  if (status == NC_NOERR) return;
  if (!m_written.empty() && may_be_of_disk(status)) {
    const int error = of_disk(status) ? status : system_error;
    throw FileError(m_path, write_problem(m_written, of_disk(error) ? error : 0));
  }
  throw FileError(m_path, nc_strerror(status));
}

NetcdfFile NetcdfFile::create(const std::filesystem::path& path, const std::filesystem::path& name,
                              NetcdfFormat format) {
  NetcdfFile file(name, closed);
  // The library is given a name that it takes as it is, and that means this file.
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor < 0) {
    throw FileError(name, std::string("cannot be written: ") + std::strerror(errno));
  }
  const std::string plain_name = "/proc/self/fd/" + std::to_string(descriptor);
  file.m_written = path;
  errno = 0;
  std::size_t buffer = buffer_size;
  constexpr std::size_t initial_size = 0;
  const int mode = NC_CLOBBER | (format == NetcdfFormat::cdf5 ? NC_64BIT_DATA : NC_NETCDF4);
  const int status = nc__create(plain_name.c_str(), mode, initial_size, &buffer, &file.m_id);
  ::close(descriptor);
  file.check(status);
  if (format == NetcdfFormat::cdf5) {
    int before = 0;  // records would be filled before they are written
    file.check(nc_set_fill(file.m_id, NC_NOFILL, &before));
  }
  file.add_attribute(global, "Conventions", std::string("CF-1.8"));
  return file;
}

NetcdfFile::~NetcdfFile() {
  if (m_id != closed && nc_close(m_id) != NC_NOERR) left_open = true;
}

void NetcdfFile::begin_definitions() {
  if (m_phase != Phase::values) return;
  check(nc_redef(m_id));
  m_phase = Phase::later_definitions;
}

void NetcdfFile::begin_values() {
  if (m_phase == Phase::values) return;
  constexpr std::size_t alignment = 8, room_for_values = 0;
  check(nc__enddef(m_id, m_phase == Phase::first_definitions ? room_for_definitions : 0, alignment,
                   room_for_values, record_alignment));
  m_phase = Phase::values;
}

void NetcdfFile::sync() {
  begin_values();
  check(nc_sync(m_id));
}

void NetcdfFile::close() {
  // Classic formats do not tell of what fails only when they close.
  const int synced = m_phase == Phase::values ? nc_sync(m_id) : NC_NOERR;
  const int status = nc_close(std::exchange(m_id, closed));
  if (status != NC_NOERR) left_open = true;
  check(synced);
  check(status);
}

bool NetcdfFile::any_left_open() { return left_open; }

int NetcdfFile::add_dimension(const std::string& name, std::size_t length) {
  begin_definitions();
  int dimension = 0;
  check(nc_def_dim(m_id, name.c_str(), length, &dimension));
  return dimension;
}

template <class Scalar>
int NetcdfFile::add_variable(const std::string& name, const std::vector<int>& dimensions) {
  begin_definitions();
  int variable = 0;
  check(nc_def_var(m_id, name.c_str(), type_of<Scalar>, static_cast<int>(dimensions.size()),
                   dimensions.data(), &variable));
  check(nc_def_var_fill(m_id, variable, NC_NOFILL, nullptr));  // every value will be written
  return variable;
}

void NetcdfFile::add_attribute(int variable, const std::string& name, const std::string& value) {
  begin_definitions();
  check(nc_put_att_text(m_id, variable, name.c_str(), value.size(), value.c_str()));
}

void NetcdfFile::add_attribute(int variable, const std::string& name, double value) {
  begin_definitions();
  check(nc_put_att_double(m_id, variable, name.c_str(), NC_DOUBLE, 1, &value));
}

void NetcdfFile::add_integer(int variable, const std::string& name, std::int64_t value) {
  begin_definitions();
  const long long number = value;
  check(name == "_FillValue"
            ? nc_def_var_fill(m_id, variable, NC_FILL, &number)
            : nc_put_att_longlong(m_id, variable, name.c_str(), NC_INT, 1, &number));
}

void NetcdfFile::add_missing_as_nan(int variable) {
  begin_definitions();
  nc_type type = NC_NAT;
  check(nc_inq_vartype(m_id, variable, &type));
  const float in_single = std::numeric_limits<float>::quiet_NaN();
  const double in_double = in_single;
  const void* const value = type == NC_FLOAT ? static_cast<const void*>(&in_single) : &in_double;
  check(nc_def_var_fill(m_id, variable, NC_FILL, value));
}

void NetcdfFile::add_attributes(const std::vector<FileAttribute>& attributes) {
  for (const FileAttribute& attribute : attributes) {
    std::visit([&](const auto& value) { add_attribute(global, attribute.name, value); },
               attribute.value);
  }
}

template <class Scalar>
void NetcdfFile::write(int variable, const std::vector<std::size_t>& start,
                       const std::vector<std::size_t>& count, const Scalar* values) {
  begin_values();
  check(put_block(m_id, variable, start.data(), count.data(), values));
}

#define LAMINA_NETCDF_TYPE(Scalar)                                                            \
  template int NetcdfFile::add_variable<Scalar>(const std::string&, const std::vector<int>&); \
  template void NetcdfFile::write<Scalar>(int, const std::vector<std::size_t>&,               \
                                          const std::vector<std::size_t>&, const Scalar*);
LAMINA_NETCDF_TYPE(float)
LAMINA_NETCDF_TYPE(double)
LAMINA_NETCDF_TYPE(std::int64_t)

}  // namespace Lamina
