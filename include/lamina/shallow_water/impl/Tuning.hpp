// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

namespace Lamina::Impl {

/// Marches on CPU cores (`HostMarch`). Those on a device have the numbers of `StencilTuning`.
///
///   PerfTest_ShallowWater --benchmark_filter='(step|tendency).*OpenMP'
struct HostMarchTuning {
  /// Vectors of a piece of a line.
  static constexpr int vectors = 128;
};

}  // namespace Lamina::Impl
