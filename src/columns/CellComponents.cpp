// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/columns/impl/CellComponents.hpp>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace Lamina::Impl {
namespace {

/// Sets of cells that are joined; the root of a set is its smallest number.
class JoinedCells {
 public:
  explicit JoinedCells(std::size_t count) : m_parent(count) {
    std::iota(m_parent.begin(), m_parent.end(), 0);
  }
  int root_of(int cell) {
    while (parent(cell) != cell) {
      parent(cell) = parent(parent(cell));  // halves the path
      cell = parent(cell);
    }
    return cell;
  }
  void join(int a, int b) {
    a = root_of(a);
    b = root_of(b);
    if (a > b) std::swap(a, b);
    parent(b) = a;
  }

 private:
  int& parent(int cell) { return m_parent[static_cast<std::size_t>(cell)]; }
  std::vector<int> m_parent;
};

bool has(std::uint64_t faces, int n) { return (faces & CellFaces::bit(n)) != 0; }

JoinedCells join_cells(
    const CellExtents& extents,
    const Kokkos::View<const int**, Kokkos::LayoutLeft, Kokkos::HostSpace>& neighbours,
    const Kokkos::View<const std::uint64_t*, Kokkos::HostSpace>& faces) {
  JoinedCells joined(faces.extent(0));
  for (int c = 0; c < extents.num_columns; ++c) {
    for (int k = 0; k < extents.num_levels; ++k) {
      const int cell = c * extents.num_levels + k;
      const std::uint64_t open = faces(cell);
      if (has(open, CellFaces::above)) joined.join(cell, cell + 1);
      for (std::size_t n = 0; n < neighbours.extent(1); ++n) {
        if (has(open, static_cast<int>(n))) {
          joined.join(cell, neighbours(c, n) * extents.num_levels + k);
        }
      }
    }
  }
  return joined;
}

}  // namespace

CellComponents find_components(
    const CellExtents& extents,
    const Kokkos::View<const int**, Kokkos::LayoutLeft, Kokkos::HostSpace>& neighbours,
    const Kokkos::View<const std::uint64_t*, Kokkos::HostSpace>& faces) {
  JoinedCells joined = join_cells(extents, neighbours, faces);
  const int count = static_cast<int>(extents.count());
  const auto at = [](int cell) { return static_cast<std::size_t>(cell); };
  std::vector<std::int64_t> size(at(count), 0);  // of the set with this root
  std::vector<bool> has_mass(at(count), false);
  for (int cell = 0; cell < count; ++cell) {
    const int root = joined.root_of(cell);
    ++size[at(root)];
    if (has(faces(cell), CellFaces::mass)) has_mass[at(root)] = true;
  }
  CellComponents result;
  result.begin.push_back(0);
  std::vector<std::int64_t> next(at(count), 0);  // place of the next cell of a singular set
  for (int cell = 0; cell < count; ++cell) {
    if (joined.root_of(cell) != cell) continue;
    if (size[at(cell)] == 1) {
      if (!has_mass[at(cell)]) result.dry.push_back(cell);
      continue;
    }
    ++result.num_components;
    if (has_mass[at(cell)]) continue;
    next[at(cell)] = result.begin.back();
    result.begin.push_back(result.begin.back() + size[at(cell)]);
  }
  result.cells.resize(static_cast<std::size_t>(result.begin.back()));
  for (int cell = 0; cell < count; ++cell) {
    const int root = joined.root_of(cell);
    if (has_mass[at(root)] || size[at(root)] == 1) continue;
    result.cells[static_cast<std::size_t>(next[at(root)]++)] = cell;
  }
  return result;
}

}  // namespace Lamina::Impl
