// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <string>
#include <vector>

namespace Lamina {

/// What one launch of a kernel costs at least: each input is read once, each output written once.
/// `label` is the kernel's label in Kokkos Tools, or its beginning: labels of other libraries
/// differ from version to version.
struct KernelCost {
  std::string label;
  double bytes = 0;
  double flops = 0;
};

/// A kernel as measured: number of calls, total time, and the bytes that it moved at least.
struct KernelRecord {
  std::string name;
  long calls = 0;
  double seconds = 0;
  double bytes = 0;  ///< of all calls; 0 where the kernel declares no cost
  double flops = 0;
  /// Which of several ways the kernel took, for example packs of columns or single ones; empty where
  /// there is one.
  std::string path{};
  std::string reason{};  ///< why it did not take a faster one; else empty

  double gb_per_s() const { return seconds > 0 ? bytes / seconds * 1e-9 : 0; }
  double gflop_per_s() const { return seconds > 0 ? flops / seconds * 1e-9 : 0; }
};

}  // namespace Lamina
