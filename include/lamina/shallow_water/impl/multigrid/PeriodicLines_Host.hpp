// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Linear interpolation along a line of a periodic direction on CPU cores, and its transpose.

#include <lamina/device/impl/LanePairs_Host.hpp>
#include <lamina/shallow_water/impl/multigrid/CellTransfer.hpp>

namespace Lamina::Impl {
inline namespace LAMINA_LANES {

/// to += P ((1 - share) a + share b) along a line, where a and b are coarser lines.
template <class Scalar>
void add_prolonged(const CellTransfer<Scalar>& along, const Scalar* a, const Scalar* b,
                   Scalar share, Scalar* __restrict to) {
  const int count = along.axis.count, coarse = along.num_coarse();
  const Scalar rest = 1 - share, quarter(0.25), three_quarters(0.75);
  const auto add_to_cell = [&](int i) {
    const auto entry = along.entry(i);
    const auto at = [&](int n) {
      n += n < 0 ? coarse : n >= coarse ? -coarse : 0;
      return rest * a[n] + share * b[n];
    };
    to[i] += (1 - entry.share) * at(entry.in) + entry.share * at(entry.beside);
  };
  for (int i = 0; i < 2 && i < count; ++i) add_to_cell(i);
  int n = 1;
  // Both cells are regular up to coarser cell coarse - 3.
  for (; n + lane_count<Scalar> <= coarse - 2; n += lane_count<Scalar>) {
    const auto at = [&](int place) {
      return Lanes<Scalar>(rest * load_lanes(a + place) + share * load_lanes(b + place));
    };
    const Lanes<Scalar> centre = three_quarters * at(n);
    LanePairs<Scalar> x = load_pairs(to + 2 * n);
    x.first += centre + quarter * at(n - 1);
    x.second += centre + quarter * at(n + 1);
    store_pairs(to + 2 * n, x);
  }
  for (int i = 2 * n; i < count; ++i) add_to_cell(i);
}

/// P^T r along a line takes the place of the first cells. Cells -1 and `count` repeat those of the other end.
template <class Scalar>
void restrict_in_place(const CellTransfer<Scalar>& along, Scalar* r) {
  const int coarse = along.num_coarse();
  const Scalar quarter(0.25), three_quarters(0.75);
  const auto restrict_to = [&](int n) {
    Scalar sum = 0;
    for (int i = along.first_with(n); i < along.end_with(n); ++i) sum += along.factor(i, n) * r[i];
    r[n] = sum;
  };
  restrict_to(0);
  int n = 1;
  for (; n + lane_count<Scalar> <= coarse - 2; n += lane_count<Scalar>) {
    const Lanes<Scalar> before = load_pairs(r + 2 * n - 2).second,
                        behind = load_pairs(r + 2 * n + 2).first;
    const LanePairs<Scalar> centre = load_pairs(r + 2 * n);
    store_lanes(r + n, Lanes<Scalar>(quarter * (before + behind) +
                                     three_quarters * (centre.first + centre.second)));
  }
  for (; n < coarse; ++n) restrict_to(n);
}

}  // namespace LAMINA_LANES
}  // namespace Lamina::Impl
