// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/device/impl/RangeOf.hpp>
#include <lamina/multigrid/impl/poisson/GridCycleKernels.hpp>
#include <lamina/multigrid/impl/poisson/MarchGrid_Device.hpp>
#include <lamina/multigrid/impl/poisson/SmoothGrid_Host.hpp>
#include <lamina/sweeps/impl/CellSweep.hpp>

namespace Lamina::Impl {

/// A `GridSmoothing` by the kernels of a device, which run on any space.
template <int Steps, class Space, class Scalar, class Memory>
void march_steps(const char* label, const Space& space, const CycleGuard<Memory>& guard,
                 const GridLevel<Scalar>& level, const GridSmoothing<Scalar>& smoothing,
                 bool restricts) {
  if (!restricts) return march_grid<Steps, false, false>(label, space, guard, level, smoothing);
  if (smoothing.from_zero()) {
    return march_grid<Steps, true, true>(label, space, guard, level, smoothing);
  }
  march_grid<Steps, false, true>(label, space, guard, level, smoothing);
}
template <class Space, class Scalar, class Memory>
void smooth_by_march(const char* label, const Space& space, const CycleGuard<Memory>& guard,
                     const GridLevel<Scalar>& level, const GridSmoothing<Scalar>& smoothing) {
  const bool restricts = smoothing.coarse.values != nullptr &&
                         !smoothing.coarse_lines.within({0, level.across.num_coarse()}).empty();
  if (smoothing.steps == 0) {
    if (restricts) march_grid<0, true, true>(label, space, guard, level, smoothing);
    return;
  }
  if (smoothing.steps == 1) return march_steps<1>(label, space, guard, level, smoothing, restricts);
  if (smoothing.steps == 2) return march_steps<2>(label, space, guard, level, smoothing, restricts);
  march_steps<3>(label, space, guard, level, smoothing, restricts);
}

/// to = from, where the guard is active
template <class From, class To, class Memory>
struct CopyGridCells {
  CycleGuard<Memory> guard;
  From from;
  To to;
  KOKKOS_FORCEINLINE_FUNCTION void cell(std::int64_t i, std::int64_t line) const {
    if (guard.active()) to(i, line) = from(i, line);
  }
};

/// A `GridSmoothing` on CPU cores.
template <class Scalar>
struct SmoothShare {
  using value_type = double;  // of the energy

  CycleGuard<Kokkos::HostSpace> guard;
  GridLevel<Scalar> level;
  GridSmoothing<Scalar> smoothing;
  Scalar* lines;
  int workers;

  void operator()(int worker) const { (void)run(worker); }
  void operator()(int worker, double& energy) const { energy += run(worker); }

 private:
  double run(int worker) const {
    if (!guard.active()) return 0;
    const std::int64_t size = TileLines<Scalar>::size(level.along.count);
    return smooth_share(level, smoothing, lines + worker * size, worker, workers);
  }
};

template <class Space, class Scalar>
void GridCycleKernels<Space, Scalar>::smooth(const GridCycleLabels& labels, const Space& space,
                                             const CycleGuard<Memory>& guard,
                                             const GridLevel<Scalar>& level,
                                             const GridCycleScratch<Scalar>& scratch,
                                             const GridSmoothing<Scalar>& smoothing) {
  if (smoothing.lines.empty()) {  // of a rank without lines
    using Sum = Kokkos::View<double, Memory, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
    if (smoothing.energy != nullptr) Kokkos::deep_copy(space, Sum(smoothing.energy), 0.0);
    return;
  }
  const bool descends = smoothing.coarse.values != nullptr || smoothing.from_zero();
  const char* const label = smoothing.steps == 0 ? labels.restrict_rhs.c_str()
                            : descends           ? labels.descend.c_str()
                                                 : labels.ascend.c_str();
  if constexpr (runs_on_host<Space>) {
    const int workers = scratch.num_workers;
    const SmoothShare<Scalar> share{guard, level, smoothing, scratch.lines, workers};
    if (smoothing.energy == nullptr) {
      Kokkos::parallel_for(label, range_of(space, workers), share);
    } else {
      Kokkos::parallel_reduce(
          label, range_of(space, workers), share,
          Kokkos::View<double, Memory, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(smoothing.energy));
    }
  } else {
    smooth_by_march(label, space, guard, level, smoothing);
  }
}

template <class Space, class Scalar>
void GridCycleKernels<Space, Scalar>::run_team_cycle(const char* label, const Space& space,
                                                     const TeamCycle<Scalar, Memory>& cycle) {
  if constexpr (runs_on_host<Space>) {
    Kokkos::parallel_for(label, range_of(space, 1), TeamCycleOnHost<Scalar, Memory>{cycle});
  } else {
    constexpr int threads = GridMarchTuning::team_threads;
    launch_teams<threads, 1>(label, space, 1, threads, 0, cycle);
  }
}

template <class Space, class Scalar>
void GridCycleKernels<Space, Scalar>::copy(const GridCycleLabels& labels, const Space& space,
                                           const CycleGuard<Memory>& guard, const CellRange& range,
                                           const StridedCells<const Scalar>& from,
                                           const StridedCells<Scalar>& to) {
  if (range.count() == 0) return;
  const auto run = [&]<class From, class To>(const From& in, const To& out) {
    run_cells<Scalar>(labels.copy.c_str(), space, range,
                      CopyGridCells<From, To, Memory>{guard, in, out});
  };
  if (from.stride_i == 1 && to.stride_i == 1) {  // in vectors
    return run(GridField<const Scalar>(from.values, from.stride_j),
               GridField<Scalar>(to.values, to.stride_j));
  }
  run(from, to);
}

}  // namespace Lamina::Impl
