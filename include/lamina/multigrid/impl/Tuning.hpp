// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

namespace Lamina::Impl {

/// Numbers of a multigrid cycle that were tuned, or wait for it.
///
///   PerfTest_Multigrid --benchmark_filter=cycle
struct CycleTuning {
  /// Device, neighbouring columns contiguous: levels of a column that a thread transfers.
  static constexpr int transferred_levels = 4;
  /// CPU cores, levels contiguous: the same.
  ///   PerfTest_MultigridColumns --benchmark_filter=LayoutRight,OpenMP
  static constexpr int transferred_host_levels = 32;
  /// Columns whose values a thread of a restriction loads before it adds them up.
  static constexpr int restricted_columns = 8;
  /// Device: threads of a team of a transfer.
  static constexpr int transferring_threads = 128;
};

/// Cells of a tile that smooths a two-dimensional level on CPU cores; an even number. A tile has 18 lines of
/// them in scratch.
///
///   PerfTest_MultigridPoisson --benchmark_filter=cycle
struct SmoothTileTuning {
  static constexpr int cells = 2048;
};

/// Device: threads of a team that smooths a two-dimensional level, and teams on a multiprocessor.
///
///   PerfTest_MultigridPoisson --benchmark_filter=cycle
struct GridMarchTuning {
  static constexpr int threads = 128, teams = 5;
  /// Lines whose loads are in flight together, an even number.
  static constexpr int lines_together = 4;
  /// Lines of a band, at least, and rounds of teams, at most.
  static constexpr int least_lines = 8, most_rounds = 8;
  /// Points of a level, at most, that one team takes with all coarser ones, and its threads.
  static constexpr int team_points = 1024, team_threads = 512;
};

}  // namespace Lamina::Impl
