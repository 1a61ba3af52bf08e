// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/columns/impl/HeldProfile.hpp>
#include <lamina/columns/impl/ProfileCells_Host.hpp>
#include <lamina/columns/impl/ProfilePacks_Device.hpp>
#include <lamina/core/Concepts.hpp>
#include <lamina/grids/ColumnMesh.hpp>
#include <lamina/grids/impl/PaddedRows.hpp>
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

/// Bottoms that lie between interfaces: column c has n_c wet cells, of whose last one a part f_c of the height is
/// open.
template <MemorySpace Memory>
struct PartialBottoms {
  Kokkos::View<const int*, Memory> levels;        ///< n_c of all columns of the mesh
  Kokkos::View<const double*, Memory> fractions;  ///< f_c, 0 < f_c <= 1; of land it has no effect
  std::vector<double> thicknesses;                ///< h_k > 0 of whole levels
  /// The part of the volume, 0 < v_c <= 1, where it is another than that of the height, as in a shell.
  /// Empty: f_c.
  Kokkos::View<const double*, Memory> volumes{};
};

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
/// \par Partial cells
/// With `HasPartialCells` the bottom cuts the last cell k = n_c - 1 of a column, so that the depth of columns need
/// not be that of an interface. Its height is f_c h_k: a_k has the factor v_c, the part of the volume, b_{k-1} the
/// factor (h_{k-1} + h_k) / (h_{k-1} + f_c h_k), as centres are closer. An edge is open by the smaller height of both
/// sides, whose part of the volume is the factor of d_k. Very thin cells couple strongly with the one above: models
/// close those of less than a tenth or so.
/// Source: Adcroft, Hill and Marshall, Mon. Wea. Rev. 125 (1997), "shaved cells".
///
/// \par Cost
/// An iteration of `FusedPcg` moves the 9 fields of a tensor product, beside 3 numbers a column, and one
/// for each neighbour; with bottoms an int more for each of both, with partial cells a number more, too.
template <FieldScalar Scalar, MemorySpace Memory, bool HasBottoms = false,
          bool HasPartialCells = false>
class ProfileCoefficients : public Impl::ProfilePacks<Scalar, Memory, !HasPartialCells> {
 public:
  using scalar_type = Scalar;
  using memory_space = Memory;
  static constexpr double fields = 0;
  static constexpr bool rows_are_cheap = true;

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
                      const Kokkos::View<const int*, Memory>& bottoms) requires(HasBottoms &&
                                                                                !HasPartialCells) {
    set_profiles(mesh, profiles);
    set_bottoms(mesh, bottoms);
    set_steps();
  }
  /// The same with partial cells.
  ProfileCoefficients(const ColumnMesh<Memory>& mesh, const ColumnProfiles& profiles,
                      const PartialBottoms<Memory>& bottoms) requires(HasPartialCells) {
    set_profiles(mesh, profiles);
    set_bottoms(mesh, bottoms.levels);
    set_cuts(mesh, bottoms);
    set_steps();
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
  /// The part of a row's mass that is a coupling to walls: alpha_b d_k.
  KOKKOS_FUNCTION Scalar wall(int column, int level) const {
    return hold<0>(column).wall(*this, level);
  }

  /// The column of a thread. See `ColumnCoefficients`.
  template <int Slots>
  using Held = Impl::HeldProfile<ProfileCoefficients, Slots>;
  template <int Slots>
  KOKKOS_FUNCTION Held<Slots> hold(int column) const {
    return Held<Slots>(*this, column);
  }

  /// \cond
  using line_level = Impl::ProfileLevel<Scalar>;
  KOKKOS_FUNCTION line_level profile(int level) const { return m_levels(level); }
  /// Whether the edge between two columns is open.
  KOKKOS_FUNCTION bool is_open(int column, int neighbour, int level) const requires(HasBottoms) {
    return level < m_bottoms(column) && level < m_bottoms(neighbour);
  }
  /// The same columns in places. Rows of places without a column are 0: their image is 0, and so is the solution
  /// of their lines. None of them ends above the last level, so that beside them no thread looks for an end.
  /// \param columns  those of the mesh in these places
  ProfileCoefficients in_places(const Impl::HostColumns& columns,
                                const Impl::HostPlaces& places) const;
  /// \endcond

  /// Bytes that a sweep with couplings, and that a line solve reads beside fields.
  double stencil_bytes() const {
    const double slots = static_cast<double>(m_couplings.extent(1)),
                 of_bottoms = HasBottoms ? (slots + 1) * sizeof(int) : 0,
                 of_cuts = HasPartialCells ? (slots + 2) * sizeof(Scalar) : 0;
    return columns() * (of_cuts + 3 * sizeof(Scalar) + slots * (sizeof(Scalar) + sizeof(int)) +
                        of_bottoms) +
           level_bytes();
  }
  double line_bytes() const {
    const double slots = static_cast<double>(m_couplings.extent(1)),
                 of_bottoms = HasBottoms ? slots * (sizeof(Scalar) + sizeof(int)) : 0,
                 of_cuts = HasPartialCells ? (slots + 2) * sizeof(Scalar) : 0;
    return columns() * (of_cuts + 4 * sizeof(Scalar) + of_bottoms) + level_bytes();
  }

 private:
  template <class, int>
  friend class Impl::HeldProfile;
  template <class, class>
  friend class Impl::ProfileColumns;
  template <class, int>
  friend class Impl::CellsOfColumn;
  template <class>
  friend class Impl::CellsOfLevel;
  template <class, bool, int>
  friend class Impl::ColumnCuts;

  void set_profiles(const ColumnMesh<Memory>& mesh, const ColumnProfiles& profiles);
  void set_bottoms(const ColumnMesh<Memory>& mesh, const Kokkos::View<const int*, Memory>& bottoms);
  void set_cuts(const ColumnMesh<Memory>& mesh, const PartialBottoms<Memory>& bottoms);
  void set_steps();
  void set_packs(const Impl::HostNeighbours& neighbours);
  double columns() const { return static_cast<double>(m_couplings.extent(0)); }
  double level_bytes() const { return 4.0 * num_levels() * sizeof(Scalar); }

  Kokkos::View<const Impl::ProfileLevel<Scalar>*, Memory> m_levels;
  // The same in vectors for CPU cores: (mass, above, below, horizontal; level)
  Kokkos::View<const Scalar**, Kokkos::LayoutRight, Memory> m_profiles;
  // (owned column)
  Kokkos::View<const Scalar*, Memory> m_mass_factors, m_vertical_factors, m_boundary;
  Kokkos::View<const Scalar*, Memory> m_coupling_sums;  // those of wet neighbours and boundary
  Kokkos::View<const int*, Memory> m_bottoms;           // of all columns of the mesh
  /// Cells below this level are in the column, not cut, and have all of the column's edges, see
  /// `m_coupling_sums`.
  Kokkos::View<const int*, Memory> m_clear;
  /// Sums of the couplings that are open in the other cells of columns: that of level k of column c is
  /// m_steps(m_first_steps(c) + k).
  Kokkos::View<const int*, Memory> m_first_steps;
  Kokkos::View<const Scalar*, Memory> m_steps;
  // (owned column, slot)
  Kokkos::View<const Scalar**, Kokkos::LayoutLeft, Memory> m_couplings;
  Kokkos::View<const int**, Kokkos::LayoutLeft, Memory> m_open;  // levels below it are open
  Impl::CutCells<Scalar, Memory, HasPartialCells> m_cuts;
};

/// `ProfileCoefficients` with a bottom of each column.
template <FieldScalar Scalar, MemorySpace Memory>
using SteppedCoefficients = ProfileCoefficients<Scalar, Memory, true>;

/// `SteppedCoefficients` whose bottoms may cut the lowest cell of a column.
template <FieldScalar Scalar, MemorySpace Memory>
using PartialCellCoefficients = ProfileCoefficients<Scalar, Memory, true, true>;

}  // namespace Lamina
