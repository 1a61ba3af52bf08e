// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// <z, A z> on a device, of fields whose levels are layers: a sweep that reads each edge once.

#include <lamina/device/impl/Backend.hpp>
#include <lamina/device/impl/StencilChunks_Device.hpp>
#include <lamina/device/impl/TeamSums_Device.hpp>
#include <lamina/helmholtz/impl/Stencil.hpp>

namespace Lamina::Impl {

/// scale (terms[0] + ...). Additions cost less than conversions to double precision.
template <class Scalar, int Width>
KOKKOS_FORCEINLINE_FUNCTION double weighted_sum(const Pack<Scalar, Width>& terms, Scalar scale) {
  if constexpr (sizeof(Scalar) == sizeof(double)) {
    double sum = 0;
    for (int i = 0; i < Width; ++i) sum += terms[i] * scale;
    return sum;
  } else {
    Scalar sum = terms[0];
    for (int i = 1; i < Width; ++i) sum += terms[i];
    return static_cast<double>(sum * scale);
  }
}

/// Two sides of a pack, or of a single column, where all columns together have each edge once.
template <class Scalar, class Memory, int Width>
struct TwoSides {
  static constexpr int together = 4;  // levels whose loads are in flight at once
  static constexpr int ahead = 12;    // levels from here that are asked for
  using Value = Pack<Scalar, Width>;
  int column, south, east;
  Value to_south, to_east;

  static int count(const HelmholtzData<Scalar, Memory>& data) { return data.num_owned / Width; }

  TwoSides() = default;
  KOKKOS_FUNCTION TwoSides(const HelmholtzData<Scalar, Memory>& data, int pack)
      : column(pack * Width) {
    if constexpr (Width == 1) {
      south = data.edges.neighbours(pack, 0);
      east = data.edges.neighbours(pack, 1);
      to_south = load<Value>(&data.edges.couplings(pack, 0));
      to_east = load<Value>(&data.edges.couplings(pack, 1));
    } else {
      using Packs = ColumnPacks<Scalar, Memory>;
      south = data.packs.neighbours(pack, Packs::south);
      east = data.packs.neighbours(pack, Packs::east);
      to_south = load<Value>(&data.packs.couplings(pack * Width, Packs::south));
      to_east = load<Value>(&data.packs.couplings(pack * Width, Packs::east));
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION int columns() const { return column; }
  /// The values south and east of x, times `unit`.
  template <class Source>
  KOKKOS_FORCEINLINE_FUNCTION Value next_row(const Source& source, Scalar unit, int level,
                                             const Value&) const {
    return unit * source.template value<Value>(south, level);
  }
  template <class Source>
  KOKKOS_FORCEINLINE_FUNCTION Value next_column(const Source& source, Scalar unit, int level,
                                                const Value& x) const {
    Value next = x;
    for (int i = 1; i < Width; ++i) next[i - 1] = x[i];
    next[Width - 1] = unit * source.template value<Scalar>(east, level);
    return next;
  }
};

/// The same of a pair of packs, the second one south of the first: one row less to read.
template <class Scalar, class Memory>
struct TwoSidesOfPair {
  static constexpr int together = 2, ahead = 0;
  using Packs = ColumnPacks<Scalar, Memory>;
  static constexpr int pack = pack_width<Scalar>;
  using Row = Pack<Scalar, pack>;
  using Value = Pack<Scalar, 2 * pack>;
  ColumnPair pair;
  int south, east[2];
  Value to_south, to_east;

  static int count(const HelmholtzData<Scalar, Memory>& data) {
    return data.num_owned / (2 * pack);
  }

  TwoSidesOfPair() = default;
  KOKKOS_FUNCTION TwoSidesOfPair(const HelmholtzData<Scalar, Memory>& data, int item)
      : pair(data.packs.pair(item)) {
    south = data.packs.neighbours(pair.second / pack, Packs::south);
    east[0] = data.packs.neighbours(pair.first / pack, Packs::east);
    east[1] = data.packs.neighbours(pair.second / pack, Packs::east);
    to_south = read<Value>(data.packs.couplings, pair, Packs::south);
    to_east = read<Value>(data.packs.couplings, pair, Packs::east);
  }

  KOKKOS_FORCEINLINE_FUNCTION const ColumnPair& columns() const { return pair; }
  template <class Source>
  KOKKOS_FORCEINLINE_FUNCTION Value next_row(const Source& source, Scalar unit, int level,
                                             const Value& x) const {
    return join(half_of<1>(x), unit * source.template value<Row>(south, level));
  }
  template <class Source>
  KOKKOS_FORCEINLINE_FUNCTION Value next_column(const Source& source, Scalar unit, int level,
                                                const Value& x) const {
    Value next = x;
    for (int i = 1; i < pack; ++i) {
      next[i - 1] = x[i];
      next[pack + i - 1] = x[pack + i];
    }
    next[pack - 1] = unit * source.template value<Scalar>(east[0], level);
    next[2 * pack - 1] = unit * source.template value<Scalar>(east[1], level);
    return next;
  }
};

/// <z, A z> as a sum over edges, each of which is read once:
///
///   - sum_cells d_k ( |T| ( b'_k (z_{k+1} - z)^2 - a'_k z^2 ) + sum_s alpha_s (z_s - z)^2
///                     + alpha_b z^2 ),     s = south and east;
///
/// d and a' are negative: no term cancels another. This is one thread's share.
template <class Scalar, class Memory, class Sides>
struct CurvatureShare {
  using Value = typename Sides::Value;

  const HelmholtzData<Scalar, Memory>& data;
  const StencilChunks& chunks;

  /// As those of `StencilShare`.
  struct Tables {
    Sides sides;
    Value area, boundary;

    Tables() = default;
    KOKKOS_FORCEINLINE_FUNCTION Tables(const HelmholtzData<Scalar, Memory>& data, int item)
        : sides(data, item),
          area(read<Value>(data.area, sides.columns())),
          boundary(read<Value>(data.boundary, sides.columns())) {}
  };
  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION Tables prepare(const Member& member) const {
    Tables tables;
    chunks.template for_first<Kokkos::LayoutLeft>(
        member, [&](int item, int, int) { tables = Tables(data, item); });
    return tables;
  }
  /// \param unit  see `MeasureSweep`
  template <class Member, class Source>
  KOKKOS_FORCEINLINE_FUNCTION double take(const Member& member, const Source& source, Scalar unit,
                                          const Tables& prepared) const {
    double sum = 0;
    Tables tables = prepared;
    bool is_prepared = true;
    chunks.template for_each<Kokkos::LayoutLeft>(member, [&](int item, int begin, int end) {
      if (!is_prepared) tables = Tables(data, item);
      is_prepared = false;
      walk(source.from(begin), unit, tables, begin, end - begin, sum);
    });
    return sum / (static_cast<double>(unit) * static_cast<double>(unit));
  }

 private:
  /// Levels 0 <= k < count of the source, which are levels k + offset of the mesh.
  template <class Source>
  KOKKOS_FORCEINLINE_FUNCTION void walk(const Source& source, Scalar unit, const Tables& tables,
                                        int offset, int count, double& sum) const {
    const Sides& sides = tables.sides;
    const auto& columns = sides.columns();
    const Value &area = tables.area, &boundary = tables.boundary;
    const Scalar mass = data.mass(0);
    Value x = unit * source.template value<Value>(columns, 0);
    const auto take_level = [&](int k) {
      if constexpr (Sides::ahead > 0) {
        if (k + Sides::ahead < count) source.prefetch(columns, k + Sides::ahead, 0);
      }
      const LevelCoefficients<Scalar> level = data.levels(k + offset);
      // Beyond the top the coupling is 0: any finite value will do.
      const Value above = unit * source.template value<Value>(
                                     columns, k + offset + 1 < data.num_levels ? k + 1 : k);
      const Value up = above - x, across = sides.next_row(source, unit, k, x) - x,
                  along = sides.next_column(source, unit, k, x) - x;
      const Value terms = area * (level.above * (up * up) - mass * (x * x)) +
                          sides.to_south * (across * across) + sides.to_east * (along * along) +
                          boundary * (x * x);
      sum -= weighted_sum(terms, level.scale);
      x = above;
    };
    LAMINA_DEVICE_UNROLL(Sides::together)
    for (int k = 0; k < count; ++k) take_level(k);
  }
};

template <class Scalar, class Memory, class Sides>
struct DeviceCurvature {
  static constexpr int energy = FusedStep<Memory>::energy;
  HelmholtzData<Scalar, Memory> data;
  MeasureSweep<Scalar, Kokkos::LayoutLeft, Memory> sweep;
  StencilChunks chunks;
  TeamParts<Memory> parts;
  double* result;

  using Share = CurvatureShare<Scalar, Memory, Sides>;

  template <class Member>
  KOKKOS_FUNCTION auto prepare(const Member& member) const {
    return Share{data, chunks}.prepare(member);
  }
  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member,
                                  const typename Share::Tables& prepared) const {
    const auto pass = sweep.begin(false);
    const Scalar unit = sweep.unit(sweep.step.now[energy]);
    const double sum =
        pass.active ? Share{data, chunks}.take(member, pass.source, unit, prepared) : 0;
    parts.template add_up<1>(member, static_cast<double*>(member.scratch()), &sum, result);
  }
};

/// Rounds that teams of a sweep that only reads may go, see `launch_stencil`: they stay together
/// for longer than those that store. On an H200 this sweep is 4 to 11 % faster in rounds where
/// these are up to 8, and slower from 62 on.
inline constexpr int reading_rounds = 16;

/// <z, A z>, with each edge read once.
template <class Sides, class Space, class Scalar, class Memory, class Sweep>
void run_device_curvature(const char* label, const Space& space,
                          const HelmholtzData<Scalar, Memory>& data, const Sweep& sweep,
                          const TeamParts<Memory>& parts, double* result) {
  using Layout = Kokkos::LayoutLeft;
  const auto chunks =
      stencil_chunks<Layout>(space, Sides::count(data), sweep.level_stride(), data.num_levels);
  launch_stencil(label, space,
                 DeviceCurvature<Scalar, Memory, Sides>{data, sweep, chunks, parts, result},
                 reading_rounds);
}

}  // namespace Lamina::Impl
