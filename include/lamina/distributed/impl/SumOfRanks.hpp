// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/distributed/GlobalReduction.hpp>

#include <Kokkos_Core.hpp>

namespace Lamina::Impl {

/// The sum of a number of the host over all ranks; that number where there is one process. Fences
/// `space` where there are several.
/// \param place  a value in `Memory` to work with
template <class Space, class Memory>
double sum_of_ranks(const Space& space, const GlobalReduction<Memory>& reduction, double* place,
                    double value) {
  if (reduction.empty()) return value;
  const Kokkos::View<double*, Memory> part(place, 1);
  Kokkos::deep_copy(space, part, value);
  reduction.sum(space, place, place, 1);
  double sum = 0;
  Kokkos::deep_copy(space, Kokkos::View<double*, Kokkos::HostSpace>(&sum, 1), part);
  space.fence();
  return sum;
}

}  // namespace Lamina::Impl
