// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/blocks/impl/Tuning.hpp>
#include <lamina/blocks/impl/slices/BlockSlices.hpp>
#include <lamina/core/impl/ExtentOf.hpp>
#include <lamina/device/impl/Backend.hpp>
#include <lamina/device/impl/OverlappedTeams_Device.hpp>
#include <lamina/device/impl/Pack.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>

namespace Lamina::Impl {

/// Fills slices with new values. A team takes a group of rows of a slice, some steps at a time. Its
/// threads load blocks of a row together, with coalesced loads, and store them to the targets of the
/// update, if any, and to a tile in scratch. From the tile the values go to their places in units of
/// 16 bytes.
// traffic: with s = sizeof(Scalar), o = sizeof(OffDiagonal), per row of k blocks: reads
// k (o nb^2 + 8) + s nb^2 + 32 and writes k (2 o nb^2 + 4) + s nb^2; half storage reads and writes
// another 4 nb; without targets k o nb^2 less is written
template <class Scalar, class OffDiagonal, int Size, bool FewRows>
struct FillSlices {
  using Tuning = FillSliceTuning;
  static constexpr SliceShape shape{Size, FewRows};
  static constexpr int values = Size * Size, lanes = shape.lanes, slice_rows = shape.rows(),
                       components = shape.components(), block_values = shape.block_values(),
                       slice_places = shape.places();
  /// Whether a team takes a group of few rows of a slice, so that a load is long within a row: where
  /// a row has one lane. The units of 16 bytes of a group fill whole lines of memory.
  static constexpr bool few_of_slice = lanes == 1 && Size > 1;
  static constexpr int places = few_of_slice ? 8 : slice_places,
                       rows = few_of_slice ? places : slice_rows, groups = slice_places / places;
  static constexpr int threads = Tuning::threads, min_teams = Tuning::min_teams,
                       place_groups = threads / places;
  /// Steps of a tile.
  static constexpr int step_bytes = rows * values * int{sizeof(OffDiagonal)},
                       batch = std::clamp(Tuning::tile_bytes(few_of_slice) / step_bytes, 1,
                                          Tuning::most_steps),
                       tile_blocks = batch * rows, tile_values = tile_blocks * values;
  /// Of the blocks and rows of a tile. They are odd, so that neighbours are in different banks.
  static constexpr int stride = values | 1, row_stride = batch * stride | 1,
                       tile_room = rows * row_stride;

  struct Row {
    std::int64_t first;  ///< block
    std::int64_t begin;  ///< of the source
    int row, source, count;
  };
  struct Scratch {
    Row rows[extent_of<FillSlices::rows>];
    std::int64_t sources[extent_of<tile_blocks>];  ///< (row, step) of a tile, -1: none
    OffDiagonal tile[extent_of<tile_room>];
  };

  BlockRows<Scalar, OffDiagonal> matrix;
  BlockUpdate<Scalar, OffDiagonal> update;
  const Scalar* inverses;
  SlicedRows<Scalar, OffDiagonal> slices;

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    team.wait_for_previous();
    auto& scratch = *static_cast<Scratch*>(team.scratch());
    const int slice = team.league_rank() / groups, group = team.league_rank() % groups,
              rank = team.team_rank();
    if (rank < rows) {
      scratch.rows[rank] = row_of(std::int64_t{slice} * slice_rows + group * rows + rank);
    }
    team.team_barrier();
    const std::int64_t begin = slices.offsets[slice];
    const auto count = static_cast<int>(slices.offsets[slice + 1] - begin);
    for (int first = 0; first < count; first += batch) {
      const int steps = count - first < batch ? count - first : batch;
      find_sources(scratch, rank, first, steps, (begin + first) * slice_rows + group * rows);
      team.team_barrier();
      for (int n = rank; n < tile_values; n += ahead * threads) load_some(scratch, n, first);
      team.team_barrier();
      store(scratch, rank, steps, group * places, begin + first);
    }
    copy_inverses(scratch, rank, slice, group * places);
    if constexpr (row_scaled<OffDiagonal>) copy_scales(scratch, rank);
  }

 private:
  static constexpr int ahead = Tuning::values_ahead;

  KOKKOS_FORCEINLINE_FUNCTION Row row_of(std::int64_t n) const {
    const int row = slices.rows[n];
    if (row < 0) return {0, 0, -1, -1, 0};
    const int source = update.from.rows != nullptr ? update.from.rows[row] : row;
    const std::int64_t first = matrix.offsets[row];
    return {first, update.from.offsets[source], row, source,
            static_cast<int>(matrix.offsets[row + 1] - first)};
  }

  /// Finds the sources of the tile that begins with step `first` of its slice. Writes its columns.
  KOKKOS_FORCEINLINE_FUNCTION void find_sources(Scratch& scratch, int rank, int first, int steps,
                                                std::int64_t first_column) const {
    for (int n = rank; n < tile_blocks; n += threads) {
      const int row_of_tile = n / batch, step = n % batch, k = first + step;
      const Row& row = scratch.rows[row_of_tile];
      const bool exists = k < row.count;
      const std::int64_t block = row.first + k;
      if (step < steps) {
        slices.columns[first_column + step * slice_rows + row_of_tile] =
            exists ? matrix.columns[block] : -1;
      }
      const int* const sources = update.from.places;
      scratch.sources[n] = exists ? row.begin + (sources != nullptr ? sources[block] : k) : -1;
    }
  }

  /// Loads values n, n + threads, ... of a tile.
  KOKKOS_FORCEINLINE_FUNCTION void load_some(Scratch& scratch, int n, int first) const {
    OffDiagonal loaded[extent_of<ahead>];
    LAMINA_DEVICE_UNROLL()
    for (int u = 0; u < ahead; ++u) {
      const int at = n + u * threads;
      const std::int64_t source = at < tile_values ? scratch.sources[at / values] : -1;
      loaded[u] =
          source < 0 ? OffDiagonal(0.0F) : update.from.blocks[source * values + at % values];
    }
    LAMINA_DEVICE_UNROLL()
    for (int u = 0; u < ahead; ++u) {
      const int at = n + u * threads, block = at / values;
      if (at >= tile_values) return;
      scratch.tile[block / batch * row_stride + block % batch * stride + at % values] = loaded[u];
      if (update.to.blocks == nullptr || scratch.sources[block] < 0) continue;
      const std::int64_t target = scratch.rows[block / batch].first + first + block % batch;
      update.to.blocks[target * values + at % values] = loaded[u];
    }
  }

  /// The index in a block of value n of a lane.
  KOKKOS_FORCEINLINE_FUNCTION static int value_of_block(int lane, int n) {
    return n / components * Size + lane * components + n % components;
  }

  /// A thread has one place. Threads with the same place share its units of 16 bytes.
  KOKKOS_FORCEINLINE_FUNCTION void store(const Scratch& scratch, int rank, int steps,
                                         int first_place, std::int64_t first_step) const {
    constexpr int width = 16 / int{sizeof(OffDiagonal)}, units = (block_values + width - 1) / width;
    const int place = rank % places, lane = place % lanes, row = place / lanes;
    if (row >= rows || rank >= place_groups * places) return;
    for (int n = rank / places; n < steps * units; n += place_groups) {
      const int step = n / units, first = n % units * width;
      store_unit<width>(scratch.tile + row * row_stride + step * stride, lane, first_place + place,
                        first, first + width < block_values ? first + width : block_values,
                        slices.values + (first_step + step) * (block_values * slice_places));
    }
  }
  /// Stores the values [first, end) of a lane, in smaller units where they do not fill one.
  template <int Width>
  KOKKOS_FORCEINLINE_FUNCTION static void store_unit(const OffDiagonal* block, int lane, int place,
                                                     int first, int end, OffDiagonal* to) {
    if (first + Width <= end) {
      Pack<OffDiagonal, Width> pack;
      for (int n = 0; n < Width; ++n) pack[n] = block[value_of_block(lane, first + n)];
      *reinterpret_cast<Pack<OffDiagonal, Width>*>(to + first * slice_places + place * Width) =
          pack;
      first += Width;
    }
    if constexpr (Width > 1) store_unit<Width / 2>(block, lane, place, first, end, to);
  }

  KOKKOS_FORCEINLINE_FUNCTION void copy_inverses(const Scratch& scratch, int rank,
                                                 std::int64_t slice, int first_place) const {
    const int place = rank % places, lane = place % lanes, row_of_slice = place / lanes;
    if (row_of_slice >= rows || rank >= place_groups * places) return;
    const int row = scratch.rows[row_of_slice].row;
    if (row < 0) return;
    const Scalar* const block = inverses + std::int64_t{row} * values;
    for (int n = rank / places; n < block_values; n += place_groups) {
      slices.inverses[(slice * block_values + n) * slice_places + first_place + place] =
          block[value_of_block(lane, n)];
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION void copy_scales(const Scratch& scratch, int rank) const {
    if (update.to.row_scales == nullptr) return;
    for (int n = rank; n < rows * Size; n += threads) {
      const Row& row = scratch.rows[n / Size];
      if (row.row < 0) continue;
      update.to.row_scales[std::int64_t{row.row} * Size + n % Size] =
          update.from.row_scales[std::int64_t{row.source} * Size + n % Size];
    }
  }
};

template <class Space, class Scalar, class OffDiagonal>
void fill_slices(const Space& space, const BlockRows<Scalar, OffDiagonal>& matrix,
                 const BlockUpdate<Scalar, OffDiagonal>& update, const Scalar* inverses,
                 const SlicedRows<Scalar, OffDiagonal>& slices) {
  with_slice_shape(slices.shape, [&]<int Size, bool FewRows>() {
    using Kernel = FillSlices<Scalar, OffDiagonal, Size, FewRows>;
    launch_teams<Kernel::threads, Kernel::min_teams>(
        "Lamina::PointImplicitSolver::fill_slices", space, slices.num_slices * Kernel::groups,
        Kernel::threads, sizeof(typename Kernel::Scratch), Kernel{matrix, update, inverses, slices},
        KernelStart::in_turn);
  });
}

}  // namespace Lamina::Impl
