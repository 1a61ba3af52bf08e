// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// A column of `ProfileCoefficients` as a thread holds it.

#include <lamina/columns/impl/CutCells.hpp>
#include <lamina/core/Concepts.hpp>
#include <lamina/core/impl/ExtentOf.hpp>
#include <lamina/sweeps/ColumnSystem.hpp>

namespace Lamina {

template <FieldScalar Scalar, MemorySpace Memory, bool HasBottoms, bool HasPartialCells>
class ProfileCoefficients;

namespace Impl {

/// The profiles at one level, together: a device fetches them at once. `above` is 0 at the top,
/// `below` at the bottom.
template <class Scalar>
struct alignas(4 * sizeof(Scalar)) ProfileLevel {
  Scalar mass, above, below, horizontal;
};

/// See `ColumnCoefficients`.
template <class Coefficients, int Slots>
class HeldProfile;

template <class Scalar, class Memory, bool HasBottoms, bool HasPartialCells, int Slots>
class HeldProfile<ProfileCoefficients<Scalar, Memory, HasBottoms, HasPartialCells>, Slots>
    : HeldCutCells<Scalar, Memory, Slots, HasPartialCells> {
  using All = ProfileCoefficients<Scalar, Memory, HasBottoms, HasPartialCells>;
  using Cuts = HeldCutCells<Scalar, Memory, Slots, HasPartialCells>;

 public:
  HeldProfile() = default;
  KOKKOS_FUNCTION HeldProfile(const All& all, int column)
      : Cuts(all.m_cuts, column, static_cast<int>(all.m_couplings.extent(1))),
        m_column(column),
        m_mass_factor(all.m_mass_factors(column)),
        m_vertical_factor(all.m_vertical_factors(column)),
        m_boundary(all.m_boundary(column)),
        m_coupling_sum(all.m_coupling_sums(column)) {
    const int slots = static_cast<int>(all.m_couplings.extent(1));
    for (int n = 0; n < Slots; ++n) {
      m_coupling[n] = n < slots ? all.m_couplings(column, n) : Scalar(0);
      if constexpr (HasBottoms) m_open[n] = n < slots ? all.m_open(column, n) : 0;
    }
    if constexpr (HasBottoms) {
      m_bottom = all.m_bottoms(column);
      m_clear = all.m_clear(column);
      m_first_step = all.m_first_steps(column);
    }
  }

  KOKKOS_FUNCTION CellRow<Scalar> row(const All& all, int level) const {
    const ProfileLevel<Scalar> at = all.m_levels(level);
    const CellRow<Scalar> wet{m_mass_factor * at.mass + m_boundary * at.horizontal,
                              m_vertical_factor * at.above, m_vertical_factor * at.below};
    if constexpr (HasBottoms) {
      if (level >= m_bottom) return {Scalar(1), Scalar(0), Scalar(0)};
      const Scalar above = level + 1 < m_bottom ? wet.above : Scalar(0);
      return {this->of_cell(level, m_bottom) * wet.mass, this->of_face(level, m_bottom) * above,
              this->of_face(level - 1, m_bottom) * wet.below};
    }
    return wet;
  }
  KOKKOS_FUNCTION Scalar coupling(const All& all, int slot, int level) const {
    return part(all, slot, level) * horizontal(all, level);
  }
  /// Couplings are the product of both.
  KOKKOS_FUNCTION Scalar horizontal(const All& all, int level) const {
    return all.m_levels(level).horizontal;
  }
  KOKKOS_FUNCTION Scalar part(const All& all, int slot, int level) const {
    if constexpr (HasBottoms) {
      const int open = open_below(all, slot);
      if (level >= open) return Scalar(0);
      return this->of_edge(all.m_cuts, slot, level, open) * coupling_of(all, slot);
    }
    return coupling_of(all, slot);
  }
  KOKKOS_FUNCTION Scalar wall(const All& all, int level) const {
    if constexpr (HasBottoms) {
      if (level >= m_bottom) return Scalar(0);
      return this->of_cell(level, m_bottom) * m_boundary * all.m_levels(level).horizontal;
    }
    return m_boundary * all.m_levels(level).horizontal;
  }
  KOKKOS_FUNCTION Scalar line_mass(const All& all, int level) const {
    return line_mass(all, all.m_levels(level), level);
  }
  /// The same, where the profiles at the level are known.
  KOKKOS_FUNCTION Scalar line_mass(const All& all, const ProfileLevel<Scalar>& at,
                                   int level) const {
    if constexpr (HasBottoms) {
      if (level >= m_bottom) return Scalar(1);
      const Scalar sum = level < m_clear ? m_coupling_sum : all.m_steps(m_first_step + level);
      return this->of_cell(level, m_bottom) * m_mass_factor * at.mass + sum * at.horizontal;
    }
    return whole_line_mass(at);
  }
  /// Whether nothing ends at the levels below `end`.
  KOKKOS_FUNCTION bool is_whole(int end, int num_levels) const requires(HasBottoms) {
    const int last = end < num_levels ? end : num_levels;
    const bool open =
        HasPartialCells ? last + 1 < m_bottom : last < m_bottom || m_bottom == num_levels;
    return last <= m_clear && open;
  }
  /// `line_mass` and `line_above` there.
  KOKKOS_FUNCTION Scalar whole_line_mass(const ProfileLevel<Scalar>& at) const {
    return m_mass_factor * at.mass + m_coupling_sum * at.horizontal;
  }
  KOKKOS_FUNCTION Scalar whole_line_above(const Scalar& above) const {
    return m_vertical_factor * above;
  }
  /// The coupling with the level above, of which the profile is known.
  KOKKOS_FUNCTION Scalar line_above(const Scalar& above, int level) const {
    if constexpr (HasBottoms) {
      if (level + 1 >= m_bottom) return Scalar(0);
      return this->of_face(level, m_bottom) * (m_vertical_factor * above);
    }
    return whole_line_above(above);
  }

 private:
  KOKKOS_FUNCTION Scalar coupling_of(const All& all, int slot) const {
    if constexpr (Slots > 0) {
      return m_coupling[slot];
    } else {
      return all.m_couplings(m_column, slot);
    }
  }
  KOKKOS_FUNCTION int open_below(const All& all, int slot) const {
    if constexpr (Slots > 0) {
      return m_open[slot];
    } else {
      return all.m_open(m_column, slot);
    }
  }

  static constexpr int arrays = Slots > 0 ? Slots : 1, ints = HasBottoms ? arrays : 1;
  int m_column, m_bottom, m_clear, m_first_step;
  Scalar m_mass_factor, m_vertical_factor, m_boundary, m_coupling_sum;
  Scalar m_coupling[extent_of<arrays>];
  int m_open[extent_of<ints>];
};

}  // namespace Impl
}  // namespace Lamina
