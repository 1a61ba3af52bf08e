// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GmshElements.hpp"

#include <algorithm>
#include <iterator>

namespace Lamina::Impl {
namespace {

/// Types `first`, `first` + 1, ... have num_nodes[0], num_nodes[1], ... nodes.
struct TypeRange {
  int first;
  std::optional<CellKind> cell;
  std::vector<int> num_nodes;
};

const std::vector<TypeRange>& type_ranges() {
  constexpr auto tetrahedron = CellKind::tetrahedron, hexahedron = CellKind::hexahedron;
  constexpr auto prism = CellKind::prism, pyramid = CellKind::pyramid;
  constexpr std::nullopt_t flat = std::nullopt;
  static const std::vector<TypeRange> ranges{
      {1, flat, {2, 3, 4}},  // line, triangle, quadrangle
      {4, tetrahedron, {4}},
      {5, hexahedron, {8}},
      {6, prism, {6}},
      {7, pyramid, {5}},
      {8, flat, {3, 6, 9}},
      {11, tetrahedron, {10}},
      {12, hexahedron, {27}},
      {13, prism, {18}},
      {14, pyramid, {14}},
      {15, flat, {1, 8}},  // point, quadrangle
      {17, hexahedron, {20}},
      {18, prism, {15}},
      {19, pyramid, {13}},
      {20, flat, {9, 10, 12, 15, 15, 21, 4, 5, 6}},  // triangles, then lines
      {29, tetrahedron, {20, 35, 56}},
      {36, flat, {16, 25, 36, 12, 16, 20}},  // quadrangles
      {42, flat, {28, 36, 45, 55, 66}},      // triangles
      {47, flat, {49, 64, 81, 100, 121}},    // quadrangles
      {52, flat, {18, 21, 24, 27, 30}},      // triangles
      {57, flat, {24, 28, 32, 36, 40}},      // quadrangles
      {62, flat, {7, 8, 9, 10, 11}},         // lines
      {71, tetrahedron, {84, 120, 165, 220, 286}},
      {79, tetrahedron, {34, 40, 46, 52, 58}},
      {90, prism, {40, 75}},
      {92, hexahedron, {64, 125, 216, 343, 512, 729, 1000, 32, 44, 56, 68, 80, 92, 104}},
      {106, prism, {126, 196, 288, 405, 550, 24, 33, 42, 51, 60, 69, 78}},
      {118, pyramid, {30, 55, 91, 140, 204, 285, 385, 21, 29, 37, 45, 53, 61, 69}},
  };
  return ranges;
}

}  // namespace

std::optional<GmshElementType> find_gmsh_element_type(long long number) {
  for (const TypeRange& range : type_ranges()) {
    const auto count = static_cast<long long>(range.num_nodes.size());
    if (number < range.first || number >= range.first + count) continue;
    return GmshElementType{range.num_nodes[static_cast<std::size_t>(number - range.first)],
                           range.cell};
  }
  return std::nullopt;
}

}  // namespace Lamina::Impl
