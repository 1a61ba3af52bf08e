// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/problems/VoronoiPlane.hpp>

#include <columns/ColumnCase.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace LaminaTest {

/// An ocean with islands and a rough bottom on polygons: wide cells, thin levels.
struct Ocean {
  static constexpr int levels = 20;
  Lamina::ColumnGraph graph;
  std::vector<int> bottoms;

  explicit Ocean(int size) : graph(Lamina::voronoi_plane(size, size)) {
    for (std::size_t c = 0; c < graph.areas.size(); ++c) {
      const auto& [x, y, z] = graph.centres.points[c];
      const double rough = Reference::unit_value(c);
      const double depth = 0.55 + 0.5 * std::sin(9 * x + 2) * std::cos(7 * y) + 0.15 * rough;
      bottoms.push_back(std::clamp(static_cast<int>(levels * depth), 0, levels));
    }
  }
  /// omega^2 alpha_T / |T| is about 80, as of the model problem.
  ColumnCase system(bool with_mass, bool stratified, double decades) const {
    const double cell = graph.areas[0], stiffness = 80.0 / 6 * cell, height = 1e-3;
    ColumnCase result{graph, levels, {}, {}, {}};
    const auto bottom = [&](int c) { return bottoms[static_cast<std::size_t>(c)]; };
    for (int c = 0; c < result.num_columns(); ++c) {
      const auto column = static_cast<std::size_t>(c);
      const auto& point = graph.centres.points[column];
      const double factor = stratified ? std::exp(2 * std::sin(5 * point[0]) * point[1]) : 1;
      for (int k = 0; k < levels; ++k) {
        const bool wet = k < bottom(c), open = k + 1 < bottom(c);
        const double profile = stratified ? std::pow(100, -static_cast<double>(k) / levels) : 1;
        result.mass.push_back(wet && with_mass ? graph.areas[column] : 0);
        result.vertical.push_back(
            open ? stiffness * graph.areas[column] / (height * cell) * factor * profile : 0);
      }
    }
    std::uint64_t next = 0;
    for (const auto& edge : graph.edges) {
      for (int k = 0; k < levels; ++k) {
        const double rough = std::pow(10, decades * Reference::unit_value(next++));
        const bool open = k < std::min(bottom(edge.first), bottom(edge.second));
        result.horizontal.push_back(open ? stiffness * rough * edge.length / edge.distance : 0);
      }
    }
    return result;
  }
};

}  // namespace LaminaTest
