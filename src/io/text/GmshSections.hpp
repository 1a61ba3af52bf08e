// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/io/MeshCells.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "GmshRecords.hpp"

// The sections of a mesh file that are read, behind the line that begins them: $Nodes and $Elements, in
// both versions, as text and binary.

namespace Lamina::Impl {

inline constexpr std::size_t max_gmsh_corners = 8;

struct GmshNode {
  std::int64_t tag, place;
  std::array<double, 3> point;
};

/// A volume element.
struct GmshElement {
  std::int64_t tag, place;
  CellKind kind;
  std::array<int, max_gmsh_corners> corners;  ///< places in the sorted nodes; the rest is 0
};

/// By tag.
std::vector<GmshNode> read_gmsh_nodes(GmshRecords& records);

/// Volume elements by tag, each once.
std::vector<GmshElement> read_gmsh_elements(GmshRecords& records,
                                            const std::vector<GmshNode>& nodes);

}  // namespace Lamina::Impl
