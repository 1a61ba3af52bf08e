// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

namespace Lamina::Impl {

/// Line solves on a device where columns do not fit on the chip: a thread takes a column.
///
///   lamina helmholtz --solver fused-pcg --size 128 128 4096
struct ThreadLineTuning {
  /// Threads of a team, and teams on a multiprocessor, at least.
  static constexpr int threads = 128, least_teams = 8;
};

}  // namespace Lamina::Impl
