// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Numbers of the block kernels that were tuned. Above each struct stands the benchmark that decides
// it; docs/developer/tuning.md tells what the alternatives cost.

#include <lamina/device/impl/Backend.hpp>

#include <Kokkos_Macros.hpp>

namespace Lamina::Impl {

/// Sweeps over slices of block rows on a device, for blocks of up to 16 rows (`SweepSlices`). A
/// colour has few rows where one lane to each row would not keep the device busy.
///
///   PerfTest_PointImplicit --benchmark_filter='sweep<inverse.*Cuda'
struct BlockSliceTuning {
  /// A colour has few rows where the lanes of many rows are less than 1 / `few_share` of all
  /// threads.
  static constexpr int few_share = 32;
  /// Lanes of a row, of many rows. A lane with several components reads an entry of x once for all
  /// of them. The number divides the size.
  KOKKOS_FUNCTION static constexpr int lanes_of_many(int size) {
    constexpr int lanes[] = {1, 1, 1, 1, 1, 1, 1, 8, 3, 5, 11, 4, 13, 7, 5, 16};
    return lanes[size - 1];
  }
  /// Whether blocks of many rows are loaded a batch ahead. Not measured in double precision.
  KOKKOS_FUNCTION static constexpr bool early_blocks_of_many(int size) {
    return size == 2 || (5 <= size && size <= 7) || size == 9;
  }
  /// Blocks of a batch, whose loads are in flight together. `words`: 4 bytes of a lane's part of a
  /// block.
  static constexpr int batch_of_many(int words, int lanes) {
    return words <= 2 ? 4 : words <= 10 || (words <= 18 && lanes == 1) ? 2 : 1;
  }
  KOKKOS_FUNCTION static constexpr int batch_of_few(int size) {
    return size <= 2 ? 4 : size <= 8 ? 2 : 1;
  }
  /// Warps that share a slice, at most: 8 or 16 blocks of few rows are in flight together.
  KOKKOS_FUNCTION static constexpr int most_splits(int size, bool few_rows) {
    return few_rows && batch_of_few(size) < 4 ? 8 : 4;
  }
  /// Right-hand sides of a kernel, at most: their sums stay in registers. `components`: of a lane.
  KOKKOS_FUNCTION static constexpr int most_rhs(int components) { return components <= 5 ? 8 : 4; }
  /// Whether b is loaded before the products. It stays in registers as long as they take.
  KOKKOS_FUNCTION static constexpr bool early_rhs(bool few_rows, int num_rhs) {
    return few_rows || num_rhs == 1;
  }
  /// Entries of x that a lane of few rows loads at once: `widest` from this size on.
  static constexpr int least_wide_size = 8;
  /// Threads of few rows on a multiprocessor. More have no registers.
  static constexpr int busy_threads = 768;
  /// The same for a kernel of so many right-hand sides.
  static constexpr int busy_threads_of(int num_rhs) {
    return num_rhs > 1 ? busy_threads / 3 * 2 : busy_threads;
  }
  /// Registers of a lane of many rows for addresses. With fewer, registers spill; with more, too
  /// few threads hide the latency of memory.
  static constexpr int spare_registers(int lanes, int num_rhs) {
    return lanes > 8 ? 30 : lanes == 8 && num_rhs == 4 ? 16 : 55;
  }
  /// Teams of many rows on a multiprocessor.
  static constexpr int least_teams = 2, most_teams = 8;
  /// The same of a rank among several, at least, with blocks in single precision: as many as fit of
  /// the kernel of one process, which would take a few registers less. `teams`: its least number.
  static constexpr int teams_of_rank(int size, int teams) {
    const int fitting = size == 5 || size == 9 ? 5 : size == 10 ? 6 : 0;
    return teams < fitting ? fitting : teams;
  }
};

/// Copies of blocks and inverses to slices on a device (`FillSlices`).
///
///   PerfTest_PointImplicit --benchmark_filter='update<inverse.*Cuda'
struct FillSliceTuning {
  /// Threads of a team, and teams on a multiprocessor, at least.
  static constexpr int threads = 64, min_teams = 12;
  /// Bytes of a tile of several steps, at most. `few_of_slice`: of few rows of a slice.
  static constexpr int tile_bytes(bool few_of_slice) { return few_of_slice ? 12288 : 4096; }
  static constexpr int most_steps = 16;  ///< of a tile
  /// Values of a thread whose loads are in flight together.
  static constexpr int values_ahead = 8;
};

/// Bounds of kernels with teams of so many threads, and the bytes of scratch that they leave a
/// team: of a tile, and in all.
struct TeamLimits {
  int threads, min_teams, tile_bytes, scratch_bytes;
};

/// Block rows on a device by way of scratch: blocks of more than 16 rows, LU factors, residuals
/// (`DeviceBlockRows`). The limits were found with 227 kB of scratch on a multiprocessor.
///
///   PerfTest_PointImplicit --benchmark_filter='(sweep<lu|apply).*Cuda'
inline constexpr TeamLimits small_limits{64, 10, 12288, 22016}, large_limits{128, 6, 32768, 36864},
    largest_limits{1024, 1, 20480, 40960},
    warp_limits = warp_lanes == 32 ? TeamLimits{32, 20, 8192, 10240} : small_limits;
struct BlockRowTuning {
  /// Threads that share a row of a small block, where there are enough rows. Few threads, because
  /// their sums are combined; but a tile should hold most of a chunk, and rows of a chunk of powers
  /// of two would share banks of scratch.
  static constexpr int usual_splits(int size) { return size == 3 || size == 5 ? 1 : 2; }
  /// Columns of a thread, at least, where more threads share a row.
  static constexpr int least_columns = 4;
  /// Threads of a kernel, at least, as a share of all threads of the device.
  static constexpr int least_share = 4;
  /// Room of a tile over the mean size of a chunk.
  static constexpr double tile_room = 1.04;
  /// Values of a factor that a thread reads before it uses them.
  static constexpr int factor_batch = 8;
};

/// Block rows on CPU cores: lanes run over the rows of a block (`HostBlockRows`).
///
///   PerfTest_PointImplicit --benchmark_filter='sweep.*OpenMP'
struct BlockHostTuning {
  /// Bytes of a vector for blocks whose columns fit into it. Larger blocks take the longest
  /// vectors.
  static constexpr int short_vector_bytes = 32;
  /// Vectors of a stripe of a block row, at most. They stay in registers.
  static constexpr int stripe_vectors = 8;
  /// Independent sums over the columns of a stripe.
  static constexpr int chains(int vectors) { return vectors == 1 ? 4 : vectors < 4 ? 2 : 1; }
  /// Prefetch distance for x, in blocks, and the sizes of blocks that have it. Smaller ones lose
  /// more than they gain; larger ones would fill the second-level cache.
  static constexpr int blocks_ahead = 24, least_size_ahead = 3, most_size_ahead = 64;
  /// Rows of a worker, at least.
  static constexpr int least_rows = 8;
  /// Right-hand sides that a stripe is multiplied by together, at most, a power of two: their sums
  /// take up to 3/4 of the vector registers.
  static constexpr int most_sides(int vectors, int registers) {
    const int sums = chains(vectors) * vectors, most = registers / 4 * 3;
    return 4 * sums <= most ? 4 : 2 * sums <= most ? 2 : 1;
  }
  /// Several right-hand sides: bytes of the rows that stay in cache for all of them, half a small
  /// first-level cache.
  static constexpr double cache_bytes = 16384;
};

/// Factors and inverses of diagonal blocks on a device: of small blocks in registers
/// (`PrepareInRegisters`), inverses of larger ones in the registers of several lanes
/// (`InvertInWarps`), all others in memory (`PrepareBlock`).
///
///   PerfTest_PointImplicit --benchmark_filter='update.*Cuda'
struct PrepareTuning {
  /// The largest block that a thread prepares in its registers.
  static constexpr int max_size_in_registers = 8;
  /// Threads of a team of such blocks, and the registers of a thread besides a block and a column.
  static constexpr int threads_of_small = 64, spare_registers = 62;
  /// The largest block that lanes of a warp invert in their registers, at most 16. Threads of a
  /// team of them, and teams on a multiprocessor, at least.
  static constexpr int max_size_in_warps = 16, threads_of_inverses = 128, teams_of_inverses = 3;
  /// Threads of a team of all other blocks, and lanes that share a block.
  static constexpr int threads = 256, lanes = 32;
};

/// New values of a matrix on a device (`UpdateRows`).
///
///   PerfTest_PointImplicit --benchmark_filter='update<lu.*Cuda'
struct UpdateTuning {
  /// Threads of a team, and teams on a multiprocessor, at least.
  static constexpr int threads = 256, min_teams = 4;
  /// Lanes of a row.
  static constexpr int lanes(int size) { return size <= 2 ? 16 : 32; }
  /// Values of a lane whose loads are in flight together: of small blocks, which are compiled
  /// apart, and of larger ones.
  static constexpr int batch_of_small = 8, batch_of_large = 4;
};

}  // namespace Lamina::Impl
