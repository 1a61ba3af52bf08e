// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/grids/ColumnMesh.hpp>

#include <Kokkos_Core.hpp>

#include <concepts>

namespace Lamina {

/// Row (c, k) of an operator on columns, without the couplings between columns. With neighbours n:
///
///   y = mass x + above (x - x_{k+1}) + below (x - x_{k-1}) + sum_n coupling_n (x - x_n)
///
/// Differences keep the mass term, which an assembled diagonal loses in single precision. `above` is 0
/// at the top, `below` at the bottom. Where nothing is negative and the mass is positive somewhere, the
/// matrix is symmetric positive definite if couplings are the same from both sides.
template <class Scalar>
struct CellRow {
  Scalar mass, above, below;
};

/// What an operator on columns is made of: a class that is copied into kernels, with
/// `KOKKOS_FUNCTION` members
///
///   CellRow<scalar_type> row(int column, int level) const;
///   scalar_type coupling(int column, int slot, int level) const;   // 0 where there is no neighbour
///   static constexpr double fields;   // fields that it reads once per cell, for `kernel_costs`; above 0 more threads
///                                     // of a device share a column of contiguous levels
///
/// They may have more:
///
///   template <int Slots> auto hold(int column) const;   // what is read once per column, see below
///   scalar_type line_mass(int column, int level) const; // mass + sum of couplings, for line solves
///   scalar_type wall(int column, int level) const;  // couplings to walls where the field is 0: a part of mass
///   static constexpr bool rows_are_cheap;   // line solves of a device compute rows again
///   double stencil_bytes() const;   // bytes of a sweep with couplings, in place of `fields`
///   double line_bytes() const;      // the same of a line solve
///   double smoothing_bytes() const; // of both in one kernel, which reads once what both need
///   void update(space) const;       // prepares anew after values have changed
///
/// A thread of a device keeps what `hold` returns while it walks along a column: an object with
/// `row(coefficients, level)` and `coupling(coefficients, slot, level)`, and maybe `line_mass(coefficients,
/// level)`, which has what it can of the first `Slots` slots in registers. It is asked for these alone, or for
/// any where `Slots` is 0.
///
/// `TensorCoefficients` are those of `HelmholtzOperator`. Kernels treat them apart: they take packs of
/// columns at once.
template <class C>
concept ColumnCoefficients = FieldScalar<typename C::scalar_type> &&
    MemorySpace<typename C::memory_space> && requires(const C& coefficients, int i) {
  { coefficients.row(i, i) } -> std::same_as<CellRow<typename C::scalar_type>>;
  { coefficients.coupling(i, i, i) } -> std::convertible_to<typename C::scalar_type>;
  { C::fields } -> std::convertible_to<double>;
};

/// Columns of cells, and whose neighbours they are.
template <MemorySpace Memory>
struct ColumnTopology {
  int num_owned = 0;    ///< columns that are swept over, the first ones
  int num_columns = 0;  ///< owned columns and halo
  int num_levels = 0;
  /// (owned column, slot); any column in a slot whose coupling is 0
  Kokkos::View<const int**, Kokkos::LayoutLeft, Memory> neighbours;

  double cells() const { return static_cast<double>(num_owned) * num_levels; }
};

/// The columns of a mesh, each of `num_levels` cells.
template <MemorySpace Memory>
ColumnTopology<Memory> column_topology(const ColumnMesh<Memory>& mesh, int num_levels) {
  return {mesh.num_owned(), mesh.num_columns(), num_levels, mesh.neighbours()};
}

/// An operator as sweeps apply it: where, and what.
template <ColumnCoefficients Coefficients>
struct ColumnSystem {
  using coefficients_type = Coefficients;
  using scalar_type = typename Coefficients::scalar_type;
  using memory_space = typename Coefficients::memory_space;

  ColumnTopology<memory_space> topology;
  Coefficients coefficients;
};

}  // namespace Lamina
