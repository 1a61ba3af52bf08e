// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// The stencil sweep on a device. One thread takes a few levels of one column, or of a pack of
// columns, and walks upwards: values of the level above become those of the next one.

#include <lamina/core/impl/HostWork.hpp>
#include <lamina/core/impl/TeamSums_Device.hpp>
#include <lamina/helmholtz/impl/Stencil.hpp>

#include <algorithm>
#include <limits>

namespace Lamina::Impl {

/// Neighbours of one column: `Slots` of them, held in registers; 0: as many as the mesh has.
template <class Scalar, class Memory, int Slots>
class ColumnNeighbours {
 public:
  using Value = Scalar;
  static constexpr int width = 1;

  KOKKOS_FUNCTION ColumnNeighbours(const HelmholtzData<Scalar, Memory>& data, int column)
      : m_data(data), m_column(column), m_boundary(data.boundary(column)) {
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
      for (int n = 0; n < static_cast<int>(m_data.neighbours.extent(1)); ++n) {
        sum += m_data.couplings(m_column, n) *
               (source.template value<Value>(m_data.neighbours(m_column, n), level) - x);
      }
    }
    return sum;
  }

 private:
  const HelmholtzData<Scalar, Memory>& m_data;
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

/// Threads of one team of a stencil sweep, and teams that must fit at once: enough warps to go round
/// while some wait, enough registers each to keep a whole level in flight.
inline constexpr int stencil_team_size = 128, stencil_least_teams = 4;

template <class Scalar, class Layout, class Memory, class Neighbours, class Sweep>
struct DeviceStencil {
  using Value = typename Neighbours::Value;

  HelmholtzData<Scalar, Memory> data;
  Sweep sweep;
  TeamParts<Memory> parts;
  int levels_per_thread, chunks;  // of levels

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member) const {
    double sum = 0;
    const auto pass = sweep.begin(member.league_rank() == 0 && member.team_rank() == 0);
    if (pass.active) {
      const std::int64_t num_packs = data.num_owned / Neighbours::width;
      const std::int64_t step = static_cast<std::int64_t>(member.league_size()) * stencil_team_size;
      std::int64_t thread =
          static_cast<std::int64_t>(member.league_rank()) * stencil_team_size + member.team_rank();
      for (; thread < num_packs * chunks; thread += step) {
        // Neighbouring threads take what follows in memory.
        const std::int64_t pack = levels_contiguous<Layout> ? thread / chunks : thread % num_packs;
        const std::int64_t chunk = levels_contiguous<Layout> ? thread % chunks : thread / num_packs;
        const int begin = static_cast<int>(chunk) * levels_per_thread;
        const int end = begin + levels_per_thread;
        const int column = static_cast<int>(pack) * Neighbours::width;
        const int stop = end < data.num_levels ? end : data.num_levels;
        if constexpr (levels_contiguous<Layout>) {
          walk(pass.source, pass.sink, column, 0, begin, stop, sum);
        } else {
          walk(pass.source.from(begin), pass.sink.from(begin), column, begin, 0, stop - begin, sum);
        }
      }
    }
    if constexpr (Sweep::has_sum) parts.leave(member, 0, sum);
  }

  /// Levels first <= k < last of source and sink, which are levels k + offset of the mesh.
  template <class Source, class Sink>
  KOKKOS_FORCEINLINE_FUNCTION void walk(const Source& source, const Sink& sink, int column,
                                        int offset, int first, int last, double& sum) const {
    const Neighbours neighbours(data, column);
    const Value area = read<Value>(data.area, column);
    const Scalar mass = data.mass(0);
    // Beyond either end the coupling is 0: any finite value will do.
    Value below = source.template value<Value>(column, first + offset > 0 ? first - 1 : first);
    Value x = source.template value<Value>(column, first);
    const auto take_level = [&](int k) {
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

/// Levels that a thread walks: as many as leave a thread for every place on the device.
template <class Layout, class Space>
int levels_per_thread(const Space& space, int num_packs, std::int64_t row_length, int num_levels) {
  if constexpr (levels_contiguous<Layout>) return 1;
  const int places = space.concurrency() / 4;  // at the registers that the sweep needs
  const int chunks = std::clamp(places / num_packs, 1, std::max(1, num_levels / 4));
  // Offsets have 32 bits, see `LevelRows`.
  const auto most = static_cast<int>(std::numeric_limits<int>::max() / (row_length + 1) - 2);
  return std::clamp((num_levels + chunks - 1) / chunks, 1, std::max(1, most));
}

/// Sweeps over all owned cells; what is summed up goes to `result`.
template <class Layout, class Neighbours, class Space, class Scalar, class Memory, class Sweep>
void run_device_stencil(const char* label, const Space& space,
                        const HelmholtzData<Scalar, Memory>& data, const Sweep& sweep,
                        const TeamParts<Memory>& parts, double* result) {
  const int num_packs = data.num_owned / Neighbours::width;
  const int levels =
      levels_per_thread<Layout>(space, std::max(num_packs, 1), sweep.row_length(), data.num_levels);
  const auto chunks = static_cast<int>(ceil_divide(data.num_levels, levels));
  const std::int64_t threads = static_cast<std::int64_t>(num_packs) * chunks;
  const auto teams = static_cast<int>(
      std::min<std::int64_t>(ceil_divide(threads, stencil_team_size), max_summing_teams));
  using Kernel = DeviceStencil<Scalar, Layout, Memory, Neighbours, Sweep>;
  Kokkos::parallel_for(
      label,
      DeviceTeams<Space, stencil_team_size, stencil_least_teams>(space, teams, stencil_team_size),
      Kernel{data, sweep, parts, levels, chunks});
  if constexpr (Sweep::has_sum) add_team_parts(space, parts, teams, 1, result);
}

/// The same with the widest access that mesh and fields allow.
template <class Layout, class Space, class Scalar, class Memory, class Sweep>
void run_best_device_stencil(const char* label, const Space& space,
                             const HelmholtzData<Scalar, Memory>& data, const Sweep& sweep,
                             bool aligned, const TeamParts<Memory>& parts, double* result) {
  if constexpr (!levels_contiguous<Layout>) {
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

/// True where every pack of columns may be read at once from every field.
template <class Scalar, class... Fields>
bool packs_aligned(const Fields&... fields) {
  const auto aligned = []<class FieldType>(const FieldType& field) {
    // Packs count the values of `Scalar`; a field may hold others.
    constexpr std::size_t value = sizeof(typename FieldType::value_type);
    constexpr std::size_t bytes = pack_width<Scalar> * value;
    return reinterpret_cast<std::uintptr_t>(field.data()) % bytes == 0 &&
           field.stride(1) * value % bytes == 0;
  };
  return (aligned(fields) && ...);
}

}  // namespace Lamina::Impl
