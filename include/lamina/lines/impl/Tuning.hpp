// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Numbers of the line solves that were tuned. Above each struct stands the benchmark that decides
// it; docs/developer/tuning.md tells what the alternatives cost.

namespace Lamina::Impl {

/// Line solves on a device with the columns on chip: several threads share a column
/// (`LineSegments`, `FactoredSegments`).
///
///   PerfTest_LineSolver --benchmark_filter=Cuda
///   PerfTest_Helmholtz --benchmark_filter='precondition.*Cuda'
struct LineSegmentTuning {
  /// Threads of a team, at most.
  static constexpr int max_threads = 512;
  /// Columns that a team shares. With fewer, parts of a memory transaction are unused.
  static constexpr int least_columns = 8, most_columns = 64;
  /// Levels of a segment of `LineSolver`. A thread holds five values of each in registers.
  static constexpr int stored_levels = 8;
  /// Teams of `max_threads` on a multiprocessor, at least, of lines that keep their rows as `Scalar`.
  template <class Scalar>
  static constexpr unsigned least_teams = sizeof(Scalar) == sizeof(double) ? 1 : 2;
  /// Segments that are read ahead of the recurrence over them.
  static constexpr int segments_ahead = 8;

  /// Columns that a team takes, unless it would exceed `max_threads`, and its threads.
  struct Team {
    int columns, threads;
  };
  static constexpr Team contiguous_columns{16, 256};
  /// Levels begin with a sector of memory. A team takes `line_bytes` of a level.
  static constexpr int line_bytes = 128, sector_bytes = 32, aligned_threads = 160;
  /// Other levels.
  static constexpr Team unaligned_levels{32, 256};
  /// Scratch of a team, at most, unless it has `least_columns` already: what any device has.
  static constexpr int scratch_bytes = 64 << 10;
  /// One of so many places of teams stays free for kernels beside this one, at least: where fewer teams go
  /// a round more, they share tiles evenly.
  ///   mpirun -np 2 lamina_scaling_helmholtz
  static constexpr int room_share = 16;
  /// Rounds of teams, at most, where teams share sectors of memory.
  static constexpr int most_rounds = 16;
};

/// Line solves on CPU cores: a column to a vector lane (`solve_tile`).
///
///   PerfTest_LineSolver --benchmark_filter=OpenMP
struct LineTileTuning {
  /// Bytes of a level of a tile where levels are contiguous. The tile and its scratch must stay in
  /// the second-level cache; four vectors hide the latency of the recurrence.
  static constexpr int bytes_of_contiguous_levels = 256;
  /// The same where neighbouring columns are contiguous: several cache lines to a jump from level
  /// to level.
  static constexpr int bytes_of_contiguous_columns = 512;
};

/// Several right-hand sides of one `LineSolver`.
///
///   PerfTest_LineSolver --benchmark_filter=rhs:
struct RhsBatchTuning {
  /// Right-hand sides for which a launch reads the matrices once.
  static constexpr int most_rhs = 8;
};

/// Cyclic lines with constant coefficients (`CyclicToeplitzSolver`).
///
///   PerfTest_ShallowWater --benchmark_filter=mass
struct CyclicToeplitzTuning {
  /// Device, contiguous levels: threads of a team, teams on a multiprocessor, levels of a thread.
  static constexpr int along_threads = 128, along_least_teams = 8, along_levels = 8;
  /// Device, contiguous lines: bytes of a level, threads of a team, teams on a multiprocessor,
  /// levels of a team.
  static constexpr int across_bytes = 128, across_threads = 512, across_least_teams = 2,
                       across_levels = 512;
  /// CPU cores, contiguous levels: bytes of a piece of a line, half a first-level cache.
  static constexpr int piece_bytes = 1 << 14;
  /// CPU cores, contiguous lines: bytes of a level of a tile, its levels, and the prefetch distance
  /// in levels.
  static constexpr int block_bytes = 1024, tile_levels = 192, levels_ahead = 4;
};

}  // namespace Lamina::Impl
