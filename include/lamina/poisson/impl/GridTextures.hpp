// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Ways of a device to the cells of a field other than plain loads.

#include <lamina/core/Concepts.hpp>
#include <lamina/poisson/impl/PoissonKernels.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>

namespace Lamina::Impl {

/// A field that is read through the cache for data that no one writes, where a device has one.
template <class Scalar, class Memory>
struct RandomAccessField {
  using value_type = const Scalar;
  using non_const_value_type = Scalar;
  using Values = Kokkos::View<const Scalar*, Memory,
                              Kokkos::MemoryTraits<Kokkos::Unmanaged | Kokkos::RandomAccess>>;
  Values values;
  std::int64_t stride;

  RandomAccessField(const GridField<const Scalar>& field, const GridTopology& grid)
      : values(field.values,
               static_cast<std::size_t>((grid.num_levels - 1) * field.stride + grid.num_owned)),
        stride(field.stride) {}

  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value read_value(std::int64_t i, int line) const {
    return values(static_cast<std::size_t>(i + line * stride));
  }
};

/// Texture objects of fields in `Memory`; null where it has none.
template <class Memory>
std::shared_ptr<GridTextures> make_textures() {
  return nullptr;
}

/// Calls body(field, ...) with texture objects for all fields and returns true, or false where
/// there are none: the scalar or the execution space has none, or a field cannot have one.
template <class Space, class Scalar>
struct TextureReader {
  template <class Body, class... Fields>
  static bool read(const Grid&, const Body&, const Fields&...) {
    return false;
  }
};

/// body(field, ...) with the fields as the grid says that they are read.
template <class Space, class Scalar, class Body, class... Fields>
void read_fields(const Grid& grid, const Body& body, const Fields&... fields) {
  if constexpr (!runs_on_host<Space>) {
    if (grid.memory == StencilMemory::texture1d || grid.memory == StencilMemory::texture2d) {
      if (TextureReader<Space, Scalar>::read(grid, body, fields...)) return;
      using Read = RandomAccessField<Scalar, typename Space::memory_space>;
      return body(Read(fields, grid.topology)...);
    }
  }
  body(fields...);
}

}  // namespace Lamina::Impl
