// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/KernelRecord.hpp>

#include <vector>

namespace Lamina {

/// Measures every Kokkos kernel that runs during its lifetime, by label, through Kokkos Tools.
///
/// A profiling region in which no kernel is launched counts as a kernel. Kernels carry no
/// instrumentation of their own. The recorder fences before and after each launch, which serialises
/// the device: use it on a replay, not on a solve that is timed. Only one recorder may live at a
/// time. It replaces the callbacks of a loaded tool, and restores them at the end.
class KernelRecorder {
 public:
  KernelRecorder();
  ~KernelRecorder();
  KernelRecorder(const KernelRecorder&) = delete;
  KernelRecorder& operator=(const KernelRecorder&) = delete;

  /// The kernels seen so far, longest total time first. `costs` gives bytes and flops per call of
  /// kernels by the beginning of their labels. Kernels that it does not name report 0.
  std::vector<KernelRecord> records(const std::vector<KernelCost>& costs) const;
};

}  // namespace Lamina
