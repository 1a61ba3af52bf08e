// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Numbers of sweeps that were tuned. Above each struct stands the benchmark that decides it;
// docs/developer/tuning.md tells what the alternatives cost.

#include <lamina/device/impl/Tuning.hpp>

namespace Lamina::Impl {

/// Sweeps over columns on a device.
///
///   PerfTest_Helmholtz --benchmark_filter='(apply|measure|advance).*Cuda'
///   PerfTest_Pcg --benchmark_filter='fused.*irregular.*Cuda'
struct SweepTuning {
  /// Prefetch distance of single columns, in levels. Packs do better without.
  static constexpr int levels_ahead = 4;
  /// Levels whose loads are in flight together, where nothing is stored.
  static constexpr int levels_together = 4;
  /// Rounds of teams, at most, where nothing is stored: such teams stay together for longer than
  /// those that store.
  static constexpr int reading_rounds = 16;
};

/// Sweeps over pairs of packs: teams on a multiprocessor, at least (`pair_teams`).
///
///   PerfTest_Helmholtz --benchmark_filter='(apply|measure|advance).*Cuda'
struct PairTuning {
  static constexpr int apply = 4, residual = 4, measure = StencilTuning::least_teams, advance = 3;
  /// In double precision; in single precision such sweeps go over single packs.
  static constexpr int advance_and_update = 2;
  /// Levels of a walk, at least. With fewer, threads that are missing cost more than pairs save.
  static constexpr int least_levels = 6;
};

/// <z, A z> over edges on a device (`EdgeSumsShare`).
///
///   PerfTest_Helmholtz --benchmark_filter='fused_measure.*Cuda'
///   PerfTest_Pcg --benchmark_filter='fused.*(voronoi|irregular).*Cuda'
///   PerfTest_Columns --benchmark_filter=Cuda
struct EdgeSumTuning {
  /// Levels whose loads are in flight together, the prefetch distance in levels, or 0, and teams on a
  /// multiprocessor, at least.
  struct Levels {
    int together, ahead, least_teams;
  };
  static constexpr Levels two_sides{4, 12, 4}, few_sides{2, 12, 4}, pairs{2, 0, 4},
      stored_sides{2, 12, 4};
  /// `stored_sides` where values are in single precision beside fields in double precision.
  static constexpr Levels narrow_stored_sides{2, 12, 6};
};

/// Sweeps on CPU cores.
///
///   PerfTest_Pcg --benchmark_filter=OpenMP
///   PerfTest_Columns --benchmark_filter=OpenMP
///   PerfTest_Poisson --benchmark_filter=OpenMP
struct HostSweepTuning {
  /// Prefetch distance: beyond the page, at whose end the prefetching of the hardware stops.
  static constexpr int bytes_ahead = 8192;
  /// Neighbouring columns contiguous: bytes of a level of a tile. Rows should be long, and geometry
  /// and three levels of x of a tile stay in the second-level cache.
  static constexpr int tile_bytes = 8192;
  /// Grids: bytes of a piece of a line. Three lines stay in the first-level cache where nothing is
  /// stored. Stores past the caches want longer stretches; then three lines stay in the second
  /// level. With ghosts longer ones always are the faster ones.
  static constexpr int short_piece_bytes = 4096, long_piece_bytes = 16384;
};

}  // namespace Lamina::Impl
