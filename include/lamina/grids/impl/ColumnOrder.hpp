// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/core/KernelRecord.hpp>
#include <lamina/device/impl/Backend.hpp>
#include <lamina/device/impl/Instantiate.hpp>
#include <lamina/device/impl/OverlappedTeams_Device.hpp>
#include <lamina/device/impl/RangeOf.hpp>
#include <lamina/grids/impl/Tuning.hpp>
#include <lamina/grids/impl/TurnField_Host.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace Lamina::Impl {

/// An order of columns that a solver chose: each owned column has a place, and each halo column that is a
/// neighbour. Places without a column are padding, or halo columns that nobody reads: fields are zero
/// there. Empty: columns stay where they are. Levels may be padded, too.
template <class Memory>
struct ColumnOrder {
  static constexpr int no_column = -1;
  Kokkos::View<const int*, Memory> columns;  // (place): its column, or `no_column`
  int num_owned = 0;  // places of owned columns and padding; those of halo columns follow
  /// Levels of a place, contiguous ones; fields are zero behind the last one of a column. 0: fields have the levels of
  /// columns, in `SweepLayout`.
  int packed_levels = 0;

  bool empty() const { return columns.extent(0) == 0; }
  KOKKOS_FORCEINLINE_FUNCTION int column_at(std::int64_t place) const {
    return columns.extent(0) == 0 ? static_cast<int>(place) : columns(place);
  }
};

/// to(place) = from(column of the place)
template <class From, class To, class Memory>
struct ToPlaces {
  using Value = typename To::value_type;
  ColumnOrder<Memory> order;
  From from;
  To to;

  KOKKOS_FORCEINLINE_FUNCTION Value load(std::int64_t place, std::int64_t level) const {
    const int column = order.column_at(place);
    const bool exists =
        column != order.no_column && level < static_cast<std::int64_t>(from.extent(1));
    return exists ? from(column, level) : 0;
  }
  KOKKOS_FORCEINLINE_FUNCTION void store(std::int64_t place, std::int64_t level,
                                         Value value) const {
    to(place, level) = value;
  }
  KOKKOS_FUNCTION void operator()(std::int64_t place, std::int64_t level) const {
    store(place, level, load(place, level));
  }
};

/// to(column of the place) = from(place)
template <class From, class To, class Memory>
struct FromPlaces {
  using Value = typename To::value_type;
  ColumnOrder<Memory> order;
  From from;
  To to;

  KOKKOS_FORCEINLINE_FUNCTION Value load(std::int64_t place, std::int64_t level) const {
    return from(place, level);
  }
  KOKKOS_FORCEINLINE_FUNCTION void store(std::int64_t place, std::int64_t level,
                                         Value value) const {
    const int column = order.column_at(place);
    if (column != order.no_column) to(column, level) = value;
  }
  KOKKOS_FUNCTION void operator()(std::int64_t place, std::int64_t level) const {
    store(place, level, load(place, level));
  }
};

/// A copy between layouts on a device. A team takes a tile through its scratch, so that reads and writes are coalesced.
template <class Kernel, bool FromLevels>
struct CopyTiles {
  using Value = typename Kernel::Value;
  static constexpr int width = ColumnOrderTuning::tile_width, threads = ColumnOrderTuning::threads,
                       rows = threads / width;
  static constexpr unsigned least_teams = ColumnOrderTuning::least_teams;
  static constexpr std::size_t scratch_bytes = width * (width + 1) * sizeof(Value);

  Kernel kernel;
  int num_places, num_levels;

  int num_tiles() const { return in_tiles(num_places) * in_tiles(num_levels); }

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    auto* const tile = static_cast<Value*>(team.scratch());
    const int across = in_tiles(num_places), first_place = team.league_rank() % across * width,
              first_level = team.league_rank() / across * width, inner = team.team_rank() % width,
              outer = team.team_rank() / width;
    team.wait_for_previous();
    visit<FromLevels>(inner, outer, first_place, first_level,
                      [&](int place, int level, int at) { tile[at] = kernel.load(place, level); });
    team.team_barrier();
    visit<!FromLevels>(inner, outer, first_place, first_level,
                       [&](int place, int level, int at) { kernel.store(place, level, tile[at]); });
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION static int in_tiles(int count) { return (count + width - 1) / width; }
  /// Neighbouring threads take neighbouring levels, or places.
  template <bool AlongLevels, class Take>
  KOKKOS_FORCEINLINE_FUNCTION void visit(int inner, int outer, int first_place, int first_level,
                                         const Take& take) const {
    LAMINA_DEVICE_UNROLL()
    for (int i = 0; i < width; i += rows) {
      const int p = AlongLevels ? outer + i : inner, k = AlongLevels ? inner : outer + i;
      if (first_place + p < num_places && first_level + k < num_levels) {
        take(first_place + p, first_level + k, p * (width + 1) + k);
      }
    }
  }
};

/// Whether a model lets a solver bring fields to `SweepLayout`, or to packs of levels, and to its order of columns where it has
/// one.
template <class Model>
inline constexpr bool has_column_order = requires(const Model& model) {
  model.column_order();
};
/// Whether the levels of its places may be packed.
template <class Model>
inline constexpr bool may_pack_levels = requires {
  Model::may_pack_levels;
};

/// \tparam Kernel  `ToPlaces` or `FromPlaces`
template <template <class, class, class> class Kernel, class Space, class Memory, class From,
          class To>
void copy_columns(const char* label, const Space& space, const ColumnOrder<Memory>& order,
                  const From& from, const To& to, std::size_t num_places) {
  if constexpr (runs_on_host<Space>) {
    if (order.empty()) {  // as all of the library on CPU cores; tests have others
      const int workers = static_cast<int>(space.concurrency());
      Kokkos::parallel_for(label, range_of(space, workers),
                           [=](int worker) { turn_share(from, to, worker, workers); });
      return;
    }
  }
  const Kernel<From, To, Memory> kernel{order, from, to};
  if constexpr (!runs_on_host<Space> &&
                !std::is_same_v<typename From::array_layout, typename To::array_layout>) {
    using Tiles =
        CopyTiles<Kernel<From, To, Memory>, levels_contiguous<typename From::array_layout>>;
    const Tiles tiles{kernel, static_cast<int>(num_places), static_cast<int>(to.extent(1))};
    if (tiles.num_tiles() == 0) return;
    launch_teams<Tiles::threads, Tiles::least_teams>(label, space, tiles.num_tiles(),
                                                     Tiles::threads, Tiles::scratch_bytes, tiles,
                                                     KernelStart::in_turn);
  } else {
    using Order = Kokkos::Rank<2, Kokkos::Iterate::Left, Kokkos::Iterate::Left>;
    using Policy = Kokkos::MDRangePolicy<Space, Order, Kokkos::IndexType<std::int64_t>>;
    const Policy policy(
        space, {0, 0},
        {static_cast<std::int64_t>(num_places), static_cast<std::int64_t>(to.extent(1))},
        {ColumnOrderTuning::tile_columns, ColumnOrderTuning::tile_levels});
    Kokkos::parallel_for(label, policy, kernel);
  }
}

/// Copies a field of columns to a field of places. Layouts may differ on devices; on CPU cores they do.
/// Fields must not overlap.  traffic: reads n, writes n
template <class Space, class Scalar, class From, class To, class Memory>
void to_places(const Space& space, const ColumnOrder<Memory>& order,
               const FieldView<const Scalar, From, Memory>& from,
               const FieldView<Scalar, To, Memory>& to) {
  copy_columns<ToPlaces>("Lamina::ColumnOrder::to_places", space, order, from, to, to.extent(0));
}

/// Copies a field of places to a field of columns, likewise.  traffic: reads n, writes n
template <class Space, class Scalar, class From, class To, class Memory>
void from_places(const Space& space, const ColumnOrder<Memory>& order,
                 const FieldView<const Scalar, From, Memory>& from,
                 const FieldView<Scalar, To, Memory>& to) {
  copy_columns<FromPlaces>("Lamina::ColumnOrder::from_places", space, order, from, to,
                           from.extent(0));
}

#define LAMINA_COLUMN_COPY(Space, Scalar, Own, Layout, prefix)                                     \
  LAMINA_FUNCTION(                                                                                 \
      prefix, void to_places(const Space&, const ColumnOrder<typename Space::memory_space>&,       \
                             const FieldView<const Scalar, Layout, typename Space::memory_space>&, \
                             const FieldView<Scalar, Own, typename Space::memory_space>&))         \
  LAMINA_FUNCTION(                                                                                 \
      prefix, void from_places(const Space&, const ColumnOrder<typename Space::memory_space>&,     \
                               const FieldView<const Scalar, Own, typename Space::memory_space>&,  \
                               const FieldView<Scalar, Layout, typename Space::memory_space>&))
#define LAMINA_COLUMN_COPIES(Space, Own, Layout, prefix) \
  LAMINA_COLUMN_COPY(Space, float, Own, Layout, prefix)  \
  LAMINA_COLUMN_COPY(Space, double, Own, Layout, prefix)
/// Between `SweepLayout`, on devices also packs of levels, and the layouts of fields.
#define LAMINA_COPIES_ON_HOST(Space, prefix) \
  LAMINA_COLUMN_COPIES(Space, Kokkos::LayoutRight, Kokkos::LayoutLeft, prefix)
#define LAMINA_COPIES_ON_DEVICE(Space, prefix)                                 \
  LAMINA_COLUMN_COPIES(Space, Kokkos::LayoutLeft, Kokkos::LayoutLeft, prefix)  \
  LAMINA_COLUMN_COPIES(Space, Kokkos::LayoutLeft, Kokkos::LayoutRight, prefix) \
  LAMINA_COLUMN_COPIES(Space, Kokkos::LayoutRight, Kokkos::LayoutLeft, prefix) \
  LAMINA_COLUMN_COPIES(Space, Kokkos::LayoutRight, Kokkos::LayoutRight, prefix)
LAMINA_IF_SERIAL(LAMINA_COPIES_ON_HOST, extern)
LAMINA_IF_OPENMP(LAMINA_COPIES_ON_HOST, extern)
LAMINA_IF_DEVICE(LAMINA_COPIES_ON_DEVICE, extern)

/// u = x, where u is in places, and may lie in the memory of x.
/// \param buffer  as u, which x passes through then
// traffic: reads n, writes n; in the memory of x twice that
template <class Space, class Memory, class Solution, class Vector>
void bring_to_places(const Space& space, const ColumnOrder<Memory>& order, const Solution& x,
                     const Vector& buffer, const Vector& u) {
  const bool shared = x.data() == u.data();
  to_places(space, order, as_const_field(x), shared ? buffer : u);
  if (shared) Kokkos::deep_copy(space, u, buffer);
}
/// x = u, likewise.
template <class Space, class Memory, class Solution, class Vector>
void bring_from_places(const Space& space, const ColumnOrder<Memory>& order, const Vector& u,
                       const Vector& buffer, const Solution& x) {
  const bool shared = x.data() == u.data();
  if (shared) Kokkos::deep_copy(space, buffer, u);
  from_places(space, order, as_const_field(shared ? buffer : u), x);
}

/// Costs of both copies for a field of so many bytes.
inline std::array<KernelCost, 2> column_copy_costs(double field_bytes) {
  return {{{"Lamina::ColumnOrder::to_places", 2 * field_bytes, 0},
           {"Lamina::ColumnOrder::from_places", 2 * field_bytes, 0}}};
}

}  // namespace Lamina::Impl
