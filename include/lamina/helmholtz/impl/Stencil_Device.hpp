// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// The stencil sweep on a device: one thread takes one cell, neighbouring threads neighbouring cells
// in memory.

#include <lamina/helmholtz/impl/Stencil.hpp>

namespace Lamina::Impl {

struct CellIndex {
  std::int64_t column;
  int level;
};

/// Cell number `index` of the owned cells, the contiguous index fastest.
template <class Layout, class Data>
KOKKOS_FORCEINLINE_FUNCTION CellIndex device_cell(const Data& data, std::int64_t index) {
  if constexpr (levels_contiguous<Layout>) {
    return {index / data.num_levels, static_cast<int>(index % data.num_levels)};
  } else {
    return {index % data.num_owned, static_cast<int>(index / data.num_owned)};
  }
}

template <class Space, class Data>
auto device_cells(const Space& space, const Data& data) {
  return Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(
      space, 0, static_cast<std::int64_t>(data.num_owned) * data.num_levels);
}

template <class Scalar, class Layout, class Memory, class Sink>
struct DeviceStencil {
  HelmholtzData<Scalar, Memory> data;
  FieldView<const Scalar, Layout, Memory> x;
  Sink sink;

  KOKKOS_FORCEINLINE_FUNCTION void cell(std::int64_t index, double& sum) const {
    const auto [column, k] = device_cell<Layout>(data, index);
    const Scalar value = x(column, k);
    Scalar flux = -data.boundary(column) * value;
    const int slots = static_cast<int>(data.neighbours.extent(1));
    for (int n = 0; n < slots; ++n) {
      flux += data.couplings(column, n) * (x(data.neighbours(column, n), k) - value);
    }
    const Scalar image = stencil_image<Scalar>(
        data.area(column), data.mass(k), data.above(k), data.below(k), data.scale(k), value,
        x(column, k + 1 < data.num_levels ? k + 1 : k), x(column, k > 0 ? k - 1 : k), flux);
    sink(column, k, value, image, sum);
  }
  KOKKOS_FORCEINLINE_FUNCTION void operator()(std::int64_t index) const {
    double unused = 0;
    cell(index, unused);
  }
};

}  // namespace Lamina::Impl
