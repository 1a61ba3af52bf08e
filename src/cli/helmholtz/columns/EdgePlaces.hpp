// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "helmholtz/columns/ColumnInput.hpp"
#include "helmholtz/columns/OwnColumns.hpp"

namespace Lamina::Cli {

/// Where a file has the edges of a process.
struct EdgePlaces {
  std::vector<std::size_t>
      places{};  ///< of each edge of the graph, then of those that it has twice
  /// Two faces of a narrow periodic plane share several edges, which are one here: indices of `places` whose
  /// values must be the same.
  std::vector<std::pair<std::size_t, std::size_t>> alike{};
};

/// Passes over the edges of the file. Each rank checks those of its own columns.
/// \param edges_of  a variable on edges
/// \throws FileError where the file lacks an edge, or has one that the grid has not
EdgePlaces find_edge_places(const ColumnInput& file, const ColumnVariable& edges_of,
                            const OwnColumns& own);

}  // namespace Lamina::Cli
