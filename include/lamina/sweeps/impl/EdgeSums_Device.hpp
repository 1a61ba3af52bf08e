// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// <z, A z> of coefficients that take packs on a device, where columns are contiguous: a sweep that reads each edge
// once.

#include <lamina/device/impl/Backend.hpp>
#include <lamina/device/impl/StencilChunks_Device.hpp>
#include <lamina/device/impl/TeamSums_Device.hpp>
#include <lamina/sweeps/FusedSweeps.hpp>
#include <lamina/sweeps/TensorCoefficients.hpp>
#include <lamina/sweeps/impl/Traversal_Device.hpp>
#include <lamina/sweeps/impl/Tuning.hpp>

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
template <class Scalar, class Memory, int Width,
          class Coefficients = TensorCoefficients<Scalar, Memory>>
struct TwoSides {
  static constexpr int together = EdgeSumTuning::two_sides.together,
                       ahead = EdgeSumTuning::two_sides.ahead,
                       least_teams = EdgeSumTuning::two_sides.least_teams;
  using System = ColumnSystem<Coefficients>;
  using Value = Pack<Scalar, Width>;
  int column, south, east;
  mutable Value to_south, to_east;

  static int count(const System& system) { return system.topology.num_owned / Width; }

  TwoSides() = default;
  KOKKOS_FUNCTION TwoSides(const System& system, int pack) : column(pack * Width) {
    const auto& edges = system.coefficients.edges;
    const auto& packs = system.coefficients.packs;
    if constexpr (Width == 1) {
      south = edges.neighbours(pack, 0);
      east = edges.neighbours(pack, 1);
      to_south = load<Value>(&edges.couplings(pack, 0));
      to_east = load<Value>(&edges.couplings(pack, 1));
    } else {
      using Packs = ColumnPacks<Scalar, Memory>;
      south = packs.neighbours(pack, Packs::south);
      east = packs.neighbours(pack, Packs::east);
      to_south = load<Value>(&packs.couplings(pack * Width, Packs::south));
      to_east = load<Value>(&packs.couplings(pack * Width, Packs::east));
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION int columns() const { return column; }
  /// See `PackSides`.
  template <class Visit>
  KOKKOS_FORCEINLINE_FUNCTION void visit_edges(const Visit& visit) const {
    for (int i = 0; i < Width; ++i) {
      visit(column + i, south + i, to_south[i]);
      visit(column + i, i + 1 < Width ? column + i + 1 : east, to_east[i]);
    }
  }
  /// `terms` + sum_s alpha_s (z_s - x)^2, where fields hold z / unit. `level` is that of the source.
  template <class Source>
  KOKKOS_FORCEINLINE_FUNCTION Value add_edges(const System&, const Value& terms,
                                              const Source& source, Scalar unit, int level, int,
                                              const Value& x) const {
    const Value across = unit * source.template value<Value>(south, level) - x;
    Value next = x;
    for (int i = 1; i < Width; ++i) next[i - 1] = x[i];
    next[Width - 1] = unit * source.template value<Scalar>(east, level);
    const Value along = next - x;
    return terms + to_south * (across * across) + to_east * (along * along);
  }
};

/// The edges that a single column lists, of polygons or beside packs. `More`: it may list any number.
template <class Scalar, class Memory, bool More = false,
          class Coefficients = TensorCoefficients<Scalar, Memory>>
struct FewSides {
  static constexpr int together = EdgeSumTuning::few_sides.together,
                       ahead = EdgeSumTuning::few_sides.ahead,
                       least_teams = EdgeSumTuning::few_sides.least_teams;
  static constexpr int most = static_cast<int>(ListedEdges::most);
  using System = ColumnSystem<Coefficients>;
  using Value = Pack<Scalar, 1>;
  int column;
  int neighbour[most];
  mutable Scalar coupling[most];

  static int count(const System& system) { return system.topology.num_owned; }

  FewSides() = default;
  KOKKOS_FUNCTION FewSides(const System& system, int item) : column(item) {
    const auto& edges = system.coefficients.edges;
    for (int n = 0; n < most; ++n) {
      const bool exists = !More || n < slots(system);
      neighbour[n] = exists ? edges.neighbours(item, n) : item;
      coupling[n] = exists ? edges.couplings(item, n) : Scalar(0);
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION int columns() const { return column; }
  template <class Visit>
  KOKKOS_FORCEINLINE_FUNCTION void visit_edges(const Visit& visit) const {
    for (int n = 0; n < most; ++n) visit(column, neighbour[n], coupling[n]);
  }
  template <class Source>
  KOKKOS_FORCEINLINE_FUNCTION Value add_edges(const System& system, Value terms,
                                              const Source& source, Scalar unit, int level,
                                              int of_mesh, const Value& x) const {
    for (int n = 0; n < most; ++n) {
      // Of an absent neighbour nothing is read.
      const Scalar other =
          coupling[n] != 0 ? unit * source.template value<Scalar>(neighbour[n], level) : x[0];
      terms[0] += coupling[n] * ((other - x[0]) * (other - x[0]));
    }
    if constexpr (More) {
      const auto& edges = system.coefficients.edges;
      for (int n = most; n < slots(system); ++n) {
        if constexpr (requires { system.coefficients.is_open(0, 0, 0); }) {
          if (!system.coefficients.is_open(column, edges.neighbours(column, n), of_mesh)) continue;
        }
        const Scalar other =
            unit * source.template value<Scalar>(edges.neighbours(column, n), level);
        terms[0] += edges.couplings(column, n) * ((other - x[0]) * (other - x[0]));
      }
    }
    return terms;
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION static int slots(const System& system) {
    return static_cast<int>(system.coefficients.edges.neighbours.extent(1));
  }
};

/// The same of a pair of packs, the second one south of the first: one row less to read.
template <class Scalar, class Memory, class Coefficients = TensorCoefficients<Scalar, Memory>>
struct TwoSidesOfPair {
  static constexpr int together = EdgeSumTuning::pairs.together, ahead = EdgeSumTuning::pairs.ahead,
                       least_teams = EdgeSumTuning::pairs.least_teams;
  using System = ColumnSystem<Coefficients>;
  using Packs = ColumnPacks<Scalar, Memory>;
  static constexpr int pack = pack_width<Scalar>;
  using Row = Pack<Scalar, pack>;
  using Value = Pack<Scalar, 2 * pack>;
  ColumnPair pair;
  int south, east[2];
  mutable Value to_south, to_east;

  static int count(const System& system) { return system.topology.num_owned / (2 * pack); }

  TwoSidesOfPair() = default;
  KOKKOS_FUNCTION TwoSidesOfPair(const System& system, int item)
      : pair(system.coefficients.packs.pair(item)) {
    const Packs& packs = system.coefficients.packs;
    south = packs.neighbours(pair.second / pack, Packs::south);
    east[0] = packs.neighbours(pair.first / pack, Packs::east);
    east[1] = packs.neighbours(pair.second / pack, Packs::east);
    to_south = read<Value>(packs.couplings, pair, Packs::south);
    to_east = read<Value>(packs.couplings, pair, Packs::east);
  }

  KOKKOS_FORCEINLINE_FUNCTION const ColumnPair& columns() const { return pair; }
  template <class Visit>
  KOKKOS_FORCEINLINE_FUNCTION void visit_edges(const Visit& visit) const {
    for (int i = 0; i < pack; ++i) {
      const bool last = i + 1 == pack;
      visit(pair.first + i, pair.second + i, to_south[i]);
      visit(pair.second + i, south + i, to_south[pack + i]);
      visit(pair.first + i, last ? east[0] : pair.first + i + 1, to_east[i]);
      visit(pair.second + i, last ? east[1] : pair.second + i + 1, to_east[pack + i]);
    }
  }
  template <class Source>
  KOKKOS_FORCEINLINE_FUNCTION Value add_edges(const System&, const Value& terms,
                                              const Source& source, Scalar unit, int level, int,
                                              const Value& x) const {
    const Value across = join(half_of<1>(x), unit * source.template value<Row>(south, level)) - x;
    Value next = x;
    for (int i = 1; i < pack; ++i) {
      next[i - 1] = x[i];
      next[pack + i - 1] = x[pack + i];
    }
    next[pack - 1] = unit * source.template value<Scalar>(east[0], level);
    next[2 * pack - 1] = unit * source.template value<Scalar>(east[1], level);
    const Value along = next - x;
    return terms + to_south * (across * across) + to_east * (along * along);
  }
};

/// The sides of coefficients that are summed over edges, but not in packs: `Two`, `Few` and `Many` of them,
/// and slots(system) of each column.
template <class Coefficients>
struct ListedSides {};

/// What a sum over edges holds of columns, beside their edges.
template <class Coefficients, class Value>
struct SummedColumns {
  using Scalar = typename Coefficients::scalar_type;
  Value area, boundary;

  SummedColumns() = default;
  template <class Columns>
  KOKKOS_FORCEINLINE_FUNCTION SummedColumns(const Coefficients& coefficients,
                                            const Columns& columns)
      : area(read<Value>(coefficients.area, columns)),
        boundary(read<Value>(coefficients.boundary, columns)) {}

  /// What all columns share: of the mesh, and at one of its levels.
  KOKKOS_FORCEINLINE_FUNCTION static Scalar of_mesh(const Coefficients& coefficients) {
    return coefficients.mass(0);
  }
  KOKKOS_FORCEINLINE_FUNCTION static LevelCoefficients<Scalar> at_level(
      const Coefficients& coefficients, int level) {
    return coefficients.levels(level);
  }
  /// Adds the terms of a level of the mesh, which is level k of the source.
  template <class System, class Sides, class Source>
  KOKKOS_FORCEINLINE_FUNCTION void add_level(const System& system, const Sides& sides, Scalar mass,
                                             const LevelCoefficients<Scalar>& level,
                                             const Source& source, Scalar unit, int k,
                                             int k_of_mesh, const Value& x, const Value& above,
                                             double& sum) const {
    const Value up = above - x;
    const Value column_terms = area * (level.above * (up * up) - mass * (x * x));
    const Value terms =
        sides.add_edges(system, column_terms, source, unit, k, k_of_mesh, x) + boundary * (x * x);
    sum -= weighted_sum(terms, level.scale);
  }
};

/// <z, A z> as a sum over edges, each of which is read once. Of a tensor product:
///
///   - sum_cells d_k ( |T| ( b'_k (z_{k+1} - z)^2 - a'_k z^2 ) + sum_s alpha_s (z_s - z)^2
///                     + alpha_b z^2 ),     s = south and east, or the edges that a column lists;
///
/// d and a' are negative: no term cancels another. This is one thread's share.
template <class Scalar, class Memory, class Sides>
struct EdgeSumsShare {
  using System = typename Sides::System;
  using Value = typename Sides::Value;

  const System& system;
  const StencilChunks& chunks;

  /// What a thread holds of the columns that it takes together.
  struct Tables {
    Sides sides;
    SummedColumns<typename System::coefficients_type, Value> own;

    Tables() = default;
    KOKKOS_FORCEINLINE_FUNCTION Tables(const System& system, int item)
        : sides(system, item), own(system.coefficients, sides.columns()) {}
  };
  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION Tables prepare(const Member& member) const {
    Tables tables;
    chunks.template for_first<Kokkos::LayoutLeft>(
        member, [&](int item, int, int) { tables = Tables(system, item); });
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
      if (!is_prepared) tables = Tables(system, item);
      is_prepared = false;
      take_piece(source, unit, tables, begin, end, sum);
    });
    return sum / (static_cast<double>(unit) * static_cast<double>(unit));
  }
  /// `sum` += unit^2 times the terms of levels begin <= k < end.
  template <class Source>
  KOKKOS_FORCEINLINE_FUNCTION void take_piece(const Source& source, Scalar unit,
                                              const Tables& tables, int begin, int end,
                                              double& sum) const {
    walk(source.from(begin), unit, tables, begin, end - begin, sum);
  }

 private:
  /// Levels 0 <= k < count of the source, which are levels k + offset of the mesh.
  template <class Source>
  KOKKOS_FORCEINLINE_FUNCTION void walk(const Source& source, Scalar unit, const Tables& tables,
                                        int offset, int count, double& sum) const {
    const Sides& sides = tables.sides;
    const auto& columns = sides.columns();
    const auto of_mesh = tables.own.of_mesh(system.coefficients);
    Value x = unit * source.template value<Value>(columns, 0);
    const auto take_level = [&](int k, auto kind) {
      if constexpr (Sides::ahead > 0) {
        if (k + Sides::ahead < count) source.prefetch(columns, k + Sides::ahead, 0);
      }
      const auto at = tables.own.at_level(system.coefficients, k + offset);
      // Beyond the top the coupling is 0: any finite value will do.
      const Value above =
          unit * source.template value<Value>(
                     columns, k + offset + 1 < system.topology.num_levels ? k + 1 : k);
      const auto& own = tables.own;
      if constexpr (closes_cells<decltype(tables.own)>) {
        Value reached = above;
        if constexpr (kind.closes) own.close(system.coefficients, sides, k + offset, x, reached);
        own.add_level(system, sides, of_mesh, at, source, unit, k, k + offset, x, reached, sum,
                      kind);
      } else {
        own.add_level(system, sides, of_mesh, at, source, unit, k, k + offset, x, above, sum);
      }
      x = above;
    };
    walk_up<Sides::together>(tables.own, offset, 0, count, take_level);
  }
};

template <class Scalar, class Memory, class Sides>
struct DeviceEdgeSums {
  typename Sides::System system;
  MeasureSweep<Scalar, Kokkos::LayoutLeft, Memory> sweep;
  StencilChunks chunks;
  TeamParts<Memory> parts;
  double* sums;

  using Share = EdgeSumsShare<Scalar, Memory, Sides>;

  template <class Member>
  KOKKOS_FUNCTION auto prepare(const Member& member) const {
    return Share{system, chunks}.prepare(member);
  }
  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member,
                                  const typename Share::Tables& prepared) const {
    const auto pass = sweep.begin(false);
    const Scalar unit = sweep.unit(sweep.energy());
    const double sum =
        pass.active ? Share{system, chunks}.take(member, pass.source, unit, prepared) : 0;
    parts.template add_up<1>(member, static_cast<double*>(member.scratch()), &sum, sums);
  }
};

/// <z, A z>, with each edge read once.
template <class Sides, class Space, class System, class Sweep>
void sum_edges_on_device(const char* label, const Space& space, const System& system,
                         const Sweep& sweep,
                         const TeamParts<typename System::memory_space>& parts) {
  using Kernel = DeviceEdgeSums<typename System::scalar_type, typename System::memory_space, Sides>;
  const auto chunks = stencil_chunks<Kokkos::LayoutLeft, Sides::least_teams>(
      space, Sides::count(system), longest_level_stride(sweep), system.topology.num_levels);
  launch_stencil<Sides::least_teams>(label, space,
                                     Kernel{system, sweep, chunks, parts, sums_of(sweep)},
                                     SweepTuning::reading_rounds);
}

}  // namespace Lamina::Impl
