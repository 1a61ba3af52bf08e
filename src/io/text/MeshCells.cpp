// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/io/MeshCells.hpp>

namespace Lamina {

int num_corners(CellKind kind) {
  switch (kind) {
    case CellKind::tetrahedron: return 4;
    case CellKind::hexahedron: return 8;
    case CellKind::prism: return 6;
    case CellKind::pyramid: return 5;
  }
  return 0;
}

const std::vector<std::array<int, 2>>& edges_of(CellKind kind) {
  using Edges = std::vector<std::array<int, 2>>;
  static const Edges tetrahedron{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
  static const Edges hexahedron{{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6},
                                {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
  static const Edges prism{{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}, {0, 3}, {1, 4}, {2, 5}};
  static const Edges pyramid{{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 4}, {1, 4}, {2, 4}, {3, 4}};
  switch (kind) {
    case CellKind::tetrahedron: return tetrahedron;
    case CellKind::hexahedron: return hexahedron;
    case CellKind::prism: return prism;
    case CellKind::pyramid: break;
  }
  return pyramid;
}

}  // namespace Lamina
