// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// One system, twice: the library's objects and the twin's matrix.

#include <lamina/grids/ColumnMesh.hpp>
#include <lamina/grids/CubedSpherePanel.hpp>
#include <lamina/grids/Plane.hpp>
#include <lamina/grids/VerticalGrid.hpp>
#include <lamina/helmholtz/HelmholtzOperator.hpp>

#include <gtest/gtest.h>
#include <reference/Hash.hpp>
#include <reference/Matrix.hpp>
#include <support/Compare.hpp>
#include <support/TestField.hpp>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

namespace LaminaTest {

/// The twin's horizontal data with the geometry of a graph, so that the operator is tested apart
/// from the geometry.
inline Reference::Horizontal twin_of(const Lamina::ColumnGraph& graph) {
  Reference::Horizontal twin{graph.count_owned(), graph.areas, {}, Values(graph.areas.size(), 0.0)};
  for (const auto& edge : graph.edges) {
    twin.couplings.push_back({edge.first, edge.second, edge.length / edge.distance});
  }
  for (const auto& edge : graph.boundary_edges) {
    if (edge.column < twin.num_owned) {
      twin.boundary[static_cast<std::size_t>(edge.column)] += edge.length / edge.distance;
    }
  }
  return twin;
}

/// The twin's vertical vectors of a grid.
inline Reference::Vertical twin_of(const Lamina::VerticalGrid& grid,
                                   const Lamina::HelmholtzParameters& parameters) {
  const double omega2 = parameters.omega2, lambda2 = parameters.lambda2;
  auto vectors =
      grid.metric() == Lamina::VerticalMetric::flat
          ? Reference::flat_vertical_vectors(grid.thicknesses(), omega2, lambda2)
          : Reference::vertical_vectors(grid.interfaces(), grid.thicknesses(), omega2, lambda2);
  for (std::size_t k = 0; k < parameters.stratification.size(); ++k) {
    vectors.b[k] *= parameters.stratification[k];
    vectors.c[k + 1] *= parameters.stratification[k];
  }
  return vectors;
}

/// The paper's parameters for a panel of `size` cells a side.
inline Lamina::HelmholtzParameters paper_parameters(int size) {
  return {.omega2 = 6.71e-4 * (256.0 / size) * (256.0 / size), .lambda2 = 3.32e-2};
}
inline constexpr double paper_depth = 0.0157;

/// Factors of lambda^2 over three decades, with a layer that nothing crosses.
inline std::vector<double> rough_stratification(int num_levels) {
  std::vector<double> factors;
  for (int k = 0; k + 1 < num_levels; ++k) {
    factors.push_back(k == num_levels / 2 ? 0
                                          : std::pow(10, 1.5 * Reference::unit_value(
                                                                   static_cast<std::uint64_t>(k))));
  }
  return factors;
}

/// A graph without any regularity: up to 7 neighbours, areas and couplings over two decades, some
/// walls; the last `num_halo` columns are halo columns.
inline Lamina::ColumnGraph irregular_graph(int num_owned, int num_halo) {
  const int num_columns = num_owned + num_halo;
  auto positive = [next = std::uint64_t(0)]() mutable {
    const double value = (1.0 + Reference::unit_value(next++)) / 2;
    return 0.1 + 10 * value * value;
  };
  Lamina::ColumnGraph graph;
  graph.num_owned = num_owned;
  for (int c = 0; c < num_columns; ++c) graph.areas.push_back(positive());
  std::vector<int> degree(static_cast<std::size_t>(num_columns), 0);
  std::set<std::pair<int, int>> pairs;
  for (std::uint64_t i = 0; i < 5 * static_cast<std::uint64_t>(num_columns); ++i) {
    const auto any_column = [&](std::uint64_t seed) {
      return static_cast<int>(Reference::splitmix64(seed) %
                              static_cast<std::uint64_t>(num_columns));
    };
    const int a = any_column(2 * i), b = any_column(2 * i + 1);
    auto &degree_a = degree[static_cast<std::size_t>(a)],
         &degree_b = degree[static_cast<std::size_t>(b)];
    if (a == b || degree_a == 7 || degree_b == 7 ||
        !pairs.insert({std::min(a, b), std::max(a, b)}).second) {
      continue;
    }
    ++degree_a;
    ++degree_b;
    graph.edges.push_back({a, b, positive(), positive()});
    if (i % 7 == 0) graph.boundary_edges.push_back({a, positive(), positive()});
  }
  return graph;
}

template <class Scalar>
struct HelmholtzCase {
  using Mesh = Lamina::ColumnMesh<Memory>;
  using Operator = Lamina::HelmholtzOperator<Scalar, Memory>;

  HelmholtzCase(const Lamina::ColumnGraph& graph, const Lamina::VerticalGrid& grid,
                const Lamina::HelmholtzParameters& parameters)
      : HelmholtzCase(graph, grid, parameters, twin_of(graph)) {}
  HelmholtzCase(const Lamina::ColumnGraph& graph, const Lamina::VerticalGrid& grid,
                const Lamina::HelmholtzParameters& parameters, const Reference::Horizontal& twin)
      : mesh(graph),
        vertical_grid(grid),
        equation(parameters),
        op(mesh, grid, parameters),
        horizontal(twin),
        vertical(twin_of(grid, parameters)) {}

  /// A panel of the paper's grid.
  static HelmholtzCase panel(int size_x, int size_y, int num_levels, bool dirichlet = false,
                             double depth = paper_depth) {
    const auto edge = dirichlet ? Lamina::PanelEdge::dirichlet : Lamina::PanelEdge::zero_flux;
    return {Lamina::CubedSpherePanel(size_x, size_y).graph(edge),
            Lamina::VerticalGrid::graded(num_levels, depth),
            paper_parameters(std::max(size_x, size_y))};
  }
  /// The same with a stratification.
  static HelmholtzCase stratified_panel(int size_x, int size_y, int num_levels) {
    auto parameters = paper_parameters(std::max(size_x, size_y));
    parameters.stratification = rough_stratification(num_levels);
    return {Lamina::CubedSpherePanel(size_x, size_y).graph(),
            Lamina::VerticalGrid::graded(num_levels, paper_depth), parameters};
  }

  int num_owned() const { return op.num_owned(); }
  int num_columns() const { return op.num_columns(); }
  int num_levels() const { return op.num_levels(); }
  std::size_t owned_size() const {
    return static_cast<std::size_t>(num_owned()) * static_cast<std::size_t>(num_levels());
  }
  std::size_t size() const {
    return static_cast<std::size_t>(num_columns()) * static_cast<std::size_t>(num_levels());
  }

  Reference::Matrix matrix() const { return Reference::helmholtz_matrix(horizontal, vertical); }
  Reference::Matrix line_matrix() const {
    return Reference::helmholtz_matrix(horizontal, vertical, false);
  }
  /// Relative error of the twin's solutions of M z = r: its printed entries hold the row sum to the
  /// rounding of the diagonal only.
  double twin_error() const {
    const auto m = line_matrix();
    const Values row_sums = m.multiply(Values(size(), 1.0));
    double stiffness = 0;
    for (int i = 0; i < static_cast<int>(row_sums.size()); ++i) {
      stiffness = std::max(stiffness, m.at(i, i) / row_sums[static_cast<std::size_t>(i)]);
    }
    return rounding<double>(1) * stiffness;
  }
  /// |T| V_k
  Values volumes() const {
    Values result;
    for (int c = 0; c < num_owned(); ++c) {
      for (double a : vertical.a)
        result.push_back(horizontal.area[static_cast<std::size_t>(c)] * a);
    }
    return result;
  }

  /// Roundings behind one value of A x: one for each entry of its row.
  double operations() const { return 3.0 + mesh.max_neighbours(); }

  Mesh mesh;
  Lamina::VerticalGrid vertical_grid;
  Lamina::HelmholtzParameters equation;
  Operator op;
  Reference::Horizontal horizontal;
  Reference::Vertical vertical;
};

inline Values first_entries(Values values, std::size_t count) {
  values.resize(count);
  return values;
}

/// Where tests meet every number of columns a side and every number of levels, in few combinations.
struct PanelSize {
  int columns, levels;
};
inline constexpr PanelSize panel_sizes[] = {
    {1, 1},   {1, 2},    {1, 33}, {1, 128}, {2, 1},  {2, 3},    {2, 33},  {3, 2},
    {3, 7},   {3, 128},  {5, 1},  {5, 3},   {5, 33}, {17, 1},   {17, 2},  {17, 7},
    {17, 33}, {17, 128}, {64, 1}, {64, 3},  {64, 7}, {64, 128}, {2, 1030}};

/// Checks the systems of these sizes, with either kind of edge.
template <class Case, class Check>
void for_each_panel(const Check& check) {
  for (const auto [columns, levels] : panel_sizes) {
    for (const bool dirichlet : {false, true}) {
      if (dirichlet && columns * columns * levels > 100000) continue;  // once is enough there
      SCOPED_TRACE(testing::Message() << columns << " columns a side, " << levels << " levels"
                                      << (dirichlet ? ", dirichlet" : ""));
      check(Case::panel(columns, columns, levels, dirichlet));
    }
  }
}

}  // namespace LaminaTest
