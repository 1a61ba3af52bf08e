// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/impl/ExtentOf.hpp>
#include <lamina/device/impl/RangeOf.hpp>
#include <lamina/lines/impl/CyclicToeplitzKernels.hpp>
#include <lamina/lines/impl/CyclicToeplitz_Device.hpp>
#include <lamina/lines/impl/CyclicToeplitz_Host.hpp>

namespace Lamina::Impl {

/// See `LineEnds`. `Width` lines at a time.
template <class Scalar, int Width>
struct FindLineEnds {
  Scalar ratio;
  int reach;
  LinesShape shape;
  GridField<const Scalar> rhs;
  LineEnds<Scalar> ends;

  KOKKOS_FUNCTION void operator()(int block) const {
    const int begin = block * Width, rest = shape.num_lines - begin;
    const int width = rest < Width ? rest : Width;
    const bool is_short = shape.num_levels < reach;
    const int count = is_short ? shape.num_levels : reach;
    const Scalar *const behind = is_short ? ends.behind : nullptr, *const before = is_short
                                                                                       ? ends.before
                                                                                       : nullptr;
    Scalar first[extent_of<Width>], last[extent_of<Width>];
    for (int i = 0; i < width; ++i) first[i] = behind != nullptr ? behind[begin + i] : Scalar(0);
    for (int k = count - 1; k >= 0; --k) add(rhs.line(k) + begin, width, first);
    for (int i = 0; i < width; ++i) last[i] = before != nullptr ? before[begin + i] : Scalar(0);
    for (int k = shape.num_levels - count; k < shape.num_levels; ++k) {
      add(rhs.line(k) + begin, width, last);
    }
    for (int i = 0; i < width; ++i) ends.first[begin + i] = ends.first_factor * first[i];
    for (int i = 0; i < width; ++i) ends.last[begin + i] = ends.last_factor * last[i];
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION void add(const Scalar* values, int width, Scalar* sum) const {
    for (int i = 0; i < width; ++i) sum[i] = values[i] + ratio * sum[i];
  }
};

template <class Space, class Scalar>
void CyclicToeplitzKernels<Space, Scalar>::find_ends(const char* label, const Space& space,
                                                     const ToeplitzFactors& factors,
                                                     const LinesShape& shape,
                                                     const GridField<const Scalar>& rhs,
                                                     const LineEnds<Scalar>& ends) {
  constexpr int width = runs_on_host<Space> ? 64 : 1;
  Kokkos::parallel_for(label,
                       range_of(space, static_cast<int>(ceil_divide(shape.num_lines, width))),
                       FindLineEnds<Scalar, width>{static_cast<Scalar>(factors.ratio),
                                                   factors.reach, shape, rhs, ends});
}

template <class Space, class Scalar>
void CyclicToeplitzKernels<Space, Scalar>::solve(const char* label, const Space& space,
                                                 const ToeplitzFactors& factors,
                                                 const LinesShape& shape,
                                                 bool levels_are_contiguous,
                                                 const LineCombination<Scalar>& combination) {
  if (shape.num_lines == 0 || shape.num_levels == 0) return;
  if constexpr (runs_on_host<Space>) {
    run_host_cyclic(label, space, factors, shape, levels_are_contiguous, combination);
  } else {
    run_device_cyclic(label, space, factors, shape, levels_are_contiguous, combination);
  }
}

}  // namespace Lamina::Impl
