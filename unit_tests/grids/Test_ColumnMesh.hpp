// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Require.hpp>
#include <lamina/grids/ColumnMesh.hpp>
#include <lamina/grids/CubedSpherePanel.hpp>
#include <lamina/grids/Plane.hpp>

#include <gtest/gtest.h>
#include <support/MessageOf.hpp>

#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <utility>

namespace LaminaTest {

/// The tables of a mesh, on the host.
struct HostMesh {
  using Mesh = Lamina::ColumnMesh<TEST_SPACE::memory_space>;

  explicit HostMesh(const Mesh& mesh)
      : neighbours(Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), mesh.neighbours())),
        couplings(Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), mesh.couplings())),
        areas(Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), mesh.areas())),
        boundary(
            Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), mesh.boundary_couplings())) {}

  Kokkos::View<const int**, Kokkos::LayoutLeft, Kokkos::HostSpace> neighbours;
  Kokkos::View<const double**, Kokkos::LayoutLeft, Kokkos::HostSpace> couplings;
  Kokkos::View<const double*, Kokkos::HostSpace> areas, boundary;
};

/// The mesh holds exactly the couplings of the graph, each on both sides where both are owned.
inline void expect_mesh_holds_graph(const Lamina::ColumnGraph& graph) {
  const HostMesh::Mesh mesh(graph);
  const HostMesh host(mesh);
  const int num_owned = graph.count_owned();
  EXPECT_EQ(mesh.num_owned(), num_owned);
  EXPECT_EQ(mesh.num_columns(), static_cast<int>(graph.areas.size()));

  std::map<std::pair<int, int>, double> expected;
  for (const auto& edge : graph.edges) {
    const double coupling = edge.length / edge.distance;
    if (edge.first < num_owned) expected[{edge.first, edge.second}] = coupling;
    if (edge.second < num_owned) expected[{edge.second, edge.first}] = coupling;
  }
  std::size_t found = 0;
  for (int column = 0; column < mesh.num_owned(); ++column) {
    for (int n = 0; n < mesh.max_neighbours(); ++n) {
      const int neighbour = host.neighbours(column, n);
      if (n > 0 && host.couplings(column, n) != 0) {
        EXPECT_NE(host.couplings(column, n - 1), 0) << "an empty slot before others";
        EXPECT_LT(host.neighbours(column, n - 1), neighbour) << "neighbours are sorted";
      }
      if (host.couplings(column, n) == 0) {
        EXPECT_EQ(neighbour, column) << "an empty slot names its own column";
        continue;
      }
      ++found;
      const auto entry = expected.find({column, neighbour});
      ASSERT_NE(entry, expected.end()) << column << " - " << neighbour;
      EXPECT_EQ(host.couplings(column, n), entry->second);
    }
  }
  EXPECT_EQ(found, expected.size());
  for (std::size_t column = 0; column < graph.areas.size(); ++column) {
    EXPECT_EQ(host.areas(column), graph.areas[column]);
  }
  std::vector<double> boundary(static_cast<std::size_t>(num_owned), 0.0);
  for (const auto& edge : graph.boundary_edges) {
    if (edge.column < num_owned) {
      boundary[static_cast<std::size_t>(edge.column)] += edge.length / edge.distance;
    }
  }
  for (std::size_t column = 0; column < boundary.size(); ++column) {
    EXPECT_EQ(host.boundary(column), boundary[column]);
  }
}

TEST(ColumnMesh, HoldsThePanel) {
  for (const int size : {1, 2, 3, 17}) {
    expect_mesh_holds_graph(Lamina::CubedSpherePanel(size, size).graph());
    expect_mesh_holds_graph(Lamina::CubedSpherePanel(size, 4).graph(Lamina::PanelEdge::dirichlet));
  }
}

TEST(ColumnMesh, HoldsThePeriodicPlane) {
  const auto graph = Lamina::plane(3, 5, {}, 2, 1);
  EXPECT_EQ(HostMesh::Mesh(graph).max_neighbours(), 4);
  expect_mesh_holds_graph(graph);
}

TEST(ColumnMesh, HoldsAUserGraphWithHaloColumns) {
  Lamina::ColumnGraph graph;
  graph.num_owned = 3;
  graph.areas = {1, 2, 3, 4, 5};  // columns 3 and 4 belong to others
  graph.edges = {{2, 0, 1, 2}, {0, 3, 3, 1}, {4, 2, 1, 1}, {3, 4, 7, 1}};
  graph.boundary_edges = {{1, 1, 4}, {1, 1, 2}, {4, 1, 1}};
  expect_mesh_holds_graph(graph);

  const HostMesh::Mesh mesh(graph);
  EXPECT_EQ(mesh.num_owned(), 3);
  EXPECT_EQ(mesh.num_columns(), 5);
  EXPECT_EQ(mesh.max_neighbours(), 2);
  EXPECT_EQ(HostMesh(mesh).boundary(1), 0.75);
}

TEST(ColumnMesh, HoldsWhatASplitGridNeeds) {
  Lamina::ColumnGraph graph;
  graph.num_owned = 2;
  graph.areas = {1, 2, 3, 4};
  graph.edges = {{0, 1, 1, 1}, {2, 0, 1, 2}, {1, 3, 1, 1}};
  graph.halo_coupling_sums = {5, 0};
  const HostMesh::Mesh mesh(graph);
  const auto sums =
      Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), mesh.halo_coupling_sums());
  ASSERT_EQ(sums.extent(0), 2u);
  EXPECT_EQ(sums(0), 5);
  EXPECT_EQ(sums(1), 0);
  const auto is_first = mesh.is_first();
  EXPECT_TRUE(is_first(0, 0)) << "0 - 1";
  EXPECT_FALSE(is_first(0, 1)) << "2 - 0";
  EXPECT_FALSE(is_first(1, 0)) << "0 - 1";
  EXPECT_TRUE(is_first(1, 1)) << "1 - 3";

  const auto expect = [&](const auto& spoil, const std::string& message) {
    Lamina::ColumnGraph spoilt = graph;
    spoil(spoilt);
    EXPECT_EQ(message_of<Lamina::InvalidArgument>([&] { HostMesh::Mesh wrong(spoilt); }),
              "Lamina::ColumnMesh: halo_coupling_sums: " + message);
  };
  expect(
      [](auto& g) {
        g.halo_coupling_sums = {1, 1, 1};
      },
      "expected none or those of 2 halo columns, got 3");
  expect([](auto& g) { g.halo_coupling_sums[0] = -1; },
         "expected finite values >= 0, got -1.000000");
}

TEST(ColumnMesh, SortsNeighboursWhateverTheOrderOfTheEdges) {
  Lamina::ColumnGraph graph;
  graph.num_owned = 6;
  graph.areas = {1, 1, 1, 1, 1, 1};
  graph.edges = {{5, 2, 1, 1}, {2, 4, 2, 1}, {0, 2, 3, 1},
                 {3, 2, 4, 1}, {2, 1, 5, 1}, {5, 0, 6, 1}};
  expect_mesh_holds_graph(graph);
  EXPECT_EQ(HostMesh::Mesh(graph).max_neighbours(), 5);
}

TEST(ColumnMesh, MayBeEmpty) {
  const HostMesh::Mesh none, from_graph{Lamina::ColumnGraph{}};
  EXPECT_EQ(none.num_columns(), 0);
  EXPECT_EQ(from_graph.num_columns(), 0);
  EXPECT_EQ(from_graph.num_owned(), 0);
  EXPECT_EQ(from_graph.max_neighbours(), 0);
}

TEST(ColumnMesh, OwnsAllColumnsUnlessToldOtherwise) {
  Lamina::ColumnGraph graph;
  graph.areas = {1, 2, 3};
  graph.edges = {{0, 1, 1, 2}, {1, 2, 3, 1}};
  graph.boundary_edges = {{2, 1, 4}};
  expect_mesh_holds_graph(graph);
  EXPECT_EQ(HostMesh::Mesh(graph).num_owned(), 3);
  // A process may have none of its own.
  graph.num_owned = 0;
  expect_mesh_holds_graph(graph);
  EXPECT_EQ(HostMesh::Mesh(graph).num_owned(), 0);
}

TEST(ColumnMesh, MayHoldColumnsWithoutNeighbours) {
  Lamina::ColumnGraph graph;
  graph.num_owned = 2;
  graph.areas = {1, 1};
  expect_mesh_holds_graph(graph);
}

inline std::string refusal(const Lamina::ColumnGraph& graph) {
  return message_of<Lamina::InvalidArgument>([&] { HostMesh::Mesh mesh(graph); });
}

TEST(ColumnMesh, RefusesBadGraphsAndSaysWhy) {
  const double infinity = std::numeric_limits<double>::infinity(), nan = infinity * 0;
  Lamina::ColumnGraph good;
  good.num_owned = 2;
  good.areas = {1, 1, 1};
  good.edges = {{0, 1, 1, 1}, {1, 2, 1, 1}};
  ASSERT_EQ(refusal(good), "nothing was thrown");

  const auto expect = [&](const auto& spoil, const std::string& message) {
    Lamina::ColumnGraph graph = good;
    spoil(graph);
    EXPECT_EQ(refusal(graph), "Lamina::ColumnMesh: " + message);
  };
  expect([](auto& g) { g.num_owned = 4; },
         "num_owned: expected 0 to 3 columns with an area, got 4");
  expect(
      [](auto& g) {
        g.num_owned = 3;
        g.edges = {{0, 2, 1, 1}, {0, 1, 1, 1}, {2, 0, 1, 1}};
      },
      "edge 0 - 2: expected each pair once, got it again");
  expect([](auto& g) { g.num_owned = -2; },
         "num_owned: expected 0 to 3 columns with an area, got -2");
  expect([](auto& g) { g.edges[1].second = 3; }, "edge 1 - 3: expected columns 0 to 2");
  expect([](auto& g) { g.edges[0].first = -1; }, "edge -1 - 1: expected columns 0 to 2");
  expect([](auto& g) { g.edges[0].second = 0; }, "edge 0 - 0: expected two columns, got one");
  expect(
      [](auto& g) {
        g.edges.push_back({1, 0, 1, 1});
      },
      "edge 0 - 1: expected each pair once, got it again");
  for (const double bad : {0.0, -1.0, infinity, nan}) {
    expect([&](auto& g) { g.edges[0].length = bad; },
           "edge 0 - 1: expected a positive length and distance");
    expect([&](auto& g) { g.edges[1].distance = bad; },
           "edge 1 - 2: expected a positive length and distance");
    expect([&](auto& g) { g.areas[2] = bad; },
           "areas: expected positive values, got " + std::to_string(bad));
    expect(
        [&](auto& g) {
          g.boundary_edges.push_back({1, bad, 1});
        },
        "boundary edge of column 1: expected a positive length and distance");
  }
  expect(
      [](auto& g) {
        g.boundary_edges.push_back({3, 1, 1});
      },
      "boundary edge of column 3: expected a column of the mesh");
  expect(
      [](auto& g) {
        g.boundary_edges.push_back({-1, 1, 1});
      },
      "boundary edge of column -1: expected a column of the mesh");
}

TEST(ColumnMesh, RefusesCouplingsThatOverflowOrVanish) {
  const std::string reason = ": expected a length and distance of comparable size";
  Lamina::ColumnGraph graph;
  graph.num_owned = 2;
  graph.areas = {1, 1};
  for (const double length : {1e300, 1e-300}) {
    graph.edges = {{0, 1, length, 1 / length}};
    EXPECT_EQ(refusal(graph), "Lamina::ColumnMesh: edge 0 - 1" + reason);
  }
  graph.edges.clear();
  graph.boundary_edges = {{1, 1e300, 1e-300}};
  EXPECT_EQ(refusal(graph), "Lamina::ColumnMesh: boundary edge of column 1" + reason);
}

}  // namespace LaminaTest
