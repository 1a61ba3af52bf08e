// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Sweeps that walk across the lines of the grid, on a device: a thread takes a column of some
// lines, and keeps what it needs of a line in registers.

#include <lamina/device/impl/StencilChunks_Device.hpp>
#include <lamina/device/impl/TeamSums_Device.hpp>
#include <lamina/shallow_water/impl/GhostedField.hpp>

namespace Lamina::Impl {

template <class Scalar, class Sweep, class Memory>
struct DeviceMarch {
  CellRange range;
  Sweep sweep;
  StencilChunks chunks;
  TeamParts<Memory> parts;

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member) const {
    double sum[1] = {0};
    chunks.template for_each<Kokkos::LayoutLeft>(member, [&](int column, int begin, int end) {
      const int i = range.i_begin + column, first = range.j_begin + begin;
      typename Sweep::template March<Scalar> march;
      march.take(sweep, i, first - 1);
      march.take(sweep, i, first);
      for (int j = first; j < range.j_begin + end; ++j) march.finish(sweep, i, j, sum[0]);
    });
    if constexpr (Sweep::has_sum) {
      parts.template add_up<1>(member, static_cast<double*>(member.scratch()), sum, sweep.sum);
    }
  }
};

template <class Scalar, class Space, class Sweep, class Memory>
void run_device_march(const char* label, const Space& space, const CellRange& range,
                      std::int64_t stride, const Sweep& sweep, const TeamParts<Memory>& parts) {
  const StencilChunks chunks =
      stencil_chunks<Kokkos::LayoutLeft>(space, range.width(), stride, range.lines());
  launch_stencil(label, space, DeviceMarch<Scalar, Sweep, Memory>{range, sweep, chunks, parts});
}

}  // namespace Lamina::Impl
