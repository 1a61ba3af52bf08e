// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/grids/CubedSpherePanel.hpp>
#include <lamina/grids/Plane.hpp>
#include <lamina/multigrid/ColumnHierarchy.hpp>
#include <lamina/multigrid/MultigridPreconditioner.hpp>
#include <lamina/multigrid/impl/SmoothingWeights.hpp>
#include <lamina/problems/VoronoiPlane.hpp>

#include <gtest/gtest.h>
#include <multigrid/MultigridCase.hpp>
#include <support/MessageOf.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

namespace LaminaTest {
namespace {

using Lamina::Coarsening;
using Lamina::ColumnGraph;
using Lamina::ColumnHierarchy;

std::size_t index(int i) { return static_cast<std::size_t>(i); }

double total_area(const ColumnGraph& graph) {
  return std::accumulate(graph.areas.begin(), graph.areas.end(), 0.0);
}

std::map<std::pair<int, int>, double> couplings_of(const ColumnGraph& graph) {
  std::map<std::pair<int, int>, double> couplings;
  for (const auto& edge : graph.edges) {
    couplings[std::minmax(edge.first, edge.second)] += edge.length / edge.distance;
  }
  return couplings;
}

std::vector<int> level_sizes(const ColumnHierarchy& hierarchy) {
  std::vector<int> sizes;
  for (const auto& level : hierarchy.levels()) {
    sizes.push_back(static_cast<int>(level.graph.areas.size()));
  }
  return sizes;
}

/// Members of each aggregate of a level.
std::vector<std::vector<int>> members_of(const Lamina::HierarchyLevel& level, int count) {
  std::vector<std::vector<int>> members(index(count));
  for (std::size_t c = 0; c < level.aggregates.size(); ++c) {
    members[index(level.aggregates[c])].push_back(static_cast<int>(c));
  }
  return members;
}

/// The number of parts of a set of columns that edges within it connect.
int count_parts(const ColumnGraph& graph, const std::vector<int>& columns) {
  std::map<int, int> part;
  for (const int column : columns) part[column] = column;
  for (std::size_t pass = 0; pass < columns.size(); ++pass) {
    for (const auto& edge : graph.edges) {
      if (part.count(edge.first) == 0 || part.count(edge.second) == 0) continue;
      part[edge.first] = part[edge.second] = std::min(part[edge.first], part[edge.second]);
    }
  }
  std::set<int> parts;
  for (const auto& entry : part) parts.insert(entry.second);
  return static_cast<int>(parts.size());
}

TEST(ColumnHierarchy, CoarsensGridsInRowsByTwoInBothDirections) {
  EXPECT_EQ(level_sizes(ColumnHierarchy(Lamina::CubedSpherePanel(16, 16).graph())),
            (std::vector<int>{256, 64, 16, 4, 1}));
  EXPECT_EQ(level_sizes(ColumnHierarchy(Lamina::CubedSpherePanel(7, 10).graph())),
            (std::vector<int>{70, 15, 2, 1}));
  EXPECT_EQ(level_sizes(ColumnHierarchy(Lamina::plane(12, 9, {}, 12, 9))),
            (std::vector<int>{108, 24, 6, 1}));
  const ColumnHierarchy hierarchy(Lamina::CubedSpherePanel(5, 4).graph());
  EXPECT_EQ(hierarchy.levels()[0].coarsening, Coarsening::none);
  EXPECT_EQ(hierarchy.levels()[1].coarsening, Coarsening::rows);
  EXPECT_EQ(hierarchy.levels()[0].aggregates,
            (std::vector<int>{0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3, 2, 2, 3, 3}));
}

TEST(ColumnHierarchy, MakesThePeriodicPlaneOfHalfTheCells) {
  const ColumnHierarchy hierarchy(Lamina::plane(12, 8, {}, 3, 2));
  const ColumnGraph& coarse = hierarchy.levels()[1].graph;
  const ColumnGraph expected = Lamina::plane(6, 4, {}, 3, 2);
  ASSERT_EQ(coarse.areas.size(), expected.areas.size());
  for (std::size_t c = 0; c < coarse.areas.size(); ++c) {
    EXPECT_NEAR(coarse.areas[c], expected.areas[c], 1e-14);
    for (std::size_t n = 0; n < 3; ++n) {
      EXPECT_NEAR(coarse.centres.points[c][n], expected.centres.points[c][n], 1e-14);
    }
  }
  const auto couplings = couplings_of(coarse), wanted = couplings_of(expected);
  ASSERT_EQ(couplings.size(), wanted.size());
  for (const auto& [pair, coupling] : wanted) EXPECT_NEAR(couplings.at(pair), coupling, 1e-13);
}

TEST(ColumnHierarchy, KeepsTheAreaAndNumbersAggregatesByTheirFirstMembers) {
  for (const auto& [name, graph] : multigrid_graphs()) {
    SCOPED_TRACE(name);
    const ColumnHierarchy hierarchy(graph);
    for (const auto& level : hierarchy.levels()) {
      EXPECT_NEAR(total_area(level.graph), total_area(graph), 1e-12 * total_area(graph));
      int next = 0;
      for (const int aggregate : level.aggregates) {
        EXPECT_LE(aggregate, next);
        next = std::max(next, aggregate + 1);
      }
    }
    EXPECT_TRUE(hierarchy.levels().back().graph.edges.empty()) << "coarsening did not end";
    EXPECT_TRUE(hierarchy.levels().back().aggregates.empty());
  }
}

TEST(ColumnHierarchy, AggregatesAreConnectedAndOfAboutFourColumns) {
  for (const auto& [name, graph] : multigrid_graphs()) {
    SCOPED_TRACE(name);
    const ColumnHierarchy hierarchy(graph);
    for (int l = 0; l + 1 < hierarchy.num_levels(); ++l) {
      const auto& level = hierarchy.levels()[index(l)];
      const auto members = members_of(level, level_sizes(hierarchy)[index(l) + 1]);
      for (const auto& columns : members) {
        EXPECT_EQ(count_parts(level.graph, columns), 1);
        EXPECT_LE(columns.size(), hierarchy.levels()[1].coarsening == Coarsening::rows ? 9u : 6u);
      }
    }
  }
  const ColumnHierarchy hierarchy(Lamina::voronoi_plane(24, 24));
  for (const auto& columns : members_of(hierarchy.levels()[0], level_sizes(hierarchy)[1])) {
    EXPECT_GE(columns.size(), 3u);
  }
}

TEST(ColumnHierarchy, EachPartOfAGraphEndsAsAColumnOfItsOwn) {
  const ColumnHierarchy hierarchy(disconnected_graph());
  EXPECT_EQ(level_sizes(hierarchy).back(), 5);  // a panel, a chain, a pair, and two single columns
}

TEST(ColumnHierarchy, GrowsWhereRowsAreAnisotropicOrMissing) {
  const auto coarsening_of = [](const ColumnGraph& graph, bool use_rows = true) {
    return ColumnHierarchy(graph, {.use_rows = use_rows}).levels()[1].coarsening;
  };
  EXPECT_EQ(coarsening_of(Lamina::plane(8, 8, {}, 1, 1.9)), Coarsening::rows);
  EXPECT_EQ(coarsening_of(Lamina::plane(8, 8, {}, 1, 2.1)), Coarsening::growth);
  EXPECT_EQ(coarsening_of(Lamina::plane(8, 8), false), Coarsening::growth);
  EXPECT_EQ(coarsening_of(Lamina::voronoi_plane(8, 8)), Coarsening::growth);
  ColumnGraph wall = Lamina::plane(8, 8);
  wall.edges.erase(wall.edges.begin() + 5);
  EXPECT_EQ(coarsening_of(wall), Coarsening::growth);
}

TEST(ColumnHierarchy, ProlongationKeepsConstantsUnlessTheFieldIsZeroOnABoundary) {
  for (const auto& [name, graph] : multigrid_graphs()) {
    SCOPED_TRACE(name);
    const ColumnHierarchy hierarchy(graph);
    for (int l = 0; l + 1 < hierarchy.num_levels(); ++l) {
      const auto& level = hierarchy.levels()[index(l)];
      std::set<int> on_boundary;
      for (const auto& edge : level.graph.boundary_edges) on_boundary.insert(edge.column);
      for (std::size_t c = 0; c < level.graph.areas.size(); ++c) {
        const auto& weights = level.transfer.weights[c];
        const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
        EXPECT_EQ(level.transfer.columns[c][0], level.aggregates[c]);
        EXPECT_TRUE(std::all_of(weights.begin(), weights.end(), [](double w) { return w >= 0; }));
        if (on_boundary.count(static_cast<int>(c)) > 0) {
          EXPECT_LT(sum, 1);
        } else {
          EXPECT_NEAR(sum, 1, 1e-14);
        }
      }
    }
  }
}

TEST(SmoothingWeights, OfTheCoarsestLevelDivideErrorsByTen) {
  const double infinite = std::numeric_limits<double>::infinity();
  for (const auto& [stiffness, steps] : std::vector<std::pair<double, std::size_t>>{
           {0, 2}, {0.5, 2}, {1, 3}, {4, 5}, {16, 9}, {1e6, 16}, {infinite, 16}}) {
    SCOPED_TRACE(stiffness);
    const auto weights = Lamina::Impl::coarsest_weights(stiffness);
    EXPECT_EQ(weights.size(), steps);
    if (steps == 16) continue;
    const double low = 1 / (1 + stiffness);
    for (int n = 0; n <= 100; ++n) {
      const double eigenvalue = low + (2 - 2 * low) * n / 100;
      double error = 1;
      for (const double weight : weights) error *= 1 - weight * eigenvalue;
      EXPECT_LE(std::abs(error), 0.1) << eigenvalue;
    }
  }
}

TEST(SmoothingWeights, LevelsAreUsedDownToAStiffnessOfFour) {
  const auto used = [](const std::vector<double>& stiffness, int most) {
    return Lamina::Impl::count_used_levels(stiffness, {.max_levels = most});
  };
  EXPECT_EQ(used({64, 16, 4, 1}, 9), 3);
  EXPECT_EQ(used({64, 16, 4.01, 1}, 9), 4);
  EXPECT_EQ(used({64, 16, 8}, 9), 3);
  EXPECT_EQ(used({64, 16, 4, 1}, 2), 2);
  EXPECT_EQ(used({0}, 9), 1);
}

TEST(ColumnHierarchy, WithoutCentresCouplingsAreHalfTheSum) {
  ColumnGraph graph = Lamina::plane(8, 8);
  graph.centres = {};
  const ColumnHierarchy hierarchy(graph);
  for (const auto& [pair, coupling] : couplings_of(hierarchy.levels()[1].graph)) {
    EXPECT_NEAR(coupling, 1, 1e-14);
  }
}

TEST(ColumnHierarchy, RefusesWhatItCannotCoarsen) {
  ColumnGraph graph = Lamina::plane(4, 4);
  const auto refusal = [](const ColumnGraph& wrong) {
    return message_of<Lamina::InvalidArgument>([&] { const ColumnHierarchy hierarchy(wrong); });
  };
  graph.edges[3].length = -1;
  EXPECT_EQ(refusal(graph),
            "Lamina::ColumnMesh: edge 1 - 2: expected a positive length and distance");
  graph = Lamina::plane(4, 4);
  graph.centres.points.pop_back();
  EXPECT_EQ(refusal(graph),
            "Lamina::ColumnHierarchy: graph: expected no centres or those of 16 columns, got 15");
  graph.centres.points.push_back({0, NAN, 0});
  EXPECT_EQ(refusal(graph), "Lamina::ColumnHierarchy: graph: expected finite centres");
  graph = Lamina::plane(4, 4);
  graph.num_owned = 12;
  EXPECT_EQ(refusal(graph),
            "Lamina::ColumnHierarchy: argument graph: expected 16 owned columns, got 12");
}

}  // namespace
}  // namespace LaminaTest
