// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/helmholtz/impl/HelmholtzKernels_Impl.hpp>
#include <lamina/helmholtz/impl/MixedKernels.hpp>
#include <lamina/helmholtz/impl/MixedStencil.hpp>

namespace Lamina::Impl {

template <class Space, class Layout>
void MixedKernels<Space, Layout>::residual(const Space& space, const Data<double>& data,
                                           const Step& step, const Parts& parts, double factor,
                                           const Input<double>& b, const Input<double>& x,
                                           const Output<float>& r) {
  run_stencil<Layout>("Lamina::MixedHelmholtz::residual", space, data,
                      RoundedResidualSweep<Layout, Memory>{factor, b, x, r},
                      packs_aligned<double>(b, x, r), parts, step.now + Step::residual2);
}

template <class Space, class Layout>
void MixedKernels<Space, Layout>::advance_and_update(
    const Space& space, const Data<float>& data, const Step& step, const Parts& parts,
    double unscale, const Input<float>& z, const Input<float>& p, const Output<float>& new_p,
    const Output<float>& r, const Output<double>& u) {
  run_stencil<Layout>("Lamina::MixedHelmholtz::advance_and_update", space, data,
                      AdvanceAndUpdateSweep<Layout, Memory>{step, unscale, z, p, new_p, r, u},
                      packs_aligned<float>(z, p, new_p, r, u), parts, step.next + Step::residual2);
}

}  // namespace Lamina::Impl
