// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Transfers on CPU cores, where levels are contiguous.

#include <lamina/core/impl/ExtentOf.hpp>
#include <lamina/device/impl/HostWork.hpp>
#include <lamina/device/impl/Lanes_Host.hpp>
#include <lamina/multigrid/impl/CycleLevel.hpp>
#include <lamina/multigrid/impl/SmoothTiles_Host.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace Lamina::Impl {
inline namespace LAMINA_LANES {

/// to = P^T r, r being the residuals of a tile.
template <class Scalar>
void restrict_tile(const TiledRestriction<Scalar>& restriction, int tile, int num_levels,
                   const RowField<Scalar>& r, const RowField<Scalar>& to) {
  constexpr int lanes = lane_count<Scalar>;
  for (int place = restriction.first_coarse(tile); place < restriction.first_coarse(tile + 1);
       ++place) {
    Scalar* const target = &to(restriction.coarse(place), 0);
    const int begin = restriction.first_entry(place), end = restriction.first_entry(place + 1);
    int k = 0;
    for (; k + lanes <= num_levels; k += lanes) {
      Lanes<Scalar> sum{};
      for (int n = begin; n < end; ++n) {
        sum += restriction.weights(n) * load_lanes(&r(restriction.entries(n), k));
      }
      store_lanes(target + k, sum);
    }
    for (; k < num_levels; ++k) {
      Scalar sum = 0;
      for (int n = begin; n < end; ++n)
        sum += restriction.weights(n) * r(restriction.entries(n), k);
      target[k] = sum;
    }
  }
}

/// to = P^T (f - A x) over the share of one worker.
template <class Scalar>
void restrict_share(const CycleLevel<Scalar, Kokkos::HostSpace>& level,
                    const RowField<const Scalar>& f, const RowField<const Scalar>& x,
                    const RowField<Scalar>& to, int worker) {
  const auto& restriction = level.restriction;
  const int num_levels = level.system.topology.num_levels;
  const auto most_fine = static_cast<std::size_t>(restriction.most_fine);
  const RowField<Scalar> residuals(
      level.residuals.data() +
          static_cast<std::size_t>(worker) * most_fine * static_cast<std::size_t>(num_levels),
      most_fine, static_cast<std::size_t>(num_levels));
  const WorkRange tiles = share_of(worker, level.lines.num_workers(), restriction.num_tiles());
  for (auto tile = static_cast<int>(tiles.begin); tile < static_cast<int>(tiles.end); ++tile) {
    const int first = restriction.first_fine(tile), end = restriction.first_fine(tile + 1);
    int begin = first;  // of columns that follow each other
    while (begin < end) {
      const std::int64_t column = restriction.fine(begin);
      int last = begin + 1;
      while (last < end && restriction.fine(last) == column + last - begin) ++last;
      store_residual(level.system, x, f, {column, column + last - begin}, residuals, begin - first);
      begin = last;
    }
    restrict_tile(restriction, tile, num_levels, residuals, to);
  }
}

/// x += P c over the share of one worker.
template <class Scalar>
void prolong_share(const CycleLevel<Scalar, Kokkos::HostSpace>& level,
                   const RowField<const Scalar>& c, const RowField<Scalar>& x, int worker) {
  const int num_levels = level.system.topology.num_levels;
  const auto& [columns, weights] = level.prolongation;
  const WorkRange share =
      share_of(worker, level.lines.num_workers(), static_cast<std::int64_t>(columns.extent(0)));
  for (std::int64_t column = share.begin; column < share.end; ++column) {
    static_assert(Prolongation<Scalar, Kokkos::HostSpace>::slots == 3);
    const Scalar w0 = weights(column, 0), w1 = weights(column, 1), w2 = weights(column, 2);
    const Scalar *const c0 = &c(columns(column, 0), 0), *const c1 = &c(columns(column, 1), 0),
                        *const c2 = &c(columns(column, 2), 0);
    Scalar* const to = &x(column, 0);
    for (int k = 0; k < num_levels; ++k) to[k] += w0 * c0[k] + w1 * c1[k] + w2 * c2[k];
  }
}

}  // namespace LAMINA_LANES
}  // namespace Lamina::Impl
