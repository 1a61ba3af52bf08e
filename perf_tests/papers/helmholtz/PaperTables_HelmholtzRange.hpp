// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// The sizes of figures 6 and 7, and what they need.

#include <algorithm>
#include <vector>

#include "../../support/PanelSize.hpp"

namespace Lamina::Paper {

/// Panels of `num_levels` levels and 1 x 1, 2 x 1, 2 x 2, ... columns: those of `first` to `last`
/// unknowns, as far as an int counts columns.
inline std::vector<Perf::PanelSize> doubled_sizes(double first, double last, int num_levels) {
  constexpr int most_doublings = 30;
  std::vector<Perf::PanelSize> sizes;
  for (int n = 0; n <= most_doublings; ++n) {
    const Perf::PanelSize size{1 << (n + 1) / 2, 1 << n / 2, num_levels};
    if (size.cells() >= first && size.cells() <= last) sizes.push_back(size);
  }
  return sizes;
}

/// Geometry of a panel, while it is set up, on the host and on the device each.
inline double geometry_bytes(const Perf::PanelSize& size) {
  return 300.0 * size.num_x * size.num_y;
}
/// Right-hand side, solution and the four fields of the solver, scratch of the line solves (a value
/// for every eighth level; all of them where long columns do not fit on chip), and the geometry.
inline double needed_bytes(const Perf::PanelSize& size, double bytes_per_value) {
  constexpr int most_levels_on_chip = 1024;
  const double scratch = size.num_levels > most_levels_on_chip ? 1 : 0.125 + 4.0 / size.num_levels;
  return size.cells() * (6 + scratch) * bytes_per_value + geometry_bytes(size);
}

/// Iterations of the shorter of two solves: fewer of larger problems, and an even number, because
/// iterations of the recomputing form come in pairs.
inline int iterations_of(const Perf::PanelSize& size) {
  return 2 * static_cast<int>(std::clamp(0x1p26 / size.cells(), 2.0, 16.0));
}

}  // namespace Lamina::Paper
