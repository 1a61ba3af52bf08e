// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/columns/VerticalGrid.hpp>
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

}  // namespace

VerticalGrid::VerticalGrid(std::vector<double> interfaces, std::vector<double> thicknesses)
    : m_interfaces(std::move(interfaces)), m_thicknesses(std::move(thicknesses)) {
  for (int k = 0; k < num_levels(); ++k) {
    const auto level = static_cast<std::size_t>(k);
    LAMINA_REQUIRE(m_interfaces[level] > 0 && m_interfaces[level + 1] > m_interfaces[level] &&
                       std::isfinite(m_interfaces[level + 1]),
                   "VerticalGrid",
                   "interfaces: expected positive, strictly increasing values, got " +
                       std::to_string(m_interfaces[level]) + " then " +
                       std::to_string(m_interfaces[level + 1]) + " at interface " +
                       std::to_string(k + 1));
  }
}

VerticalGrid VerticalGrid::graded(int num_levels, double depth) {
  require_levels_and_depth("VerticalGrid::graded", num_levels, depth);
  std::vector<double> interfaces, thicknesses;
  for (int k = 0; k <= num_levels; ++k) {
    const double fraction = static_cast<double>(k) / num_levels;
    interfaces.push_back(1 + fraction * fraction * depth);
    // The difference of neighbouring interfaces would lose most digits of a thin level.
    const double levels_squared = static_cast<double>(num_levels) * num_levels;
    if (k < num_levels) thicknesses.push_back((2.0 * k + 1) * depth / levels_squared);
  }
  return {std::move(interfaces), std::move(thicknesses)};
}

VerticalGrid VerticalGrid::uniform(int num_levels, double depth) {
  require_levels_and_depth("VerticalGrid::uniform", num_levels, depth);
  std::vector<double> interfaces;
  for (int k = 0; k <= num_levels; ++k) {
    interfaces.push_back(1 + depth * (static_cast<double>(k) / num_levels));
  }
  return {std::move(interfaces),
          std::vector<double>(static_cast<std::size_t>(num_levels), depth / num_levels)};
}

VerticalGrid VerticalGrid::from_interfaces(std::vector<double> interfaces) {
  LAMINA_REQUIRE(interfaces.size() >= 2, "VerticalGrid::from_interfaces",
                 "interfaces: expected at least 2, got " + std::to_string(interfaces.size()));
  std::vector<double> thicknesses;
  for (std::size_t k = 0; k + 1 < interfaces.size(); ++k) {
    thicknesses.push_back(interfaces[k + 1] - interfaces[k]);
  }
  return {std::move(interfaces), std::move(thicknesses)};
}

double VerticalGrid::volume(int level) const {
  const auto k = static_cast<std::size_t>(level);
  const double below = m_interfaces[k], above = m_interfaces[k + 1];
  return m_thicknesses[k] * (above * above + above * below + below * below) / 3;
}

}  // namespace Lamina
