// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/grids/impl/ColumnPacks.hpp>

#include <cstdint>
#include <vector>

namespace Lamina::Impl {

/// Number of places of a grid of `rows` rows of `length` columns that is padded by `pad_rows`, or
/// length * rows where it is not padded.
std::int64_t num_padded_places(std::int64_t length, std::int64_t rows);

/// Pads the rows of a grid such that each row begins with a pack in either precision, and each
/// level of a field with a cache line. Returns the column of each place, or
/// `ColumnOrder::no_column`. Consecutive columns that are neighbours form a row. Empty where no
/// padding is needed, where it would add more than an eighth, and where a column has a halo column
/// as a neighbour.
std::vector<int> pad_rows(const HostNeighbours& neighbours);

/// The data of columns that an operator needs, on the host, in the form of `ColumnMesh`.
struct HostColumns {
  HostNeighbours neighbours;
  Kokkos::View<const double*, Kokkos::HostSpace> areas, boundary_couplings;

  /// Of each column, with that to the boundary.
  std::vector<double> coupling_sums() const;
};

/// The columns in their places. A place of padding has no neighbours, but an area.
HostColumns in_places(const HostColumns& columns, const std::vector<int>& places);

}  // namespace Lamina::Impl
