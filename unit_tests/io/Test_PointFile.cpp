// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/io/FileError.hpp>
#include <lamina/io/NetcdfReader.hpp>
#include <lamina/io/PointFile.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "NetcdfValues.hpp"
#include "support/MessageOf.hpp"
#include "support/ScratchFolder.hpp"

namespace LaminaTest {
namespace {

using Lamina::NetcdfReader;

TEST(PointFile, HoldsSolutionCoordinatesAndTags) {
  const ScratchFolder folder;
  const std::vector<double> solution{1, 2, 3, 4, 5, 1.0 / 3};
  const Lamina::PointPlaces places{{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}}, {7, 50, 9000000000}};
  Lamina::write_point_file(folder / "a.nc", {{"title", "a test"}, {"iterations", 3.0}}, places, 2,
                           solution);
  EXPECT_EQ(folder.num_files(), 1u);
  const NetcdfReader file(folder / "a.nc");
  EXPECT_EQ(values_of(folder / "a.nc", "solution", {3, 2}), solution);
  EXPECT_EQ(values_of(folder / "a.nc", "x", {3}), (std::vector<double>{0, 3, 6}));
  EXPECT_EQ(values_of(folder / "a.nc", "y", {3}), (std::vector<double>{1, 4, 7}));
  EXPECT_EQ(values_of(folder / "a.nc", "z", {3}), (std::vector<double>{2, 5, 8}));
  EXPECT_EQ(values_of(folder / "a.nc", "node_tag", {3}), (std::vector<double>{7, 50, 9000000000}));
  const auto dimensions = file.dimensions(*file.find_variable("solution"));
  EXPECT_EQ(dimensions[0].name, "point");
  EXPECT_EQ(dimensions[1].name, "component");
}

TEST(PointFile, LeavesOutWhatIsNotKnown) {
  const ScratchFolder folder;
  Lamina::write_point_file(folder / "a.nc", {}, {}, 1, {1, 2});
  const NetcdfReader file(folder / "a.nc");
  EXPECT_EQ(values_of(folder / "a.nc", "solution", {2, 1}), (std::vector<double>{1, 2}));
  for (const char* name : {"x", "y", "z", "node_tag"}) {
    EXPECT_FALSE(file.find_variable(name).has_value()) << name;
  }
}

TEST(PointFile, MayHaveNoPoints) {
  const ScratchFolder folder;
  Lamina::write_point_file(folder / "a.nc", {}, {}, 3, {});
  const NetcdfReader file(folder / "a.nc");
  EXPECT_EQ(file.dimensions(*file.find_variable("solution"))[0].length, 0u);
}

TEST(PointFile, RefusesWhatDoesNotFit) {
  const ScratchFolder folder;
  EXPECT_EQ(message_of<Lamina::InvalidArgument>([&] {
              Lamina::write_point_file(folder / "a.nc", {}, {{}, {1, 2, 3}}, 2, {1, 2, 3, 4});
            }),
            "Lamina::write_point_file: argument places: expected none or 2 points, got 3");
  EXPECT_EQ(folder.num_files(), 0u);
  EXPECT_EQ(message_of<Lamina::FileError>([&] {
              Lamina::write_point_file(folder / "none/a.nc", {}, {}, 1, {1});
            }).substr(0, (folder / "none/a.nc").string().size()),
            (folder / "none/a.nc").string());
}

}  // namespace
}  // namespace LaminaTest
