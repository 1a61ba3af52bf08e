// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Numbers of the Krylov methods that were tuned. Above each struct stands the benchmark that
// decides it; docs/developer/tuning.md tells what the alternatives cost.

#include <lamina/core/StoppingCriteria.hpp>

namespace Lamina::Impl {

/// Iterations from one look of a device's host to the next, where the caller leaves the choice to
/// the solver. A look costs a round trip. Iterations after the end cost what the solver makes of
/// them.
///
///   PerfTest_Pcg --benchmark_filter=Cuda
struct LookInterval {
  int shortest = 10, longest = 50;
  int of_fixed_count = StoppingCriteria::max_check_every;  ///< the end is known
  /// The host looks at the residual of a pass before its preconditioner is enqueued.
  bool early = false;
};
/// `Pcg` and `Gmres`: iterations after the end cost as much as others.
///
///   PerfTest_Pcg --benchmark_filter='plain.*Cuda'
///   PerfTest_Gmres --benchmark_filter='iteration.*Cuda'
inline constexpr LookInterval short_look_interval{.shortest = 4, .longest = 16};
/// `FusedPcg` of models whose iterations are few and dear (`few_iterations`): those after the end do
/// nothing, but launch the kernels of a multigrid cycle. Their residual falls steadily: after the first
/// iteration the host looks at the expected end, before that cycle.
///
///   PerfTest_Multigrid --benchmark_filter='to_1e-5<.*multigrid.*Cuda'
inline constexpr LookInterval look_interval_of_few{.shortest = 1, .longest = 16, .early = true};

/// Replacements of the residual of `FusedPcg` in mixed precision.
///
///   PerfTest_Pcg --benchmark_filter=mixed
///   PerfTest_Multigrid --benchmark_filter=mixed
struct MixedTuning {
  /// A residual is replaced when it has fallen by the factor `usual`, or to the target where that is
  /// not below `to_target` of it.
  struct Drops {
    double usual, to_target;
  };
  /// Rounding of the iteration adds 1e-7 to 1e-5 of the residual that was replaced last, hence at
  /// most 1e-3 of what is left. A replacement costs little more than an iteration; six of them reach
  /// 1e-9.
  static constexpr Drops of_many{0.03, 0.03};
  /// Where an iteration lets it fall by 0.1 or so: few iterations add little rounding. A `usual` of
  /// 1e-5 takes one to three iterations more where rounding is large, as in shells 2000 times as wide
  /// as they are high.
  static constexpr Drops of_few{1e-3, 1e-5};
};

/// Scalar products of `Pcg` on a device.
///
///   PerfTest_Pcg --benchmark_filter='plain.*Cuda'
struct DotTuning {
  /// Threads of a team, teams on a multiprocessor at least, and packs that a thread has in flight.
  static constexpr int threads = 256, least_teams = 4, in_flight = 4;
};

/// Passes over the basis of `Gmres`.
///
///   PerfTest_Gmres --benchmark_filter=orthogonalisation
struct BasisTuning {
  /// Device: threads of a team. Scratch holds a value of each thread for each sum.
  static constexpr int threads = 256;
  /// Device: teams on a multiprocessor, at least. More leave too few registers for the loads in
  /// flight.
  static constexpr int least_teams = 2;
  /// Device: columns of the basis that a thread reads together.
  static constexpr int columns = 8;
  /// Device: values that one thread adds up first, in the sum of a team.
  static constexpr int stretch = 16;
  /// Device: threads of the one team that computes scalars.
  static constexpr int scalar_threads = 512;
  /// CPU cores: values of a tile, which stays in the first-level cache, and columns read together.
  static constexpr int tile = 512, host_columns = 4;
};

}  // namespace Lamina::Impl
