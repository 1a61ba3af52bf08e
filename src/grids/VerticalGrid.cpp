// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/grids/VerticalGrid.hpp>
#include <lamina/core/Require.hpp>

#include <cmath>
#include <string>
#include <utility>

namespace Lamina {
namespace {

void require_levels_and_depth(const char* function, int num_levels, double depth) {
  LAMINA_REQUIRE(num_levels >= 1, function,
                 "num_levels: expected at least 1, got " + std::to_string(num_levels));
  LAMINA_REQUIRE(std::isfinite(depth) && depth > 0, function,
                 "depth: expected a positive value, got " + std::to_string(depth));
}

double lowest_interface(VerticalMetric metric) { return metric == VerticalMetric::shell ? 1 : 0; }

}  // namespace

VerticalGrid::VerticalGrid(VerticalMetric metric, std::vector<double> interfaces,
                           std::vector<double> thicknesses)
    : m_metric(metric), m_interfaces(std::move(interfaces)), m_thicknesses(std::move(thicknesses)) {
  const bool shell = metric == VerticalMetric::shell;
  for (int k = 0; k < num_levels(); ++k) {
    const auto level = static_cast<std::size_t>(k);
    const double below = m_interfaces[level], above = m_interfaces[level + 1];
    LAMINA_REQUIRE((!shell || below > 0) && above > below && std::isfinite(above - below),
                   "VerticalGrid",
                   std::string("interfaces: expected ") + (shell ? "positive, " : "finite, ") +
                       "strictly increasing values, got " + std::to_string(below) + " then " +
                       std::to_string(above) + " at interface " + std::to_string(k + 1));
  }
}

VerticalGrid VerticalGrid::graded(int num_levels, double depth, VerticalMetric metric) {
  require_levels_and_depth("VerticalGrid::graded", num_levels, depth);
  std::vector<double> interfaces, thicknesses;
  for (int k = 0; k <= num_levels; ++k) {
    const double fraction = static_cast<double>(k) / num_levels;
    interfaces.push_back(lowest_interface(metric) + fraction * fraction * depth);
    // The difference of neighbouring interfaces would lose most digits of a thin level.
    const double levels_squared = static_cast<double>(num_levels) * num_levels;
    if (k < num_levels) thicknesses.push_back((2.0 * k + 1) * depth / levels_squared);
  }
  return {metric, std::move(interfaces), std::move(thicknesses)};
}

VerticalGrid VerticalGrid::uniform(int num_levels, double depth, VerticalMetric metric) {
  require_levels_and_depth("VerticalGrid::uniform", num_levels, depth);
  std::vector<double> interfaces;
  for (int k = 0; k <= num_levels; ++k) {
    interfaces.push_back(lowest_interface(metric) + depth * (static_cast<double>(k) / num_levels));
  }
  return {metric, std::move(interfaces),
          std::vector<double>(static_cast<std::size_t>(num_levels), depth / num_levels)};
}

VerticalGrid VerticalGrid::from_interfaces(std::vector<double> interfaces, VerticalMetric metric) {
  LAMINA_REQUIRE(interfaces.size() >= 2, "VerticalGrid::from_interfaces",
                 "interfaces: expected at least 2, got " + std::to_string(interfaces.size()));
  std::vector<double> thicknesses;
  for (std::size_t k = 0; k + 1 < interfaces.size(); ++k) {
    thicknesses.push_back(interfaces[k + 1] - interfaces[k]);
  }
  return {metric, std::move(interfaces), std::move(thicknesses)};
}

double VerticalGrid::volume(int level) const {
  const auto k = static_cast<std::size_t>(level);
  if (m_metric == VerticalMetric::flat) return m_thicknesses[k];
  const double below = m_interfaces[k], above = m_interfaces[k + 1];
  return m_thicknesses[k] * (above * above + above * below + below * below) / 3;
}

double VerticalGrid::interface_area(int k) const {
  const double r = m_interfaces[static_cast<std::size_t>(k)];
  return m_metric == VerticalMetric::flat ? 1 : r * r;
}

}  // namespace Lamina
