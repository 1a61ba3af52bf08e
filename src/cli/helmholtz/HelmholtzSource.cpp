// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "helmholtz/HelmholtzSource.hpp"

#include <lamina/problems/SourceValue.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace Lamina::Cli {

HelmholtzSource::HelmholtzSource(const HelmholtzProblem& problem)
    : m_grid(*problem.grid), m_rhs(*problem.generated_rhs), m_num_levels(problem.num_levels) {
  if (problem.columns) m_sizes.emplace(problem, problem.columns->bottoms);
  const VerticalGrid vertical = problem.vertical();
  for (int k = 0; k < m_num_levels; ++k) {
    m_volumes.push_back(vertical.volume(k));
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
  const auto& centre = m_grid.graph.centres.points[column];
  const auto levels = static_cast<std::uint64_t>(m_num_levels);
  return source_value(m_rhs,
                      {.x = (centre[0] - m_middle[0]) / m_half[0],
                       .y = (centre[1] - m_middle[1]) / m_half[1],
                       .z = (level + 0.5) / m_num_levels,
                       .number = levels * static_cast<std::uint64_t>(m_grid.original[column]) +
                                 static_cast<std::uint64_t>(level)});
}

double HelmholtzSource::integral(int column, int level) const {
  const auto c = static_cast<std::size_t>(column), k = static_cast<std::size_t>(level);
  if (m_sizes) return m_sizes->volume(c, level) * value(c, level);
  return m_grid.graph.areas[c] * m_volumes[k] * value(c, level);
}

}  // namespace Lamina::Cli
