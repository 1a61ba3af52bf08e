// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// <z, A z> on a device, of fields whose levels are layers: a sweep that reads each edge once.

#include <lamina/core/impl/StencilChunks_Device.hpp>
#include <lamina/core/impl/TeamSums_Device.hpp>
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
  using Value = Pack<Scalar, Width>;
  int south, east;
  Value to_south, to_east;

  TwoSides() = default;
  KOKKOS_FUNCTION TwoSides(const HelmholtzData<Scalar, Memory>& data, int pack) {
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
};

/// <z, A z> as a sum over edges, each of which is read once:
///
///   - sum_cells d_k ( |T| ( b'_k (z_{k+1} - z)^2 - a'_k z^2 ) + sum_s alpha_s (z_s - z)^2
///                     + alpha_b z^2 ),     s = south and east;
///
/// d and a' are negative: no term cancels another. This is one thread's share, in packs of `Width`.
template <class Scalar, class Memory, int Width = pack_width<Scalar>>
struct CurvatureShare {
  using Value = Pack<Scalar, Width>;

  const HelmholtzData<Scalar, Memory>& data;
  const StencilChunks& chunks;

  /// As those of `StencilShare`.
  struct Tables {
    TwoSides<Scalar, Memory, Width> sides;
    Value area, boundary;

    Tables() = default;
    KOKKOS_FORCEINLINE_FUNCTION Tables(const HelmholtzData<Scalar, Memory>& data, int pack)
        : sides(data, pack),
          area(read<Value>(data.area, pack * Width)),
          boundary(read<Value>(data.boundary, pack * Width)) {}
  };
  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION Tables prepare(const Member& member) const {
    Tables tables;
    chunks.template for_first<Kokkos::LayoutLeft>(
        member, [&](int pack, int, int) { tables = Tables(data, pack); });
    return tables;
  }
  /// \param unit  see `MeasureSweep`
  template <class Member, class Source>
  KOKKOS_FORCEINLINE_FUNCTION double take(const Member& member, const Source& source, Scalar unit,
                                          const Tables& prepared) const {
    double sum = 0;
    Tables tables = prepared;
    bool is_prepared = true;
    chunks.template for_each<Kokkos::LayoutLeft>(member, [&](int pack, int begin, int end) {
      if (!is_prepared) tables = Tables(data, pack);
      is_prepared = false;
      walk(source.from(begin), unit, tables, pack, begin, end - begin, sum);
    });
    return sum / (static_cast<double>(unit) * static_cast<double>(unit));
  }

 private:
  /// Levels 0 <= k < count of the source, which are levels k + offset of the mesh.
  template <class Source>
  KOKKOS_FORCEINLINE_FUNCTION void walk(const Source& source, Scalar unit, const Tables& tables,
                                        int pack, int offset, int count, double& sum) const {
    const int column = pack * Width;
    const TwoSides<Scalar, Memory, Width>& sides = tables.sides;
    const Value &area = tables.area, &boundary = tables.boundary;
    const Scalar mass = data.mass(0);
    constexpr int ahead = 12;
    Value x = unit * source.template value<Value>(column, 0);
    const auto take_level = [&](int k) {
      if (k + ahead < count) source.prefetch(column, k + ahead, 0);
      const LevelCoefficients<Scalar> level = data.levels(k + offset);
      // Beyond the top the coupling is 0: any finite value will do.
      const Value above =
          unit * source.template value<Value>(column, k + offset + 1 < data.num_levels ? k + 1 : k);
      const Value next_row = unit * source.template value<Value>(sides.south, k);
      Value next = x;
      for (int i = 1; i < Width; ++i) next[i - 1] = x[i];
      next[Width - 1] = unit * source.template value<Scalar>(sides.east, k);
      const Value up = above - x, across = next_row - x, along = next - x;
      const Value terms = area * (level.above * (up * up) - mass * (x * x)) +
                          sides.to_south * (across * across) + sides.to_east * (along * along) +
                          boundary * (x * x);
      sum -= weighted_sum(terms, level.scale);
      x = above;
    };
    constexpr int together = 4;  // loads of several levels in flight
    int k = 0;
    for (; k + together <= count; k += together) {
      for (int i = 0; i < together; ++i) take_level(k + i);
    }
    for (; k < count; ++k) take_level(k);
  }
};

template <class Scalar, class Memory, int Width>
struct DeviceCurvature {
  static constexpr int energy = FusedStep<Memory>::energy;
  HelmholtzData<Scalar, Memory> data;
  MeasureSweep<Scalar, Kokkos::LayoutLeft, Memory> sweep;
  StencilChunks chunks;
  TeamParts<Memory> parts;
  double* result;

  using Share = CurvatureShare<Scalar, Memory, Width>;

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

/// <z, A z>, with each edge read once, in packs of `Width`.
template <int Width, class Space, class Scalar, class Memory, class Sweep>
void run_device_curvature(const char* label, const Space& space,
                          const HelmholtzData<Scalar, Memory>& data, const Sweep& sweep,
                          const TeamParts<Memory>& parts, double* result) {
  using Layout = Kokkos::LayoutLeft;
  const auto chunks =
      stencil_chunks<Layout>(space, data.num_owned / Width, sweep.level_stride(), data.num_levels);
  launch_stencil(label, space,
                 DeviceCurvature<Scalar, Memory, Width>{data, sweep, chunks, parts, result},
                 reading_rounds);
}

}  // namespace Lamina::Impl
