// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/blocks/Colouring.hpp>
#include <lamina/distributed/HaloPattern.hpp>
#include <lamina/distributed/Partition.hpp>

#include <cstdint>
#include <vector>

namespace Lamina {

/// The block rows of one rank, in local numbers: own rows first, then halo rows, which are copies
/// of rows that other ranks own. Own rows are in the user's order, halo rows by the rank that owns
/// them, then by colour, then by global number.
///
/// \par Colours
/// Colours are those of the rows of all ranks together. Every rank has all colours, also those that
/// none of its rows has. In the order of the colours, own rows are sorted by colour; within a
/// colour rows that a peer needs, or that need a row of a peer, come first, then by place.
///
/// \par Order of sums
/// A row adds up its blocks in the order (colour, place) of their columns. The place of a row is
/// its position among the rows of all ranks. This order does not depend on local numbers. So sweeps
/// give the same bits for any number of ranks, see `PointImplicitSolver`.
///
/// \par Example
///
///   const auto local = Lamina::make_local_block_rows(*transport, own_rows);
///   const auto matrix = Matrix::split(space, offsets, columns, blocks, local.num_halo());
///   const Lamina::Decomposition<Memory> ranks(*transport, local.halo, bytes_of_a_block_row);
///   Lamina::PointImplicitSolver solver(space, matrix, local.ordering, ranks);
struct LocalBlockRows {
  std::vector<std::int64_t> numbers;     ///< global number of each local row
  std::vector<std::int64_t> offsets{0};  ///< of own rows into `columns`
  std::vector<int> columns;              ///< local number of each column, in the order of the input
  ColourOrdering ordering;               ///< of own rows
  HaloPattern halo;  ///< of vectors in the order of the colours. Parts are colours

  int num_owned() const { return halo.num_owned; }
  int num_halo() const { return halo.num_local - halo.num_owned; }

  /// What is exchanged of vectors in an order: `halo` for that of the colours.
  HaloPattern halo_in(VectorOrder order) const;
};

/// The rows that one rank has, with global numbers of rows and columns.
struct OwnBlockRows {
  std::vector<std::int64_t> rows;     ///< global number >= 0 of each row
  std::vector<int> colours;           ///< of each row
  std::vector<std::int64_t> offsets;  ///< of the rows into `columns`; one more than there are rows
  std::vector<std::int64_t> columns;  ///< global numbers. A row may name itself
  /// Places of the rows: no two rows of a colour have the same one, on any ranks. For the bits of
  /// one process, the position in the order that its `ColourOrdering` was made from; empty: global
  /// numbers, which is `natural_order`.
  std::vector<std::int64_t> places{};
};

/// The rows of a rank, for a user who has only his own. Collective.
/// \throws InvalidArgument for lists that do not fit together, numbers out of range, a row that two
///   ranks own or none, two rows of a colour that are coupled or have one place, and 2^31 or more
///   local rows. On several ranks it is `RankFailure`, on all of them.
LocalBlockRows make_local_block_rows(const Transport& transport, const OwnBlockRows& own);

/// The rows of a rank, cut from a graph that each rank holds as a whole. No communication. Own rows
/// ascend. `offsets` and `columns` are those of the graph.
/// \param ordering  of the graph; `PointImplicitSolver` on one process with it gives the same bits
/// \throws InvalidArgument where graph, ordering and partition differ in their number of rows, and
///   where there is no such rank.
LocalBlockRows local_block_rows(const BlockGraph& graph, const ColourOrdering& ordering,
                                const Partition& partition, int rank);

}  // namespace Lamina
