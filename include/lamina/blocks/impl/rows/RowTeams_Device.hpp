// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// How the teams of a device share the rows of a block-sparse matrix.

#include <lamina/blocks/impl/Tuning.hpp>
#include <lamina/device/impl/AsyncCopy_Device.hpp>
#include <lamina/device/impl/Backend.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace Lamina::Impl {

inline const TeamLimits& limits_of(int threads) {
  for (const TeamLimits* limits : {&warp_limits, &small_limits, &large_limits}) {
    if (threads == limits->threads) return *limits;
  }
  return largest_limits;
}

/// The shape of a team, and of its scratch.
struct RowTeams {
  int size = 1;              ///< of a block
  int threads = 1;           ///< of a team
  int splits = 1, rows = 1;  ///< of a chunk; splits * rows * size threads have work
  int columns = 1;           ///< of a tile
  int value_bytes = 1;       ///< of an entry off the diagonal

  /// Blocks up to this size have kernels of their own.
  static constexpr int max_fixed_size = 8;

  /// \param blocks  of a row, on average
  /// \param fit     threads of a kernel, at least
  static RowTeams of(int size, int num_rows, double blocks, int value_bytes, std::int64_t fit) {
    RowTeams teams;
    teams.size = size;
    teams.value_bytes = value_bytes;
    constexpr int warp = warp_limits.threads;
    teams.threads = size <= max_fixed_size         ? small_limits.threads
                    : size <= warp / 2             ? warp
                    : size <= large_limits.threads ? large_limits.threads
                                                   : (size + warp - 1) / warp * warp;
    teams.share_rows(num_rows, blocks, fit);
    teams.cut_tiles(blocks);
    return teams;
  }
  int num_chunks(int num_rows) const { return (num_rows + rows - 1) / rows; }

  // Bytes of scratch, each a multiple of `async_unit`.
  KOKKOS_FUNCTION int tile_bytes() const {
    return units(columns * size * value_bytes) + async_unit;
  }
  KOKKOS_FUNCTION int names_bytes() const { return units((columns / size + 2) * int{sizeof(int)}); }
  template <class Scalar>
  KOKKOS_FUNCTION int scratch_bytes() const {
    return tile_bytes() + 2 * names_bytes() +
           (columns + threads + rows * size) * int{sizeof(Scalar)};
  }

 private:
  KOKKOS_FUNCTION static int units(int bytes) {
    return (bytes + async_unit - 1) / async_unit * async_unit;
  }

  /// A large block fills a team with one row. More threads share the row of a small block where
  /// there are too few chunks for the whole device, as long as each thread has some columns.
  void share_rows(int num_rows, double blocks, std::int64_t fit) {
    const int most = threads / size;
    splits = size <= max_fixed_size ? BlockRowTuning::usual_splits(size) : most;
    while (2 * splits <= most && 2 * splits * BlockRowTuning::least_columns <= blocks * size &&
           static_cast<std::int64_t>(num_rows) * size * splits < fit) {
      splits *= 2;
    }
    rows = most / splits;
  }
  /// A tile has room for a little more than a mean chunk, or for an even part of it.
  void cut_tiles(double blocks) {
    const TeamLimits limits = limits_of(threads);
    const int entry = int{sizeof(double)};  // of the vectors, at most
    const double wanted = (BlockRowTuning::tile_room * blocks * rows + 1) * size,
                 tile_column = size * value_bytes,
                 scratch_column = tile_column + entry + 2.0 * int{sizeof(int)} / size,
                 rest = (threads + rows * size) * entry + 6 * async_unit,
                 parts = std::max(wanted * tile_column / limits.tile_bytes,
                                  wanted * scratch_column / (limits.scratch_bytes - rest));
    columns = std::max(1, static_cast<int>(wanted / std::max(1.0, std::ceil(parts))));
  }
};

/// The scratch of a team: a tile of columns, the column numbers of two chunks, the entries of x for
/// the tile, parts of sums, and results.
template <class Scalar>
struct RowScratch {
  char* tile;
  char* first_names;
  int names_bytes;
  Scalar *x, *parts, *q;

  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION RowScratch(const Team& team, const RowTeams& shape)
      : tile(static_cast<char*>(team.scratch())),
        first_names(tile + shape.tile_bytes()),
        names_bytes(shape.names_bytes()),
        x(reinterpret_cast<Scalar*>(first_names + 2 * names_bytes)),
        parts(x + shape.columns),
        q(parts + shape.threads) {}
  KOKKOS_FORCEINLINE_FUNCTION int* names(int slot) const {
    return reinterpret_cast<int*>(first_names + slot * names_bytes);
  }
};

}  // namespace Lamina::Impl
