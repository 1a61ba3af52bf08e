// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/grids/PeriodicPlane.hpp>
#include <lamina/core/Require.hpp>

#include <cmath>
#include <limits>
#include <string>

namespace Lamina {

ColumnGraph periodic_plane(int num_x, int num_y, double length_x, double length_y) {
  LAMINA_REQUIRE(num_x >= 3 && num_y >= 3, "periodic_plane",
                 "expected at least 3 x 3 cells, got " + std::to_string(num_x) + " x " +
                     std::to_string(num_y));
  LAMINA_REQUIRE(num_x <= std::numeric_limits<int>::max() / num_y, "periodic_plane",
                 "expected fewer than 2^31 cells, got " + std::to_string(num_x) + " x " +
                     std::to_string(num_y));
  LAMINA_REQUIRE(std::isfinite(length_x) && std::isfinite(length_y) && length_x > 0 && length_y > 0,
                 "periodic_plane",
                 "expected positive, finite lengths, got " + std::to_string(length_x) + " and " +
                     std::to_string(length_y));
  const double width = length_x / num_x, height = length_y / num_y;
  ColumnGraph graph;
  graph.num_owned = num_x * num_y;
  graph.areas.assign(static_cast<std::size_t>(graph.num_owned), width * height);
  graph.edges.reserve(2 * static_cast<std::size_t>(graph.num_owned));
  for (int i = 0; i < num_x; ++i) {
    for (int j = 0; j < num_y; ++j) {
      const int here = num_y * i + j;
      graph.edges.push_back({here, num_y * ((i + 1) % num_x) + j, height, width});
      graph.edges.push_back({here, num_y * i + (j + 1) % num_y, width, height});
    }
  }
  return graph;
}

}  // namespace Lamina
