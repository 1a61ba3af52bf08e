// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/helmholtz/impl/HelmholtzKernels_Bodies.hpp>
#include <lamina/helmholtz/impl/MixedKernels.hpp>
#include <lamina/sweeps/impl/MixedSweeps.hpp>

namespace Lamina::Impl {

template <class Space, class Layout>
void MixedKernels<Space, Layout>::residual(const Space& space, const System<double>& system,
                                           const Step& step, const Parts& parts,
                                           const Input<double>& b, const Input<double>& x,
                                           const Output<float>& r) {
  run_sweep("Lamina::MixedHelmholtz::residual", space, system,
            RoundedResidualSweep<Layout, Memory>{step, step.scale, b, x, r}, parts);
}

template <class Space, class Layout>
void MixedKernels<Space, Layout>::advance_and_update(
    const Space& space, const System<float>& system, const Step& step, const Parts& parts,
    const Input<float>& z, const Input<float>& p, const Output<float>& new_p,
    const Output<float>& r, const Output<double>& u) {
  run_sweep("Lamina::MixedHelmholtz::advance_and_update", space, system,
            AdvanceAndUpdateSweep<Layout, Memory>{step, 1 / step.scale, z, p, new_p, r, u}, parts);
}

}  // namespace Lamina::Impl
