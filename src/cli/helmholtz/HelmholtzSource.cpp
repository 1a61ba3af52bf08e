// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "helmholtz/HelmholtzSource.hpp"

#include <lamina/core/impl/SplitMix.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>

namespace Lamina::Cli {

using std::numbers::pi;

HelmholtzSource::HelmholtzSource(const HelmholtzProblem& problem)
    : m_grid(*problem.grid), m_rhs(*problem.generated_rhs), m_num_levels(problem.num_levels) {
  const VerticalGrid vertical = problem.vertical();
  for (int k = 0; k < m_num_levels; ++k) {
    m_volumes.push_back(vertical.volume(k));
    m_cosines.push_back(std::cos(pi * (k + 0.5) / m_num_levels));
  }
  if (m_grid.on_sphere()) return;
  const auto& points = m_grid.graph.centres.points;
  for (std::size_t d = 0; d < 2; ++d) {
    const auto [least, most] = std::minmax_element(
        points.begin(), points.end(), [d](const auto& a, const auto& b) { return a[d] < b[d]; });
    m_middle[d] = ((*least)[d] + (*most)[d]) / 2;
    m_half[d] = std::max((*most)[d] - (*least)[d], 1e-300) / 2;
  }
}

double HelmholtzSource::value(std::size_t column, int level) const {
  if (m_rhs == RightHandSide::constant) return 1;
  if (m_rhs == RightHandSide::rough) {
    const auto number = static_cast<std::uint64_t>(m_grid.original[column]);
    return Impl::unit_hash(static_cast<std::uint64_t>(m_num_levels) * number +
                           static_cast<std::uint64_t>(level));
  }
  const auto& centre = m_grid.graph.centres.points[column];
  const double x = (centre[0] - m_middle[0]) / m_half[0], y = (centre[1] - m_middle[1]) / m_half[1];
  return 1 + std::sin(pi * x) * std::cos(pi * y / 2) * m_cosines[static_cast<std::size_t>(level)] +
         x * y / 2;
}

double HelmholtzSource::integral(int column, int level) const {
  const auto c = static_cast<std::size_t>(column), k = static_cast<std::size_t>(level);
  return m_grid.graph.areas[c] * m_volumes[k] * value(c, level);
}

}  // namespace Lamina::Cli
