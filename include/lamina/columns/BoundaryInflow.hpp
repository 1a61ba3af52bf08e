// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/core/ProfilingRegion.hpp>
#include <lamina/core/Require.hpp>
#include <lamina/grids/ColumnMesh.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace Lamina {

namespace Impl {

/// The boundary edges of a graph, by column.
struct BoundaryEdgeLists {
  std::vector<int> columns;      ///< with a boundary edge, ascending
  std::vector<int> begin;        ///< of each of these in `edges`, and the end
  std::vector<int> edges;        ///< their numbers in the graph
  std::vector<double> coupling;  ///< length / distance, in the order of `edges`
};
/// \throws InvalidArgument for columns that are not in the graph.
BoundaryEdgeLists list_boundary_edges(const ColumnGraph& graph);

template <class Scalar, class Memory, class Values, class FieldType>
struct AddInflow {
  Kokkos::View<const int*, Memory> columns, begin, edges;
  Kokkos::View<const Scalar*, Memory> coupling, profile;
  Values values;
  FieldType b;

  KOKKOS_FUNCTION void operator()(std::int64_t n) const {
    const int count = static_cast<int>(columns.extent(0));
    const int i = static_cast<int>(n % count), k = static_cast<int>(n / count);
    Scalar sum = 0;
    for (int e = begin(i); e < begin(i + 1); ++e) sum += coupling(e) * values(edges(e), k);
    b(columns(i), k) += profile(k) * sum;
  }
};

}  // namespace Impl

/// What values on Dirichlet edges add to a right-hand side. Operators take the field for 0 there.
///
/// \par Equation
/// With the boundary edges e of column c, their lengths and distances, and a profile d_k:
///
///   b(c, k) += d_k sum_e (length_e / distance_e) values(e, k)
///
/// For `ProfileCoefficients` the profile is their horizontal one, for `HelmholtzOperator` it is omega^2 times
/// the volumes of the levels (`VerticalGrid::volume`).
///
/// With bottoms (`SteppedCoefficients`) values must be 0 at dry cells: b stays 0 there.
///
/// \par Example
///
///   Lamina::PlaneSides sides{.west = dirichlet, .east = dirichlet};
///   const auto graph = Lamina::plane(nx, ny, sides);
///   const Lamina::BoundaryInflow<double, Memory> inflow(graph, profiles.horizontal);
///   inflow.add(space, values, b);   // values(e, k) on graph.boundary_edges[e]
template <FieldScalar Scalar, MemorySpace Memory>
class BoundaryInflow {
 public:
  using scalar_type = Scalar;
  using memory_space = Memory;

  /// \throws InvalidArgument for boundary edges of columns that are not in the graph.
  BoundaryInflow(const ColumnGraph& graph, const std::vector<double>& horizontal);

  int num_columns() const { return m_num_columns; }
  int num_edges() const { return static_cast<int>(m_edges.extent(0)); }  ///< on the boundary
  int num_levels() const { return static_cast<int>(m_profile.extent(0)); }

  /// Adds to b. Enqueued on `space`: no allocation, no fence.
  /// \param values  (num_edges, num_levels), of the boundary edges of the graph
  /// \param b       (num_columns, num_levels)
  /// \throws InvalidArgument for wrong extents.
  template <ExecutionSpace Space, FieldOf<Scalar, Memory> Values, FieldOf<Scalar, Memory> Rhs>
  requires WorksIn<Space, Memory> && WritableField<Rhs>
  void add(const Space& space, const Values& values, const Rhs& b) const {
    const char* function = "BoundaryInflow::add";
    Impl::require_extent(function, "values", "edges", num_edges(),
                         static_cast<long long>(values.extent(0)));
    Impl::require_extent(function, "values", "levels", num_levels(),
                         static_cast<long long>(values.extent(1)));
    Impl::require_field(function, "b", b, m_num_columns, num_levels());
    const Impl::ProfilingRegion region("Lamina::BoundaryInflow::add");
    const auto count = static_cast<std::int64_t>(m_columns.extent(0)) * num_levels();
    const auto in = Impl::as_const_field(values);
    const auto out = Impl::as_field(b);
    using Index = Kokkos::IndexType<std::int64_t>;
    Kokkos::parallel_for("Lamina::BoundaryInflow::add",
                         Kokkos::RangePolicy<Space, Index>(space, 0, count),
                         Impl::AddInflow<Scalar, Memory, decltype(in), decltype(out)>{
                             m_columns, m_begin, m_edges, m_coupling, m_profile, in, out});
  }

 private:
  int m_num_columns;
  Kokkos::View<const int*, Memory> m_columns, m_begin, m_edges;
  Kokkos::View<const Scalar*, Memory> m_coupling, m_profile;
};

}  // namespace Lamina
