// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/device/impl/Instantiate.hpp>
#include <lamina/multigrid/impl/CycleLevel.hpp>
#include <lamina/multigrid/impl/poisson/GridLevel.hpp>
#include <lamina/multigrid/impl/poisson/TeamCycle_Device.hpp>

#include <string>

namespace Lamina::Impl {

/// Names of the kernels of a level.
struct GridCycleLabels {
  std::string descend, ascend;    ///< everything before or after coarser levels
  std::string restrict_rhs;       ///< of a right-hand side, for full multigrid
  std::string cycle, full_cycle;  ///< device: with all coarser levels
  std::string copy;               ///< over ranks: to fields with lines of others, and back

  /// \param level  0: the finest
  explicit GridCycleLabels(int level);
};

/// Scratch of a level.
template <class Scalar>
struct GridCycleScratch {
  Scalar* lines = nullptr;  ///< CPU cores: `TileLines` of each worker
  int num_workers = 0;      ///< that have lines
};

/// The kernels of a cycle of `PoissonMultigrid`. n is the number of points of the level, n/4 that
/// of the next coarser one.
template <class Space, class Scalar>
struct GridCycleKernels {
  using Memory = typename Space::memory_space;

  /// Nothing unless `guard` is active; then the energy is 0.
  /// traffic: reads f, of x and c what there is, writes `to` and `coarse` where there are. flops:
  /// 9n a step, 3n the first one from zero, 11n with `coarse`, 4n with c
  static void smooth(const GridCycleLabels& labels, const Space& space,
                     const CycleGuard<Memory>& guard, const GridLevel<Scalar>& level,
                     const GridCycleScratch<Scalar>& scratch,
                     const GridSmoothing<Scalar>& smoothing);

  /// The coarsest levels in one kernel, see `TeamCycle`; on a device.
  static void run_team_cycle(const char* label, const Space& space,
                             const TeamCycle<Scalar, Memory>& cycle);

  /// to = from. Nothing unless `guard` is active.  traffic: reads n, writes n
  static void copy(const GridCycleLabels& labels, const Space& space,
                   const CycleGuard<Memory>& guard, const CellRange& range,
                   const StridedCells<const Scalar>& from, const StridedCells<Scalar>& to);
};

#define LAMINA_EXTERN_GRID_CYCLE(Space)                  \
  extern template struct GridCycleKernels<Space, float>; \
  extern template struct GridCycleKernels<Space, double>;
LAMINA_FOR_EACH_SPACE(LAMINA_EXTERN_GRID_CYCLE)
#undef LAMINA_EXTERN_GRID_CYCLE

}  // namespace Lamina::Impl

#include <lamina/multigrid/impl/poisson/GridCycleKernels_Bodies.hpp>
