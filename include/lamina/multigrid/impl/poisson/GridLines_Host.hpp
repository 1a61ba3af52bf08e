// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Operations on one line of a level on CPU cores. Lines are addressed such that cell i is at i.

#include <lamina/device/impl/Access.hpp>
#include <lamina/device/impl/LanePairs_Host.hpp>
#include <lamina/multigrid/impl/poisson/GridLevel.hpp>

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace Lamina::Impl {
inline namespace LAMINA_LANES {

/// body.template operator()<Value>(i) for lanes of cells, and for the cells that are left.
template <class Scalar, class Body>
[[gnu::always_inline]] inline void for_cells(std::int64_t begin, std::int64_t end,
                                             const Body& body) {
  std::int64_t i = begin;
  for (; i + lane_count<Scalar> <= end; i += lane_count<Scalar>) {
    body.template operator()<Lanes<Scalar>>(i);
  }
  for (; i < end; ++i) body.template operator()<Scalar>(i);
}

/// body.template operator()<Value>(i, row) of cells of a line; the row of the last cell is another
/// one.
template <class Scalar, class Body>
[[gnu::always_inline]] inline void for_rows(const GridLevel<Scalar>& level, int line,
                                            const GridSpan& cells, const Body& body) {
  const int last = level.along.count - 1;
  const GridRow<Scalar> row = level.row(line, false);
  for_cells<Scalar>(cells.begin, std::min(cells.end, last),
                    [=]<class V>(std::int64_t i) { body.template operator()<V>(i, row); });
  if (cells.end > last) body.template operator()<Scalar>(last, level.row(line, true));
}

/// The coarser points that `cells` of a line take values from.
template <class Scalar>
GridSpan coarse_around(const GridDirection<Scalar>& along, const GridSpan& cells) {
  if (!along.halves) return cells;
  return GridSpan{cells.begin / 2 - 1, cells.end / 2 + 1}.widened(0, along.num_coarse());
}

/// c: prolonged across the lines to one of them, on `coarse` points; 0 beside them.
template <class Scalar>
void prolong_across(const GridEntries<Scalar>& entries, const GridField<const Scalar>& field,
                    const GridSpan& coarse, Scalar* c) {
  c[coarse.begin - 1] = c[coarse.end] = 0;
  const Scalar* const first = field.line(entries.first);
  const Scalar* const second = field.line(entries.second);
  for_cells<Scalar>(coarse.begin, coarse.end, [=]<class V>(std::int64_t i) {
    store(c + i, V(entries.first_factor * load<V>(first + i) +
                   entries.second_factor * load<V>(second + i)));
  });
}
/// to = x + P c along a line. \param x  null: 0
template <class Scalar>
void prolong_along(const GridDirection<Scalar>& along, const GridSpan& cells, const Scalar* c,
                   const Scalar* x, Scalar* to) {
  const auto run = [&](auto has_x) {
    const auto at = [=](int i) {
      if constexpr (has_x) return x[i];
      return Scalar(0);
    };
    if (!along.halves) {
      for (int i = cells.begin; i < cells.end; ++i) to[i] = at(i) + c[i];
      return;
    }
    if (cells.begin % 2 == 1) to[cells.begin] = at(cells.begin) + c[cells.begin / 2];
    const int last = cells.end - cells.end % 2;
    int i = cells.begin + cells.begin % 2;
    for (; i + 2 * lane_count<Scalar> <= last; i += 2 * lane_count<Scalar>) {
      const Lanes<Scalar> behind = load_lanes(c + i / 2);
      LanePairs<Scalar> value{Scalar(0.5) * (load_lanes(c + i / 2 - 1) + behind), behind};
      if constexpr (has_x) {
        const LanePairs<Scalar> before = load_pairs(x + i);
        value.first += before.first;
        value.second += before.second;
      }
      store_pairs(to + i, value);
    }
    for (; i < last; i += 2) {
      to[i] = at(i) + Scalar(0.5) * (c[i / 2 - 1] + c[i / 2]);
      to[i + 1] = at(i + 1) + c[i / 2];
    }
    if (cells.end % 2 == 1) {
      const auto [before, behind, factor_before, factor_behind] = along.entries(last);
      to[last] = at(last) + factor_before * c[before] + factor_behind * c[behind];
    }
  };
  if (x == nullptr) return run(std::false_type());
  run(std::true_type());
}

/// to = P^T fine along a line, at `coarse` points. Behind the last fine point is a 0.
template <class Scalar>
void restrict_along(const GridDirection<Scalar>& along, const GridSpan& coarse,
                    const Scalar* __restrict fine, Scalar* __restrict to) {
  if (!along.halves) {
    std::copy(fine + coarse.begin, fine + coarse.end, to + coarse.begin);
    return;
  }
  int n = coarse.begin;
  for (; n + lane_count<Scalar> <= coarse.end; n += lane_count<Scalar>) {
    const LanePairs<Scalar> pairs = load_pairs(fine + 2 * n);
    store_lanes(to + n,
                Lanes<Scalar>(Scalar(0.5) * (pairs.first + load_pairs(fine + 2 * n + 2).first) +
                              pairs.second));
  }
  for (; n < coarse.end; ++n) {
    to[n] = Scalar(0.5) * (fine[2 * n] + fine[2 * n + 2]) + fine[2 * n + 1];
  }
  const int last = along.count - 1;
  if (last % 2 == 0 && coarse.end == along.num_coarse() && coarse.end > coarse.begin) {
    to[coarse.end - 1] += (along.share - Scalar(0.5)) * fine[last];
  }
}

}  // namespace LAMINA_LANES
}  // namespace Lamina::Impl
