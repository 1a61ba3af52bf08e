// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

namespace Lamina::Impl {

/// Copies between the order and layout of a caller and those of a solver (`ColumnOrder`).
///
///   PerfTest_Pcg --benchmark_filter='iteration<fused,'
struct ColumnOrderTuning {
  /// Device: columns and levels of a tile. A team uses whole sectors, also where levels are
  /// contiguous in one of the fields.
  static constexpr int tile_columns = 32, tile_levels = 8;
  /// Device, between layouts: columns and levels of a tile in scratch, threads of a team, and teams on a multiprocessor, at
  /// least.
  static constexpr int tile_width = 32, threads = 256, least_teams = 6;
  /// CPU cores: bytes of a level of a tile, whole cache lines.
  static constexpr int tile_bytes = 512;
};

}  // namespace Lamina::Impl
