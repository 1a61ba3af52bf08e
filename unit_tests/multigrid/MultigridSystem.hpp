// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/multigrid/ColumnHierarchy.hpp>
#include <lamina/multigrid/MultigridPreconditioner.hpp>

#include <support/TestField.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace LaminaTest {

/// omega^2 for which omega^2 alpha_T / |T| has this median; 1 without couplings.
inline double omega2_of(const Lamina::ColumnGraph& graph, double stiffness) {
  std::vector<double> rates(graph.areas.size(), 0.0);
  for (const auto& edge : graph.edges) {
    rates[static_cast<std::size_t>(edge.first)] += edge.length / edge.distance;
    rates[static_cast<std::size_t>(edge.second)] += edge.length / edge.distance;
  }
  for (std::size_t c = 0; c < rates.size(); ++c) rates[c] /= graph.areas[c];
  std::sort(rates.begin(), rates.end());
  const double median = rates[rates.size() / 2];
  return median > 0 ? stiffness / median : 1;
}

/// A hierarchy with its preconditioner.
template <class Scalar>
struct MultigridSystem {
  MultigridSystem(const Lamina::ColumnGraph& graph, const Lamina::VerticalGrid& vertical_grid,
                  const Lamina::HelmholtzParameters& parameters,
                  const Lamina::MultigridParameters& cycle = {})
      : grid(vertical_grid),
        equation(parameters),
        multigrid(TEST_SPACE(), Lamina::ColumnHierarchy(graph), grid, equation, cycle) {}
  /// Of this median of omega^2 alpha_T / |T|.
  MultigridSystem(const Lamina::ColumnGraph& graph, int num_levels, double stiffness,
                  const Lamina::MultigridParameters& cycle = {})
      : MultigridSystem(graph, Lamina::VerticalGrid::graded(num_levels, 0.0157),
                        {.omega2 = omega2_of(graph, stiffness), .lambda2 = 3.32e-2}, cycle) {}

  int num_columns() const { return multigrid.finest().num_columns(); }
  int num_levels() const { return multigrid.finest().num_levels(); }
  std::size_t size() const {
    return static_cast<std::size_t>(num_columns()) * static_cast<std::size_t>(num_levels());
  }

  Lamina::VerticalGrid grid;
  Lamina::HelmholtzParameters equation;
  Lamina::MultigridPreconditioner<Scalar, Memory> multigrid;
};

}  // namespace LaminaTest
