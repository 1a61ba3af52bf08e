// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Copies of fields on CPU cores from one layout to the other.

#include <lamina/core/Concepts.hpp>
#include <lamina/core/impl/ExtentOf.hpp>
#include <lamina/device/impl/HostWork.hpp>
#include <lamina/device/impl/Lanes_Host.hpp>
#include <lamina/grids/impl/Tuning.hpp>

#include <algorithm>
#include <cstdint>

namespace Lamina::Impl {
inline namespace LAMINA_LANES {

/// to = from over the share of one worker, where one of them has contiguous columns and the other one
/// contiguous levels.
template <class From, class To>
void turn_share(const From& from, const To& to, std::int64_t worker, std::int64_t workers) {
  using Scalar = typename To::value_type;
  constexpr int lanes = lane_count<Scalar>;
  constexpr std::int64_t tile = ColumnOrderTuning::tile_bytes / sizeof(Scalar);  // columns
  constexpr bool from_levels = levels_contiguous<typename From::array_layout>;
  const auto num_columns = static_cast<std::int64_t>(to.extent(0));
  const int num_levels = static_cast<int>(to.extent(1)), full = num_levels / lanes * lanes;
  const WorkRange tiles = share_of(worker, workers, ceil_divide(num_columns, tile));
  for (std::int64_t t = tiles.begin; t < tiles.end; ++t) {
    const std::int64_t begin = t * tile, end = std::min(begin + tile, num_columns),
                       whole = begin + (end - begin) / lanes * lanes;
    for (int k = 0; k < full; k += lanes) {
      for (std::int64_t c = begin; c < whole; c += lanes) {
        Lanes<Scalar> rows[extent_of<lanes>];
        for (int i = 0; i < lanes; ++i) {
          rows[i] = load_lanes(from_levels ? &from(c + i, k) : &from(c, k + i));
        }
        transpose_lanes<Scalar>(rows);
        for (int i = 0; i < lanes; ++i) {
          store_lanes(from_levels ? &to(c, k + i) : &to(c + i, k), rows[i]);
        }
      }
    }
    for (std::int64_t c = begin; c < end; ++c) {
      for (int k = c < whole ? full : 0; k < num_levels; ++k) to(c, k) = from(c, k);
    }
  }
}

}  // namespace LAMINA_LANES
}  // namespace Lamina::Impl
