// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/grids/Rectangle.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace Lamina::Impl {

/// The cells of a two-dimensional field as kernels capture them: cell i of line j. The cells of a line are
/// contiguous. Sweeps take a line for a level, and a cell of it for a column.
template <class Value>
struct GridField {
  using value_type = Value;
  using non_const_value_type = std::remove_const_t<Value>;

  Value* values = nullptr;  ///< of cell (0, 0)
  std::int64_t stride = 0;  ///< from a line to the next

  GridField() = default;
  KOKKOS_FORCEINLINE_FUNCTION GridField(Value* values_, std::int64_t stride_)
      : values(values_), stride(stride_) {}
  template <class Other>
  requires std::is_same_v<const Other, Value> KOKKOS_FORCEINLINE_FUNCTION
  GridField(const GridField<Other>& field)
      : values(field.values), stride(field.stride) {}

  KOKKOS_FORCEINLINE_FUNCTION Value* line(std::int64_t j) const { return values + j * stride; }
  /// The lines from j on.
  GridField lines_from(std::int64_t j) const { return {line(j), stride}; }
  KOKKOS_FORCEINLINE_FUNCTION Value& operator()(std::int64_t i, std::int64_t j) const {
    return values[i + j * stride];
  }
};

/// A view (i, j), whose lines run along its contiguous index.
template <class View>
GridField<typename View::value_type> lines_of(const View& view) {
  constexpr int across = levels_contiguous<typename View::array_layout> ? 0 : 1;
  return {view.data(), static_cast<std::int64_t>(view.stride(across))};
}
/// The same of a view with a line of ghosts on each side: (i, j) from -1 on. A view without memory has
/// no values.
template <class View>
GridField<typename View::value_type> ghosted_lines_of(const View& view) {
  GridField<typename View::value_type> field = lines_of(view);
  if (field.values != nullptr) field.values += 1 + field.stride;
  return field;
}

/// Cells of any field (i, j).
template <class Value>
struct StridedCells {
  Value* values = nullptr;
  std::int64_t stride_i = 0, stride_j = 0;

  StridedCells() = default;
  template <class View>
  requires(static_cast<bool>(Kokkos::is_view<View>::value)) explicit StridedCells(const View& view)
      : values(view.data()),
        stride_i(static_cast<std::int64_t>(view.stride(0))),
        stride_j(static_cast<std::int64_t>(view.stride(1))) {}
  StridedCells(Value* values_, std::int64_t stride_i_, std::int64_t stride_j_)
      : values(values_), stride_i(stride_i_), stride_j(stride_j_) {}
  template <class Other>
  requires std::is_same_v<const Other, Value> StridedCells(const StridedCells<Other>& cells)
      : values(cells.values), stride_i(cells.stride_i), stride_j(cells.stride_j) {}
  KOKKOS_FORCEINLINE_FUNCTION Value& operator()(std::int64_t i, std::int64_t j) const {
    return values[i * stride_i + j * stride_j];
  }
};

/// The cells of lines; where lines are not `along`, those of the lines across them.
template <class Value>
StridedCells<Value> cells_of_lines(const GridField<Value>& lines, bool along = true) {
  return {lines.values, along ? 1 : lines.stride, along ? lines.stride : 1};
}

/// Cells that a kernel writes: all of them, or those within or at the border of a part of the grid.
struct CellRange {
  int i_begin, i_end, j_begin, j_end;

  static CellRange all(const Rectangle& n) { return {0, n.nx, 0, n.ny}; }
  KOKKOS_FUNCTION int width() const { return i_end - i_begin; }
  KOKKOS_FUNCTION int lines() const { return j_end - j_begin; }
  KOKKOS_FUNCTION std::int64_t count() const {
    return static_cast<std::int64_t>(width()) * lines();
  }
};

/// True where the cells i = 0, W, 2 W, ... of all lines may each be read with those that follow, W wide.
template <int Width, class... Values>
bool lines_aligned(const GridField<Values>&... fields) {
  const auto aligned = []<class Value>(const GridField<Value>& field) {
    constexpr std::size_t bytes = Width * sizeof(Value);
    return reinterpret_cast<std::uintptr_t>(field.values) % bytes == 0 && field.stride % Width == 0;
  };
  return (aligned(fields) && ...);
}

}  // namespace Lamina::Impl
