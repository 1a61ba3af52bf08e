// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

namespace Lamina::Impl {

/// Sweeps through tiles in scratch (`StencilMemory::shared`).
///
///   PerfTest_Poisson --benchmark_filter='shared.*Cuda'
struct GridTileTuning {
  /// Lines and cells of a tile, threads of a team, and teams on a multiprocessor, at least.
  static constexpr int lines = 16, width = 64, threads = 256, least_teams = 4;
};

/// Solves that stay on the chip (`ResidentGrid`).
///
///   PerfTest_Poisson --benchmark_filter='fused-cg,auto.*Cuda'
struct ResidentGridTuning {
  /// Threads of a team.
  static constexpr int threads = 512;
};

}  // namespace Lamina::Impl
