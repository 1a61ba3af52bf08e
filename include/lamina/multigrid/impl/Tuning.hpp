// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

namespace Lamina::Impl {

/// Numbers of a multigrid cycle that were tuned, or wait for it.
///
///   PerfTest_Multigrid --benchmark_filter=cycle
struct CycleTuning {
  /// Device: threads of a team that restricts residuals, teams on a multiprocessor, levels that a
  /// team takes at most, levels of a thread where columns are contiguous, and bytes of residuals.
  static constexpr int restriction_threads = 256, restriction_teams = 4, restriction_levels = 8,
                       thread_levels = 4, restriction_bytes = 1 << 15;
  /// Teams for which a device makes smaller tiles of coarse columns.
  static constexpr int restriction_pieces = 1024;
  /// Device: whether residuals are restricted from scratch, or by a kernel of its own from memory.
  static constexpr bool restricts_in_scratch = false;
  /// Device, neighbouring columns contiguous: levels of a column that a thread transfers.
  static constexpr int transferred_levels = 8;
};

/// Cells of a tile that smooths a two-dimensional level on CPU cores; an even number. A tile has 18 lines of
/// them in scratch.
///
///   PerfTest_MultigridPoisson --benchmark_filter=cycle
struct SmoothTileTuning {
  static constexpr int cells = 2048;
};

}  // namespace Lamina::Impl
