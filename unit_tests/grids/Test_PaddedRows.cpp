// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/impl/Index.hpp>
#include <lamina/grids/CubedSpherePanel.hpp>
#include <lamina/grids/Plane.hpp>
#include <lamina/grids/impl/ColumnOrder.hpp>
#include <lamina/grids/impl/PaddedRows.hpp>

#include <gtest/gtest.h>
#include <helmholtz/MeshNeighbours.hpp>

#include <array>
#include <set>

namespace LaminaTest {
namespace {

using Lamina::Impl::index;

constexpr int no_column = Lamina::Impl::ColumnOrder<Kokkos::HostSpace>::no_column;

struct PanelRows {
  int num_rows, length;
};
Lamina::ColumnGraph panel_of(const PanelRows& size) {
  return Lamina::CubedSpherePanel(size.num_rows, size.length).graph();
}
Lamina::Impl::HostColumns columns_of(const Lamina::ColumnGraph& graph) {
  const Lamina::ColumnMesh<Kokkos::HostSpace> mesh(graph);
  return {neighbours_of(graph), mesh.areas(), mesh.boundary_couplings()};
}
Lamina::Impl::HostPlaces places_of(const Lamina::ColumnGraph& graph) {
  return pad_rows(columns_of(graph));
}
/// Of so many ranks, each has a strip of rows, or a part of each row.
Lamina::ColumnGraph part_of(const PanelRows& size, int num_ranks, int rank, bool of_rows) {
  const std::array<int, 2> blocks{of_rows ? num_ranks : 1, of_rows ? 1 : num_ranks};
  return Lamina::CubedSpherePanel(size.num_rows, size.length)
      .local(Lamina::Partition::grid({size.num_rows, size.length}, blocks), rank,
             Lamina::PanelEdge::dirichlet)
      .graph;
}

TEST(PaddedRows, BeginWithAPackAndLevelsWithALine) {
  for (const PanelRows size :
       {PanelRows{31, 31}, {2, 31}, {7, 39}, {30, 30}, {5, 62}, {13, 28}, {1, 1001}}) {
    SCOPED_TRACE(testing::Message() << size.num_rows << " rows of " << size.length);
    const auto places = places_of(panel_of(size)).columns;
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
  const auto places = places_of(panel_of({1001, 1})).columns;
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

void expect_geometry_is_kept(const Lamina::ColumnGraph& graph) {
  const auto columns = columns_of(graph);
  const auto places = places_of(graph);
  ASSERT_FALSE(places.empty());
  const auto padded = in_places(columns, places);
  const auto num_owned = static_cast<std::size_t>(places.num_owned);
  ASSERT_EQ(padded.neighbours.columns.extent(0), num_owned);
  ASSERT_EQ(padded.areas.extent(0), places.columns.size());
  EXPECT_GT(places.columns.size(), graph.areas.size());
  EXPECT_EQ(places.columns.size() % 32, 0u);
  const auto place_of =
      Lamina::Impl::places_of_columns(places.columns, static_cast<int>(columns.areas.extent(0)));
  std::set<int> halo;
  int num_filled = 0;
  for (std::size_t place = 0; place < places.columns.size(); ++place) {
    const int column = places.columns[place];
    EXPECT_GT(padded.areas(place), 0);
    if (column != no_column) {
      EXPECT_EQ(padded.areas(place), graph.areas[index(column)]);
    }
    if (place >= num_owned) continue;
    const auto found = couplings_in_mesh(padded.neighbours, place);
    if (column == no_column) {
      EXPECT_TRUE(found.empty());
      EXPECT_EQ(padded.boundary_couplings(place), 0);
      continue;
    }
    EXPECT_EQ(column, num_filled++);
    Couplings expected;
    for (const auto& [other, coupling] : couplings_in_mesh(columns.neighbours, index(column))) {
      expected[place_of[index(other)]] = coupling;
      if (other >= graph.count_owned()) halo.insert(other);
    }
    EXPECT_EQ(found, expected);
    EXPECT_EQ(padded.boundary_couplings(place), columns.boundary_couplings(index(column)));
    for (std::size_t n = 0; n < columns.neighbours.columns.extent(1); ++n) {
      EXPECT_EQ(padded.neighbours.is_first(place, n), columns.neighbours.is_first(column, n));
    }
  }
  EXPECT_EQ(num_filled, graph.count_owned());
  // All neighbours of the halo have places behind the owned ones, as far apart as before, and no others.
  for (int column = graph.count_owned(); column < static_cast<int>(graph.areas.size()); ++column) {
    const bool is_neighbour = halo.count(column) > 0;
    EXPECT_EQ(place_of[index(column)],
              is_neighbour ? places.num_owned + column - *halo.begin() : no_column);
  }
}

TEST(PaddedRows, KeepTheGeometryOfEachColumn) {
  expect_geometry_is_kept(Lamina::CubedSpherePanel(5, 31).graph(Lamina::PanelEdge::dirichlet));
}

TEST(PaddedRows, OfARankHaveItsHaloBehindThem) {
  for (const int num_ranks : {2, 3}) {
    for (int rank = 0; rank < num_ranks; ++rank) {
      SCOPED_TRACE(testing::Message() << "rank " << rank << " of " << num_ranks);
      // 13 rows of two ranks would have as many places as columns.
      expect_geometry_is_kept(part_of({num_ranks == 2 ? 26 : 47, 31}, num_ranks, rank, true));
      expect_geometry_is_kept(part_of({60, 29 * num_ranks}, num_ranks, rank, false));
    }
  }
}

TEST(PaddedRows, OfAStripAreMadeOfPacks) {
  for (int rank = 0; rank < 3; ++rank) {
    const auto graph = part_of({47, 31}, 3, rank, true);
    const auto padded = in_places(columns_of(graph), places_of(graph));
    for (const int width : {2, 4}) expect_packs_hold(padded.neighbours, width);
  }
}

TEST(PaddedRows, OfAHaloInTheEastArePacksButForTheirEnds) {
  const auto graph = part_of({60, 62}, 2, 0, false);
  const auto padded = in_places(columns_of(graph), places_of(graph));
  for (const std::size_t width : {2, 4}) {
    const auto rest = expect_some_packs_hold(padded.neighbours, static_cast<int>(width));
    EXPECT_LE(rest.size(), 60 * width);
    for (const int place : rest) EXPECT_GE(place % 32, 28);
  }
}

TEST(PaddedRows, OfAHaloWithoutOrderAreCorrect) {
  auto graph = panel_of({63, 31});
  graph.num_owned = 62 * 31 - 5;
  expect_geometry_is_kept(graph);
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
