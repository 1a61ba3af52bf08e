// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/multigrid/ColumnHierarchy.hpp>

#include <Kokkos_Core.hpp>

#include <vector>

namespace Lamina::Impl {

/// P of a `ColumnTransfer` in the memory of kernels.
template <class Scalar, class Memory>
struct Prolongation {
  static constexpr int slots = ColumnTransfer::max_entries;
  // (fine column, slot)
  Kokkos::View<const int**, Kokkos::LayoutLeft, Memory> columns;
  Kokkos::View<const Scalar**, Kokkos::LayoutLeft, Memory> weights;

  Prolongation() = default;
  explicit Prolongation(const ColumnTransfer& transfer);

  /// Bytes that a prolongation reads beside fields.
  double bytes() const {
    return static_cast<double>(columns.extent(0)) * slots * (sizeof(int) + sizeof(Scalar));
  }
};

/// P^T by coarse columns, for kernels that take one of them, or one of its cells, at a time. What
/// neighbouring coarse columns take stands side by side.
template <class Scalar, class Memory>
struct Restriction {
  Kokkos::View<const int*, Memory> coarse, counts;  // (place): a coarse column, its entries
  // (place, entry); behind the last entry of a place nothing that counts
  Kokkos::View<const int**, Kokkos::LayoutLeft, Memory> fine;
  Kokkos::View<const Scalar**, Kokkos::LayoutLeft, Memory> weights;

  Restriction() = default;
  /// \param tiles  (coarse column): negative where nothing is restricted to it
  Restriction(const ColumnTransfer& transfer, const std::vector<int>& tiles);

  KOKKOS_FUNCTION int num_coarse() const { return static_cast<int>(coarse.extent(0)); }
  /// Bytes that a restriction reads beside fields.
  double bytes() const { return m_bytes; }

 private:
  double m_bytes = 0;
};

/// P^T on CPU cores by tiles: compact groups of coarse columns. The residuals that a tile needs are
/// computed for it, and stay in a cache. Those of fine columns around it are computed by several
/// tiles.
template <class Scalar>
struct TiledRestriction {
  using Indices = Kokkos::View<const int*, Kokkos::HostSpace>;

  Indices first_coarse, coarse;  // (tile) and the end; (place): a coarse column
  Indices first_fine, fine;      // (tile) and the end; fine columns, in ascending order
  Indices first_entry, entries;  // (place) and the end; which one of the tile's fine columns
  Kokkos::View<const Scalar*, Kokkos::HostSpace> weights;  // (entry)
  int most_fine = 0;                                       // fine columns of a tile, at most

  TiledRestriction() = default;
  /// \param tiles  (coarse column): its tile. Tiles are numbered from 0 on, without gaps.
  TiledRestriction(const ColumnTransfer& transfer, const std::vector<int>& tiles);

  int num_coarse() const { return static_cast<int>(coarse.extent(0)); }
  int num_tiles() const { return static_cast<int>(first_coarse.extent(0)) - 1; }
  /// Bytes that a restriction reads beside fields.
  double bytes() const {
    return static_cast<double>(entries.extent(0)) * (sizeof(int) + sizeof(Scalar)) +
           static_cast<double>(fine.extent(0) + 2 * coarse.extent(0)) * sizeof(int);
  }
  /// Residuals that are computed, to those that there are; 0 for a rank without columns.
  double repetition(int num_fine) const {
    return num_fine == 0 ? 0 : static_cast<double>(fine.extent(0)) / static_cast<double>(num_fine);
  }
};

/// The tile of each owned column of a level: what it is part of some levels further on, 3 or as
/// many as leave `least_tiles` tiles of at most 200 columns. A tile is compact on any mesh.
std::vector<int> compact_tiles(const ColumnHierarchy& hierarchy, int level, int least_tiles);

/// P of the owned columns of a shared level, with the rows that a rank restricts to in the place of coarse
/// columns.
/// \param transfer    with non-zero weights where the rows were made with such ones
/// \param num_coarse  columns of the coarser level
ColumnTransfer transfer_to_rows(const ColumnTransfer& transfer, const RestrictedRows& rows,
                                int num_owned, std::size_t num_coarse);

/// What one of several ranks restricts from a shared level: P of its owned columns, with rows in
/// the place of coarse columns, and the tiles of rows, -1 for those that other ranks restrict to.
struct RowTransfer {
  ColumnTransfer transfer{};
  std::vector<int> tiles{};
};
RowTransfer row_transfer(const ColumnHierarchy& hierarchy, int level, int least_tiles);

}  // namespace Lamina::Impl
