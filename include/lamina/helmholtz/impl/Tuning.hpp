// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

namespace Lamina::Impl {

/// Line solves on a device with the columns on chip (`HelmholtzLines`).
///
///   PerfTest_Helmholtz --benchmark_filter='precondition.*Cuda'
struct HelmholtzLineTuning {
  /// Levels of a column that a thread holds in registers, two values a level: coefficients come
  /// from a table. In single precision it holds two columns. Long segments serve high columns, and
  /// fewer threads wait for each other. Short ones serve where they pad less.
  static constexpr int short_segment = 8, long_segment = 16;
  /// Levels of a column, at most, that goes in short segments, in double precision and where
  /// nothing is summed up.
  static constexpr int short_segment_levels = 256;
};

}  // namespace Lamina::Impl
