// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace Lamina::Impl {

/// The cells of a two-dimensional field as kernels capture them: cell i of line j, where the cells of a
/// line are contiguous. Sweeps take a line for a level, and a cell of it for a column.
template <class Value>
struct GridField {
  using value_type = Value;
  using non_const_value_type = std::remove_const_t<Value>;

  Value* values = nullptr;  ///< of cell (0, 0)
  std::int64_t stride = 0;  ///< from a line to the next

  GridField() = default;
  KOKKOS_FORCEINLINE_FUNCTION GridField(Value* values_, std::int64_t stride_)
      : values(values_), stride(stride_) {}
  /// The contiguous index of the view runs along the lines.
  template <class View>
  requires(static_cast<bool>(Kokkos::is_view<View>::value)) explicit GridField(const View& view)
      : values(view.data()),
        stride(static_cast<std::int64_t>(
            levels_contiguous<typename View::array_layout> ? view.stride(0) : view.stride(1))) {}
  template <class Other>
  requires std::is_same_v<const Other, Value> KOKKOS_FORCEINLINE_FUNCTION
  GridField(const GridField<Other>& field)
      : values(field.values), stride(field.stride) {}

  KOKKOS_FORCEINLINE_FUNCTION Value* line(std::int64_t j) const { return values + j * stride; }
  KOKKOS_FORCEINLINE_FUNCTION Value& operator()(std::int64_t i, std::int64_t j) const {
    return values[i + j * stride];
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
