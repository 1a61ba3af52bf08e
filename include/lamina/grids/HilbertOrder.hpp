// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/grids/ColumnMesh.hpp>

#include <vector>

namespace Lamina {

/// A graph in another order of columns.
struct OrderedColumns {
  ColumnGraph graph;
  std::vector<int> original;  ///< the number that each column had
};

/// Numbers the columns of a graph along Hilbert's curve, so that most neighbours are near to each
/// other in memory. On the sphere the curve leads over the faces of a cube, one after the other.
/// Edges keep their order and the column that they name first.
/// \throws InvalidArgument where the graph has halo columns, or no centres of all columns.
OrderedColumns along_hilbert_curve(const ColumnGraph& graph);

}  // namespace Lamina
