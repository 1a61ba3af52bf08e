// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// What the vendor's conjugate gradients keep in device memory besides their fields.

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstddef>
#include <vector>

namespace Lamina::Perf {

/// The scalars of the iteration, in device memory.
template <class Scalar>
struct VendorScalars {
  Scalar one, alpha, minus_alpha, beta;
  Scalar residual2, energy, energy_before, curvature;  ///< <r,r>, <r,z>, that before, <p,q>
  int passes;                                          ///< entries of the history
};

// One thread each. A vanishing denominator, after an exact solution, ends all updates.

template <class Scalar>
__global__ void vendor_start(VendorScalars<Scalar>* scalars) {
  *scalars = {.one = 1,
              .alpha = 0,
              .minus_alpha = -1,  // for the initial residual
              .beta = 0,
              .residual2 = 0,
              .energy = 0,
              .energy_before = 0,
              .curvature = 0,
              .passes = 0};
}
template <class Scalar>
__global__ void vendor_record(VendorScalars<Scalar>* scalars, Scalar* history, int capacity) {
  if (scalars->passes < capacity) history[scalars->passes++] = scalars->residual2;
}
/// Without a preconditioner <r,z> is <r,r>.
template <bool preconditioned, class Scalar>
__global__ void vendor_beta(VendorScalars<Scalar>* scalars, Scalar* history, int capacity) {
  if (scalars->passes < capacity) history[scalars->passes++] = scalars->residual2;
  if constexpr (!preconditioned) scalars->energy = scalars->residual2;
  scalars->beta = scalars->energy_before > 0 ? scalars->energy / scalars->energy_before : Scalar(0);
  scalars->energy_before = scalars->energy;
}
template <class Scalar>
__global__ void vendor_alpha(VendorScalars<Scalar>* scalars) {
  scalars->alpha = scalars->curvature > 0 ? scalars->energy / scalars->curvature : Scalar(0);
  scalars->minus_alpha = -scalars->alpha;
}

/// |r_n| / |r_0| from the recorded <r_n,r_n>.
template <class History>
std::vector<double> vendor_residual_history(const History& recorded) {
  const auto history = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), recorded);
  std::vector<double> norms;
  for (std::size_t n = 0; n < history.extent(0); ++n) {
    norms.push_back(std::sqrt(static_cast<double>(history(n)) / static_cast<double>(history(0))));
  }
  return norms;
}

}  // namespace Lamina::Perf
