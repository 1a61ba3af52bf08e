// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/grids/SphereTriangulation.hpp>

#include <gtest/gtest.h>
#include <support/MessageOf.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <numeric>
#include <string>
#include <vector>

namespace LaminaTest {
namespace {

using Lamina::ColumnGraph;
using Lamina::SphereTriangulation;

double dot(const std::array<double, 3>& a, const std::array<double, 3>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

double sum(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

SphereTriangulation octahedron() {
  return {
      .points = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}},
      .triangles = {
          {0, 1, 2}, {1, 3, 2}, {3, 4, 2}, {4, 0, 2}, {1, 0, 5}, {3, 1, 5}, {4, 3, 5}, {0, 4, 5}}};
}

TEST(SphereTriangulation, OfAnOctahedronHasACubeOfCells) {
  const ColumnGraph cells = Lamina::voronoi_cells(octahedron());
  ASSERT_EQ(cells.edges.size(), 12u);
  for (const double area : cells.areas) EXPECT_NEAR(area, 4 * std::numbers::pi / 6, 1e-14);
  for (const auto& edge : cells.edges) {
    EXPECT_LT(edge.first, edge.second);
    EXPECT_NEAR(edge.distance, std::numbers::pi / 2, 1e-15);
    EXPECT_NEAR(edge.length, std::acos(1.0 / 3), 1e-15);
  }
}

TEST(SphereTriangulation, OfAnOctahedronHasItsTriangles) {
  const ColumnGraph cells = Lamina::triangle_cells(octahedron());
  ASSERT_EQ(cells.edges.size(), 12u);
  for (const double area : cells.areas) EXPECT_NEAR(area, std::numbers::pi / 2, 1e-14);
  for (const auto& edge : cells.edges) {
    EXPECT_LT(edge.first, edge.second);
    EXPECT_NEAR(edge.length, std::numbers::pi / 2, 1e-15);
    EXPECT_NEAR(edge.distance, std::acos(1.0 / 3), 1e-15);
  }
}

TEST(SphereTriangulation, OfAGeodesicGridHasEachPointOnce) {
  for (const int n : {1, 2, 3, 4, 7}) {
    SCOPED_TRACE(n);
    const auto mesh = Lamina::icosahedral_triangulation(n);
    EXPECT_EQ(mesh.points.size(), static_cast<std::size_t>(10 * n * n + 2));
    EXPECT_EQ(mesh.triangles.size(), static_cast<std::size_t>(20 * n * n));
    for (std::size_t i = 0; i < mesh.points.size(); ++i) {
      EXPECT_NEAR(dot(mesh.points[i], mesh.points[i]), 1, 1e-15);
      for (std::size_t j = 0; j < i; ++j) {
        EXPECT_LT(dot(mesh.points[i], mesh.points[j]), 1 - 0.1 / (n * n)) << i << ' ' << j;
      }
    }
  }
}

TEST(SphereTriangulation, OfACubedSphereHasTheCentresOfItsCells) {
  for (const int m : {2, 3, 8}) {
    SCOPED_TRACE(m);
    const auto mesh = Lamina::cubed_sphere_triangulation(m);
    ASSERT_EQ(mesh.points.size(), static_cast<std::size_t>(6 * m * m));
    EXPECT_EQ(mesh.triangles.size(), static_cast<std::size_t>(12 * m * m - 4));  // Euler
    // Cell (i, j) of face +x, in equal angles.
    const double first = std::tan(std::numbers::pi / 4 * (1.0 / m - 1)),
                 second = std::tan(std::numbers::pi / 4 * (3.0 / m - 1));
    const auto& point = mesh.points[1];
    EXPECT_NEAR(point[1] / point[0], first, 1e-14);
    EXPECT_NEAR(point[2] / point[0], second, 1e-14);
  }
}

TEST(SphereTriangulation, NoPointIsWithinTheCircleOfATriangle) {
  for (const auto& mesh :
       {Lamina::icosahedral_triangulation(5), Lamina::cubed_sphere_triangulation(6)}) {
    for (const auto& corners : mesh.triangles) {
      const auto point = [&](std::size_t n) {
        return mesh.points[static_cast<std::size_t>(corners[n])];
      };
      std::array<double, 3> u{}, v{};
      for (std::size_t d = 0; d < 3; ++d) {
        u[d] = point(1)[d] - point(0)[d];
        v[d] = point(2)[d] - point(0)[d];
      }
      const std::array<double, 3> axis{u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2],
                                       u[0] * v[1] - u[1] * v[0]};
      ASSERT_GT(dot(axis, point(0)), 0) << "clockwise";
      for (const auto& other : mesh.points) {
        ASSERT_LT(dot(axis, other), dot(axis, point(0)) + 1e-14);
      }
    }
  }
}

TEST(SphereTriangulation, HasCellsThatCoverTheSphere) {
  for (const auto& mesh :
       {Lamina::icosahedral_triangulation(16), Lamina::cubed_sphere_triangulation(21)}) {
    const ColumnGraph cells = Lamina::voronoi_cells(mesh);
    EXPECT_NEAR(sum(cells.areas), 4 * std::numbers::pi, 1e-11);
    // In the small the area of a cell is that of the flat triangles over its edges.
    std::vector<double> flat(cells.areas.size(), 0);
    for (const auto& edge : cells.edges) {
      flat[static_cast<std::size_t>(edge.first)] += edge.length * edge.distance / 4;
      flat[static_cast<std::size_t>(edge.second)] += edge.length * edge.distance / 4;
    }
    for (std::size_t c = 0; c < flat.size(); ++c) {
      EXPECT_NEAR(flat[c], cells.areas[c], 0.02 * cells.areas[c]);
    }
  }
  EXPECT_NEAR(sum(Lamina::triangle_cells(Lamina::icosahedral_triangulation(16)).areas),
              4 * std::numbers::pi, 1e-11);
}

TEST(SphereTriangulation, SaysWhatIsWrong) {
  const auto message = [](const SphereTriangulation& mesh) {
    return message_of<Lamina::InvalidArgument>([&] { Lamina::voronoi_cells(mesh); });
  };
  auto hole = octahedron();
  hole.triangles.pop_back();
  EXPECT_EQ(message(hole),
            "Lamina::voronoi_cells: triangles: expected one on either side of the edge of points 0 "
            "to 4");
  auto turned = octahedron();
  turned.triangles[0] = {0, 2, 1};
  EXPECT_EQ(message(turned),
            "Lamina::voronoi_cells: triangles: expected one on either side of the edge of points 0 "
            "to 1");
  auto beyond = octahedron();
  beyond.triangles[3] = {4, 6, 2};
  EXPECT_EQ(message(beyond),
            "Lamina::voronoi_cells: triangle 3: expected three points out of 6, got 6, then 2");
  // The other diagonal of two triangles.
  auto flipped = Lamina::cubed_sphere_triangulation(4);
  const auto [a, b, c] = flipped.triangles[0];
  for (std::size_t t = 1; t < flipped.triangles.size(); ++t) {
    auto& other = flipped.triangles[t];
    for (std::size_t n = 0; n < 3; ++n) {
      if (other[n] != c || other[(n + 1) % 3] != b) continue;
      const int d = other[(n + 2) % 3];
      flipped.triangles[0] = {a, b, d};
      other = {a, d, c};
      EXPECT_NE(message(flipped).find("expected no point within the circle of another triangle"),
                std::string::npos)
          << message(flipped);
      t = flipped.triangles.size();
      break;
    }
  }
  EXPECT_EQ(message_of<Lamina::InvalidArgument>([] { Lamina::icosahedral_triangulation(0); }),
            "Lamina::icosahedral_triangulation: expected 1 to 10362 parts of an edge, got 0");
  EXPECT_EQ(message_of<Lamina::InvalidArgument>([] { Lamina::cubed_sphere_triangulation(1); }),
            "Lamina::cubed_sphere_triangulation: expected 2 to 13377 cells along a face, got 1");
}

}  // namespace
}  // namespace LaminaTest
