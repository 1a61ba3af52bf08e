// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/grids/CubedSpherePanel.hpp>
#include <lamina/grids/Plane.hpp>
#include <lamina/grids/impl/ColumnOrder.hpp>
#include <lamina/grids/impl/PaddedRows.hpp>

#include <gtest/gtest.h>
#include <helmholtz/MeshNeighbours.hpp>

#include <vector>

namespace LaminaTest {
namespace {

constexpr int no_column = Lamina::Impl::ColumnOrder<Kokkos::HostSpace>::no_column;

struct PanelRows {
  int num_rows, length;
};
Lamina::ColumnGraph panel_of(const PanelRows& size) {
  return Lamina::CubedSpherePanel(size.num_rows, size.length).graph();
}
Lamina::Impl::HostColumns columns_of(const Lamina::ColumnGraph& graph) {
  const Lamina::ColumnMesh<Kokkos::HostSpace> mesh(graph);
  return {{mesh.neighbours(), mesh.couplings()}, mesh.areas(), mesh.boundary_couplings()};
}
std::vector<int> places_of(const Lamina::ColumnGraph& graph) {
  return pad_rows(neighbours_of(graph));
}

TEST(PaddedRows, BeginWithAPackAndLevelsWithALine) {
  for (const PanelRows size :
       {PanelRows{31, 31}, {2, 31}, {7, 39}, {30, 30}, {5, 62}, {13, 28}, {1, 1001}}) {
    SCOPED_TRACE(testing::Message() << size.num_rows << " rows of " << size.length);
    const auto places = places_of(panel_of(size));
    const int stride = (size.length + 3) / 4 * 4;
    ASSERT_GE(places.size(), static_cast<std::size_t>(size.num_rows * stride));
    EXPECT_EQ(places.size() % 32, 0u);
    EXPECT_EQ(places.size(), static_cast<std::size_t>(
                                 Lamina::Impl::num_padded_places(size.length, size.num_rows)));
    for (std::size_t place = 0; place < places.size(); ++place) {
      const int row = static_cast<int>(place) / stride, i = static_cast<int>(place) % stride;
      const bool filled = row < size.num_rows && i < size.length;
      EXPECT_EQ(places[place], filled ? row * size.length + i : no_column) << place;
    }
  }
}

TEST(PaddedRows, AreOneRowWhereEachHasOneColumn) {
  const auto places = places_of(panel_of({1001, 1}));
  EXPECT_EQ(places.size(), 1024u);
  EXPECT_EQ(Lamina::Impl::num_padded_places(1, 1001), 1024);
}

TEST(PaddedRows, AreMadeOfPacksWithEachEdgeOnce) {
  for (const PanelRows size : {PanelRows{31, 31}, {2, 31}, {7, 39}, {30, 30}, {13, 28}}) {
    SCOPED_TRACE(testing::Message() << size.num_rows << " rows of " << size.length);
    const auto graph = panel_of(size);
    const auto places = places_of(graph);
    ASSERT_FALSE(places.empty());
    const auto padded = in_places(columns_of(graph), places);
    for (const int width : {2, 4}) {
      expect_packs_hold(padded.neighbours, width);
    }
  }
}

TEST(PaddedRows, AreMadeOfPairsButForARowWithoutAPartner) {
  const auto graph = panel_of({13, 29});  // 3 of 32 places of a row are padding
  const auto padded = in_places(columns_of(graph), places_of(graph));
  const int num_places = static_cast<int>(padded.areas.extent(0));
  const auto packs = Lamina::Impl::find_column_packs(padded.neighbours, 2);
  const auto pairs = Lamina::Impl::find_pack_pairs(packs, 2, num_places);
  // 32 places of a row. Packs of padding are in pairs with each other, also that of the last row, unless
  // theirs is an odd number.
  const int lone_packs = 13 + (num_places - 13 * 32) / 2;
  EXPECT_EQ(static_cast<int>(pairs.size()), 6 * 15 + lone_packs / 2);
}

TEST(PaddedRows, KeepTheGeometryOfEachColumn) {
  const auto graph = Lamina::CubedSpherePanel(5, 31).graph(Lamina::PanelEdge::dirichlet);
  const auto columns = columns_of(graph);
  const auto places = places_of(graph);
  ASSERT_FALSE(places.empty());
  const auto padded = in_places(columns, places);
  std::vector<int> place_of(columns.areas.extent(0));
  for (std::size_t place = 0; place < places.size(); ++place) {
    if (places[place] != no_column) {
      place_of[static_cast<std::size_t>(places[place])] = static_cast<int>(place);
    }
  }
  for (std::size_t place = 0; place < places.size(); ++place) {
    const auto found = couplings_in_mesh(padded.neighbours, place);
    if (places[place] == no_column) {
      EXPECT_TRUE(found.empty());
      EXPECT_GT(padded.areas(place), 0);
      EXPECT_EQ(padded.boundary_couplings(place), 0);
      continue;
    }
    const auto column = static_cast<std::size_t>(places[place]);
    Couplings expected;
    for (const auto& [other, coupling] : couplings_in_mesh(columns.neighbours, column)) {
      expected[place_of[static_cast<std::size_t>(other)]] = coupling;
    }
    EXPECT_EQ(found, expected);
    EXPECT_EQ(padded.areas(place), columns.areas(column));
    EXPECT_EQ(padded.boundary_couplings(place), columns.boundary_couplings(column));
  }
}

TEST(PaddedRows, AreLeftWhereNothingIsToBeFilled) {
  for (const PanelRows size : {PanelRows{8, 32}, {8, 4}, {16, 16}}) {
    EXPECT_TRUE(places_of(panel_of(size)).empty());
    EXPECT_EQ(Lamina::Impl::num_padded_places(size.length, size.num_rows),
              size.length * size.num_rows);
  }
}

TEST(PaddedRows, AreLeftWhereFillingCostsMoreThanAnEighth) {
  for (const PanelRows size : {PanelRows{3, 5}, {40, 21}, {64, 1}, {1, 33}}) {
    EXPECT_TRUE(places_of(panel_of(size)).empty());
    EXPECT_EQ(Lamina::Impl::num_padded_places(size.length, size.num_rows),
              size.length * size.num_rows);
  }
}

TEST(PaddedRows, AreLeftWhereThereIsAHalo) {
  auto graph = panel_of({31, 31});
  graph.num_owned = 30 * 31;
  EXPECT_TRUE(places_of(graph).empty());
}

TEST(PaddedRows, OfAPeriodicPlaneArePacksButForTheirEnds) {
  for (const int length : {30, 31}) {
    const auto graph = Lamina::plane(31, length, {}, 0.1, 0.2);
    const auto places = places_of(graph);
    ASSERT_FALSE(places.empty());
    const auto padded = in_places(columns_of(graph), places);
    const auto rest = expect_some_packs_hold(padded.neighbours, 4);
    EXPECT_EQ(rest.size(), 31 * 4u);
    for (const int place : rest) EXPECT_GE(place % 32, 28);
  }
}

}  // namespace
}  // namespace LaminaTest
