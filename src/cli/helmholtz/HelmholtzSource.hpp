// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <array>
#include <optional>
#include <vector>

#include "helmholtz/HelmholtzTask.hpp"
#include "helmholtz/columns/HelmholtzColumns.hpp"

namespace Lamina::Cli {

/// The generated right-hand side on a grid other than a panel: that of `RightHandSide`, where X and Y
/// are the first two coordinates of the centre of a column. On a plane they go from -1 to 1.
class HelmholtzSource {
 public:
  /// Of a problem with such a grid and right-hand side, which must outlive this object.
  explicit HelmholtzSource(const HelmholtzProblem& problem);

  /// Of f over a cell; 0 where it is dry.
  double integral(int column, int level) const;

 private:
  double value(std::size_t column, int level) const;

  const HelmholtzGrid& m_grid;
  std::optional<CellSizes> m_sizes;  // above bottoms
  RightHandSide m_rhs;
  int m_num_levels;
  std::vector<double> m_volumes;  // of the levels
  std::array<double, 2> m_middle{0, 0}, m_half{1, 1};
};

}  // namespace Lamina::Cli
