// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

namespace Lamina::Impl {

/// Kernels of the transport "peer".
///
///   mpirun -np 2 PerfTest_Transport
struct PeerKernelTuning {
  /// Copies of halos that set or await flags: threads of a team, and teams at most.
  static constexpr int copy_threads = 256, most_copy_teams = 1024;
  /// Sums over ranks: threads of the one team.
  static constexpr int sum_threads = 64;
};

/// How ranks wait for each other.
///
///   mpirun -np 2 PerfTest_Transport
struct WaitTuning {
  /// Looks of a kernel, of the host in "peer", and tests of messages of MPI, between two looks at
  /// the clock.
  static constexpr int device_looks = 1024, host_looks = 1024, message_tests = 128;
  /// Seconds of the host in "peer", and for messages of MPI, after which other processes may have
  /// the core.
  static constexpr double host_patience = 20e-6, message_patience = 1e-3;
};

}  // namespace Lamina::Impl
