// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Damaged NetCDF files, on which the NetCDF and HDF5 libraries crash, hang, or ask for gigabytes,
// end in one line within the limits, or give finite values.

#include <lamina/io/FileError.hpp>
#include <lamina/io/NetcdfReader.hpp>

#include <gtest/gtest.h>
#include <reference/Hash.hpp>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <numeric>

#include "RawNetcdf.hpp"
#include "support/ScratchFolder.hpp"

namespace LaminaTest {
namespace {

using Lamina::NetcdfReader;

class SpoiltNetcdfFiles : public testing::Test {
 protected:
  static constexpr std::array<std::size_t, 3> extents{3, 4, 5};

  /// A file with what Lamina reads: attributes of the file, packed and plain numbers.
  std::string good_file(int mode) const {
    const auto path = folder / "good.nc";
    RawNetcdf file(path, mode);
    file.attribute(NC_GLOBAL, "title", "a title");
    file.attribute(NC_GLOBAL, "step", NC_DOUBLE, {3});
    std::vector<int> dimensions;
    for (const char* name : {"x", "y", "level"}) {
      dimensions.push_back(file.dimension(name, extents[dimensions.size()]));
    }
    const int plain = file.variable("rhs", NC_DOUBLE, dimensions);
    const int packed = file.variable("packed", NC_SHORT, dimensions);
    file.attribute(packed, "scale_factor", NC_DOUBLE, {0.1});
    file.attribute(packed, "_FillValue", NC_SHORT, {-5});
    std::vector<double> values(3 * 4 * 5);
    std::iota(values.begin(), values.end(), 1.0);
    for (const int variable : {plain, packed}) {
      file.write(variable, {0, 0, 0}, {3, 4, 5}, values);
    }
    file.close();
    return folder.read("good.nc");
  }

  /// Reads all that there is, in the way of the readers of the program.
  void read() const {
    const NetcdfReader reader(path, {.num_values = 3 * 4 * 5, .seconds = 1});
    (void)reader.find_text("title");
    (void)reader.find_number("step");
    for (const char* name : {"rhs", "packed"}) {
      const auto variable = reader.find_variable(name);
      if (!variable) continue;
      const auto dimensions = reader.dimensions(*variable);
      const bool as_expected = std::equal(
          dimensions.begin(), dimensions.end(), extents.begin(), extents.end(),
          [](const auto& dimension, std::size_t extent) { return dimension.length == extent; });
      if (!as_expected) throw Lamina::FileError(path, Lamina::shape_text(dimensions));
      reader.require_numbers(*variable);
      std::vector<double> values(3 * 4 * 5);
      reader.read(*variable, {0, 0, 0}, {3, 4, 5}, values.data());
    }
  }

  void expect_survival(const std::string& bytes) {
    folder.write("a.nc", bytes);
    try {
      read();
      ++m_accepted;
    } catch (const Lamina::FileError& error) {
      EXPECT_EQ(std::string(error.what()).find(path.string() + ": "), 0u) << error.what();
      ++m_refused;
    }
  }

  /// Bytes replaced, blocks of zeros, ends cut off: as `seed` decides.
  static std::string spoilt(const std::string& good, std::uint64_t seed) {
    std::uint64_t use = 0;
    const auto pick = [&](std::size_t extent) {
      return static_cast<std::size_t>(Reference::splitmix64(64 * seed + use++) % extent);
    };
    std::string bytes = good;
    constexpr unsigned num_ways = 8;
    const std::size_t way = pick(num_ways);
    if (way == 0) return bytes.substr(0, pick(bytes.size()));
    if (way == 1) {
      const std::size_t begin = pick(bytes.size()), length = 1 + pick(64);
      for (std::size_t n = begin; n < std::min(begin + length, bytes.size()); ++n) bytes[n] = 0;
      return bytes;
    }
    constexpr std::array<char, 6> others{'\0', '\1', '\x7f', '\x80', '\xfe', '\xff'};
    for (std::size_t n = 0; n < way / 2; ++n) {
      char& byte = bytes[pick(bytes.size())];
      byte = pick(2) == 0 ? others[pick(others.size())]
                          : static_cast<char>(byte ^ static_cast<char>(1 << pick(8)));
    }
    return bytes;
  }

  ScratchFolder folder;
  const std::filesystem::path path = folder / "a.nc";
  int m_accepted = 0, m_refused = 0;
};

TEST_F(SpoiltNetcdfFiles, AreSurvivedInBothFormats) {
  constexpr auto most_time = std::chrono::seconds(10);  // for each format
  for (const int mode : {0, NC_NETCDF4}) {
    const std::string good = good_file(mode);
    folder.write("a.nc", good);
    read();
    m_accepted = m_refused = 0;
    const auto start = std::chrono::steady_clock::now();
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
      if (std::chrono::steady_clock::now() - start > most_time) break;
      SCOPED_TRACE(seed);
      expect_survival(spoilt(good, seed));
    }
    EXPECT_GT(m_accepted, 5);
    EXPECT_GT(m_refused, 5);
    EXPECT_TRUE(waitpid(-1, nullptr, WNOHANG) < 0 && errno == ECHILD);  // no child is left
  }
}

}  // namespace
}  // namespace LaminaTest
