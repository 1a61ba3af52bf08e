// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/device/impl/HostWork.hpp>
#include <lamina/device/impl/RangeOf.hpp>
#include <lamina/helmholtz/impl/HelmholtzKernels.hpp>
#include <lamina/helmholtz/impl/HelmholtzLines_Device.hpp>
#include <lamina/helmholtz/impl/HelmholtzLines_Host.hpp>
#include <lamina/helmholtz/impl/Stencil_Device.hpp>
#include <lamina/helmholtz/impl/Stencil_Host.hpp>
#include <lamina/krylov/FusedStep.hpp>

namespace Lamina::Impl {

/// Where the sums of a sweep go: a row of `FusedStep`, in device memory, so that nothing waits.
template <class Value, class Memory>
using ResultView = Kokkos::View<Value, Memory, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

// --- Stencil sweeps ---

/// Runs a sweep over all owned cells; what is summed up goes to `result`.
/// `aligned`: see `packs_aligned`.
template <class Layout, class Space, class Scalar, class Memory, class Sweep>
void run_stencil(const char* label, const Space& space, const HelmholtzData<Scalar, Memory>& data,
                 const Sweep& sweep, bool aligned, const TeamParts<Memory>& parts, double* result) {
  if constexpr (runs_on_host<Space>) {
    const int workers = static_cast<int>(space.concurrency());
    const auto policy = range_of(space, workers);
    const auto share = [=](int worker) {
      return sweep_share<Scalar, Layout>(data, sweep, worker, workers);
    };
    if constexpr (Sweep::has_sum) {
      Kokkos::parallel_reduce(
          label, policy, [=](int worker, double& sum) { sum += share(worker); },
          ResultView<double, Memory>(result));
    } else {
      Kokkos::parallel_for(label, policy, [=](int worker) { share(worker); });
    }
  } else {
    run_best_device_stencil<Layout>(label, space, data, sweep, aligned, parts, result);
  }
}

template <class Space, class Scalar, class Layout>
void HelmholtzKernels<Space, Scalar, Layout>::apply(const Space& space, const Data& data,
                                                    const Input& x, const Output& y) {
  run_stencil<Layout>("Lamina::HelmholtzOperator::apply", space, data,
                      ApplySweep<Scalar, Layout, Memory>{x, y}, packs_aligned<Scalar>(x, y),
                      Parts(), nullptr);
}

template <class Space, class Scalar, class Layout>
void HelmholtzKernels<Space, Scalar, Layout>::residual(const Space& space, const Data& data,
                                                       const Step& step, const Parts& parts,
                                                       const Input& b, const Input& x,
                                                       const Output& r) {
  run_stencil<Layout>("Lamina::FusedHelmholtz::residual", space, data,
                      ResidualSweep<Scalar, Layout, Memory>{b, x, r},
                      packs_aligned<Scalar>(b, x, r), parts, step.now + Step::residual2);
}

template <class Space, class Scalar, class Layout>
void HelmholtzKernels<Space, Scalar, Layout>::measure(const Space& space, const Data& data,
                                                      const Step& step, const Parts& parts,
                                                      const Input& z) {
  run_stencil<Layout>("Lamina::FusedHelmholtz::measure", space, data,
                      MeasureSweep<Scalar, Layout, Memory>{step, z}, packs_aligned<Scalar>(z),
                      parts, step.now + Step::line_curvature);
}

template <class Space, class Scalar, class Layout>
void HelmholtzKernels<Space, Scalar, Layout>::advance(const Space& space, const Data& data,
                                                      const Step& step, const Parts& parts,
                                                      bool update, const Input& z, const Input& p,
                                                      const Output& new_p, const Output& r,
                                                      const Output& u) {
  double* const result = step.next + Step::residual2;
  const bool aligned = packs_aligned<Scalar>(z, p, new_p, r, u);
  if (update) {
    run_stencil<Layout>("Lamina::FusedHelmholtz::advance_and_update", space, data,
                        AdvanceSweep<Scalar, Layout, Memory, true>{step, z, p, new_p, r, u},
                        aligned, parts, result);
  } else {
    run_stencil<Layout>("Lamina::FusedHelmholtz::advance", space, data,
                        AdvanceSweep<Scalar, Layout, Memory, false>{step, z, p, new_p, r, u},
                        aligned, parts, result);
  }
}

template <class Space, class Scalar, class Layout>
void HelmholtzKernels<Space, Scalar, Layout>::stored_advance(const Space& space, const Data& data,
                                                             const Step& step, const Parts& parts,
                                                             const Input& z, const Output& u,
                                                             const Output& p, const Output& q) {
  run_stencil<Layout>("Lamina::FusedHelmholtzStored::advance", space, data,
                      AdvanceStoredSweep<Scalar, Layout, Memory>{step, z, u, p, q},
                      packs_aligned<Scalar>(z, u, p, q), parts, step.now + Step::curvature);
}

// --- Line solves ---

template <class Space, class Scalar, class Memory>
void prepare_helmholtz_lines(const Space& space, const HelmholtzData<Scalar, Memory>& data,
                             const LineWorkspace<Scalar, Memory>& workspace) {
  workspace.prepare(space, HelmholtzRowsOf<Scalar, Memory>{data}, data.num_owned, data.num_levels);
}

template <class Space, class Scalar, class Layout>
void HelmholtzKernels<Space, Scalar, Layout>::precondition(const Space& space, const Data& data,
                                                           const Input& r, const Output& z,
                                                           const Workspace& workspace) {
  const char* label = "Lamina::LinePreconditioner::solve";
  if constexpr (runs_on_host<Space>) {
    const TileStore store = tile_store<Layout>(z);
    Kokkos::parallel_for(label, range_of(space, workspace.num_workers()), [=](int worker) {
      precondition_share<false, Scalar, Layout>(data, r, z, workspace, worker, store);
    });
  } else {
    run_device_lines(label, space, data, PlainRhs<Scalar, Layout, Memory>{r}, z, workspace, Parts(),
                     nullptr);
  }
}

template <class Space, class Scalar, class Layout>
void HelmholtzKernels<Space, Scalar, Layout>::fused_precondition(const Space& space,
                                                                 const Data& data, const Step& step,
                                                                 const Parts& parts, const Input& r,
                                                                 const Output& z,
                                                                 const Workspace& workspace) {
  const char* label = "Lamina::FusedHelmholtz::precondition";
  if constexpr (runs_on_host<Space>) {
    const TileStore store = tile_store<Layout>(z);
    Kokkos::parallel_reduce(
        label, range_of(space, workspace.num_workers()),
        [=](int worker, double& sum) {
          if (!step.residual_left(step.now)) return;
          sum += precondition_share<true, Scalar, Layout>(data, r, z, workspace, worker, store);
        },
        ResultView<double, Memory>(step.now + Step::energy));
  } else {
    run_device_lines(label, space, data, FusedRhs<Scalar, Layout, Memory>{step, r}, z, workspace,
                     parts, step.now + Step::energy);
  }
}

template <class Space, class Scalar, class Layout>
void HelmholtzKernels<Space, Scalar, Layout>::stored_precondition(
    const Space& space, const Data& data, const Step& step, const Parts& parts, const Input& q,
    const Output& r, const Output& z, const Workspace& workspace) {
  const char* label = "Lamina::FusedHelmholtzStored::precondition";
  static_assert(Step::residual2 == 0 && Step::energy == 1, "both sums go to the row at once");
  if constexpr (runs_on_host<Space>) {
    const TileStore store = tile_store<Layout>(z);
    const HostStoredLines<Scalar, Layout> lines{
        .data = data, .step = step, .q = q, .r = r, .z = z, .workspace = workspace, .store = store};
    Kokkos::parallel_reduce(label, range_of(space, workspace.num_workers()), lines,
                            ResultView<double*, Memory>(step.now, 2));
  } else {
    run_device_lines(label, space, data, StoredRhs<Scalar, Layout, Memory>{step, q, r}, z,
                     workspace, parts, step.now);
  }
}

}  // namespace Lamina::Impl
