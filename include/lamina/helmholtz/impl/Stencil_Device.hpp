// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// The stencil sweep on a device. One thread takes a few levels of one column, or of a pack of
// columns, and walks upwards: values of the level above become those of the next one.

#include <lamina/core/impl/ExtentOf.hpp>
#include <lamina/device/impl/Backend.hpp>
#include <lamina/device/impl/StencilChunks_Device.hpp>
#include <lamina/device/impl/TeamSums_Device.hpp>
#include <lamina/helmholtz/impl/Curvature_Device.hpp>
#include <lamina/helmholtz/impl/Stencil.hpp>

namespace Lamina::Impl {

/// Neighbours of one column: `Slots` of them, held in registers; 0: as many as the mesh has.
template <class Scalar, class Memory, int Slots>
class ColumnNeighbours {
 public:
  using Value = Scalar;
  static constexpr int width = 1;
  static int count(const HelmholtzData<Scalar, Memory>& data) { return data.num_owned; }
  KOKKOS_FUNCTION static int columns(const HelmholtzData<Scalar, Memory>&, int item) {
    return item;
  }

  ColumnNeighbours() = default;
  KOKKOS_FUNCTION ColumnNeighbours(const HelmholtzData<Scalar, Memory>& data, int column)
      : m_data(&data), m_column(column), m_boundary(data.boundary(column)) {
    for (int n = 0; n < Slots; ++n) {
      m_neighbour[n] = data.neighbours(column, n);
      m_coupling[n] = data.couplings(column, n);
    }
  }

  template <class Source>
  KOKKOS_FORCEINLINE_FUNCTION Value flux(const Source& source, int level, const Value& x) const {
    Value sum = -m_boundary * x;
    if constexpr (Slots > 0) {
      for (int n = 0; n < Slots; ++n) {
        sum += m_coupling[n] * (source.template value<Value>(m_neighbour[n], level) - x);
      }
    } else {
      for (int n = 0; n < static_cast<int>(m_data->neighbours.extent(1)); ++n) {
        sum += m_data->couplings(m_column, n) *
               (source.template value<Value>(m_data->neighbours(m_column, n), level) - x);
      }
    }
    return sum;
  }

 private:
  const HelmholtzData<Scalar, Memory>* m_data;
  int m_column;
  Scalar m_boundary;
  int m_neighbour[extent_of<Slots + 1>];
  Scalar m_coupling[extent_of<Slots + 1>];
};

/// Neighbours of a pack of columns.
template <class Scalar, class Memory>
class PackNeighbours {
  using Packs = ColumnPacks<Scalar, Memory>;

 public:
  static constexpr int width = pack_width<Scalar>;
  using Value = Pack<Scalar, width>;
  static int count(const HelmholtzData<Scalar, Memory>& data) { return data.num_owned / width; }
  KOKKOS_FUNCTION static int columns(const HelmholtzData<Scalar, Memory>&, int item) {
    return item * width;
  }

  PackNeighbours() = default;
  KOKKOS_FUNCTION PackNeighbours(const HelmholtzData<Scalar, Memory>& data, int column)
      : m_boundary(read<Value>(data.boundary, column)) {
    for (int side = 0; side < 4; ++side) {
      m_neighbour[side] = data.packs.neighbours(column / width, side);
      m_coupling[side] = load<Value>(&data.packs.couplings(column, side));
    }
  }

  template <class Source>
  KOKKOS_FORCEINLINE_FUNCTION Value flux(const Source& source, int level, const Value& x) const {
    const Value north = source.template value<Value>(m_neighbour[Packs::north], level);
    const Value south = source.template value<Value>(m_neighbour[Packs::south], level);
    Value west, east;
    west[0] = source.template value<Scalar>(m_neighbour[Packs::west], level);
    east[width - 1] = source.template value<Scalar>(m_neighbour[Packs::east], level);
    for (int i = 1; i < width; ++i) {
      west[i] = x[i - 1];
      east[i - 1] = x[i];
    }
    return m_coupling[Packs::north] * (north - x) + m_coupling[Packs::south] * (south - x) +
           m_coupling[Packs::west] * (west - x) + m_coupling[Packs::east] * (east - x) -
           m_boundary * x;
  }

 private:
  int m_neighbour[4];
  Value m_coupling[4], m_boundary;
};

/// Neighbours of a pair of packs, the second one south of the first: of what both read, and what
/// edges between them carry, there is one only. For meshes whose packs have each edge once.
template <class Scalar, class Memory>
class PairNeighbours {
  using Packs = ColumnPacks<Scalar, Memory>;
  static constexpr int pack = pack_width<Scalar>;
  using Row = Pack<Scalar, pack>;

 public:
  static constexpr int width = 2 * pack;
  using Value = Pack<Scalar, width>;
  static int count(const HelmholtzData<Scalar, Memory>& data) { return data.num_owned / width; }
  KOKKOS_FUNCTION static ColumnPair columns(const HelmholtzData<Scalar, Memory>& data, int item) {
    return data.packs.pair(item);
  }

  PairNeighbours() = default;
  KOKKOS_FUNCTION PairNeighbours(const HelmholtzData<Scalar, Memory>& data,
                                 const ColumnPair& columns)
      : m_boundary(read<Value>(data.boundary, columns)) {
    const int rows[2] = {columns.first, columns.second};
    m_north = data.packs.neighbours(rows[0] / pack, Packs::north);
    m_south = data.packs.neighbours(rows[1] / pack, Packs::south);
    m_across[0] = load<Row>(&data.packs.couplings(rows[0], Packs::north));
    for (int row = 0; row < 2; ++row) {
      m_west[row] = data.packs.neighbours(rows[row] / pack, Packs::west);
      m_east[row] = data.packs.neighbours(rows[row] / pack, Packs::east);
      m_across[row + 1] = load<Row>(&data.packs.couplings(rows[row], Packs::south));
      m_along[row][0] = data.packs.couplings(rows[row], Packs::west);
      const Row east = load<Row>(&data.packs.couplings(rows[row], Packs::east));
      for (int i = 0; i < pack; ++i) m_along[row][i + 1] = east[i];
    }
  }

  template <class Source>
  KOKKOS_FORCEINLINE_FUNCTION Value flux(const Source& source, int level, const Value& x) const {
    const Row north = source.template value<Row>(m_north, level);
    const Row south = source.template value<Row>(m_south, level);
    Scalar west[2], east[2];
    for (int row = 0; row < 2; ++row) {
      west[row] = source.template value<Scalar>(m_west[row], level);
      east[row] = source.template value<Scalar>(m_east[row], level);
    }
    // What goes from one column to the next, from north to south and from west to east.
    const Row first = half_of<0>(x), second = half_of<1>(x);
    const Row enters = m_across[0] * (north - first), between = m_across[1] * (first - second),
              leaves = m_across[2] * (second - south);
    Value sum = join(enters - between, between - leaves) - m_boundary * x;
    for (int row = 0; row < 2; ++row) {
      Scalar from = m_along[row][0] * (west[row] - x[row * pack]);
      for (int i = 0; i < pack; ++i) {
        const int at = row * pack + i;
        const Scalar to = m_along[row][i + 1] * (x[at] - (i + 1 < pack ? x[at + 1] : east[row]));
        sum[at] += from - to;
        from = to;
      }
    }
    return sum;
  }

 private:
  int m_north, m_south, m_west[2], m_east[2];
  Row m_across[3];  // couplings with the row north of each and south of the last
  Scalar m_along[2][extent_of<pack + 1>];  // with the column west of each and east of the last
  Value m_boundary;
};

/// One thread's share of a sweep.
template <class Scalar, class Layout, class Memory, class Neighbours, class Sweep>
struct StencilShare {
  using Value = typename Neighbours::Value;
  using Columns = decltype(Neighbours::columns(HelmholtzData<Scalar, Memory>(), 0));

  const HelmholtzData<Scalar, Memory>& data;
  const StencilChunks& chunks;

  /// What is read once per column, or pack or pair of packs of columns.
  struct Tables {
    Columns columns;
    Neighbours neighbours;
    Value area;

    Tables() = default;
    KOKKOS_FORCEINLINE_FUNCTION Tables(const HelmholtzData<Scalar, Memory>& data, int item)
        : columns(Neighbours::columns(data, item)),
          neighbours(data, columns),
          area(read<Value>(data.area, columns)) {}
  };
  /// Those of the thread's first piece, for packs. Single columns of floats, 255 x 255 x 128 on an
  /// H200, were swept 6 % slower so.
  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION Tables prepare(const Member& member) const {
    if constexpr (Neighbours::width == 1) {
      return Tables();
    } else {
      Tables tables;
      chunks.template for_first<Layout>(member,
                                        [&](int item, int, int) { tables = Tables(data, item); });
      return tables;
    }
  }
  /// What it sums up. `pass` is what `begin` of the sweep gave, `prepared` what `prepare` did.
  template <class Member, class Pass>
  KOKKOS_FORCEINLINE_FUNCTION double take(const Member& member, const Pass& pass,
                                          const Tables& prepared) const {
    double sum = 0;
    if (!pass.active) return sum;
    Tables tables = prepared;
    bool is_prepared = Neighbours::width > 1;
    chunks.template for_each<Layout>(member, [&](int item, int begin, int end) {
      if (!is_prepared) tables = Tables(data, item);
      is_prepared = false;
      if constexpr (levels_contiguous<Layout>) {
        walk(pass.source, pass.sink, tables, 0, begin, end, sum);
      } else {
        walk(pass.source.from(begin), pass.sink.from(begin), tables, begin, 0, end - begin, sum);
      }
    });
    return sum;
  }

 private:
  /// Levels first <= k < last of source and sink, which are levels k + offset of the mesh.
  template <class Source, class Sink>
  KOKKOS_FORCEINLINE_FUNCTION void walk(const Source& source, const Sink& sink,
                                        const Tables& tables, int offset, int first, int last,
                                        double& sum) const {
    const Columns& column = tables.columns;
    const Neighbours& neighbours = tables.neighbours;
    const Value& area = tables.area;
    const Scalar mass = data.mass(0);
    // Beyond either end the coupling is 0: any finite value will do.
    Value below = source.template value<Value>(column, first + offset > 0 ? first - 1 : first);
    Value x = source.template value<Value>(column, first);
    // Single columns have too little under way by themselves; packs of them do better without.
    constexpr int ahead = 4;
    const auto take_level = [&](int k) {
      if constexpr (Neighbours::width == 1) {
        if (k + ahead < last) {
          source.prefetch(column, k + ahead, 0);
          sink.prefetch(column, k + ahead, 0);
        }
      }
      const LevelCoefficients<Scalar> level = data.levels(k + offset);
      const Value above =
          source.template value<Value>(column, k + offset + 1 < data.num_levels ? k + 1 : k);
      const Value flux = neighbours.flux(source, k, x);
      const Value image = stencil_image<Value>(area, mass, level.above, level.below, level.scale, x,
                                               above, below, flux);
      sink(column, k, x, image, sum);
      below = x;
      x = above;
    };
    // Without stores, loads of several levels are in flight.
    LAMINA_DEVICE_UNROLL(Sweep::stores ? 1 : 4)
    for (int k = first; k < last; ++k) take_level(k);
  }
};

template <class Scalar, class Layout, class Memory, class Neighbours, class Sweep>
struct DeviceStencil {
  HelmholtzData<Scalar, Memory> data;
  Sweep sweep;
  StencilChunks chunks;
  TeamParts<Memory> parts;
  double* result;  // where the sum goes

  using Share = StencilShare<Scalar, Layout, Memory, Neighbours, Sweep>;

  template <class Member>
  KOKKOS_FUNCTION auto prepare(const Member& member) const {
    return Share{data, chunks}.prepare(member);
  }
  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member,
                                  const typename Share::Tables& prepared) const {
    const bool leader = member.league_rank() == 0 && member.team_rank() == 0;
    const double sum = Share{data, chunks}.take(member, sweep.begin(leader), prepared);
    if constexpr (Sweep::has_sum) {
      parts.template add_up<1>(member, static_cast<double*>(member.scratch()), &sum, result);
    }
  }
};

/// Rounds that teams of a sweep may go, see `launch_stencil`. Where levels are contiguous threads
/// take single cells.
template <class Layout, class Sweep>
inline constexpr int most_stencil_rounds = levels_contiguous<Layout> ? any_number_of_rounds
                                           : Sweep::stores           ? 1
                                                                     : reading_rounds;

/// Sweeps over all owned cells; what is summed up goes to `result`.
template <class Layout, class Neighbours, int LeastTeams = stencil_least_teams, class Space,
          class Scalar, class Memory, class Sweep>
void run_device_stencil(const char* label, const Space& space,
                        const HelmholtzData<Scalar, Memory>& data, const Sweep& sweep,
                        const TeamParts<Memory>& parts, double* result) {
  const auto chunks = stencil_chunks<Layout, LeastTeams>(space, Neighbours::count(data),
                                                         sweep.level_stride(), data.num_levels);
  launch_stencil<LeastTeams>(
      label, space,
      DeviceStencil<Scalar, Layout, Memory, Neighbours, Sweep>{data, sweep, chunks, parts, result},
      most_stencil_rounds<Layout, Sweep>);
}

/// Teams that must fit at once, see `stencil_least_teams`, where a sweep goes over pairs of packs;
/// 0 where it goes over single packs. On an H200, from 256 x 256 x 128 cells on, pairs take 9 to 23
/// % off `ApplySweep`, 4 to 12 % off `MeasureSweep`, 2 to 6 % off `AdvanceSweep`, and 4 to 14 % off
/// that which updates the solution in double precision. In single, and `AdvanceStoredSweep`, are up
/// to 10 % slower with them, as those are with another number of teams.
template <class Sweep>
inline constexpr int pair_teams = 0;
template <class Scalar, class Layout, class Memory>
inline constexpr int pair_teams<ApplySweep<Scalar, Layout, Memory>> = 4;
template <class Scalar, class Layout, class Memory>
inline constexpr int pair_teams<ResidualSweep<Scalar, Layout, Memory>> = 4;
template <class Scalar, class Layout, class Memory>
inline constexpr int pair_teams<MeasureSweep<Scalar, Layout, Memory>> = stencil_least_teams;
template <class Scalar, class Layout, class Memory>
inline constexpr int pair_teams<AdvanceSweep<Scalar, Layout, Memory, false>> = 3;
template <class Layout, class Memory>
inline constexpr int pair_teams<AdvanceSweep<double, Layout, Memory, true>> = 2;

/// Whether a sweep goes over pairs of packs: where there are enough of them for long walks of all
/// threads that fit at once. Otherwise threads that are missing cost more than pairs save.
template <class Sweep, class Space, class Scalar, class Memory>
bool in_pairs(const Space& space, const HelmholtzData<Scalar, Memory>& data, bool aligned) {
  constexpr int levels = 6;  // of a walk
  const std::int64_t threads =
      teams_that_fit(space, stencil_team_size, pair_teams<Sweep>) * stencil_team_size;
  const auto pairs = static_cast<std::int64_t>(data.packs.pairs.extent(0));
  return pair_teams<Sweep> > 0 && aligned && pairs * data.num_levels >= levels * threads;
}

/// Any sweep, with the widest access that mesh and fields allow.
template <class Layout, class Space, class Scalar, class Memory, class Sweep>
void run_best_device_stencil(const char* label, const Space& space,
                             const HelmholtzData<Scalar, Memory>& data, const Sweep& sweep,
                             bool aligned, const TeamParts<Memory>& parts, double* result) {
  if constexpr (!levels_contiguous<Layout>) {
    const bool paired = in_pairs<Sweep>(space, data, aligned);
    if constexpr (is_measure<Sweep>) {
      if (paired) {
        return run_device_curvature<TwoSidesOfPair<Scalar, Memory>>(label, space, data, sweep,
                                                                    parts, result);
      }
      if (aligned && data.packs.edges_once) {
        return run_device_curvature<TwoSides<Scalar, Memory, pack_width<Scalar>>>(
            label, space, data, sweep, parts, result);
      }
      if (data.edges.neighbours.extent(0) > 0) {
        return run_device_curvature<TwoSides<Scalar, Memory, 1>>(label, space, data, sweep, parts,
                                                                 result);
      }
    } else if constexpr (pair_teams<Sweep> > 0) {
      if (paired) {
        return run_device_stencil<Layout, PairNeighbours<Scalar, Memory>, pair_teams<Sweep>>(
            label, space, data, sweep, parts, result);
      }
    }
    if (aligned && data.packs.neighbours.extent(0) > 0) {
      return run_device_stencil<Layout, PackNeighbours<Scalar, Memory>>(label, space, data, sweep,
                                                                        parts, result);
    }
  }
  if (data.neighbours.extent(1) == 4) {
    return run_device_stencil<Layout, ColumnNeighbours<Scalar, Memory, 4>>(label, space, data,
                                                                           sweep, parts, result);
  }
  run_device_stencil<Layout, ColumnNeighbours<Scalar, Memory, 0>>(label, space, data, sweep, parts,
                                                                  result);
}

}  // namespace Lamina::Impl
