// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/lines/impl/CyclicToeplitzKernels.hpp>
#include <lamina/lines/impl/CyclicToeplitz_Device.hpp>
#include <lamina/lines/impl/CyclicToeplitz_Host.hpp>

namespace Lamina::Impl {

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
