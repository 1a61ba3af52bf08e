// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Copies between fields of a user and those of a cycle on a device, see `LevelPacks_Device.hpp`.

#include <lamina/core/Concepts.hpp>
#include <lamina/core/impl/ExtentOf.hpp>
#include <lamina/device/impl/Backend.hpp>
#include <lamina/device/impl/HostWork.hpp>
#include <lamina/device/impl/OverlappedTeams_Device.hpp>
#include <lamina/device/impl/TeamSums_Device.hpp>
#include <lamina/multigrid/impl/CycleLevel.hpp>
#include <lamina/multigrid/impl/LevelPacks_Device.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace Lamina::Impl {

/// Copies the owned columns of a user's field to one of a cycle, or, where that is constant, the other way round. Dry
/// cells at the ends of columns are left out, or become 0. A team takes a tile through its scratch, so that reads and writes are
/// coalesced.
template <class Field, class Packs, class Memory>
struct TurnTiles {
  using Scalar = std::remove_const_t<typename Packs::value_type>;
  static constexpr bool inwards = !std::is_const_v<typename Packs::value_type>;
  static constexpr int width = 32, levels = LevelPackTuning::levels,
                       threads = width * width / levels, rows = threads / width;
  static constexpr unsigned least_teams = 8;

  CycleGuard<Memory> guard;
  Field field;
  Packs packs;
  Kokkos::View<const int*, Memory> ends;  // (column): its levels until all are dry
  // Outwards, where there is an energy: that of the field with another one of the cycle
  Packs other{};
  TeamParts<Memory> parts{};
  double* energy = nullptr;

  KOKKOS_FUNCTION int num_columns() const { return static_cast<int>(ends.extent(0)); }
  KOKKOS_FUNCTION int tiles_of_columns() const { return (num_columns() + width - 1) / width; }
  KOKKOS_FUNCTION int num_tiles() const {
    return tiles_of_columns() * ((static_cast<int>(field.extent(1)) + width - 1) / width);
  }
  static constexpr std::size_t scratch_bytes() {
    constexpr std::size_t of_tile = width * (width + 1) * sizeof(Scalar);
    static_assert(of_tile >= threads * sizeof(double));
    return of_tile;
  }

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    auto* const tile = static_cast<Scalar*>(team.scratch());
    double sum = 0;
    team.wait_for_previous();
    const int end = guard.active() ? num_tiles() : 0;
    for (int n = team.league_rank(); n < end; n += team.league_size()) {
      const int first_column = n % tiles_of_columns() * width,
                first_level = n / tiles_of_columns() * width;
      if constexpr (inwards) {
        visit_cells(team.team_rank(), first_column, first_level, tile);
        team.team_barrier();
        take_pack(team.team_rank(), first_column, first_level, tile);
      } else {
        give_pack(team.team_rank(), first_column, first_level, tile, sum);
        team.team_barrier();
        visit_cells(team.team_rank(), first_column, first_level, tile);
      }
      team.team_barrier();
    }
    if constexpr (!inwards) {
      if (energy != nullptr) {
        parts.template add_up<1>(team, static_cast<double*>(team.scratch()), &sum, energy);
      }
    }
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION static int place(int column, int level) {
    return column * (width + 1) + level;
  }
  /// The pack of a thread in the field of the cycle.
  struct PackPlace {
    int column, level, in_tile;
    bool wet;
  };
  KOKKOS_FORCEINLINE_FUNCTION PackPlace pack_place(int rank, int first_column,
                                                   int first_level) const {
    constexpr int across = width / levels;
    const int c = rank / across, k = rank % across * levels, column = first_column + c,
              level = first_level + k;
    return {column, level, place(c, k), column < num_columns() && level < ends(column)};
  }
  KOKKOS_FORCEINLINE_FUNCTION void take_pack(int rank, int first_column, int first_level,
                                             const Scalar* tile) const {
    const PackPlace at = pack_place(rank, first_column, first_level);
    if (!at.wet) return;
    LevelPack<Scalar> pack;
    LAMINA_DEVICE_UNROLL()
    for (int i = 0; i < levels; ++i) pack[i] = tile[at.in_tile + i];
    store_levels(packs, at.column, at.level, pack);
  }
  KOKKOS_FORCEINLINE_FUNCTION void give_pack(int rank, int first_column, int first_level,
                                             Scalar* tile, double& sum) const {
    const PackPlace at = pack_place(rank, first_column, first_level);
    LevelPack<Scalar> pack{};
    if (at.wet) {
      pack = load_levels(packs, at.column, at.level);
      if (energy != nullptr) add_product(sum, pack, load_levels(other, at.column, at.level));
    }
    LAMINA_DEVICE_UNROLL()
    for (int i = 0; i < levels; ++i) tile[at.in_tile + i] = pack[i];
  }
  /// The cells of a thread in the other field, neighbouring ones in memory by neighbouring threads.
  KOKKOS_FORCEINLINE_FUNCTION void visit_cells(int rank, int first_column, int first_level,
                                               Scalar* tile) const {
    constexpr bool by_column = levels_contiguous<typename Field::array_layout>;
    const int num_levels = static_cast<int>(field.extent(1));
    Scalar values[extent_of<levels>];
    LAMINA_DEVICE_UNROLL()
    for (int i = 0; i < levels; ++i) {
      const int c = by_column ? rank / width + i * rows : rank % width,
                k = by_column ? rank % width : rank / width + i * rows, column = first_column + c,
                level = first_level + k;
      const bool exists = column < num_columns() && level < num_levels;
      if constexpr (inwards) {
        values[i] = exists && level < ends(column) ? field(column, level) : Scalar(0);
      } else {
        if (exists) field(column, level) = tile[place(c, k)];
      }
    }
    if constexpr (inwards) {
      LAMINA_DEVICE_UNROLL()
      for (int i = 0; i < levels; ++i) {
        const int c = by_column ? rank / width + i * rows : rank % width,
                  k = by_column ? rank % width : rank / width + i * rows;
        tile[place(c, k)] = values[i];
      }
    }
  }
};

template <class Space, class Field, class Packs, class Memory>
void run_turn(const char* label, const Space& space,
              const TurnTiles<Field, Packs, Memory>& kernel) {
  using Kernel = TurnTiles<Field, Packs, Memory>;
  // Teams that add up stay. There must be one, which sets a sum of nothing to 0.
  const std::int64_t fit = std::min<std::int64_t>(
                         teams_that_fit(space, Kernel::threads, Kernel::least_teams),
                         max_summing_teams),
                     most = kernel.energy == nullptr ? kernel.num_tiles() : fit;
  const auto teams = std::max<std::int64_t>(1, std::min<std::int64_t>(kernel.num_tiles(), most));
  launch_teams<Kernel::threads, Kernel::least_teams>(
      label, space, static_cast<int>(teams), Kernel::threads, Kernel::scratch_bytes(), kernel);
}
/// to = from.  traffic: reads n, writes n
template <class Space, class Scalar, class Layout, class Memory>
void turn_in(const char* label, const Space& space, const CycleGuard<Memory>& guard,
             const FieldView<const Scalar, Layout, Memory>& from,
             const FieldView<Scalar, Kokkos::LayoutRight, Memory>& to,
             const Kokkos::View<int*, Memory>& ends) {
  run_turn(
      label, space,
      TurnTiles<FieldView<const Scalar, Layout, Memory>,
                FieldView<Scalar, Kokkos::LayoutRight, Memory>, Memory>{guard, from, to, ends});
}
/// What adds up to an energy; null: nothing.
template <class Scalar, class Memory>
struct TurnEnergy {
  FieldView<const Scalar, Kokkos::LayoutRight, Memory> other{};
  TeamParts<Memory> parts{};
  double* energy = nullptr;
};
/// to = from, and *energy = <from, other> in double precision; 0 unless the guard is active.
/// traffic: reads n, with an energy 2n, writes n; flops: 2n
template <class Space, class Scalar, class Layout, class Memory>
void turn_out(const char* label, const Space& space, const CycleGuard<Memory>& guard,
              const FieldView<const Scalar, Kokkos::LayoutRight, Memory>& from,
              const FieldView<Scalar, Layout, Memory>& to, const Kokkos::View<int*, Memory>& ends,
              const TurnEnergy<Scalar, Memory>& sum) {
  run_turn(label, space,
           TurnTiles<FieldView<Scalar, Layout, Memory>,
                     FieldView<const Scalar, Kokkos::LayoutRight, Memory>, Memory>{
               guard, to, from, ends, sum.other, sum.parts, sum.energy});
}

}  // namespace Lamina::Impl
