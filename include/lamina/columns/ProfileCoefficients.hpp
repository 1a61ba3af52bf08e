// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/core/impl/ExtentOf.hpp>
#include <lamina/grids/ColumnMesh.hpp>
#include <lamina/sweeps/ColumnSystem.hpp>

#include <cstddef>
#include <vector>

namespace Lamina {

/// What `ProfileCoefficients` are made of.
struct ColumnProfiles {
  std::vector<double> mass;        ///< a_k >= 0, of each level
  std::vector<double> vertical;    ///< b_k >= 0, of the interface above each level but the last one
  std::vector<double> horizontal;  ///< d_k >= 0, of each level
  /// s_c >= 0 and t_c >= 0, of each column of the mesh. Empty: the areas.
  std::vector<double> mass_factors{}, vertical_factors{};
};

namespace Impl {

/// The profiles at one level, together: a device fetches them at once. `above` is 0 at the top, `below`
/// at the bottom.
template <class Scalar>
struct alignas(4 * sizeof(Scalar)) ProfileLevel {
  Scalar mass, above, below, horizontal;
};

}  // namespace Impl

/// A tensor product whose terms have profiles over the levels and factors over the columns of their own.
///
/// \par Equation
/// Row (column c, level k), with couplings alpha_n to the neighbours and alpha_b to the boundary of the mesh:
///
///   y = (s_c a_k + alpha_b d_k) x + t_c b_k (x - x_{k+1}) + t_c b_{k-1} (x - x_{k-1})
///       + sum_n alpha_n d_k (x - x_n)
///
/// It has what `HelmholtzOperator` (s = t = areas, a proportional to d) has not: a mass term, as of a time
/// step or a free surface, with a profile of its own; a stratification times a factor of the column; height
/// of columns h_c in coordinates that follow it (s = h, t = 1/h). Couplings of the mesh are any positive
/// numbers: a horizontal coefficient goes there.
///
/// \par Bottoms
/// With `HasBottoms` column c ends at a level n_c: it has the cells k < n_c. Edges are open for k < min(n_c,
/// n_n), the interface above the last cell is closed. Rows of the other cells are the identity: keep the
/// right-hand side 0 there.
///
/// \par Cost
/// An iteration of `FusedPcg` moves the 9 fields of a tensor product, beside 3 numbers a column, and one
/// for each neighbour; with bottoms an int more for each of both.
template <FieldScalar Scalar, MemorySpace Memory, bool HasBottoms = false>
class ProfileCoefficients {
 public:
  using scalar_type = Scalar;
  using memory_space = Memory;
  static constexpr double fields = 0;
  static constexpr bool rows_are_cheap = !HasBottoms;

  /// Rounds profiles and geometry to `Scalar`.
  /// \throws InvalidArgument for profiles of other lengths, and values that are negative, not finite or
  ///   beyond the range of `Scalar`.
  ProfileCoefficients(const ColumnMesh<Memory>& mesh,
                      const ColumnProfiles& profiles) requires(!HasBottoms) {
    set_profiles(mesh, profiles);
  }
  /// The same with bottoms.
  /// \param bottoms  n_c of all columns of the mesh, 0 <= n_c <= number of levels; it is copied
  ProfileCoefficients(const ColumnMesh<Memory>& mesh, const ColumnProfiles& profiles,
                      const Kokkos::View<const int*, Memory>& bottoms) requires(HasBottoms) {
    set_profiles(mesh, profiles);
    set_bottoms(mesh, bottoms);
  }

  int num_owned() const { return static_cast<int>(m_couplings.extent(0)); }  ///< columns
  int num_levels() const { return static_cast<int>(m_levels.extent(0)); }

  KOKKOS_FUNCTION CellRow<Scalar> row(int column, int level) const {
    return hold<0>(column).row(*this, level);
  }
  KOKKOS_FUNCTION Scalar coupling(int column, int slot, int level) const {
    return hold<0>(column).coupling(*this, slot, level);
  }
  KOKKOS_FUNCTION Scalar line_mass(int column, int level) const {
    return hold<0>(column).line_mass(*this, level);
  }

  /// The column of a thread. See `ColumnCoefficients`.
  template <int Slots>
  class Held {
   public:
    Held() = default;
    KOKKOS_FUNCTION Held(const ProfileCoefficients& all, int column)
        : m_column(column),
          m_mass_factor(all.m_mass_factors(column)),
          m_vertical_factor(all.m_vertical_factors(column)),
          m_boundary(all.m_boundary(column)),
          m_coupling_sum(all.m_coupling_sums(column)) {
      const int slots = static_cast<int>(all.m_couplings.extent(1));
      for (int n = 0; n < Slots; ++n) {
        m_coupling[n] = n < slots ? all.m_couplings(column, n) : Scalar(0);
        if constexpr (HasBottoms) m_open[n] = n < slots ? all.m_open(column, n) : 0;
      }
      if constexpr (HasBottoms) m_bottom = all.m_bottoms(column);
    }

    KOKKOS_FUNCTION CellRow<Scalar> row(const ProfileCoefficients& all, int level) const {
      const Impl::ProfileLevel<Scalar> at = all.m_levels(level);
      const CellRow<Scalar> wet{m_mass_factor * at.mass + m_boundary * at.horizontal,
                                m_vertical_factor * at.above, m_vertical_factor * at.below};
      if constexpr (HasBottoms) {
        if (level >= m_bottom) return {Scalar(1), Scalar(0), Scalar(0)};
        return {wet.mass, level + 1 < m_bottom ? wet.above : Scalar(0), wet.below};
      }
      return wet;
    }
    KOKKOS_FUNCTION Scalar coupling(const ProfileCoefficients& all, int slot, int level) const {
      if constexpr (HasBottoms) {
        if (level >= open_below(all, slot)) return Scalar(0);
      }
      return coupling_of(all, slot) * all.m_levels(level).horizontal;
    }
    KOKKOS_FUNCTION Scalar line_mass(const ProfileCoefficients& all, int level) const {
      const Impl::ProfileLevel<Scalar> at = all.m_levels(level);
      if constexpr (HasBottoms) {
        if (level >= m_bottom) return Scalar(1);
        Scalar sum = m_boundary;
        for (int n = 0; n < static_cast<int>(all.m_couplings.extent(1)); ++n) {
          if (level < all.m_open(m_column, n)) sum += all.m_couplings(m_column, n);
        }
        return m_mass_factor * at.mass + sum * at.horizontal;
      }
      return m_mass_factor * at.mass + m_coupling_sum * at.horizontal;
    }

   private:
    KOKKOS_FUNCTION Scalar coupling_of(const ProfileCoefficients& all, int slot) const {
      if constexpr (Slots > 0) {
        return m_coupling[slot];
      } else {
        return all.m_couplings(m_column, slot);
      }
    }
    KOKKOS_FUNCTION int open_below(const ProfileCoefficients& all, int slot) const {
      if constexpr (Slots > 0) {
        return m_open[slot];
      } else {
        return all.m_open(m_column, slot);
      }
    }

    static constexpr int arrays = Slots > 0 ? Slots : 1, ints = HasBottoms ? arrays : 1;
    int m_column, m_bottom;
    Scalar m_mass_factor, m_vertical_factor, m_boundary, m_coupling_sum;
    Scalar m_coupling[Impl::extent_of<arrays>];
    int m_open[Impl::extent_of<ints>];
  };
  template <int Slots>
  KOKKOS_FUNCTION Held<Slots> hold(int column) const {
    return Held<Slots>(*this, column);
  }

  /// Bytes that a sweep with couplings, and that a line solve reads beside fields.
  double stencil_bytes() const {
    const double slots = static_cast<double>(m_couplings.extent(1)),
                 of_bottoms = HasBottoms ? (slots + 1) * sizeof(int) : 0;
    return columns() * (3 * sizeof(Scalar) + slots * (sizeof(Scalar) + sizeof(int)) + of_bottoms) +
           level_bytes();
  }
  double line_bytes() const {
    const double slots = static_cast<double>(m_couplings.extent(1)),
                 of_bottoms = HasBottoms ? slots * (sizeof(Scalar) + sizeof(int)) : 0;
    return columns() * (4 * sizeof(Scalar) + of_bottoms) + level_bytes();
  }

 private:
  void set_profiles(const ColumnMesh<Memory>& mesh, const ColumnProfiles& profiles);
  void set_bottoms(const ColumnMesh<Memory>& mesh, const Kokkos::View<const int*, Memory>& bottoms);
  double columns() const { return static_cast<double>(m_couplings.extent(0)); }
  double level_bytes() const { return 4.0 * num_levels() * sizeof(Scalar); }

  Kokkos::View<const Impl::ProfileLevel<Scalar>*, Memory> m_levels;
  // (owned column)
  Kokkos::View<const Scalar*, Memory> m_mass_factors, m_vertical_factors, m_boundary;
  Kokkos::View<const Scalar*, Memory> m_coupling_sums;  // those of neighbours and boundary
  Kokkos::View<const int*, Memory> m_bottoms;
  // (owned column, slot)
  Kokkos::View<const Scalar**, Kokkos::LayoutLeft, Memory> m_couplings;
  Kokkos::View<const int**, Kokkos::LayoutLeft, Memory> m_open;  // levels below it are open
};

/// `ProfileCoefficients` with a bottom of each column.
template <FieldScalar Scalar, MemorySpace Memory>
using SteppedCoefficients = ProfileCoefficients<Scalar, Memory, true>;

}  // namespace Lamina
