// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Which cells of an operator on columns are connected, and which of these parts have no mass.

#include <lamina/core/Require.hpp>
#include <lamina/distributed/HaloPattern.hpp>
#include <lamina/distributed/Transport.hpp>
#include <lamina/sweeps/ColumnSystem.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace Lamina::Impl {

/// Columns and levels. Cell (column, level) has the number column * num_levels + level.
struct CellExtents {
  int num_columns, num_levels;

  KOKKOS_FUNCTION std::int64_t count() const {
    return static_cast<std::int64_t>(num_columns) * num_levels;
  }
};

/// What a cell is coupled with, a bit each: slot n, the cell above, and whether it has mass.
struct CellFaces {
  static constexpr int most_slots = 62, above = 62, mass = 63;
  KOKKOS_FUNCTION static std::uint64_t bit(int n) { return std::uint64_t(1) << n; }
};

template <class Coefficients>
struct FindOpenFaces {
  ColumnSystem<Coefficients> system;
  Kokkos::View<std::uint64_t*, typename Coefficients::memory_space> faces;

  KOKKOS_FUNCTION void operator()(std::int64_t cell) const {
    const int num_levels = system.topology.num_levels;
    const int column = static_cast<int>(cell / num_levels),
              level = static_cast<int>(cell % num_levels);
    const auto row = system.coefficients.row(column, level);
    std::uint64_t found = 0;
    if (row.mass != 0) found |= CellFaces::bit(CellFaces::mass);
    if (level + 1 < num_levels && row.above != 0) found |= CellFaces::bit(CellFaces::above);
    for (int n = 0; n < static_cast<int>(system.topology.neighbours.extent(1)); ++n) {
      const bool open = system.topology.neighbours(column, n) != column &&
                        system.coefficients.coupling(column, n, level) != 0;
      if (open) found |= CellFaces::bit(n);
    }
    faces(static_cast<std::size_t>(cell)) = found;
  }
};

/// `CellFaces` of all owned cells, on the host. Fences `space`.
template <class Space, class Coefficients>
Kokkos::View<const std::uint64_t*, Kokkos::HostSpace> open_faces(
    const Space& space, const ColumnSystem<Coefficients>& system) {
  const std::size_t slots = system.topology.neighbours.extent(1);
  LAMINA_REQUIRE(slots <= static_cast<std::size_t>(CellFaces::most_slots), "ColumnNullSpace",
                 "op: expected at most " + std::to_string(CellFaces::most_slots) +
                     " neighbours of a column, got " + std::to_string(slots));
  const CellExtents extents{system.topology.num_owned, system.topology.num_levels};
  LAMINA_REQUIRE(extents.count() <= std::numeric_limits<int>::max(), "ColumnNullSpace",
                 "op: expected fewer than 2^31 cells, got " + std::to_string(extents.count()));
  const Kokkos::View<std::uint64_t*, typename Coefficients::memory_space> faces(
      Kokkos::view_alloc("Lamina::ColumnNullSpace::faces", Kokkos::WithoutInitializing),
      static_cast<std::size_t>(extents.count()));
  using Index = Kokkos::IndexType<std::int64_t>;
  Kokkos::parallel_for("Lamina::ColumnNullSpace::open_faces",
                       Kokkos::RangePolicy<Space, Index>(space, 0, extents.count()),
                       FindOpenFaces<Coefficients>{system, faces});
  space.fence();
  return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), faces);
}

/// The singular components, each as a list of the cells that this process has; and dry cells.
struct CellComponents {
  std::vector<int> cells;           ///< of singular components, one component after the other
  std::vector<std::int64_t> begin;  ///< of each of these in `cells`, and the end
  std::vector<int> dry;             ///< cells without mass and couplings
  int num_shared = 0;  ///< lists of components of several ranks: the first ones, the same on all

  // Of all ranks
  int num_components = 0;  ///< of more than one cell, singular or not
  int num_singular = 0;
  std::int64_t num_dry = 0;

  int num_lists() const { return static_cast<int>(begin.size()) - 1; }
};

/// The columns of a rank; none where there is one process.
struct CellRanks {
  const Transport* transport = nullptr;
  const HaloPattern* halo = nullptr;
};

/// Those of one process are numbered by their first cell. Cells ascend. Collective over ranks.
/// \param extents  of the owned cells
/// \throws InvalidArgument on all ranks where an edge is coupled on one side of it alone, and `RankFailure` where one
///   of them throws
CellComponents find_components(
    const CellExtents& extents,
    const Kokkos::View<const int**, Kokkos::LayoutLeft, Kokkos::HostSpace>& neighbours,
    const Kokkos::View<const std::uint64_t*, Kokkos::HostSpace>& faces, const CellRanks& ranks);

}  // namespace Lamina::Impl
