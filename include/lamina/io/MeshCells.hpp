// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace Lamina {

/// Volume elements by their corners. Corners are numbered as Gmsh and VTK do: of a prism the
/// triangle below, then the one above; of a pyramid the base, then the apex.
enum class CellKind : std::uint8_t { tetrahedron, hexahedron, prism, pyramid };

/// The corners of an element.
int num_corners(CellKind kind);
/// The edges of an element, as pairs of its corners.
const std::vector<std::array<int, 2>>& edges_of(CellKind kind);

/// The elements of a mesh; corners are indices of its points.
struct MeshCells {
  std::vector<CellKind> kinds;
  std::vector<std::int64_t> offsets{0};  ///< of the corners of each element
  std::vector<int> corners;

  std::int64_t size() const { return static_cast<std::int64_t>(kinds.size()); }
  void reserve(std::size_t count) {
    kinds.reserve(count);
    offsets.reserve(count + 1);
  }
  /// Adds an element, of which `first` points to the corners.
  void add(CellKind kind, const int* first) {
    kinds.push_back(kind);
    corners.insert(corners.end(), first, first + num_corners(kind));
    offsets.push_back(static_cast<std::int64_t>(corners.size()));
  }
};

}  // namespace Lamina
