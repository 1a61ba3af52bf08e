// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/grids/ColumnMesh.hpp>
#include <lamina/grids/impl/ColumnPacks.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace Lamina::Impl {

/// Number of places of a grid of `rows` rows of `length` columns without a halo that is padded by `pad_rows`,
/// or length * rows where it is not padded.
std::int64_t num_padded_places(std::int64_t length, std::int64_t rows);

/// The data of columns that an operator needs, on the host, in the form of `ColumnMesh`.
struct HostColumns {
  HostNeighbours neighbours;
  Kokkos::View<const double*, Kokkos::HostSpace> areas, boundary_couplings;

  /// Of each column, with that to the boundary.
  std::vector<double> coupling_sums() const;
};

/// Those of a mesh. Nothing is copied.
HostColumns columns_of(const ColumnMesh<Kokkos::HostSpace>& mesh);

/// The first halo column that is a neighbour of an owned column, or the number of columns. Those before
/// it are unused.
int halo_begin(const HostColumns& columns);

/// An order of columns on the host, see `ColumnOrder`.
struct HostPlaces {
  std::vector<int> columns;  // of each place, or `no_column`
  int num_owned = 0;         // places of owned columns and padding; those of halo columns follow

  bool empty() const { return columns.empty(); }
};

/// Pads the rows of a grid such that each row begins with a pack in either precision, and each
/// level of a field with a cache line. Consecutive owned columns that are neighbours form a row. The
/// places of halo columns are those from `halo_begin` on, in the same order; one that is no neighbour
/// has a place without a column. There are more places than columns, so that a field tells by its extent
/// which order it is in. Empty where no padding is needed, and where it would add more than an eighth.
HostPlaces pad_rows(const HostColumns& columns);

/// The place of each column, or -1 where it has none.
/// \param columns  of each place, or `no_column`
std::vector<int> places_of_columns(std::span<const int> columns, int num_columns);

/// The columns in their places. A place without a column has no neighbours, but an area.
HostColumns in_places(const HostColumns& columns, const HostPlaces& places);

}  // namespace Lamina::Impl
