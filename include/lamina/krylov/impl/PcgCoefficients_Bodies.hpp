// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/krylov/impl/PcgCoefficients.hpp>

namespace Lamina::Impl {

/// One thread computes a part of the coefficients.
template <class Space, class Scalar>
struct PcgCoefficientsKernel {
  using C = PcgCoefficients<Space, Scalar>;
  using Step = typename C::Step;
  Scalar* values;
  Step step;

  struct Start {};
  KOKKOS_FUNCTION void operator()(Start, int) const {
    values[C::one] = 1;
    values[C::stopped] = 0;
  }
  struct Energy {};
  KOKKOS_FUNCTION void operator()(Energy, int) const {
    step.now[Step::energy] = step.now[Step::residual2];
  }
  struct Beta {};
  KOKKOS_FUNCTION void operator()(Beta, int) const {
    const bool proceed = !step.is_first && values[C::stopped] == 0 && step.continues(step.now);
    values[C::beta] = proceed
                          ? static_cast<Scalar>(step.now[Step::energy] / step.before[Step::energy])
                          : Scalar(0);
  }
  struct Alpha {};
  KOKKOS_FUNCTION void operator()(Alpha, int) const {
    const double curvature = step.now[Step::curvature];
    if (!step.continues(step.now) || !Step::positive_finite(curvature)) values[C::stopped] = 1;
    const double value = values[C::stopped] == 0 ? step.now[Step::energy] / curvature : 0;
    values[C::alpha] = static_cast<Scalar>(value);
    values[C::minus_alpha] = static_cast<Scalar>(-value);
  }

  template <class Part>
  void run(const char* label, const Space& space) const {
    Kokkos::parallel_for(label, Kokkos::RangePolicy<Space, Part>(space, 0, 1), *this);
  }
};

template <class Space, class Scalar>
void PcgCoefficients<Space, Scalar>::start(const Space& space, Scalar* values) {
  using Kernel = PcgCoefficientsKernel<Space, Scalar>;
  Kernel{values, {}}.template run<typename Kernel::Start>("Lamina::Pcg::start", space);
}

template <class Space, class Scalar>
void PcgCoefficients<Space, Scalar>::take_energy(const Space& space, const Step& step) {
  using Kernel = PcgCoefficientsKernel<Space, Scalar>;
  Kernel{nullptr, step}.template run<typename Kernel::Energy>("Lamina::Pcg::energy", space);
}

template <class Space, class Scalar>
void PcgCoefficients<Space, Scalar>::compute_beta(const Space& space, Scalar* values,
                                                  const Step& step) {
  using Kernel = PcgCoefficientsKernel<Space, Scalar>;
  Kernel{values, step}.template run<typename Kernel::Beta>("Lamina::Pcg::beta", space);
}

template <class Space, class Scalar>
void PcgCoefficients<Space, Scalar>::compute_alpha(const Space& space, Scalar* values,
                                                   const Step& step) {
  using Kernel = PcgCoefficientsKernel<Space, Scalar>;
  Kernel{values, step}.template run<typename Kernel::Alpha>("Lamina::Pcg::alpha", space);
}

}  // namespace Lamina::Impl
