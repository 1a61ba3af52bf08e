// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/columns/impl/StoredCells_Host.hpp>
#include <lamina/columns/impl/StoredEdges_Device.hpp>
#include <lamina/columns/impl/StoredSegments_Device.hpp>
#include <lamina/core/Concepts.hpp>
#include <lamina/core/Require.hpp>
#include <lamina/core/impl/ExtentOf.hpp>
#include <lamina/grids/ColumnMesh.hpp>
#include <lamina/sweeps/ColumnSystem.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>

namespace Lamina {

namespace Impl {

template <class Stored>
struct SumStoredRows {
  Stored stored;
  KOKKOS_FUNCTION void operator()(std::int64_t cell) const { stored.sum_row(cell); }
};
template <class Stored>
struct FindStoredEnds {
  Stored stored;
  KOKKOS_FUNCTION void operator()(std::int64_t column) const { stored.find_end(column); }
};

}  // namespace Impl

/// Coefficients in Views of the application, one for each cell and for each edge and level: stratification
/// that varies from column to column, diffusivities, partly open faces, porosity, reservoirs.
///
/// \par Equation
/// Row (column c, level k), with e(c, n) the edge to the n-th neighbour:
///
///   y = mass(c, k) x + vertical(c, k) (x - x_{k+1}) + vertical(c, k-1) (x - x_{k-1})
///       + sum_n horizontal(e(c, n), k) (x - x_n)
///
/// The matrix is symmetric by construction: both sides of an edge read one value. It is positive
/// semidefinite where no value is negative, and definite where each connected part has mass somewhere. A
/// coupling to a wall where the field is 0 belongs to `mass`. `ColumnMultigrid` works best where it also knows
/// which part of the mass that is: `walls`. Cells whose values are all 0, with those
/// of their faces, are dry: keep the right-hand side 0 there.
///
/// \par Precision
/// Values are float or double, and are converted to `Scalar` where they are read: float values in
/// double arithmetic still are the coefficients of one symmetric matrix. The line preconditioner, and on a
/// device the smoother of `ColumnMultigrid`, round row sums to `Value`.
///
/// \par Cost
/// Beside fields of the solver, `measure` and `advance` of `FusedPcg` read mass, vertical and all edges:
/// 4 values a cell on quadrilaterals, 5 on hexagons. Line solves read 2. So an iteration moves 19 fields
/// (21 on hexagons), 14 (15) with float values in double precision. Values lie best in
/// `SweepLayout`, which `FusedPcg` then brings fields to, and otherwise in the layout of the fields. On a
/// device with `LayoutLeft` edges should be numbered in the order of their columns.
///
/// \tparam Scalar  of the arithmetic
/// \tparam Value   of what is stored
template <FieldScalar Scalar, MemorySpace Memory, FieldLayout Layout, FieldScalar Value = Scalar>
class StoredCoefficients {
 public:
  using scalar_type = Scalar;
  using memory_space = Memory;
  using value_type = Value;
  using array_layout = Layout;
  using field_type = Kokkos::View<const Value**, Layout, Memory>;
  static constexpr double fields = 4;

  /// Holds the Views, allocates one more field, on a device also a number for each column, and calls `update`.
  /// \param mass        (num_columns, num_levels)
  /// \param vertical    the same: couples levels k and k + 1. The last level has no effect.
  /// \param horizontal  (mesh.num_edges(), num_levels), by the edges of the mesh's graph
  /// \param walls       (num_columns, num_levels); empty: there are none.
  /// \pre 0 <= walls <= mass, which is not checked: coarser levels of multigrid are not positive definite otherwise.
  /// \throws InvalidArgument for other extents.
  template <ExecutionSpace Space>
  requires WorksIn<Space, Memory> StoredCoefficients(
      const Space& space, const ColumnMesh<Memory>& mesh, const field_type& mass,
      const field_type& vertical, const field_type& horizontal, const field_type& walls = {})
      : m_num_levels(static_cast<int>(mass.extent(1))),
        m_mass(mass),
        m_vertical(vertical),
        m_horizontal(horizontal),
        m_walls(walls),
        m_row_sums(
            Kokkos::view_alloc("Lamina::StoredCoefficients::row_sums", Kokkos::WithoutInitializing),
            static_cast<std::size_t>(mesh.num_owned()), mass.extent(1)),
        m_edges(Kokkos::create_mirror_view_and_copy(Memory(), mesh.edges())) {
    const char* function = "StoredCoefficients";
    Impl::require_field(function, "mass", mass, mesh.num_columns(), m_num_levels);
    Impl::require_field(function, "vertical", vertical, mesh.num_columns(), m_num_levels);
    Impl::require_extent(function, "horizontal", "edges", mesh.num_edges(),
                         static_cast<long long>(horizontal.extent(0)));
    Impl::require_extent(function, "horizontal", "levels", m_num_levels,
                         static_cast<long long>(horizontal.extent(1)));
    if (walls.extent(0) > 0) {
      Impl::require_field(function, "walls", walls, mesh.num_columns(), m_num_levels);
    }
    if constexpr (!std::same_as<Memory, Kokkos::HostSpace>) {
      m_listed = Impl::listed_column_edges(mesh);
      m_ends = Kokkos::View<int*, Memory>(
          Kokkos::view_alloc("Lamina::StoredCoefficients::ends", Kokkos::WithoutInitializing),
          static_cast<std::size_t>(mesh.num_owned()));
    }
    update(space);
  }

  /// Prepares for values that have changed: sums up the rows of the line preconditioner. Operators,
  /// preconditioners and models with this object, or a copy of it, see the new values. Models and
  /// preconditioners have an `update` that calls this one. Enqueued on `space`: no allocation, no
  /// fence.
  // traffic: reads 4n of the values, writes n
  template <ExecutionSpace Space>
  requires WorksIn<Space, Memory>
  void update(const Space& space) const {
    const std::int64_t cells =
        static_cast<std::int64_t>(m_row_sums.extent(0)) * static_cast<std::int64_t>(m_num_levels);
    using Index = Kokkos::IndexType<std::int64_t>;
    Kokkos::parallel_for("Lamina::StoredCoefficients::update",
                         Kokkos::RangePolicy<Space, Index>(space, 0, cells),
                         Impl::SumStoredRows<StoredCoefficients>{*this});
    if constexpr (!std::same_as<Memory, Kokkos::HostSpace>) {
      Kokkos::parallel_for("Lamina::StoredCoefficients::find_ends",
                           Kokkos::RangePolicy<Space, Index>(space, 0, m_ends.extent(0)),
                           Impl::FindStoredEnds<StoredCoefficients>{*this});
    }
  }

  int num_owned() const { return static_cast<int>(m_row_sums.extent(0)); }  ///< columns
  int num_levels() const { return m_num_levels; }                           ///< of a column

  KOKKOS_FUNCTION CellRow<Scalar> row(int column, int level) const {
    return {static_cast<Scalar>(m_mass(column, level)),
            level + 1 < m_num_levels ? static_cast<Scalar>(m_vertical(column, level)) : Scalar(0),
            level > 0 ? static_cast<Scalar>(m_vertical(column, level - 1)) : Scalar(0)};
  }
  KOKKOS_FUNCTION Scalar coupling(int column, int slot, int level) const {
    return of_edge(m_edges(column, slot), level);
  }
  KOKKOS_FUNCTION Scalar line_mass(int column, int level) const {
    return static_cast<Scalar>(m_row_sums(column, level));
  }
  /// The part of a row's mass that is a coupling to walls.
  KOKKOS_FUNCTION Scalar wall(int column, int level) const {
    return m_walls.extent(0) == 0 ? Scalar(0) : static_cast<Scalar>(m_walls(column, level));
  }

  /// The column of a thread, with its edges. See `ColumnCoefficients`.
  template <int Slots>
  class Held {
   public:
    Held() = default;
    KOKKOS_FUNCTION Held(const StoredCoefficients& stored, int column) : m_column(column) {
      const int slots = static_cast<int>(stored.m_edges.extent(1));
      for (int n = 0; n < num_held; ++n) {
        int edge = ColumnMesh<Memory>::no_edge;
        if (n < Slots && n < slots) edge = stored.m_edges(column, n);
        m_edge[n] = edge;
      }
    }
    KOKKOS_FUNCTION CellRow<Scalar> row(const StoredCoefficients& stored, int level) const {
      return stored.row(m_column, level);
    }
    KOKKOS_FUNCTION Scalar coupling(const StoredCoefficients& stored, int slot, int level) const {
      if constexpr (Slots > 0) {
        return stored.of_edge(m_edge[slot], level);
      } else {
        return stored.coupling(m_column, slot, level);
      }
    }
    KOKKOS_FUNCTION Scalar line_mass(const StoredCoefficients& stored, int level) const {
      return stored.line_mass(m_column, level);
    }
    /// `coupling` of a slot that is held, before it is converted: kernels begin to load several of them.
    KOKKOS_FUNCTION Value stored(const StoredCoefficients& stored, int slot, int level) const {
      return stored.value_of_edge(m_edge[slot], level);
    }

   private:
    static constexpr int num_held = Slots > 0 ? Slots : 1;
    int m_column;
    int m_edge[Impl::extent_of<num_held>];
  };
  template <int Slots>
  KOKKOS_FUNCTION Held<Slots> hold(int column) const {
    return Held<Slots>(*this, column);
  }

  /// Bytes that a sweep with couplings, that a line solve, and that both at once read beside fields.
  double stencil_bytes() const {
    return 2 * columns() * m_num_levels * sizeof(Value) + edge_bytes();
  }
  double line_bytes() const { return 2 * columns() * m_num_levels * sizeof(Value); }
  double smoothing_bytes() const {
    return stencil_bytes() + columns() * m_num_levels * sizeof(Value);
  }

  /// \cond
  /// The part of `update` of one cell, in the order of memory.
  KOKKOS_FUNCTION void sum_row(std::int64_t cell) const {
    constexpr bool by_column = Impl::levels_contiguous<Layout>;
    const auto num_columns = static_cast<std::int64_t>(m_row_sums.extent(0));
    const int column = static_cast<int>(by_column ? cell / m_num_levels : cell % num_columns);
    const int level = static_cast<int>(by_column ? cell % m_num_levels : cell / num_columns);
    Scalar sum = static_cast<Scalar>(m_mass(column, level));
    for (int n = 0; n < static_cast<int>(m_edges.extent(1)); ++n) sum += coupling(column, n, level);
    m_row_sums(column, level) = static_cast<Value>(sum);
  }
  /// The part of `update` of one column.
  KOKKOS_FUNCTION void find_end(std::int64_t column) const {
    int end = m_num_levels;
    while (end > 0 && m_row_sums(column, end - 1) == Value(0) &&
           (end == 1 || m_vertical(column, end - 2) == Value(0))) {
      --end;
    }
    m_ends(column) = end;
  }
  /// Rows of a column, for threads of a device.
  KOKKOS_FORCEINLINE_FUNCTION Impl::StoredSegment<Value> segment(int column, int first) const {
    return {m_row_sums, m_vertical, column, first, m_ends(column)};
  }
  /// Bytes of couplings to neighbours.
  double edge_bytes() const {
    return static_cast<double>(m_horizontal.extent(0)) * m_num_levels * sizeof(Value) +
           columns() * static_cast<double>(m_edges.extent(1)) * 2 * sizeof(int);
  }
  // The values as they are stored, for kernels that read several levels of a column, or of an edge, at once.
  KOKKOS_FUNCTION const field_type& mass() const { return m_mass; }
  KOKKOS_FUNCTION const field_type& vertical() const { return m_vertical; }
  KOKKOS_FUNCTION const field_type& horizontal() const { return m_horizontal; }
  bool has_walls() const { return m_walls.extent(0) > 0; }
  /// (owned column, slot): its edge, or `ColumnMesh::no_edge`.
  KOKKOS_FUNCTION const auto& edges() const { return m_edges; }
  /// (owned column): its levels until all are dry; on a device.
  KOKKOS_FUNCTION const Kokkos::View<int*, Memory>& ends() const { return m_ends; }
  KOKKOS_FUNCTION const Impl::ListedColumnEdges<Memory>& listed() const { return m_listed; }
  /// \endcond

 private:
  template <class, int>
  friend class Impl::CellsOfColumn;
  template <class>
  friend class Impl::CellsOfLevel;
  template <class, int, bool>
  friend struct Impl::StoredSides;

  KOKKOS_FUNCTION Value value_of_edge(int edge, int level) const {
    return edge == ColumnMesh<Memory>::no_edge ? Value(0) : m_horizontal(edge, level);
  }
  KOKKOS_FUNCTION Scalar of_edge(int edge, int level) const {
    return static_cast<Scalar>(value_of_edge(edge, level));
  }
  double columns() const { return static_cast<double>(m_row_sums.extent(0)); }

  int m_num_levels;
  field_type m_mass, m_vertical, m_horizontal, m_walls;
  Kokkos::View<Value**, Layout, Memory> m_row_sums;               // (owned column, level)
  Kokkos::View<const int**, Kokkos::LayoutLeft, Memory> m_edges;  // (owned column, slot)
  Kokkos::View<int*, Memory> m_ends;         // on a device: levels until all are dry
  Impl::ListedColumnEdges<Memory> m_listed;  // for sums over edges on a device
};

}  // namespace Lamina
