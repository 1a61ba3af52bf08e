// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/io/FileError.hpp>
#include <lamina/io/NetcdfFile.hpp>
#include <lamina/io/NetcdfReader.hpp>

#include <gtest/gtest.h>

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

TEST(NetcdfFile, GrowsAlongAnUnlimitedDimension) {
  const ScratchFolder folder;
  const auto path = folder / "a.nc";
  NetcdfFile file = NetcdfFile::create(path, path);
  const int time = file.add_dimension("time", NetcdfFile::unlimited);
  const int x = file.add_dimension("x", 4);
  const int variable = file.add_variable<double>("values", {time, x});
  file.set_checked_blocks(variable, {1, 2});
  const double values[] = {1, 2, 3, 4};
  for (std::size_t record = 0; record < 3; ++record) {
    file.write(variable, {record, 0}, {1, 4}, values);
  }
  file.close();
  const NetcdfReader again(path);
  EXPECT_EQ(again.dimensions(again.find_variable("values").value())[0].length, 3u);
}

TEST(NetcdfFile, NoticesThatACheckedBlockHasChanged) {
  const ScratchFolder folder;
  const auto path = folder / "a.nc";
  NetcdfFile file = NetcdfFile::create(path, path);
  const int x = file.add_dimension("x", 2);
  const int variable = file.add_variable<double>("values", {x});
  file.set_checked_blocks(variable, {2});
  const double values[] = {1.2345, 6.789};
  file.write(variable, {0}, {2}, values);
  file.close();
  std::string bytes = folder.read("a.nc");
  const std::size_t place =
      bytes.find(std::string(reinterpret_cast<const char*>(values), sizeof values));
  ASSERT_NE(place, std::string::npos);
  bytes[place] = static_cast<char>(bytes[place] ^ 1);
  folder.write("a.nc", bytes);
  const NetcdfReader again(path);
  double got[2] = {};
  EXPECT_EQ(message_of<FileError>([&] {
              again.read(again.find_variable("values").value(), {0}, {2}, got);
            }).find(path.string() + ": "),
            0u);
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
