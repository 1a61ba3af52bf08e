// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/columns/CubedSpherePanel.hpp>
#include <lamina/columns/VerticalGrid.hpp>

#include <cstdint>
#include <string_view>

namespace Lamina {

/// Reproducible right-hand sides f of the model problem on a panel.
enum class RightHandSide {
  constant,  ///< f = 1: the solution is u = 1
  smooth,    ///< f = 1 + sin(pi X) cos(pi Y/2) cos(pi Z) + X Y/2 with X, Y in (-1, 1), Z in (0, 1)
  rough,     ///< f = `unit_hash`(l), l = num_levels * column + level: all frequencies alike
};

/// A pseudo-random value in [-1, 1), the same on every machine (splitmix64 of `index`).
double unit_hash(std::uint64_t index);

/// f in cell (i, j, k); the right-hand side of the discrete system is its integral
/// |T_ij| V_k f, see `fill_rhs`. Independent of the memory layout.
double rhs_value(RightHandSide rhs, const CubedSpherePanel& panel, int num_levels, int i, int j,
                 int k);

/// Fills a host field (column, level) of the panel with |T_ij| V_k f_ijk.
template <class HostField>
void fill_rhs(RightHandSide rhs, const CubedSpherePanel& panel, const VerticalGrid& grid,
              const HostField& field) {
  using Scalar = typename HostField::non_const_value_type;
  for (int i = 0; i < panel.num_x(); ++i) {
    for (int j = 0; j < panel.num_y(); ++j) {
      const double area = panel.area(i, j);
      for (int k = 0; k < grid.num_levels(); ++k) {
        field(panel.column(i, j), k) = static_cast<Scalar>(
            area * grid.volume(k) * rhs_value(rhs, panel, grid.num_levels(), i, j, k));
      }
    }
  }
}

}  // namespace Lamina
