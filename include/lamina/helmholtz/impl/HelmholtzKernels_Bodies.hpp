// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/device/impl/HostWork.hpp>
#include <lamina/device/impl/RangeOf.hpp>
#include <lamina/helmholtz/impl/HelmholtzKernels.hpp>
#include <lamina/helmholtz/impl/HelmholtzLines_Device.hpp>
#include <lamina/helmholtz/impl/HelmholtzLines_Host.hpp>
#include <lamina/krylov/FusedStep.hpp>
#include <lamina/sweeps/RunSweep.hpp>

namespace Lamina::Impl {

/// Where the sums of a sweep go: a row of `FusedStep`, in device memory, so that nothing waits.
template <class Value, class Memory>
using ResultView = Kokkos::View<Value, Memory, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

// --- Sweeps ---

template <class Space, class Scalar, class Layout>
void HelmholtzKernels<Space, Scalar, Layout>::apply(const Space& space, const System& system,
                                                    const Input& x, const Output& y) {
  run_sweep("Lamina::HelmholtzOperator::apply", space, system,
            ApplySweep<Scalar, Layout, Memory>{x, y});
}

template <class Space, class Scalar, class Layout>
void HelmholtzKernels<Space, Scalar, Layout>::residual(const Space& space, const System& system,
                                                       const Step& step, const Parts& parts,
                                                       const Input& b, const Input& x,
                                                       const Output& r) {
  run_sweep("Lamina::FusedHelmholtz::residual", space, system,
            ResidualSweep<Scalar, Layout, Memory>{step, b, x, r}, parts);
}

template <class Space, class Scalar, class Layout>
void HelmholtzKernels<Space, Scalar, Layout>::measure(const Space& space, const System& system,
                                                      const Step& step, const Parts& parts,
                                                      const Input& z) {
  run_sweep("Lamina::FusedHelmholtz::measure", space, system,
            MeasureSweep<Scalar, Layout, Memory>{step, z}, parts);
}

template <class Space, class Scalar, class Layout>
void HelmholtzKernels<Space, Scalar, Layout>::advance(const Space& space, const System& system,
                                                      const Step& step, const Parts& parts,
                                                      bool update, const Input& z, const Input& p,
                                                      const Output& new_p, const Output& r,
                                                      const Output& u) {
  if (update) {
    run_sweep("Lamina::FusedHelmholtz::advance_and_update", space, system,
              AdvanceSweep<Scalar, Layout, Memory, true>{step, z, p, new_p, r, u}, parts);
  } else {
    run_sweep("Lamina::FusedHelmholtz::advance", space, system,
              AdvanceSweep<Scalar, Layout, Memory, false>{step, z, p, new_p, r, u}, parts);
  }
}

template <class Space, class Scalar, class Layout>
void HelmholtzKernels<Space, Scalar, Layout>::stored_advance(const Space& space,
                                                             const System& system, const Step& step,
                                                             const Parts& parts, const Input& z,
                                                             const Output& u, const Output& p,
                                                             const Output& q) {
  run_sweep("Lamina::FusedHelmholtzStored::advance", space, system,
            AdvanceStoredSweep<Scalar, Layout, Memory>{step, z, u, p, q}, parts);
}

// --- Line solves ---

template <class Space, class Scalar, class Memory>
void prepare_helmholtz_lines(const Space& space, const TensorSystem<Scalar, Memory>& system,
                             const LineWorkspace<Scalar, Memory>& workspace) {
  workspace.prepare(space, HelmholtzRowsOf<Scalar, Memory>{system.coefficients},
                    system.topology.num_owned, system.topology.num_levels);
}

template <class Space, class Scalar, class Layout>
void HelmholtzKernels<Space, Scalar, Layout>::precondition(const Space& space, const System& system,
                                                           const Input& r, const Output& z,
                                                           const Workspace& workspace) {
  const char* label = "Lamina::LinePreconditioner::solve";
  if constexpr (runs_on_host<Space>) {
    const TileStore store = tile_store<Layout>(z);
    Kokkos::parallel_for(label, range_of(space, workspace.num_workers()), [=](int worker) {
      precondition_share<false, Scalar, Layout>(system, r, z, workspace, worker, store);
    });
  } else {
    run_device_lines(label, space, system, PlainRhs<Scalar, Layout, Memory>{r}, z, workspace,
                     Parts(), nullptr);
  }
}

template <class Space, class Scalar, class Layout>
void HelmholtzKernels<Space, Scalar, Layout>::fused_precondition(
    const Space& space, const System& system, const Step& step, const Parts& parts, const Input& r,
    const Output& z, const Workspace& workspace) {
  const char* label = "Lamina::FusedHelmholtz::precondition";
  if constexpr (runs_on_host<Space>) {
    const TileStore store = tile_store<Layout>(z);
    Kokkos::parallel_reduce(
        label, range_of(space, workspace.num_workers()),
        [=](int worker, double& sum) {
          if (!step.preconditions()) return;
          sum += precondition_share<true, Scalar, Layout>(system, r, z, workspace, worker, store);
        },
        ResultView<double, Memory>(step.now + Step::energy));
  } else {
    run_device_lines(label, space, system, FusedRhs<Scalar, Layout, Memory>{step, r}, z, workspace,
                     parts, step.now + Step::energy);
  }
}

template <class Space, class Scalar, class Layout>
void HelmholtzKernels<Space, Scalar, Layout>::stored_precondition(
    const Space& space, const System& system, const Step& step, const Parts& parts, const Input& q,
    const Output& r, const Output& z, const Workspace& workspace) {
  const char* label = "Lamina::FusedHelmholtzStored::precondition";
  static_assert(Step::residual2 == 0 && Step::energy == 1, "both sums go to the row at once");
  if constexpr (runs_on_host<Space>) {
    const TileStore store = tile_store<Layout>(z);
    const HostStoredLines<Scalar, Layout> lines{.system = system,
                                                .step = step,
                                                .q = q,
                                                .r = r,
                                                .z = z,
                                                .workspace = workspace,
                                                .store = store};
    Kokkos::parallel_reduce(label, range_of(space, workspace.num_workers()), lines,
                            ResultView<double*, Memory>(step.now, 2));
  } else {
    run_device_lines(label, space, system, StoredRhs<Scalar, Layout, Memory>{step, q, r}, z,
                     workspace, parts, step.now);
  }
}

}  // namespace Lamina::Impl
