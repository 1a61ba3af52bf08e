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

template <class Space, class Work>
void by_one_thread(const char* label, const Space& space, const Work& work) {
  Kokkos::parallel_for(label, Kokkos::RangePolicy<Space>(space, 0, 1), work);
}

template <class Space, class Scalar>
void PcgCoefficients<Space, Scalar>::start(const Space& space, Scalar* values) {
  by_one_thread(
      "Lamina::Pcg::start", space, KOKKOS_LAMBDA(int) {
        values[one] = 1;
        values[stopped] = 0;
      });
}

template <class Space, class Scalar>
void PcgCoefficients<Space, Scalar>::take_energy(const Space& space, const Step& step) {
  by_one_thread(
      "Lamina::Pcg::energy", space,
      KOKKOS_LAMBDA(int) { step.now[Step::energy] = step.now[Step::residual2]; });
}

template <class Space, class Scalar>
void PcgCoefficients<Space, Scalar>::compute_beta(const Space& space, Scalar* values,
                                                  const Step& step) {
  by_one_thread(
      "Lamina::Pcg::beta", space, KOKKOS_LAMBDA(int) {
        const bool proceed = !step.is_first && values[stopped] == 0 && step.continues(step.now);
        values[beta] = proceed
                           ? static_cast<Scalar>(step.now[Step::energy] / step.before[Step::energy])
                           : Scalar(0);
      });
}

template <class Space, class Scalar>
void PcgCoefficients<Space, Scalar>::compute_alpha(const Space& space, Scalar* values,
                                                   const Step& step) {
  by_one_thread(
      "Lamina::Pcg::alpha", space, KOKKOS_LAMBDA(int) {
        const double curvature = step.now[Step::curvature];
        if (!step.continues(step.now) || !Step::positive_finite(curvature)) values[stopped] = 1;
        const double value = values[stopped] == 0 ? step.now[Step::energy] / curvature : 0;
        values[alpha] = static_cast<Scalar>(value);
        values[minus_alpha] = static_cast<Scalar>(-value);
      });
}

#define LAMINA_EXTERN_PCG(Space)                        \
  extern template struct PcgCoefficients<Space, float>; \
  extern template struct PcgCoefficients<Space, double>;
LAMINA_FOR_EACH_SPACE(LAMINA_EXTERN_PCG)
#undef LAMINA_EXTERN_PCG

}  // namespace Lamina::Impl
