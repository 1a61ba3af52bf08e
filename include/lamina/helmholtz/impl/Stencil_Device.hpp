// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// The stencil sweep on a device. One thread takes a few levels of one column, or of a pack of
// columns, and walks upwards: values of the level above become those of the next one.

#include <lamina/core/impl/StencilChunks_Device.hpp>
#include <lamina/core/impl/TeamSums_Device.hpp>
#include <lamina/helmholtz/impl/Curvature_Device.hpp>
#include <lamina/helmholtz/impl/Stencil.hpp>

namespace Lamina::Impl {

/// Neighbours of one column: `Slots` of them, held in registers; 0: as many as the mesh has.
template <class Scalar, class Memory, int Slots>
class ColumnNeighbours {
 public:
  using Value = Scalar;
  static constexpr int width = 1;

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
  int m_neighbour[Slots + 1];
  Scalar m_coupling[Slots + 1];
};

/// Neighbours of a pack of columns.
template <class Scalar, class Memory>
class PackNeighbours {
  using Packs = ColumnPacks<Scalar, Memory>;

 public:
  static constexpr int width = pack_width<Scalar>;
  using Value = Pack<Scalar, width>;

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

/// One thread's share of a sweep.
template <class Scalar, class Layout, class Memory, class Neighbours, class Sweep>
struct StencilShare {
  using Value = typename Neighbours::Value;

  const HelmholtzData<Scalar, Memory>& data;
  const StencilChunks& chunks;

  /// What is read once per column, or pack of columns.
  struct Tables {
    Neighbours neighbours;
    Value area;

    Tables() = default;
    KOKKOS_FORCEINLINE_FUNCTION Tables(const HelmholtzData<Scalar, Memory>& data, int column)
        : neighbours(data, column), area(read<Value>(data.area, column)) {}
  };
  /// Those of the thread's first piece, for packs. Single columns of floats, 255 x 255 x 128 on an
  /// H200, were swept 6 % slower so.
  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION Tables prepare(const Member& member) const {
    if constexpr (Neighbours::width == 1) {
      return Tables();
    } else {
      Tables tables;
      chunks.template for_first<Layout>(
          member, [&](int pack, int, int) { tables = Tables(data, pack * Neighbours::width); });
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
    chunks.template for_each<Layout>(member, [&](int pack, int begin, int end) {
      const int column = pack * Neighbours::width;
      if (!is_prepared) tables = Tables(data, column);
      is_prepared = false;
      if constexpr (levels_contiguous<Layout>) {
        walk(pass.source, pass.sink, tables, column, 0, begin, end, sum);
      } else {
        walk(pass.source.from(begin), pass.sink.from(begin), tables, column, begin, 0, end - begin,
             sum);
      }
    });
    return sum;
  }

 private:
  /// Levels first <= k < last of source and sink, which are levels k + offset of the mesh.
  template <class Source, class Sink>
  KOKKOS_FORCEINLINE_FUNCTION void walk(const Source& source, const Sink& sink,
                                        const Tables& tables, int column, int offset, int first,
                                        int last, double& sum) const {
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
    // Where nothing is stored, the loads of several levels need not wait for each other.
    constexpr int together = Sweep::stores ? 1 : 4;
    int k = first;
    for (; k + together <= last; k += together) {
      for (int i = 0; i < together; ++i) take_level(k + i);
    }
    for (; k < last; ++k) take_level(k);
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
template <class Layout, class Neighbours, class Space, class Scalar, class Memory, class Sweep>
void run_device_stencil(const char* label, const Space& space,
                        const HelmholtzData<Scalar, Memory>& data, const Sweep& sweep,
                        const TeamParts<Memory>& parts, double* result) {
  const auto chunks = stencil_chunks<Layout>(space, data.num_owned / Neighbours::width,
                                             sweep.level_stride(), data.num_levels);
  launch_stencil(
      label, space,
      DeviceStencil<Scalar, Layout, Memory, Neighbours, Sweep>{data, sweep, chunks, parts, result},
      most_stencil_rounds<Layout, Sweep>);
}

/// Any sweep, with the widest access that mesh and fields allow.
template <class Layout, class Space, class Scalar, class Memory, class Sweep>
void run_best_device_stencil(const char* label, const Space& space,
                             const HelmholtzData<Scalar, Memory>& data, const Sweep& sweep,
                             bool aligned, const TeamParts<Memory>& parts, double* result) {
  if constexpr (!levels_contiguous<Layout>) {
    if constexpr (is_measure<Sweep>) {
      if (aligned && data.packs.edges_once) {
        return run_device_curvature<pack_width<Scalar>>(label, space, data, sweep, parts, result);
      }
      if (data.edges.neighbours.extent(0) > 0) {
        return run_device_curvature<1>(label, space, data, sweep, parts, result);
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
