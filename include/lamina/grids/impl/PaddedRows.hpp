// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/grids/impl/ColumnPacks.hpp>

#include <cstdint>
#include <vector>

namespace Lamina::Impl {

/// Places of a grid of `rows` rows of `length` columns that are filled up as `pad_rows` does it;
/// length * rows where they are not.
std::int64_t num_padded_places(std::int64_t length, std::int64_t rows);

/// Rows of columns filled up so that each begins with a pack in either precision, and each level of
/// a field with a line of the cache: of each place its column, or `ColumnOrder::no_column`. Columns
/// that follow each other and are neighbours are of one row. Empty where nothing is to be filled, or
/// more than an eighth; and where a column has a halo column for a neighbour.
std::vector<int> pad_rows(const HostNeighbours& neighbours);

/// What an operator needs to know of its columns, on the host, as `ColumnMesh` holds it.
struct HostColumns {
  HostNeighbours neighbours;
  Kokkos::View<const double*, Kokkos::HostSpace> areas, boundary_couplings;
};

/// The columns in their places. One that only fills up has no neighbours, and an area.
HostColumns in_places(const HostColumns& columns, const std::vector<int>& places);

}  // namespace Lamina::Impl
