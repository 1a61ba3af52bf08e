// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/io/MeshCells.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

namespace LaminaTest {
namespace {

using Lamina::CellKind;

struct Shape {
  CellKind kind;
  int num_corners;
  std::size_t num_edges;
  std::vector<int> degrees;  ///< of the corners
};
const Shape shapes[] = {{CellKind::tetrahedron, 4, 6, {3, 3, 3, 3}},
                        {CellKind::hexahedron, 8, 12, {3, 3, 3, 3, 3, 3, 3, 3}},
                        {CellKind::prism, 6, 9, {3, 3, 3, 3, 3, 3}},
                        {CellKind::pyramid, 5, 8, {3, 3, 3, 3, 4}}};

TEST(MeshCells, EdgesAreThoseOfTheElements) {
  for (const auto& shape : shapes) {
    SCOPED_TRACE(static_cast<int>(shape.kind));
    EXPECT_EQ(Lamina::num_corners(shape.kind), shape.num_corners);
    const auto& edges = Lamina::edges_of(shape.kind);
    EXPECT_EQ(edges.size(), shape.num_edges);
    std::vector<int> degrees(shape.degrees.size(), 0);
    std::set<std::set<int>> different;
    for (const auto& [first, second] : edges) {
      different.insert({first, second});
      ++degrees.at(static_cast<std::size_t>(first));
      ++degrees.at(static_cast<std::size_t>(second));
    }
    EXPECT_EQ(different.size(), edges.size());
    EXPECT_EQ(degrees, shape.degrees);
  }
}

TEST(MeshCells, CornersAreNumberedAsInGmshAndVtk) {
  const auto has = [](CellKind kind, int first, int second) {
    const auto& edges = Lamina::edges_of(kind);
    return std::any_of(edges.begin(), edges.end(), [&](const auto& edge) {
      return std::set{edge[0], edge[1]} == std::set{first, second};
    });
  };
  for (int corner = 0; corner < 4; ++corner) {
    EXPECT_TRUE(has(CellKind::hexahedron, corner, corner + 4)) << "the face above";
    EXPECT_TRUE(has(CellKind::hexahedron, corner, (corner + 1) % 4));
    EXPECT_TRUE(has(CellKind::pyramid, corner, 4)) << "the apex";
    EXPECT_TRUE(has(CellKind::pyramid, corner, (corner + 1) % 4));
  }
  for (int corner = 0; corner < 3; ++corner) {
    EXPECT_TRUE(has(CellKind::prism, corner, corner + 3)) << "the triangle above";
    EXPECT_TRUE(has(CellKind::prism, corner, (corner + 1) % 3));
  }
}

TEST(MeshCells, TakesElementsOfEachKind) {
  Lamina::MeshCells cells;
  EXPECT_EQ(cells.size(), 0);
  EXPECT_EQ(cells.offsets, std::vector<std::int64_t>{0});
  const std::vector<int> points{10, 11, 12, 13, 14, 15, 16, 17};
  cells.add(CellKind::pyramid, points.data());
  cells.add(CellKind::tetrahedron, points.data() + 3);
  EXPECT_EQ(cells.size(), 2);
  EXPECT_EQ(cells.kinds, (std::vector{CellKind::pyramid, CellKind::tetrahedron}));
  EXPECT_EQ(cells.offsets, (std::vector<std::int64_t>{0, 5, 9}));
  EXPECT_EQ(cells.corners, (std::vector{10, 11, 12, 13, 14, 13, 14, 15, 16}));
}

}  // namespace
}  // namespace LaminaTest
