// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/grids/ColumnMesh.hpp>
#include <lamina/grids/CubedSpherePanel.hpp>
#include <lamina/grids/Plane.hpp>
#include <lamina/problems/VoronoiPlane.hpp>

#include <string>
#include <utility>
#include <vector>

namespace LaminaTest {

/// Graphs of several parts: a panel, a chain of columns, two columns, and two single columns.
inline Lamina::ColumnGraph disconnected_graph() {
  Lamina::ColumnGraph graph = Lamina::CubedSpherePanel(5, 6).graph();
  graph.centres = {};
  const auto add_chain = [&](int length) {
    const int first = static_cast<int>(graph.areas.size());
    for (int n = 0; n < length; ++n) {
      graph.areas.push_back(0.05 + 0.01 * n);
      if (n > 0) graph.edges.push_back({first + n - 1, first + n, 0.2, 0.3});
    }
  };
  for (const int length : {7, 2, 1, 1}) add_chain(length);
  graph.num_owned = static_cast<int>(graph.areas.size());
  return graph;
}

/// Grids of all kinds, with areas of a few thousandths to one.
inline std::vector<std::pair<std::string, Lamina::ColumnGraph>> multigrid_graphs() {
  using Lamina::CubedSpherePanel;
  Lamina::ColumnGraph without_centres = Lamina::voronoi_plane(8, 10);
  without_centres.centres = {};
  return {
      {"panel", CubedSpherePanel(12, 12).graph()},
      {"panel of odd size", CubedSpherePanel(9, 11).graph()},
      {"panel with zero on its edge", CubedSpherePanel(10, 7).graph(Lamina::PanelEdge::dirichlet)},
      {"long panel", CubedSpherePanel(40, 3).graph()},
      {"row", CubedSpherePanel(1, 13).graph()},
      {"column", CubedSpherePanel(1, 1).graph()},
      {"plane", Lamina::plane(8, 10)},
      {"plane of 3 x 3 cells", Lamina::plane(3, 3)},
      {"polygons", Lamina::voronoi_plane(10, 12)},
      {"polygons without centres", without_centres},
      {"hexagons", Lamina::voronoi_plane(8, 8, 0)},
      {"several parts", disconnected_graph()}};
}

}  // namespace LaminaTest
