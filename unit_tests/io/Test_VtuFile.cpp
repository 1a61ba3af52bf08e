// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/io/FileError.hpp>
#include <lamina/io/VtuFile.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "VtuArrays.hpp"
#include "support/ScratchFolder.hpp"

namespace LaminaTest {
namespace {

class VtuFile : public testing::Test {
 protected:
  std::string write(const Lamina::PointPlaces& places, int num_components,
                    const std::vector<double>& solution) const {
    Lamina::write_vtu_file(m_folder / "a.vtu", places, num_components, solution);
    return m_folder.read("a.vtu");
  }

  ScratchFolder m_folder;
};

TEST_F(VtuFile, HoldsPointsCellsAndTheSolution) {
  Lamina::PointPlaces places;
  for (int n = 0; n < 7; ++n) places.coordinates.push_back({1.0 * n, 2.0 * n, -0.5});
  places.tags = {3, 4, 5, 6, 7, 8, 90000000000};
  const int prism[] = {0, 1, 2, 3, 4, 5}, tetrahedron[] = {3, 4, 5, 6};
  places.cells.add(Lamina::CellKind::prism, prism);
  places.cells.add(Lamina::CellKind::tetrahedron, tetrahedron);
  std::vector<double> solution(14);
  for (std::size_t n = 0; n < solution.size(); ++n) solution[n] = 1.0 / static_cast<double>(n + 1);
  const std::string text = write(places, 2, solution);
  EXPECT_NE(text.find("NumberOfPoints=\"7\" NumberOfCells=\"2\""), text.npos);
  EXPECT_NE(text.find("Name=\"solution\" NumberOfComponents=\"2\""), text.npos);
  EXPECT_EQ(vtu_array<double>(text, "solution"), solution);
  EXPECT_EQ(vtu_array<std::int64_t>(text, "node_tag"), places.tags);
  EXPECT_EQ(vtu_array<double>(text, "Points").size(), 21u);
  EXPECT_EQ(vtu_array<double>(text, "Points")[19], 12);
  EXPECT_EQ(vtu_array<std::int64_t>(text, "connectivity"),
            (std::vector<std::int64_t>{0, 1, 2, 3, 4, 5, 3, 4, 5, 6}));
  EXPECT_EQ(vtu_array<std::int64_t>(text, "offsets"), (std::vector<std::int64_t>{6, 10}));
  EXPECT_EQ(vtu_array<std::uint8_t>(text, "types"), (std::vector<std::uint8_t>{13, 10}));
}

TEST_F(VtuFile, OfACloudHasAVertexForEachPoint) {
  Lamina::PointPlaces places;
  places.coordinates = {{0, 0, 0}, {1, 0, 0}};
  const std::string text = write(places, 1, {3, 4});
  EXPECT_EQ(vtu_array<std::int64_t>(text, "connectivity"), (std::vector<std::int64_t>{0, 1}));
  EXPECT_EQ(vtu_array<std::int64_t>(text, "offsets"), (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(vtu_array<std::uint8_t>(text, "types"), (std::vector<std::uint8_t>{1, 1}));
  EXPECT_EQ(text.find("node_tag"), text.npos);
}

TEST_F(VtuFile, NeedsCoordinatesAndAFolder) {
  EXPECT_THROW(write({}, 1, {3, 4}), Lamina::InvalidArgument);
  Lamina::PointPlaces places;
  places.coordinates = {{0, 0, 0}};
  EXPECT_THROW(write(places, 1, {3, 4}), Lamina::InvalidArgument);
  EXPECT_THROW(Lamina::write_vtu_file(m_folder / "none" / "a.vtu", places, 1, {3}),
               Lamina::FileError);
}

}  // namespace
}  // namespace LaminaTest
