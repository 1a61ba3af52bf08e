// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/grids/ColumnMesh.hpp>
#include <lamina/grids/LocalColumns.hpp>

namespace Lamina {

/// What is beyond a side of a plane.
enum class PlaneSide {
  periodic,   ///< the opposite side, which must be periodic, too
  zero_flux,  ///< a wall
  dirichlet  ///< the field has values there: 0, unless `BoundaryInflow` adds others to the right-hand side
};

/// The sides of a plane: west is x = 0, south is y = 0. By default it is doubly periodic.
struct PlaneSides {
  PlaneSide west = PlaneSide::periodic, east = PlaneSide::periodic, south = PlaneSide::periodic,
            north = PlaneSide::periodic;

  static PlaneSides all(PlaneSide side) { return {side, side, side, side}; }
};

/// A plane of num_x x num_y rectangular cells. Column num_y * i + j is cell (i, j). Across a periodic
/// seam two cells are neighbours. Where a direction has two cells only, they share two edges, which are
/// listed as one of twice the length; one cell is no neighbour of itself. Boundary edges are listed by
/// column, those of one column in the order west, east, south, north.
///
/// \param length_x, length_y  size of the plane, > 0; a cell is length_x/num_x by length_y/num_y
/// \throws InvalidArgument unless num_x, num_y >= 1 and num_x * num_y fits into an int, and where only one
///   of two opposite sides is periodic.
ColumnGraph plane(int num_x, int num_y, const PlaneSides& sides = {}, double length_x = 1,
                  double length_y = 1);

/// The columns of one rank of that plane. Only these are computed.
/// \param partition  of num_x * num_y items, for example `Partition::grid({num_x, num_y}, ...)`
/// \throws InvalidArgument as `plane`, and for other partitions and ranks.
LocalColumns local_plane(int num_x, int num_y, const Partition& partition, int rank,
                         const PlaneSides& sides = {}, double length_x = 1, double length_y = 1);

}  // namespace Lamina
