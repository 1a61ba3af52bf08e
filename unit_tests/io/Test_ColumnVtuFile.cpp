// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/io/ColumnVtuFile.hpp>
#include <lamina/io/FileError.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "VtuArrays.hpp"
#include "support/ScratchFolder.hpp"

namespace LaminaTest {
namespace {

using Lamina::CellPolygons, Lamina::ColumnField, Lamina::VerticalGrid;
using Indices = std::vector<std::int64_t>;

const std::vector<ColumnField<double>> tenths{
    {"solution", "solution u", "area: mean", [](int column, double* values) {
       for (int k = 0; k < 2; ++k) values[k] = column + 0.1 * k;
     }}};

std::string column_vtu(const CellPolygons& polygons, const VerticalGrid& grid) {
  const ScratchFolder folder;
  Lamina::write_column_vtu_file(folder / "a.vtu", polygons, grid, tenths);
  return folder.read("a.vtu");
}

/// A triangle, a square and a heptagon in a row, of the plane.
CellPolygons row_of_polygons() {
  CellPolygons polygons;
  polygons.points = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0},   {2, 0, 0},   {2, 1, 0},
                     {3, 0, 0}, {4, 0, 0}, {4.5, 1, 0}, {3.5, 2, 0}, {2.5, 2, 0}};
  polygons.add(std::array{0, 1, 2});
  polygons.add(std::array{1, 3, 4, 2});
  polygons.add(std::array{3, 5, 6, 7, 8, 9, 4});
  return polygons;
}

TEST(ColumnVtuFile, HoldsPrismsAndPolyhedra) {
  const auto grid = VerticalGrid::uniform(2, 1, Lamina::VerticalMetric::flat);
  const std::string text = column_vtu(row_of_polygons(), grid);
  EXPECT_NE(text.find("NumberOfPoints=\"30\" NumberOfCells=\"6\""), text.npos);
  const auto points = vtu_array<double>(text, "Points");
  ASSERT_EQ(points.size(), 90u);
  EXPECT_EQ(points[3 * 7 + 2], 0.5) << "the second interface at the third point";
  EXPECT_EQ(vtu_array<std::uint8_t>(text, "types"),
            (std::vector<std::uint8_t>{13, 13, 12, 12, 42, 42}));
  EXPECT_EQ(vtu_array<std::int64_t>(text, "offsets"), (Indices{6, 12, 20, 28, 42, 56}));
  const auto corners = vtu_array<std::int64_t>(text, "connectivity");
  ASSERT_EQ(corners.size(), 56u);
  EXPECT_EQ(Indices(corners.begin(), corners.begin() + 6), (Indices{1, 4, 7, 0, 3, 6}));
  EXPECT_EQ(Indices(corners.begin() + 12, corners.begin() + 20),
            (Indices{3, 9, 12, 6, 4, 10, 13, 7}));
  EXPECT_EQ(vtu_array<double>(text, "solution"), (std::vector<double>{0, 0.1, 1, 1.1, 2, 2.1}));
  EXPECT_EQ(vtu_array<std::int64_t>(text, "faceoffsets"), (Indices{-1, -1, -1, -1, 52, 104}));
  EXPECT_EQ(vtu_array<std::int64_t>(text, "faces").size(), 104u);
}

/// The flux of the position through closed surfaces is three times their volume.
double volume_within(const Indices& faces, const std::vector<double>& points) {
  double sum = 0;
  std::map<std::pair<std::int64_t, std::int64_t>, int> sides;
  const auto point = [&](std::int64_t n) { return points.data() + 3 * n; };
  for (std::size_t at = 1; at < faces.size();) {
    const auto size = static_cast<std::size_t>(faces[at]);
    const std::int64_t* ends = faces.data() + at + 1;
    for (std::size_t n = 0; n < size; ++n) ++sides[{ends[n], ends[(n + 1) % size]}];
    for (std::size_t n = 1; n + 1 < size; ++n) {
      const double *a = point(ends[0]), *b = point(ends[n]), *c = point(ends[n + 1]);
      sum += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
             a[2] * (b[0] * c[1] - b[1] * c[0]);
    }
    at += 1 + size;
  }
  for (const auto& [side, count] : sides) {
    EXPECT_EQ(count, 1);
    EXPECT_TRUE(sides.contains({side.second, side.first})) << "a hole";
  }
  return sum / 6;
}

TEST(ColumnVtuFile, ClosesPolyhedraAroundTheirVolume) {
  const auto grid = VerticalGrid::uniform(2, 1, Lamina::VerticalMetric::flat);
  const CellPolygons polygons = row_of_polygons();
  const std::string text = column_vtu(polygons, grid);
  const auto faces = vtu_array<std::int64_t>(text, "faces");
  ASSERT_EQ(faces.front(), 9);
  const double area = polygons.area(2, Lamina::ColumnCentres::Surface::plane);
  EXPECT_NEAR(
      volume_within(Indices(faces.begin(), faces.begin() + 52), vtu_array<double>(text, "Points")),
      area / 2, 1e-14);
}

TEST(ColumnVtuFile, LaysInterfacesOfAShellAroundTheCentre) {
  const auto hexagons = Lamina::voronoi_polygons(Lamina::icosahedral_triangulation(2));
  const auto grid = VerticalGrid::graded(2, 0.5);
  const std::string text = column_vtu(hexagons, grid);
  const auto points = vtu_array<double>(text, "Points");
  ASSERT_EQ(points.size(), hexagons.points.size() * 9);
  for (std::size_t n = 0; n < points.size(); n += 3) {
    EXPECT_NEAR(std::hypot(points[n], points[n + 1], points[n + 2]), grid.interfaces()[n / 3 % 3],
                1e-15);
  }
  EXPECT_EQ(text.find("faceoffsets"), text.npos) << "no polyhedra";
  for (const std::uint8_t type : vtu_array<std::uint8_t>(text, "types")) {
    EXPECT_TRUE(type == 15 || type == 16);
  }
}

TEST(ColumnVtuFile, NeedsPolygonsAndAFolder) {
  CellPolygons polygons = row_of_polygons();
  const auto grid = VerticalGrid::uniform(2, 1, Lamina::VerticalMetric::flat);
  const ScratchFolder folder;
  EXPECT_THROW(Lamina::write_column_vtu_file(folder / "none" / "a.vtu", polygons, grid, tenths),
               Lamina::FileError);
  polygons.corners[0] = 10;
  EXPECT_THROW(column_vtu(polygons, grid), Lamina::InvalidArgument);
  polygons.corners[0] = 0;
  polygons.add(std::array{0, 1});
  EXPECT_THROW(column_vtu(polygons, grid), Lamina::InvalidArgument);
}

}  // namespace
}  // namespace LaminaTest
