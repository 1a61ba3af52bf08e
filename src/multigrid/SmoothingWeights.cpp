// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/multigrid/MultigridPreconditioner.hpp>
#include <lamina/multigrid/impl/SmoothingWeights.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>

namespace Lamina::Impl {

std::vector<double> chebyshev_weights(int steps, double low, double high) {
  constexpr double pi = 3.14159265358979323846;
  std::vector<double> roots;
  for (int k = 0; k < steps; ++k) {
    const double cosine = std::cos((2 * k + 1) * pi / (2 * steps));
    roots.push_back((high + low) / 2 + (high - low) / 2 * cosine);
  }
  // Leja's order: the next root is the one that is farthest from those before, by their product.
  std::vector<double> weights;
  for (std::size_t n = 0; n < roots.size(); ++n) {
    std::size_t best = n;
    double best_product = -1;
    for (std::size_t i = n; i < roots.size(); ++i) {
      double product = n == 0 ? roots[i] : 1;
      for (std::size_t j = 0; j < n; ++j) product *= std::abs(roots[i] - roots[j]);
      if (product > best_product) {
        best = i;
        best_product = product;
      }
    }
    std::swap(roots[n], roots[best]);
    weights.push_back(1 / roots[n]);
  }
  return weights;
}

std::vector<double> smoothing_weights(int steps, const char* function) {
  constexpr std::array<double, 3> low{1.0 / 2, 1.0 / 3, 1.0 / 5};
  LAMINA_REQUIRE(steps >= 1 && steps <= static_cast<int>(low.size()), function,
                 "steps: expected 1 to 3, got " + std::to_string(steps));
  return chebyshev_weights(steps, low[static_cast<std::size_t>(steps) - 1], 2);
}

double largest_stiffness(const ColumnGraph& graph, double omega2) {
  std::vector<double> sums(graph.areas.size(), 0.0);
  const auto add = [&](int column, const auto& edge) {
    sums[static_cast<std::size_t>(column)] += edge.length / edge.distance;
  };
  for (const auto& edge : graph.edges) {
    add(edge.first, edge);
    add(edge.second, edge);
  }
  for (const auto& edge : graph.boundary_edges) add(edge.column, edge);
  double largest = 0;
  for (std::size_t c = 0; c < sums.size(); ++c) {
    largest = std::max(largest, omega2 * sums[c] / graph.areas[c]);
  }
  return largest;
}

std::vector<double> coarsest_weights(double stiffness) {
  constexpr int least = 2, most = 16;
  // A polynomial of this degree divides errors by cosh(degree acosh((1 + s) / s)): by 10 at least. That is as
  // good as a cycle of coarser levels, see docs/developer/tuning.md.
  const double degree = std::ceil(std::acosh(10.0) / std::acosh((1 + stiffness) / stiffness));
  const double low = 1 / (1 + stiffness);
  // Not a number where the stiffness is infinite
  const int steps = degree <= most ? std::max(least, static_cast<int>(degree)) : most;
  return chebyshev_weights(steps, low, 2 - low);
}

int count_used_levels(const std::vector<double>& stiffness, const MultigridParameters& parameters) {
  LAMINA_REQUIRE(parameters.max_levels >= 1, "MultigridPreconditioner",
                 "max_levels: expected at least 1, got " + std::to_string(parameters.max_levels));
  const int most = std::min(static_cast<int>(stiffness.size()), parameters.max_levels);
  for (int l = 0; l + 1 < most; ++l) {
    if (stiffness[static_cast<std::size_t>(l)] <= most_coarsest_stiffness) return l + 1;
  }
  return most;
}

}  // namespace Lamina::Impl
