// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// What is told about the way of a sweep on CPU cores.

#include <lamina/core/impl/KernelPath.hpp>
#include <lamina/device/impl/HostWork.hpp>
#include <lamina/sweeps/ColumnSystem.hpp>
#include <lamina/sweeps/impl/Rows_Host.hpp>

#include <cstdint>
#include <string>

namespace Lamina::Impl {
inline namespace LAMINA_LANES {

/// Part of the cells from which on a slower way is told: below it costs little.
inline constexpr std::int64_t told_part = 16;

/// What holds back part of a sweep; nothing where that part is small.
inline void add_reason(std::string& reason, std::int64_t part, std::int64_t whole,
                       const char* what) {
  if (part == 0 || told_part * part < whole) return;
  if (!reason.empty()) reason += "; ";
  reason += std::to_string(part) + " of " + std::to_string(whole) + " " + what;
}

/// A path in words: lanes run along the contiguous index.
template <class Layout, class Coefficients>
KernelPath host_path_text(const ColumnSystem<Coefficients>& system) {
  using Scalar = typename Coefficients::scalar_type;
  constexpr int lanes = lane_count<Scalar>;
  const auto& topology = system.topology;
  const std::int64_t columns = topology.num_owned, in_lanes = columns / lanes * lanes;
  std::int64_t many = 0, gathered = 0;
  for (std::int64_t column = 0; column < columns; ++column) {
    if (used_slots(topology, column) > 4) ++many;
  }
  KernelPath path;
  if constexpr (levels_contiguous<Layout>) {
    path.path = "lanes of levels";
    const int alone = topology.num_levels % lanes;
    add_reason(path.reason, alone, topology.num_levels, "levels fill no lanes");
  } else {
    path.path = "lanes of columns";
    for (std::int64_t column = 0; column < in_lanes; column += lanes) {
      if (!neighbours_contiguous<Scalar>(topology, column)) gathered += lanes;
    }
    add_reason(path.reason, gathered, columns, "columns gather neighbours");
    add_reason(path.reason, columns - in_lanes, columns, "columns fill no lanes");
  }
  add_reason(path.reason, many, columns, "columns have more than four neighbours");
  return path;
}

}  // namespace LAMINA_LANES
}  // namespace Lamina::Impl
