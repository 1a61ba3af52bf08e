// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace Lamina {

/// Where columns are, for algorithms that need more than areas and edges (`ColumnHierarchy`).
struct ColumnCentres {
  enum class Surface {
    sphere,  ///< points are unit vectors
    plane    ///< points are (x, y, 0)
  };
  Surface surface = Surface::sphere;
  std::vector<std::array<double, 3>> points{};  ///< in the order of columns; may be empty
  /// Of a plane: its width and height where it is periodic in x and in y, otherwise 0.
  std::array<double, 2> periods{0, 0};
};

/// A horizontal grid as lists of columns, on the host: the input of `ColumnMesh`.
///
/// Columns `c < num_owned` are owned: solvers solve for them. Columns from `num_owned` on are halo
/// columns: other processes own them, and they appear only as neighbours.
struct ColumnGraph {
  /// Two columns that share an edge of the given length. Their centres are `distance` apart. The
  /// flux through the edge is (length / distance) (u_second - u_first). Lengths and distances are >
  /// 0, in the unit whose square is that of areas (radians on the unit sphere).
  ///
  /// Sums over edges take an edge between ranks once: on the rank that owns `first`. Both ranks must
  /// name the same column first. Grids in rows name the one from which the other is in the next row,
  /// or the next one of its row, also across a periodic seam.
  struct Edge {
    int first, second;
    double length, distance;
  };
  /// A boundary edge of a column on which the field is zero (Dirichlet). `distance` is from the
  /// centre of the column to the edge. Boundary edges that are not listed have zero flux.
  struct BoundaryEdge {
    int column;
    double length, distance;
  };

  static constexpr int all_columns = -1;

  int num_owned = all_columns;  ///< `all_columns`: as many as there are areas, no halo
  std::vector<double> areas;    ///< of owned columns first, then of halo columns; > 0
  std::vector<Edge>
      edges;  ///< each once, in any order; an edge between two halo columns is ignored
  std::vector<BoundaryEdge> boundary_edges;
  /// Of each halo column the sum of all its couplings, also those with columns that are not here and
  /// with the boundary. Rounded as on the rank that owns the column. May be empty; `local_columns`
  /// fills it.
  std::vector<double> halo_coupling_sums{};
  /// Empty, or of all columns. Generators of whole grids fill it.
  ColumnCentres centres{};

  /// `num_owned` as a number of columns.
  int count_owned() const {
    return num_owned == all_columns ? static_cast<int>(areas.size()) : num_owned;
  }
};

/// The size of a grid without halo columns that need not exist yet, for the `required_bytes` of the
/// classes that would be made for it.
struct ColumnGridSize {
  std::int64_t num_rows = 1;    ///< of columns; 1 for an unstructured grid
  std::int64_t row_length = 0;  ///< columns of a row, each of them a neighbour of the next one
  int num_levels = 1;
  int max_neighbours = 4;  ///< of a column

  std::int64_t num_columns() const { return num_rows * row_length; }
  std::int64_t num_cells() const { return num_columns() * num_levels; }
  /// Columns of the fields of a solver that pads rows, as some do on a device; num_columns() where no row needs it.
  std::int64_t num_padded_columns() const;
};

/// The horizontal grid: for each owned column its neighbours with their couplings, an area, and a
/// boundary coupling. Kernels read these numbers once per column and use them for all its levels:
/// any grid costs little more than a structured one.
///
/// \par Tables
/// `neighbours()(c, n)` is the n-th neighbour of column c. `couplings()(c, n)` = edge length /
/// centre distance is > 0 and symmetric in the two columns. Columns with fewer than
/// `max_neighbours()` neighbours fill the remaining slots with themselves and coupling 0. Geometry
/// is in double precision; solvers round it once. Both tables have the column as their contiguous
/// index in every memory space. A mesh of a device keeps its tables on the host, too. Copies are
/// shallow.
template <MemorySpace Memory>
class ColumnMesh {
 public:
  using memory_space = Memory;

  /// An empty mesh of no columns.
  // Not defaulted: for a variable of a class with a constexpr default constructor, g++ 12 fills the
  // Views of Kokkos 4.6 with zeros instead of constructing them.
  ColumnMesh() {}  // NOLINT(modernize-use-equals-default)

  /// Checks the graph and copies it to `Memory`.
  /// \throws InvalidArgument for indices out of range, an edge of a column with itself, the same
  ///   pair twice, and lengths, distances or areas that are not positive and finite.
  explicit ColumnMesh(const ColumnGraph& graph);

  /// Bytes in `Memory` of a mesh of that size.
  static double required_bytes(const ColumnGridSize& size) {
    // On a device `is_first` and `edges` are elsewhere.
    const double of_slot =
                     sizeof(int) + sizeof(double) + (is_on_host ? sizeof(bool) + sizeof(int) : 0),
                 of_column = 2 * sizeof(double);
    constexpr double rounding = 6 * 64;  // of the sizes of six tables
    return static_cast<double>(size.num_columns()) * (size.max_neighbours * of_slot + of_column) +
           rounding;
  }

  int num_owned() const { return m_num_owned; }
  int num_columns() const { return static_cast<int>(m_areas.extent(0)); }  ///< owned and halo
  int max_neighbours() const { return static_cast<int>(m_neighbours.extent(1)); }

  Kokkos::View<const int**, Kokkos::LayoutLeft, Memory> neighbours() const { return m_neighbours; }
  Kokkos::View<const double**, Kokkos::LayoutLeft, Memory> couplings() const { return m_couplings; }
  Kokkos::View<const double*, Memory> areas() const { return m_areas; }  ///< owned, then halo
  Kokkos::View<const double*, Memory> boundary_couplings() const { return m_boundary_couplings; }
  /// As in the graph: of halo columns, or empty.
  Kokkos::View<const double*, Memory> halo_coupling_sums() const { return m_halo_coupling_sums; }
  /// Whether column c is the first one of its edge to its n-th neighbour, on the host. False in
  /// slots with coupling 0.
  Kokkos::View<const bool**, Kokkos::LayoutLeft, Kokkos::HostSpace> is_first() const {
    return m_is_first;
  }
  static constexpr int no_edge = -1;
  /// The edge of column c to its n-th neighbour, on the host: its index in `ColumnGraph::edges`, the
  /// same from both sides. `no_edge` in slots with coupling 0.
  Kokkos::View<const int**, Kokkos::LayoutLeft, Kokkos::HostSpace> edges() const { return m_edges; }
  int num_edges() const { return m_num_edges; }  ///< of the graph

  /// The same mesh on the host. Nothing is copied.
  const ColumnMesh<Kokkos::HostSpace>& on_host() const {
    if constexpr (is_on_host) {
      return *this;
    } else {
      return m_on_host;
    }
  }

 private:
  static constexpr bool is_on_host = std::same_as<Memory, Kokkos::HostSpace>;
  struct NoMesh {};

  void make_tables(const ColumnGraph& graph) requires std::same_as<Memory, Kokkos::HostSpace>;

  int m_num_owned = 0, m_num_edges = 0;
  Kokkos::View<const int**, Kokkos::LayoutLeft, Memory> m_neighbours;    // (owned column, slot)
  Kokkos::View<const double**, Kokkos::LayoutLeft, Memory> m_couplings;  // (owned column, slot)
  Kokkos::View<const double*, Memory> m_areas;                           // (column)
  Kokkos::View<const double*, Memory> m_boundary_couplings;              // (owned column)
  Kokkos::View<const double*, Memory> m_halo_coupling_sums;              // (halo column)
  Kokkos::View<const bool**, Kokkos::LayoutLeft, Kokkos::HostSpace>
      m_is_first;                                                            // (owned column, slot)
  Kokkos::View<const int**, Kokkos::LayoutLeft, Kokkos::HostSpace> m_edges;  // (owned column, slot)
  std::conditional_t<is_on_host, NoMesh, ColumnMesh<Kokkos::HostSpace>> m_on_host;
};

}  // namespace Lamina
