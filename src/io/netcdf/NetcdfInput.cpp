// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NetcdfInput.hpp"

#include <netcdf.h>

#include <algorithm>
#include <array>

#include "ReaderProcess.hpp"

namespace Lamina {

NetcdfInput::NetcdfInput(const std::string& path, std::size_t cache_bytes)
    : m_cache_bytes(cache_bytes) {
  const int opened = nc_open(path.c_str(), NC_NOWRITE, &m_file);
  if (opened == NC_ENOTNC || opened == NC_EHDFERR) throw ReadProblem("not a NetCDF file");
  require_netcdf(opened, "not readable: ");
}

NetcdfInput::~NetcdfInput() { nc_close(m_file); }

std::optional<std::string> NetcdfInput::find_text(int variable, const std::string& name) const {
  constexpr std::size_t longest = 1 << 16;
  nc_type type = NC_NAT;
  std::size_t length = 0;
  const int status = nc_inq_att(m_file, variable, name.c_str(), &type, &length);
  if (status == NC_ENOTATT) return std::nullopt;
  require_netcdf(status);
  const auto require_short = [&](std::size_t characters) {
    if (characters <= longest) return;
    throw ReadProblem("attribute '" + name + "': expected at most " + std::to_string(longest) +
                      " characters, got " + std::to_string(characters));
  };
  if (type == NC_STRING && length == 1) {
    char* string = nullptr;
    require_netcdf(nc_get_att_string(m_file, variable, name.c_str(), &string));
    const std::string text(string == nullptr ? "" : string);
    require_netcdf(nc_free_string(1, &string));
    require_short(text.size());
    return text;
  }
  if (type != NC_CHAR) return std::nullopt;
  require_short(length);
  std::string text(length, ' ');
  require_netcdf(nc_get_att_text(m_file, variable, name.c_str(), text.data()));
  return text;
}

std::optional<double> NetcdfInput::find_number(int variable, const std::string& name) const {
  nc_type type = NC_NAT;
  std::size_t length = 0;
  const int status = nc_inq_att(m_file, variable, name.c_str(), &type, &length);
  if (status == NC_ENOTATT) return std::nullopt;
  require_netcdf(status);
  const bool is_number = type != NC_CHAR && type <= NC_UINT64;
  if (length != 1 || !is_number) return std::nullopt;
  double value = 0;
  require_netcdf(nc_get_att_double(m_file, variable, name.c_str(), &value));
  return value;
}

int NetcdfInput::num_variables() const {
  int count = 0;
  require_netcdf(nc_inq_nvars(m_file, &count));
  return count;
}

std::optional<int> NetcdfInput::find_variable(const std::string& name) const {
  int variable = 0;
  const int status = nc_inq_varid(m_file, name.c_str(), &variable);
  if (status == NC_ENOTVAR) return std::nullopt;
  require_netcdf(status);
  return variable;
}

std::vector<NetcdfDimension> NetcdfInput::dimensions(int variable) const {
  int count = 0;
  require_netcdf(nc_inq_varndims(m_file, variable, &count));
  std::vector<int> ids(static_cast<std::size_t>(count));
  require_netcdf(nc_inq_vardimid(m_file, variable, ids.data()));
  std::vector<NetcdfDimension> result;
  for (const int id : ids) {
    std::array<char, NC_MAX_NAME + 1> name{};
    std::size_t length = 0;
    require_netcdf(nc_inq_dim(m_file, id, name.data(), &length));
    result.push_back({name.data(), length});
  }
  return result;
}

bool NetcdfInput::holds_integers(int variable) const {
  nc_type type = NC_NAT;
  require_netcdf(nc_inq_vartype(m_file, variable, &type));
  for (const char* packing : {"scale_factor", "add_offset"}) {
    int attribute = 0;
    if (nc_inq_attid(m_file, variable, packing, &attribute) == NC_NOERR) return false;
  }
  return type >= NC_BYTE && type <= NC_UINT64 && type != NC_CHAR && type != NC_FLOAT &&
         type != NC_DOUBLE;
}

const NetcdfNumbers& NetcdfInput::numbers(int variable) {
  std::unique_ptr<NetcdfNumbers>& numbers = m_numbers[variable];
  if (!numbers) {
    numbers = NetcdfNumbers::of(m_file, variable);
    set_cache(variable);
  }
  return *numbers;
}

/// Blocks are read in order. All chunks at one index of the first dimension are kept until the block
/// has moved on; with less, each would be decompressed for every block that touches it.
void NetcdfInput::set_cache(int variable) const {
  const auto lengths = dimensions(variable);
  std::vector<std::size_t> chunk(std::max<std::size_t>(lengths.size(), 1));
  int storage = NC_CONTIGUOUS;
  if (nc_inq_var_chunking(m_file, variable, &storage, chunk.data()) != NC_NOERR) return;
  if (storage != NC_CHUNKED || lengths.empty()) return;
  double bytes = sizeof(double) * static_cast<double>(chunk.front()), num_chunks = 1;
  for (std::size_t d = 1; d < lengths.size(); ++d) {
    if (chunk[d] == 0) return;
    const std::size_t across = (lengths[d].length + chunk[d] - 1) / chunk[d];
    num_chunks *= static_cast<double>(across);
    bytes *= static_cast<double>(across) * static_cast<double>(chunk[d]);
  }
  std::size_t size = 0, slots = 0;
  float preemption = 0;
  if (nc_get_var_chunk_cache(m_file, variable, &size, &slots, &preemption) != NC_NOERR) return;
  bytes = std::min(bytes, static_cast<double>(m_cache_bytes));
  constexpr double most_slots = 1e6, slots_per_chunk = 4;  // so that few chunks share a slot
  num_chunks = std::min(num_chunks * slots_per_chunk, most_slots);
  if (bytes <= static_cast<double>(size)) return;
  (void)nc_set_var_chunk_cache(m_file, variable, static_cast<std::size_t>(bytes),
                               std::max(slots, static_cast<std::size_t>(num_chunks)), preemption);
}

}  // namespace Lamina
