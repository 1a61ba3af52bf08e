// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <string>
#include <vector>

namespace Lamina {

/// What one launch of a kernel costs at least: each input read once, each output written once.
/// `label` is the label that the kernel bears in Kokkos Tools, or the beginning of it: those of
/// other libraries differ from version to version.
struct KernelCost {
  std::string label;
  double bytes = 0;
  double flops = 0;
};

/// A kernel as measured: how often it ran, how long in all, and what it moved at least.
struct KernelRecord {
  std::string name;
  long calls = 0;
  double seconds = 0;
  double bytes = 0;  ///< of all calls; 0 where the kernel declares no cost
  double flops = 0;

  double gb_per_s() const { return seconds > 0 ? bytes / seconds * 1e-9 : 0; }
  double gflop_per_s() const { return seconds > 0 ? flops / seconds * 1e-9 : 0; }
};

}  // namespace Lamina
