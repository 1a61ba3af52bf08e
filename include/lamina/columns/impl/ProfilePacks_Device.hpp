// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Packs of columns of `ProfileCoefficients` on a device.
//
// Bottoms cost next to nothing above them: a walk goes down, and what it comes to lies closed from there on.
// So what a thread holds of its columns is changed where a column ends or an edge closes (`close`). Until the
// next such level (`next_end`) a walk asks for nothing.

#include <lamina/columns/impl/HeldProfile.hpp>
#include <lamina/device/impl/Backend.hpp>
#include <lamina/grids/impl/ColumnPacks.hpp>
#include <lamina/sweeps/impl/EdgeSums_Device.hpp>
#include <lamina/sweeps/impl/PackStencils_Device.hpp>
#include <lamina/sweeps/impl/Stencils_Device.hpp>

#include <limits>

namespace Lamina::Impl {

/// Tables of coefficients that take packs. Filled for devices.
template <class Scalar, class Memory, bool Exists>
struct ProfilePacks {};
template <class Scalar, class Memory>
struct ProfilePacks<Scalar, Memory, true> {
  ColumnPacks<Scalar, Memory> packs;
  ColumnEdges<Scalar, Memory> edges;
};

/// The i-th of several columns.
KOKKOS_FORCEINLINE_FUNCTION int column_of(int columns, int, int i) { return columns + i; }
KOKKOS_FORCEINLINE_FUNCTION int column_of(const ColumnPair& columns, int width, int i) {
  return i < width / 2 ? columns.first + i : columns.second + i - width / 2;
}

/// What a thread holds of its columns, beside their edges. A walk calls for each level, from the first one
/// of the thread on, either `image` or `add_level`; with bottoms before it `close` where level >= next_end().
template <class Coefficients, class Value>
class ProfileColumns;

template <class Scalar, class Memory, bool HasBottoms, class Value>
class ProfileColumns<ProfileCoefficients<Scalar, Memory, HasBottoms, false>, Value> {
  using All = ProfileCoefficients<Scalar, Memory, HasBottoms, false>;
  static constexpr int width = value_width<Value>;
  static constexpr int never = std::numeric_limits<int>::max();

 public:
  ProfileColumns() = default;
  template <class Columns>
  KOKKOS_FORCEINLINE_FUNCTION ProfileColumns(const All& all, const Columns& columns)
      : m_mass(read<Value>(all.m_mass_factors, columns)),
        m_vertical(read<Value>(all.m_vertical_factors, columns)),
        m_boundary(read<Value>(all.m_boundary, columns)) {}

  /// flux(boundary): what enters over edges that are open and from the boundary, over d_k.
  template <class Kind, class Flux>
  KOKKOS_FORCEINLINE_FUNCTION Value image(const All& all, int level, const Value& x,
                                          const Value& above, const Value& below, Kind,
                                          const Flux& flux) const {
    const ProfileLevel<Scalar> at = all.profile(level);
    return mass<Kind>(at) * x + m_vertical * (at.above * (x - above) + at.below * (x - below)) -
           at.horizontal * flux(m_boundary);
  }

  /// See `SummedColumns`.
  KOKKOS_FORCEINLINE_FUNCTION static int of_mesh(const All&) { return 0; }
  KOKKOS_FORCEINLINE_FUNCTION static ProfileLevel<Scalar> at_level(const All& all, int level) {
    return all.profile(level);
  }
  template <class System, class Sides, class Source, class Kind = LevelKind<false, false>>
  KOKKOS_FORCEINLINE_FUNCTION void add_level(const System& system, const Sides& sides, int,
                                             const ProfileLevel<Scalar>& at, const Source& source,
                                             Scalar unit, int k, int level, const Value& x,
                                             const Value& above, double& sum, Kind = {}) const {
    const Value up = above - x, square = x * x;
    const Value edges = sides.add_edges(system, m_boundary * square, source, unit, k, level, x);
    const Value terms = mass<Kind>(at) * square + m_vertical * (at.above * (up * up));
    sum += weighted_sum(terms + at.horizontal * edges, Scalar(1));
  }

  /// Whether one of the columns has ended.
  KOKKOS_FORCEINLINE_FUNCTION bool has_dry() const requires(HasBottoms) { return m_dry != 0; }
  /// The level that something ends at next.
  KOKKOS_FORCEINLINE_FUNCTION int next_end() const requires(HasBottoms) { return m_next; }
  /// Closes what is closed from this level on. Values above become x where the interface is closed.
  template <class Sides>
  KOKKOS_FORCEINLINE_FUNCTION void close(const All& all, const Sides& sides, int level,
                                         const Value& x, Value& above) const requires(HasBottoms) {
    int next = never;
    const auto reached = [&](int end) {
      if (end > level && end < next) next = end;
      return level >= end;
    };
    for (int i = 0; i < width; ++i) {
      const int bottom = all.m_bottoms(column_of(sides.columns(), width, i));
      if (reached(bottom - 1)) above[i] = x[i];
      if (!reached(bottom)) continue;
      m_mass[i] = m_vertical[i] = m_boundary[i] = 0;
      m_dry |= 1 << i;
    }
    sides.visit_edges([&](int column, int neighbour, Scalar& coupling) {
      const int own = all.m_bottoms(column), other = all.m_bottoms(neighbour);
      if (reached(own < other ? own : other)) coupling = 0;
    });
    m_next = next;
  }

 private:
  template <class Kind>
  KOKKOS_FORCEINLINE_FUNCTION Value mass(const ProfileLevel<Scalar>& at) const {
    Value mass = at.mass * m_mass;
    if constexpr (Kind::has_dry) {
      for (int i = 0; i < width; ++i) {
        if ((m_dry >> i & 1) != 0) mass[i] = 1;
      }
    }
    return mass;
  }

  mutable Value m_mass, m_vertical, m_boundary;
  mutable int m_dry = 0;   // a bit for each column that has ended
  mutable int m_next = 0;  // level that something ends at
};

template <class Scalar, class Memory, bool HasBottoms, class Value>
struct SummedColumns<ProfileCoefficients<Scalar, Memory, HasBottoms, false>, Value>
    : ProfileColumns<ProfileCoefficients<Scalar, Memory, HasBottoms, false>, Value> {
  using ProfileColumns<ProfileCoefficients<Scalar, Memory, HasBottoms, false>,
                       Value>::ProfileColumns;
};

/// Columns with the given sides.
template <class Coefficients, class Sides>
class ProfileStencil : public Sides {
 public:
  using System = ColumnSystem<Coefficients>;
  using Value = typename Sides::Value;
  static int count(const System& system) { return system.topology.num_owned / Sides::width; }

  ProfileStencil() = default;
  KOKKOS_FUNCTION ProfileStencil(const System& system, int item)
      : Sides(system.coefficients.packs, item), m_own(system.coefficients, this->columns()) {}

  template <class Source, class Kind = LevelKind<false, false>>
  KOKKOS_FORCEINLINE_FUNCTION Value image(const System& system, const Source& source, int k,
                                          int level, const Value& x, const Value& above,
                                          const Value& below, Kind kind = {}) const {
    return m_own.image(system.coefficients, level, x, above, below, kind,
                       [&](const Value& boundary) { return this->flux(source, k, x, boundary); });
  }
  /// See `ProfileColumns`.
  KOKKOS_FORCEINLINE_FUNCTION bool has_dry() const requires
      closes_cells<ProfileColumns<Coefficients, Value>> {
    return m_own.has_dry();
  }
  KOKKOS_FORCEINLINE_FUNCTION int next_end() const requires
      closes_cells<ProfileColumns<Coefficients, Value>> {
    return m_own.next_end();
  }
  KOKKOS_FORCEINLINE_FUNCTION void close(const System& system, int level, const Value& x,
                                         Value& above) const requires
      closes_cells<ProfileColumns<Coefficients, Value>> {
    m_own.close(system.coefficients, static_cast<const Sides&>(*this), level, x, above);
  }

 private:
  ProfileColumns<Coefficients, Value> m_own;
};

template <class Scalar, class Memory, bool HasBottoms>
struct StencilsOfPacks<ProfileCoefficients<Scalar, Memory, HasBottoms, false>> {
  using Coefficients = ProfileCoefficients<Scalar, Memory, HasBottoms, false>;
  using Packs = ProfileStencil<Coefficients, PackSides<Scalar, Memory, pack_width<Scalar>>>;
  using Pairs = ProfileStencil<Coefficients, PairSides<Scalar, Memory>>;
};

}  // namespace Lamina::Impl
