// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/distributed/HaloPattern.hpp>
#include <lamina/distributed/Partition.hpp>
#include <lamina/grids/Rectangle.hpp>

namespace Lamina {

/// The strip of a rectangle that one rank has: consecutive columns i, with all their cells j.
///
/// Fields are Views (i, j). Owned columns come first. Behind them are halo columns: a copy of the
/// column before the first owned one, and one of the column behind the last, where there are any.
struct LocalRectangle {
  Rectangle whole;   ///< of all ranks
  Rectangle owned;   ///< of this rank, without halo columns; a rank may own no column
  int first = 0;     ///< the first owned column has this number in the whole rectangle
  int before = -1;   ///< the local number of the copy of column first - 1; -1: there is none
  int behind = -1;   ///< the same of the column behind the last owned one
  HaloPattern halo;  ///< of the columns
};

/// The part of a rank. Nothing is communicated: the partition tells what peers need.
///
/// \param columns  of whole.nx items, for example `Partition::blocks(nx, num_ranks)`
/// \throws InvalidArgument for a rectangle without cells, a partition of another number of items, a
///   rank that is none, and where the columns of a rank are not consecutive.
LocalRectangle local_rectangle(const Rectangle& whole, const Partition& columns, int rank);

}  // namespace Lamina
