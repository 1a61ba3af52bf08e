// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Numbers of kernels of several components that were tuned. Above each struct stands the benchmark
// that decides it; docs/developer/tuning.md tells what the alternatives cost.

namespace Lamina::Impl {

/// Sweeps over columns, grids and marches on a device: a thread takes a chunk of a column
/// (`StencilChunks`).
///
///   PerfTest_Helmholtz --benchmark_filter='(apply|measure|advance).*Cuda'
///   PerfTest_Poisson --benchmark_filter='(apply|swept).*Cuda'
///   PerfTest_ShallowWater --benchmark_filter='tendency.*Cuda'
struct StencilTuning {
  /// Threads of a team.
  static constexpr int threads = 128;
  /// Teams on a multiprocessor, at least: enough warps to hide the latency of memory, with
  /// registers enough for the loads of a whole level.
  static constexpr int least_teams = 4;
  /// Levels of a chunk, at least, of columns that have as many.
  static constexpr int least_levels = 4;
};

/// The same where levels are contiguous: neighbouring threads share a column.
///
///   PerfTest_Helmholtz --benchmark_filter='(apply|measure|advance).*LayoutRight,Cuda'
///   PerfTest_Columns --benchmark_filter='LayoutRight,Cuda'
struct CellTuning {
  static constexpr int log2_warp = 5;
  /// Threads of a column have so many levels each, at least: few threads, and more than few.
  static constexpr int few_threads = 8, few_rounds = 3, many_rounds = 16;
  /// `few_threads` where coefficients are read for each cell: little belongs to columns, and a warp reads whole cache
  /// lines.
  static constexpr int few_threads_with_stored = 32;
  /// Levels that the threads could take in their rounds, beyond those that there are: one for so many, at most.
  static constexpr int most_idle = 6;
  /// Teams on a multiprocessor, at least: a thread has the loads of one cell in flight.
  static constexpr int least_teams = 8;
};

/// Packs of contiguous levels, of sweeps and cycles on a device.
///
///   PerfTest_MultigridColumns --benchmark_filter=Cuda
struct LevelPackTuning {
  /// Levels of a column that a thread takes at once, and threads of a team of a cycle.
  static constexpr int levels = 4, threads = 128;
  /// Teams of steps and of residuals on a multiprocessor, at least.
  template <class Value>
  static constexpr int teams = sizeof(Value) == 4 ? 8 : 5;
  /// Threads and teams of sweeps.
  static constexpr int sweep_threads = 512;
  template <class Value>
  static constexpr int sweep_teams = sizeof(Value) == 4 ? 2 : 1;
  /// That update a solution in double precision beside.
  static constexpr int updating_teams = 1;
  /// Neighbours of a column whose values and couplings a thread has in flight.
  template <class Value>
  static constexpr int neighbours = sizeof(Value) == 4 ? 4 : 2;
  /// Columns whose values a thread of a restriction has in flight.
  template <class Value>
  static constexpr int restricted = sizeof(Value) == 4 ? 8 : 4;
};

/// Sums over the teams of a kernel (`TeamParts`).
///
///   PerfTest_Helmholtz --benchmark_filter='fused_measure.*Cuda'
struct TeamSumTuning {
  /// Parts of teams that a thread reads before it adds them up.
  static constexpr int parts_in_flight = 4;
};

}  // namespace Lamina::Impl
