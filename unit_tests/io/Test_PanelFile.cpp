// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Concepts.hpp>
#include <lamina/io/FileError.hpp>
#include <lamina/io/NetcdfFile.hpp>
#include <lamina/io/NetcdfReader.hpp>
#include <lamina/io/PanelFile.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "support/MessageOf.hpp"
#include "support/ScratchFolder.hpp"

namespace LaminaTest {
using namespace Lamina;

namespace {

constexpr int num_x = 3, num_y = 4, num_levels = 5;

double value(int i, int j, int k) { return 1.0 / 3 + 100 * i + 10 * j + k; }

template <class Scalar>
std::vector<PanelVariable<Scalar>> one_variable(double at_last = 0) {
  return {{"rhs", "right-hand side", "area: sum level: sum", [=](int i, Scalar* values) {
             for (int j = 0; j < num_y; ++j) {
               for (int k = 0; k < num_levels; ++k) *values++ = static_cast<Scalar>(value(i, j, k));
             }
             if (i == num_x - 1 && at_last != 0) values[-1] = static_cast<Scalar>(at_last);
           }}};
}

template <class Scalar>
void write_file(const std::filesystem::path& path,
                const std::vector<PanelVariable<Scalar>>& variables) {
  write_panel_file(path, CubedSpherePanel(num_x, num_y), VerticalGrid::graded(num_levels, 0.1),
                   {{"title", "a title"}, {"depth", 0.1}}, variables);
}

std::string read_message(const std::filesystem::path& path, int nx, int ny, int nz) {
  return message_of<FileError>([&] {
    PanelReader(path, "rhs", CubedSpherePanel(nx, ny), nz).read([](int, const double*) {});
  });
}

std::vector<double> read_all(const NetcdfReader& file, const std::string& name) {
  const auto variable = file.find_variable(name);
  EXPECT_TRUE(variable) << name;
  std::vector<std::size_t> start, count;
  for (const auto& dimension : file.dimensions(*variable)) {
    start.push_back(0);
    count.push_back(dimension.length);
  }
  std::vector<double> values(
      std::accumulate(count.begin(), count.end(), std::size_t{1}, std::multiplies<>()));
  file.read(*variable, start, count, values.data());
  return values;
}

template <class Scalar>
class PanelFile : public testing::Test {};
using Scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(PanelFile, Scalars);

}  // namespace

TYPED_TEST(PanelFile, ReadsWhatItWrote) {
  const ScratchFolder folder;
  write_file(folder / "a.nc", one_variable<TypeParam>());
  EXPECT_EQ(folder.num_files(), 1u);
  int num_slabs = 0;
  const PanelReader reader(folder / "a.nc", "rhs", CubedSpherePanel(num_x, num_y), num_levels);
  reader.read([&](int i, const double* values) {
    EXPECT_EQ(i, num_slabs++);
    for (int j = 0; j < num_y; ++j) {
      for (int k = 0; k < num_levels; ++k) {
        EXPECT_EQ(*values++, static_cast<TypeParam>(value(i, j, k)));
      }
    }
  });
  EXPECT_EQ(num_slabs, num_x);
}

TYPED_TEST(PanelFile, ReadsABlock) {
  const ScratchFolder folder;
  write_file(folder / "a.nc", one_variable<TypeParam>());
  const PanelReader reader(folder / "a.nc", "rhs", CubedSpherePanel(num_x, num_y), num_levels);
  int next = 1;
  reader.read({.first_x = 1, .first_y = 1, .num_x = 2, .num_y = 3},
              [&](int i, const double* values) {
                EXPECT_EQ(i, next++);
                for (int j = 1; j < 4; ++j) {
                  for (int k = 0; k < num_levels; ++k) {
                    EXPECT_EQ(*values++, static_cast<TypeParam>(value(i, j, k)));
                  }
                }
              });
  EXPECT_EQ(next, 3);
  reader.read({}, [](int, const double*) { FAIL() << "of a block without cells"; });
}

TYPED_TEST(PanelFile, NamesABadValueOfABlockByItsPlaceInThePanel) {
  const ScratchFolder folder;
  write_file(folder / "a.nc", one_variable<TypeParam>(std::nan("")));
  const PanelReader reader(folder / "a.nc", "rhs", CubedSpherePanel(num_x, num_y), num_levels);
  EXPECT_EQ(message_of<FileError>([&] {
              reader.read({.first_x = 2, .first_y = 2, .num_x = 1, .num_y = 2},
                          [](int, const double*) {});
            }),
            (folder / "a.nc").string() +
                ": variable 'rhs': expected a finite value at (2, 3, 4), got nan");
}

TYPED_TEST(PanelFile, WritesFieldsOfBothLayoutsAlike) {
  const ScratchFolder folder;
  const CubedSpherePanel panel(num_x, num_y);
  const Kokkos::View<TypeParam**, Kokkos::LayoutLeft, Kokkos::HostSpace> left("left", num_x * num_y,
                                                                              num_levels);
  const Kokkos::View<TypeParam**, Kokkos::LayoutRight, Kokkos::HostSpace> right(
      "right", num_x * num_y, num_levels);
  for (int c = 0; c < num_x * num_y; ++c) {
    for (int k = 0; k < num_levels; ++k)
      left(c, k) = right(c, k) = static_cast<TypeParam>(num_levels * c + k);
  }
  write_file<TypeParam>(folder / "a.nc", {{"left", "", "", slabs_of(panel, left)},
                                          {"right", "", "", slabs_of(panel, right)}});
  const NetcdfReader file(folder / "a.nc");
  const auto values = read_all(file, "left");
  EXPECT_EQ(values, read_all(file, "right"));
  for (std::size_t n = 0; n < values.size(); ++n) EXPECT_EQ(values[n], static_cast<double>(n));
}

TEST(PanelFileCoordinates, DescribeTheCells) {
  const ScratchFolder folder;
  write_file(folder / "a.nc", one_variable<double>());
  const NetcdfReader file(folder / "a.nc");
  const auto longitude = read_all(file, "longitude"),
             longitude_bounds = read_all(file, "longitude_bounds");
  const auto latitude = read_all(file, "latitude"),
             latitude_bounds = read_all(file, "latitude_bounds");
  ASSERT_EQ(longitude.size(), 12u);
  ASSERT_EQ(longitude_bounds.size(), 48u);
  EXPECT_NEAR(longitude_bounds.front(), -45, 1e-12);
  for (std::size_t c = 0; c < longitude.size(); ++c) {
    // counter-clockwise from the south-west
    const double* east = &longitude_bounds[4 * c];
    const double* north = &latitude_bounds[4 * c];
    EXPECT_LT(east[0], longitude[c]);
    EXPECT_LT(longitude[c], east[1]);
    EXPECT_EQ(east[1], east[2]);
    EXPECT_EQ(east[0], east[3]);
    EXPECT_LT(std::max(north[0], north[1]), latitude[c]);
    EXPECT_LT(latitude[c], std::min(north[2], north[3]));
  }
  const auto area = read_all(file, "area");
  EXPECT_NEAR(std::accumulate(area.begin(), area.end(), 0.0), 4 * std::acos(-1.0) / 6, 1e-14);

  const auto level = read_all(file, "level"), level_bounds = read_all(file, "level_bounds");
  const auto level_volume = read_all(file, "level_volume");
  EXPECT_EQ(level_bounds.front(), 1);
  EXPECT_NEAR(level_bounds.back(), 1.1, 1e-15);
  for (std::size_t k = 0; k < level.size(); ++k) {
    EXPECT_LT(level_bounds[2 * k], level[k]);
    EXPECT_LT(level[k], level_bounds[2 * k + 1]);
  }
  EXPECT_NEAR(std::accumulate(level_volume.begin(), level_volume.end(), 0.0),
              (1.1 * 1.1 * 1.1 - 1) / 3, 1e-14);
}

TEST(PanelFileErrors, NameWhatWasExpected) {
  const ScratchFolder folder;
  const auto path = folder / "a.nc";
  write_file(path, one_variable<double>());
  EXPECT_EQ(read_message(path, 3, 4, 6),
            path.string() +
                ": variable 'rhs': expected the dimensions (x = 3, y = 4, "
                "level = 6), got (x = 3, y = 4, level = 5)");
  EXPECT_NE(read_message(path, 4, 3, 5).find("expected the dimensions (x = 4, y = 3"),
            std::string::npos);
  write_file<double>(path, {});
  EXPECT_EQ(read_message(path, 3, 4, 5), path.string() + ": no variable 'rhs'");
}

TEST(PanelFileErrors, SayWhereAValueIsNotFinite) {
  const ScratchFolder folder;
  const auto path = folder / "a.nc";
  const auto message = [&](double bad) {
    write_file(path, one_variable<double>(bad));
    return read_message(path, num_x, num_y, num_levels);
  };
  const std::string start =
      path.string() + ": variable 'rhs': expected a finite value at (2, 3, 4), got ";
  EXPECT_EQ(message(std::nan("")), start + "nan");
  EXPECT_EQ(message(-std::numeric_limits<double>::infinity()), start + "-inf");
}

TEST(PanelFileErrors, SayWhereAValueIsMissing) {
  const ScratchFolder folder;
  const auto path = folder / "a.nc";
  NetcdfFile file = NetcdfFile::create(path, path);
  const int variable = file.add_variable<double>(
      "rhs",
      {file.add_dimension("x", 1), file.add_dimension("y", 2), file.add_dimension("level", 1)});
  file.add_attribute(variable, "_FillValue", -7.0);
  const double values[] = {1, -7};
  file.write(variable, {0, 0, 0}, {1, 2, 1}, values);
  file.close();
  EXPECT_EQ(read_message(path, 1, 2, 1),
            path.string() +
                ": variable 'rhs': expected a number at (x, y, level) = (0, 1, 0), got one "
                "which its _FillValue marks as missing");
}

TEST(PanelFileErrors, FailedWritingLeavesTheOldFile) {
  const ScratchFolder folder;
  const auto path = folder / "a.nc";
  write_file(path, one_variable<double>());
  const std::string old = folder.read("a.nc");
  auto variables = one_variable<double>();
  variables.front().slab = [](int i, double*) {
    if (i == 1) throw std::runtime_error("a failure half-way");
  };
  EXPECT_EQ(message_of<std::runtime_error>([&] { write_file(path, variables); }),
            "a failure half-way");
  EXPECT_EQ(folder.read("a.nc"), old);
  EXPECT_EQ(folder.num_files(), 1u);
}

}  // namespace LaminaTest
