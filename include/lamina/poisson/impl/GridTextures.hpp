// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Ways of a device to the points of a field other than plain loads.

#include <lamina/core/Concepts.hpp>
#include <lamina/poisson/impl/GridStencil.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>

namespace Lamina::Impl {

/// Points read through the cache for data that no one writes, where a device has one.
template <class Scalar, class Memory>
struct RandomAccessPoints {
  static constexpr bool reads_packs = false;
  using Values = Kokkos::View<const Scalar*, Memory,
                              Kokkos::MemoryTraits<Kokkos::Unmanaged | Kokkos::RandomAccess>>;

  GridField<const Scalar> x;
  Values values;

  RandomAccessPoints(const GridField<const Scalar>& field, int size)
      : x(field),
        values(field.values, static_cast<std::size_t>((size - 1) * field.stride + size)) {}

  struct Line {
    Values values;
    std::int64_t start;
    template <class Value>
    KOKKOS_FORCEINLINE_FUNCTION Value at(std::int64_t j) const {
      return values(static_cast<std::size_t>(start + j));
    }
  };
  KOKKOS_FORCEINLINE_FUNCTION Line line(std::int64_t i) const { return {values, i * x.stride}; }
};

class GridTextures;

/// Texture objects of fields in `Memory`; null where it has none.
template <class Memory>
std::shared_ptr<GridTextures> make_textures() {
  return nullptr;
}

/// Calls body(points, ...) with texture objects for all fields and returns true, or false where
/// there are none: the scalar or the execution space has none, or a field cannot have one.
template <class Space, class Scalar>
struct TextureReader {
  template <class Body, class... Fields>
  static bool read(const Grid&, const Body&, const Fields&...) {
    return false;
  }
};

/// body(points, ...) with the points of fields, read as the grid says.
template <class Space, class Scalar, class Body, class... Fields>
void with_points(const Grid& grid, const Body& body, const Fields&... fields) {
  if constexpr (!runs_on_host<Space>) {
    if (grid.memory == StencilMemory::texture1d || grid.memory == StencilMemory::texture2d) {
      if (TextureReader<Space, Scalar>::read(grid, body, fields...)) return;
      return body(RandomAccessPoints<Scalar, typename Space::memory_space>(fields, grid.size)...);
    }
  }
  body(GridPoints<Scalar>{fields}...);
}

}  // namespace Lamina::Impl
