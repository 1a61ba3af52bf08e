// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/core/impl/SplitMix.hpp>
#include <lamina/device/impl/Instantiate.hpp>

#include <cstdint>

namespace Lamina::Impl {

/// A right-hand side of a panel as products of tables: kernels compute no sines.
template <class Memory>
struct SourceTables {
  using Table = Kokkos::View<const double*, Memory>;

  bool is_rough;
  int num_y, num_levels;
  Table areas;                               // of the columns of the field
  Kokkos::View<const int*, Memory> numbers;  // of these in the panel; empty: the same
  Table volumes;                             // of the levels, above a unit area
  Table x, y;                                // X of the rows i, Y of the cells j in a row
  Table sin_x, cos_y;                        // sin(pi X), cos(pi Y/2)
  Table cos_z;                               // cos(pi Z) of the levels

  KOKKOS_FORCEINLINE_FUNCTION std::int64_t num_columns() const {
    return static_cast<std::int64_t>(areas.extent(0));
  }
  /// \param column  its number in the panel
  KOKKOS_FORCEINLINE_FUNCTION double source(int column, int level) const {
    if (is_rough) {
      return unit_hash(static_cast<std::uint64_t>(num_levels) * static_cast<std::uint64_t>(column) +
                       static_cast<std::uint64_t>(level));
    }
    const int i = column / num_y, j = column % num_y;
    return 1 + sin_x(i) * cos_y(j) * cos_z(level) + x(i) * y(j) / 2;
  }
  KOKKOS_FORCEINLINE_FUNCTION double integral(int column, int level) const {
    const int number = numbers.extent(0) == 0 ? column : numbers(column);
    return areas(column) * volumes(level) * source(number, level);
  }
};

template <class Space, class Scalar, class Layout>
struct RightHandSideKernels {
  using Memory = typename Space::memory_space;

  /// traffic: writes n; where columns are contiguous, each level reads their areas, n doubles
  static void fill(const Space& space, const SourceTables<Memory>& tables,
                   const FieldView<Scalar, Layout, Memory>& b);
};

#define LAMINA_EXTERN_RIGHT_HAND_SIDE(Space, Scalar, Layout) \
  extern template struct RightHandSideKernels<Space, Scalar, Layout>;
LAMINA_FOR_EACH_FIELD(LAMINA_EXTERN_RIGHT_HAND_SIDE)
#undef LAMINA_EXTERN_RIGHT_HAND_SIDE

}  // namespace Lamina::Impl

#include <lamina/problems/impl/RightHandSideKernels_Bodies.hpp>
