// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/grids/Rectangle.hpp>
#include <lamina/grids/impl/GridField.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace Lamina::Impl {

/// The three fields of a state.
template <class Value>
struct StateFields {
  GridField<Value> height, u, v;

  StateFields() = default;
  KOKKOS_FORCEINLINE_FUNCTION StateFields(const GridField<Value>& height_,
                                          const GridField<Value>& u_, const GridField<Value>& v_)
      : height(height_), u(u_), v(v_) {}
  template <class Other>
  requires std::is_same_v<const Other, Value> KOKKOS_FORCEINLINE_FUNCTION
  StateFields(const StateFields<Other>& fields)
      : height(fields.height), u(fields.u), v(fields.v) {}
};

/// 1 / h of a domain of length 1 along x, whose cells are squares.
inline double inverse_mesh_width(const Rectangle& rectangle) { return rectangle.nx; }

/// A ghosted field of zeros, (nx + 2, ny + 2), with lines as `ShallowWaterState` promises them.
template <class Scalar, class Memory>
Kokkos::View<Scalar**, Kokkos::LayoutLeft, Memory> make_ghosted(const std::string& label,
                                                                const Rectangle& rectangle) {
  constexpr std::size_t transaction = 128 / sizeof(Scalar), page = 4096 / sizeof(Scalar);
  const auto extent = static_cast<std::size_t>(rectangle.nx) + 2,
             lines = static_cast<std::size_t>(rectangle.ny) + 2;
  // Cell i = 0 comes after its ghost.
  const std::size_t first = transaction - 1;
  // The last pack of a line may begin with its last cell.
  constexpr std::size_t behind = 16 / sizeof(Scalar);
  std::size_t stride = (first + extent + behind + transaction - 1) / transaction * transaction;
  if (stride % page == 0) stride += transaction;
  const Kokkos::View<Scalar**, Kokkos::LayoutLeft, Memory> parent(label, stride, lines);
  return Kokkos::subview(parent, Kokkos::make_pair(first, first + extent), Kokkos::ALL());
}

/// Whether lines are aligned and padded as those of `make_ghosted`, as far as kernels need it.
template <class View>
bool has_aligned_lines(const View& ghosted) {
  using Scalar = typename View::value_type;
  constexpr std::size_t pack = 16;
  const auto stride = static_cast<std::size_t>(ghosted.stride(1));
  const auto first_cell = reinterpret_cast<std::uintptr_t>(ghosted.data() + 1 + stride);
  return first_cell % pack == 0 && stride * sizeof(Scalar) % pack == 0 &&
         stride >= static_cast<std::size_t>(ghosted.extent(0)) + pack / sizeof(Scalar);
}

template <class View>
View cells_of(const View& ghosted, const Rectangle& rectangle) {
  const auto inside = [](int n) {
    return Kokkos::make_pair(std::size_t{1}, static_cast<std::size_t>(n) + 1);
  };
  return Kokkos::subview(ghosted, inside(rectangle.nx), inside(rectangle.ny));
}

}  // namespace Lamina::Impl
