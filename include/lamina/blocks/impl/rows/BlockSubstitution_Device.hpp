// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Forward and back substitution on a device with the factors of `factor_block`, one column after
// the other. A thread has one entry of x. When its entry is complete, it hands it to the other
// threads of its row.

#include <lamina/blocks/impl/Tuning.hpp>
#include <lamina/device/impl/Warp_Device.hpp>

#include <cstdint>

namespace Lamina::Impl {

/// One row of the factors of a diagonal block, or of its inverse: every `step`-th column from
/// `first` on. The loads of a batch of columns are in flight.
template <class Scalar>
struct FactorRow {
  static constexpr int batch = BlockRowTuning::factor_batch;

  const Scalar* values = nullptr;  ///< of column 0; none: there are no factors
  int first = 0, step = 1;
  Scalar ahead[batch], b = 0;

  KOKKOS_FORCEINLINE_FUNCTION void fetch(int size, int column) {
    for (int u = 0; u < batch; ++u) {
      const int c = column + u * step;
      ahead[u] = c < size ? values[static_cast<std::int64_t>(c) * size] : Scalar(0);
    }
  }
};

/// Calls forward(c, u) for all columns, then backward(c, u) for all from the last one on.
/// `ahead[u]` has the value of column c. The caller has fetched the first columns.
template <class Scalar, class Forward, class Backward>
KOKKOS_FORCEINLINE_FUNCTION void for_columns_of(FactorRow<Scalar>& factors, int size,
                                                const Forward& forward, const Backward& backward) {
  constexpr int batch = FactorRow<Scalar>::batch;
  for (int column = 0; column < size; column += batch) {
    if (column != 0) factors.fetch(size, column);
    for (int u = 0; u < batch && column + u < size; ++u) forward(column + u, u);
  }
  for (int column = (size - 1) / batch * batch; column >= 0; column -= batch) {
    if (size > batch) factors.fetch(size, column);
    for (int u = batch - 1; u >= 0; --u) {
      if (column + u < size) backward(column + u, u);
    }
  }
}

/// Substitutes through scratch with barriers, for blocks of any size. x: entries of the row; r: the
/// entry of this thread.
template <class Team, class Scalar>
KOKKOS_FORCEINLINE_FUNCTION Scalar substitute_in_team(const Team& team, int size, int r, bool owner,
                                                      FactorRow<Scalar>& factors, Scalar* x,
                                                      Scalar mine) {
  for_columns_of(
      factors, size,
      [&](int c, int u) {
        if (owner && r == c) x[c] = mine;
        team.team_barrier();
        if (owner && r > c) mine -= factors.ahead[u] * x[c];
      },
      [&](int c, int u) {
        if (owner && r == c) {
          mine *= factors.ahead[u];
          x[c] = mine;
        }
        team.team_barrier();
        if (owner && r < c) mine -= factors.ahead[u] * x[c];
      });
  return mine;
}

/// The entry of a thread, where a warp takes as many whole blocks at a time as fit.
struct WarpPlace {
  int at_once;  ///< blocks of a warp
  int row;      ///< of the chunk, in the first round
  int first_lane, component;
  bool exists;

  KOKKOS_FORCEINLINE_FUNCTION WarpPlace(int rank, int size)
      : at_once(warp_lanes / size),
        row(rank / warp_lanes * at_once + rank % warp_lanes / size),
        first_lane(rank % warp_lanes / size * size),
        component(rank % warp_lanes - first_lane),
        exists(rank % warp_lanes / size < at_once) {}
};

/// Substitutes by shuffles. All lanes of the warp call it together.
template <class Scalar>
KOKKOS_FORCEINLINE_FUNCTION Scalar substitute_in_warp(const WarpPlace& place, int size,
                                                      FactorRow<Scalar>& factors, Scalar mine) {
  const int r = place.component;
  for_columns_of(
      factors, size,
      [&](int c, int u) {
        const Scalar x = value_of_lane(place.first_lane + c, mine);
        if (r > c) mine -= factors.ahead[u] * x;
      },
      [&](int c, int u) {
        if (r == c) mine *= factors.ahead[u];
        const Scalar x = value_of_lane(place.first_lane + c, mine);
        if (r < c) mine -= factors.ahead[u] * x;
      });
  return mine;
}

}  // namespace Lamina::Impl
