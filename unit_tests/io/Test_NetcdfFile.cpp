// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/io/FileError.hpp>
#include <lamina/io/NetcdfFile.hpp>
#include <lamina/io/NetcdfReader.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <vector>

#include "support/MessageOf.hpp"
#include "support/ScratchFolder.hpp"

namespace LaminaTest {
using namespace Lamina;

namespace {

std::string open_message(const std::filesystem::path& path) {
  return message_of<FileError>([&] { const NetcdfReader file(path); });
}

}  // namespace

TEST(NetcdfFile, ReadsWhatItWrote) {
  const ScratchFolder folder;
  const auto path = folder / "a.nc";
  NetcdfFile file = NetcdfFile::create(path, path);
  const int row = file.add_dimension("row", 2), entry = file.add_dimension("entry", 3);
  const int variable = file.add_variable<float>("values", {row, entry});
  file.add_attribute(variable, "units", "1");
  file.add_attribute(NetcdfFile::global, "depth", 0.5);
  const float second_row[] = {1, 2, 3}, first_row[] = {4, 5, 6};
  file.write(variable, {1, 0}, {1, 3}, second_row);
  file.write(variable, {0, 0}, {1, 3}, first_row);
  file.close();

  const NetcdfReader again(path);
  const auto found = again.find_variable("values");
  ASSERT_TRUE(found);
  EXPECT_FALSE(again.find_variable("value"));
  const auto dimensions = again.dimensions(*found);
  ASSERT_EQ(dimensions.size(), 2u);
  EXPECT_EQ(dimensions[0].name, "row");
  EXPECT_EQ(dimensions[1].length, 3u);
  double values[3] = {};
  again.read(*found, {1, 0}, {1, 3}, values);
  EXPECT_EQ(values[0], 1);
  EXPECT_EQ(values[2], 3);
}

/// Reads the file as it is on the disk, while it is written.
TEST(NetcdfFile, HoldsWholeRecordsAtAnyTime) {
  const ScratchFolder folder;
  const auto path = folder / "a.nc";
  NetcdfFile file = NetcdfFile::create(path, path, NetcdfFormat::cdf5);
  const int time = file.add_dimension("time", NetcdfFile::unlimited);
  constexpr std::size_t length = 5000;  // more than the library's buffer
  const int x = file.add_dimension("x", length);
  const int fixed = file.add_variable<double>("fixed", {x});  // before the records
  const int first = file.add_variable<double>("first", {time});
  const int second = file.add_variable<double>("second", {time, x});
  const auto num_records = [&] {
    const NetcdfReader now(path);
    return now.dimensions(now.find_variable("second").value())[0].length;
  };
  const std::vector<double> ones(length, 1);
  file.write(fixed, {0}, {length}, ones.data());
  file.sync();
  for (std::size_t record = 0; record < 3; ++record) {
    const double value = static_cast<double>(record);
    file.write(first, {record}, {1}, &value);
    EXPECT_EQ(num_records(), record);
    const std::vector<double> values(length, value);
    file.write(second, {record, 0}, {1, length}, values.data());
    EXPECT_EQ(num_records(), record);
    file.sync();
    EXPECT_EQ(num_records(), record + 1);
    const NetcdfReader now(path);
    std::vector<double> got(length);
    now.read(now.find_variable("second").value(), {record, 0}, {1, length}, got.data());
    EXPECT_EQ(got, values);
  }
  const auto size = std::filesystem::file_size(path);
  // The number of records is written after them if they lie beyond the library's buffer around it.
  EXPECT_GE(size - 3 * (length + 1) * sizeof(double), 3u * 16 * 1024);
  file.add_attribute(NetcdfFile::global, "status", "converged");  // records do not move for it
  file.close();
  EXPECT_EQ(std::filesystem::file_size(path), size);
  EXPECT_EQ(num_records(), 3u);
  EXPECT_EQ(NetcdfReader(path).find_text("status"), "converged");
}

TEST(NetcdfFile, FindsTextsAndNumbersOfTheWholeFile) {
  const ScratchFolder folder;
  const auto path = folder / "a.nc";
  NetcdfFile file = NetcdfFile::create(path, path);
  file.add_attributes({{"scheme", "rk3"}, {"depth", 0.1}});
  file.close();
  const NetcdfReader again(path);
  EXPECT_EQ(again.find_text("scheme"), "rk3");
  EXPECT_EQ(again.find_number("depth"), 0.1);
  EXPECT_FALSE(again.find_text("depth"));
  EXPECT_FALSE(again.find_number("scheme"));
  EXPECT_FALSE(again.find_text("none"));
  EXPECT_FALSE(again.find_number("none"));
}

TEST(NetcdfFile, RefusesWhatIsNotNetcdf) {
  const ScratchFolder folder;
  folder.write("empty.nc", "");
  folder.write("text.nc", "this is text");
  folder.write("cut.nc", "\x89HDF\r\n\x1a\n and no more");
  folder.write("classic.nc", "CDF\x01");
  for (const char* name : {"empty.nc", "text.nc", "cut.nc"}) {
    EXPECT_EQ(open_message(folder / name), (folder / name).string() + ": not a NetCDF file");
  }
  EXPECT_NE(open_message(folder / "classic.nc"), "nothing was thrown");
  EXPECT_EQ(open_message(folder / "none.nc"), (folder / "none.nc").string() + ": no such file");
  EXPECT_EQ(open_message(folder.path()), folder.path().string() + ": not a regular file");
  EXPECT_EQ(open_message("http://localhost/a.nc"), "http://localhost/a.nc: no such file");
}

TEST(NetcdfFile, NamesTheFileInErrorsOfWriting) {
  EXPECT_EQ(message_of<FileError>([] {
              NetcdfFile::create("/dev/full/a.nc", "target.nc");
            }).find("target.nc: "),
            0u);
}

TEST(NetcdfFile, TakesNamesAsTheyAre) {
  for (const std::string name :
       {" a.nc", "\ta.nc", "b\\c.nc", "file:d.nc", "#mode=bytes.nc", "[mode=zarr]e.nc",
        "f.nc#mode=nczarr,file", "dap4:g.nc", "\nh.nc", "c:i.nc", "%20.nc", "j.nc "}) {
    SCOPED_TRACE(name);
    const ScratchFolder own;
    auto file = NetcdfFile::create(own / name, name);
    const int variable = file.add_variable<double>("a", {file.add_dimension("x", 1)});
    const double value = 5;
    file.write(variable, {0}, {1}, &value);
    file.close();
    EXPECT_EQ(own.num_files(), 1u);
    EXPECT_TRUE(std::filesystem::exists(own / name));
    double got = 0;
    const NetcdfReader reader(own / name);
    reader.read(reader.find_variable("a").value(), {0}, {1}, &got);
    EXPECT_EQ(got, 5);
  }
}

}  // namespace LaminaTest
