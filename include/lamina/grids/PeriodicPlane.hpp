// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/grids/ColumnMesh.hpp>
#include <lamina/grids/LocalColumns.hpp>

namespace Lamina {

/// A doubly periodic plane of num_x x num_y rectangular cells. Column num_y * i + j is cell (i, j).
///
/// \param length_x, length_y  size of the plane, > 0; a cell is length_x/num_x by length_y/num_y
/// \throws InvalidArgument unless num_x, num_y >= 3 (with fewer, a cell would meet the same
///   neighbour twice) and num_x * num_y fits into an int.
ColumnGraph periodic_plane(int num_x, int num_y, double length_x = 1, double length_y = 1);

/// The columns of one rank of that plane. Only these are computed.
/// \param partition  of num_x * num_y items, for example `Partition::grid({num_x, num_y}, ...)`
/// \throws InvalidArgument as `periodic_plane`, and for other partitions and ranks.
LocalColumns local_periodic_plane(int num_x, int num_y, const Partition& partition, int rank,
                                  double length_x = 1, double length_y = 1);

}  // namespace Lamina
