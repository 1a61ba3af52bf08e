// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/device/impl/RangeOf.hpp>
#include <lamina/multigrid/impl/poisson/GridCycleKernels.hpp>
#include <lamina/multigrid/impl/poisson/SmoothGrid_Device.hpp>
#include <lamina/multigrid/impl/poisson/SmoothGrid_Host.hpp>

#include <utility>

namespace Lamina::Impl {

/// A `GridSmoothing` by the kernels of a device, which run on any space.
template <class Space, class Scalar>
class SmoothingByPoints {
 public:
  using Memory = typename Space::memory_space;

  SmoothingByPoints(const GridCycleLabels& labels, const Space& space,
                    const CycleGuard<Memory>& guard, const GridLevel<Scalar>& level,
                    const GridSmoothing<Scalar>& smoothing, const GridField<Scalar>& other)
      : m_labels(labels),
        m_space(space),
        m_guard(guard),
        m_level(level),
        m_smoothing(smoothing),
        m_now(smoothing.to),
        m_other(other) {}

  void run() {
    const GridSmoothing<Scalar>& s = m_smoothing;
    int done = 0;
    if (s.steps > 0 && s.from_zero()) done = s.steps > 1 ? 2 : 1;
    // Each kernel writes to the field that the one before did not, the last one to `to`.
    const int kernels = s.steps - done + (done > 0 ? 1 : 0);
    if (kernels % 2 == 0) std::swap(m_now, m_other);
    if (done == 2) first_steps<true>(is_last(2));
    if (done == 1) first_steps<false>(is_last(1));
    for (; done < s.steps; ++done) later_step(done);
    if (s.coarse.values != nullptr) restrict_residual();
  }

 private:
  /// The points of x_stage, or with `steps + 1` those of the residual.
  CellRange points(int stage) const {
    const GridSpan lines = m_smoothing.span_of(
        stage, m_smoothing.lines.within({0, m_level.across.count}), coarse_lines(), m_level.across);
    return {0, m_level.along.count, lines.begin, lines.end};
  }
  GridSpan coarse_lines() const {
    if (m_smoothing.coarse.values == nullptr) return {};
    return m_smoothing.coarse_lines.within({0, m_level.across.num_coarse()});
  }
  double* is_last(int done) const {
    return done == m_smoothing.steps ? m_smoothing.energy : nullptr;
  }

  template <bool Two>
  void first_steps(double* energy) {
    using Values = FirstSteps<Scalar, Memory, Two>;
    store_values<Scalar>(m_labels.first_steps.c_str(), m_space, points(Two ? 2 : 1),
                         Values{m_guard, m_level, m_smoothing.f, m_now, m_smoothing.weights[0],
                                m_smoothing.weights[1]},
                         energy);
    std::swap(m_now, m_other);
  }
  void later_step(int done) {
    const bool starts = done == 0, from_x = !starts || m_smoothing.x.values != nullptr,
               from_coarse = starts && m_smoothing.c.values != nullptr;
    const GridField<const Scalar> x = starts ? m_smoothing.x : GridField<const Scalar>(m_other);
    if (from_x && from_coarse) return store_step<true, true>(done, x);
    if (from_x) return store_step<true, false>(done, x);
    store_step<false, true>(done, x);
  }
  template <bool FromX, bool FromCoarse>
  void store_step(int done, const GridField<const Scalar>& x) {
    using Values = LaterStep<Scalar, Memory, FromX, FromCoarse>;
    store_values<Scalar>(
        m_labels.step.c_str(), m_space, points(done + 1),
        Values{m_guard, m_level, m_smoothing.f, x, m_smoothing.c, m_now, m_smoothing.weights[done]},
        is_last(done + 1));
    std::swap(m_now, m_other);
  }
  void restrict_residual() const {
    const GridSmoothing<Scalar>& s = m_smoothing;
    const GridSpan lines = coarse_lines();
    if (lines.empty()) return;
    const CellRange range{0, m_level.along.num_coarse(), lines.begin, lines.end};
    const char* const label = (s.steps > 0 ? m_labels.restriction : m_labels.restrict_rhs).c_str();
    if (s.steps > 0) {
      using Values = RestrictPoint<Scalar, Memory, true>;
      store_values<Scalar>(label, m_space, range, Values{m_guard, m_level, s.f, s.to, s.coarse});
    } else {
      using Values = RestrictPoint<Scalar, Memory, false>;
      store_values<Scalar>(label, m_space, range, Values{m_guard, m_level, s.f, s.f, s.coarse});
    }
  }

  const GridCycleLabels& m_labels;
  const Space& m_space;
  CycleGuard<Memory> m_guard;
  GridLevel<Scalar> m_level;
  GridSmoothing<Scalar> m_smoothing;
  GridField<Scalar> m_now, m_other;  // written by the next kernel, and by the one before
};

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
  if constexpr (runs_on_host<Space>) {
    const bool descends = smoothing.coarse.values != nullptr || smoothing.from_zero();
    const char* const label = smoothing.steps == 0 ? labels.restrict_rhs.c_str()
                              : descends           ? labels.descend.c_str()
                                                   : labels.ascend.c_str();
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
    SmoothingByPoints<Space, Scalar>(labels, space, guard, level, smoothing, scratch.other).run();
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
