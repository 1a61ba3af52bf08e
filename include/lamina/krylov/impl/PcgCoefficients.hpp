// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/device/impl/Instantiate.hpp>
#include <lamina/krylov/FusedStep.hpp>

namespace Lamina::Impl {

/// The coefficients of `Pcg` in device memory, computed from the rows of `FusedStep` by one thread.
template <class Space, class Scalar>
struct PcgCoefficients {
  enum { one = 0, alpha = 1, minus_alpha = 2, beta = 3, stopped = 4, count = 5 };
  using Step = FusedStep<typename Space::memory_space>;

  static void start(const Space& space, Scalar* values);
  /// Without a preconditioner: <r, z> = <r, r>.
  static void take_energy(const Space& space, const Step& step);
  /// beta = kappa_n / kappa_{n-1}; 0 in the first pass and after the end of the solve.
  static void compute_beta(const Space& space, Scalar* values, const Step& step);
  /// alpha = kappa_n / <p, q>. It is 0 after convergence or breakdown, which leaves x and r
  /// unchanged.
  static void compute_alpha(const Space& space, Scalar* values, const Step& step);
};

#define LAMINA_EXTERN_PCG(Space)                        \
  extern template struct PcgCoefficients<Space, float>; \
  extern template struct PcgCoefficients<Space, double>;
LAMINA_FOR_EACH_SPACE(LAMINA_EXTERN_PCG)
#undef LAMINA_EXTERN_PCG

}  // namespace Lamina::Impl

#include <lamina/krylov/impl/PcgCoefficients_Bodies.hpp>
