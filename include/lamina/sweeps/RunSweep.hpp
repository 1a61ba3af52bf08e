// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/device/impl/HostWork.hpp>
#include <lamina/device/impl/RangeOf.hpp>
#include <lamina/device/impl/TeamSums_Device.hpp>
#include <lamina/sweeps/ColumnSystem.hpp>
#include <lamina/sweeps/FusedSweeps.hpp>
#include <lamina/sweeps/impl/BestSweep_Device.hpp>
#include <lamina/sweeps/impl/Traversal_Host.hpp>

namespace Lamina {

/// Where the teams of a device leave their parts of the sums of a sweep. One kernel at a time may use
/// it; copies share it. The default one, without memory, is for CPU cores and for sweeps without sums.
template <MemorySpace Memory>
using SweepScratch = Impl::TeamParts<Memory>;

/// Applies an operator to the source of a sweep, in all owned columns, and hands each cell to its sink.
/// Enqueued on `space`: no allocation, no fence. Sums are complete when the kernel is.
///
/// Each cell of a field is read once from memory, and again from the caches by its neighbours; what is
/// read once per column, and by which kernel, differs by operator and mesh.
/// \param label    of the kernel, for profilers
/// \param scratch  made with a label for a sweep with sums on a device
template <ExecutionSpace Space, class Coefficients, class Sweep>
requires WorksIn<Space, typename Coefficients::memory_space>
void run_sweep(const char* label, const Space& space, const ColumnSystem<Coefficients>& system,
               const Sweep& sweep,
               const SweepScratch<typename Coefficients::memory_space>& scratch = {}) {
  if constexpr (runs_on_host<Space>) {
    Impl::run_host_sweep(label, space, system, sweep);
  } else {
    Impl::run_device_sweep(label, space, system, sweep, scratch);
  }
}

}  // namespace Lamina
