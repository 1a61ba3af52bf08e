// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/device/impl/RangeOf.hpp>
#include <lamina/device/impl/StencilChunks_Device.hpp>
#include <lamina/device/impl/StreamingStore_X86.hpp>
#include <lamina/shallow_water/impl/PeriodicHelmholtzKernels.hpp>
#include <lamina/shallow_water/impl/PeriodicSweeps.hpp>
#include <lamina/shallow_water/impl/StateKernels.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace Lamina::Impl {
inline namespace LAMINA_LANES {

/// The share of one worker.
template <class Scalar, bool Weighted, class Sweep>
struct HostPeriodicShare {
  using value_type = double[];
  using Step = FusedStep<Kokkos::HostSpace>;
  const int value_count = Step::row_length;

  PeriodicStencil<Scalar> stencil;
  Sweep sweep;
  int workers;

  void operator()(int worker) const {
    PeriodicSums<LaneSums<Scalar>> lane_sums;
    PeriodicSums<double> sums;
    run(worker, lane_sums, sums);
  }
  /// Fills a row of the step: all sums at once.
  void operator()(int worker, double* row) const {
    PeriodicSums<LaneSums<Scalar>> lane_sums;
    PeriodicSums<double> sums;
    run(worker, lane_sums, sums);
    const double residual2 = lane_sums.of[0].total() + sums.of[0];
    row[Step::residual2] += residual2;
    row[Step::energy] += residual2;
    row[Step::line_curvature] += lane_sums.of[1].total() + sums.of[1];
  }

 private:
  void run(int worker, PeriodicSums<LaneSums<Scalar>>& lane_sums,
           PeriodicSums<double>& sums) const {
    const auto pass = sweep.begin(worker == 0);
    if (!pass.active) return;
    constexpr std::int64_t lanes = lane_count<Scalar>;
    const WorkRange lines = share_of(worker, workers, stencil.size);
    for (std::int64_t j = lines.begin; j < lines.end; ++j) {
      std::int64_t i = 0;
      for (; i + lanes <= stencil.size; i += lanes) {
        pass.source.prefetch(i, j + 2);
        pass.sink.prefetch(i, j + 1);
        take<Lanes<Scalar>>(pass, i, j, lane_sums);
      }
      for (; i < stencil.size; ++i) take<Scalar>(pass, i, j, sums);
    }
    finish_streaming();
  }

  template <class Value, class Pass, class Sums>
  void take(const Pass& pass, std::int64_t i, std::int64_t j, Sums& sums) const {
    const PeriodicCross<Value> x = around<Value>(pass.source, i, j);
    if constexpr (Weighted) {
      const PeriodicCells<Scalar> weight{stencil.weight};
      pass.sink(i, j, x.centre, stencil.image(x, around<Value>(weight, i, j)), sums);
    } else {
      pass.sink(i, j, x.centre, stencil.image(x), sums);
    }
  }
  template <class Value, class Source>
  static PeriodicCross<Value> around(const Source& x, std::int64_t i, std::int64_t j) {
    return {x.template at<Value>(i, j), x.template at<Value>(i - 1, j),
            x.template at<Value>(i + 1, j), x.template at<Value>(i, j - 1),
            x.template at<Value>(i, j + 1)};
  }
};

template <bool Weighted, class Space, class Scalar, class Sweep>
void run_host_periodic(const char* label, const Space& space,
                       const PeriodicStencil<Scalar>& stencil, const Sweep& sweep) {
  const int workers = static_cast<int>(space.concurrency());
  const auto policy = range_of(space, workers);
  const HostPeriodicShare<Scalar, Weighted, Sweep> share{
      .stencil = stencil, .sweep = sweep, .workers = workers};
  if constexpr (Sweep::has_sums) {
    using Row = Kokkos::View<double*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
    Kokkos::parallel_reduce(label, policy, share,
                            Row(sweep.step.now, static_cast<std::size_t>(share.value_count)));
  } else {
    Kokkos::parallel_for(label, policy, share);
  }
}

}  // namespace LAMINA_LANES

/// Packs of cells across the lines: what is read of a line serves three.
template <class Scalar, class Source>
class PeriodicWalk {
 public:
  static constexpr int width = pack_width<Scalar>;
  using Value = Pack<Scalar, width>;

  /// Begins at line j, of `size` cells.
  KOKKOS_FORCEINLINE_FUNCTION PeriodicWalk(const Source& source, int size, int i, int j)
      : m_source(source),
        m_i(i),
        m_east(i + width < size ? i + width : size),
        m_south(source.template at<Value>(i, j - 1)),
        m_centre(source.template at<Value>(i, j)) {}

  /// The cells of line j, which is the next one, and what is around them.
  KOKKOS_FORCEINLINE_FUNCTION PeriodicCross<Value> take(int j) {
    PeriodicCross<Value> x{m_centre, {}, {}, m_south, m_source.template at<Value>(m_i, j + 1)};
    x.west[0] = m_source.template at<Scalar>(m_i - 1, j);
    x.east[width - 1] = m_source.template at<Scalar>(m_east, j);
    for (int k = 1; k < width; ++k) {
      x.west[k] = x.centre[k - 1];
      x.east[k - 1] = x.centre[k];
    }
    m_south = m_centre;
    m_centre = x.north;
    return x;
  }

 private:
  const Source& m_source;
  int m_i, m_east;  // at most the ghost: what is behind it may not be there
  Value m_south, m_centre;
};

/// One thread takes a pack of columns of some lines.
template <class Scalar, bool Weighted, class Sweep, class Memory>
struct DevicePeriodic {
  static constexpr int width = pack_width<Scalar>;
  using Value = Pack<Scalar, width>;
  PeriodicStencil<Scalar> stencil;
  Sweep sweep;
  StencilChunks chunks;
  TeamParts<Memory> parts;

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member) const {
    PeriodicSums<double> sums;
    const auto pass = sweep.begin(member.league_rank() == 0 && member.team_rank() == 0);
    if (pass.active) {
      chunks.template for_each<Kokkos::LayoutLeft>(member, [&](int pack, int begin, int end) {
        walk(pass, pack * width, begin, end, sums);
      });
    }
    if constexpr (Sweep::has_sums) {
      double* const row = sweep.step.now;
      parts.template add_up<2>(member, static_cast<double*>(member.scratch()), sums.of,
                               [=](int n, double sum) {
                                 using Step = FusedStep<Memory>;
                                 if (n == 0) {
                                   row[Step::residual2] = sum;
                                   row[Step::energy] = sum;
                                 } else {
                                   row[Step::line_curvature] = sum;
                                 }
                               });
    }
  }

 private:
  /// Cells of a pack beyond the end of a line are ghosts, or behind them: they take part as zeros.
  /// Their image is zero too, such that what is behind the ghosts keeps the zeros of its allocation.
  template <class Pass>
  KOKKOS_FORCEINLINE_FUNCTION void walk(const Pass& pass, int i, int begin, int end,
                                        PeriodicSums<double>& sums) const {
    using Source = std::remove_cvref_t<decltype(pass.source)>;
    const PeriodicCells<Scalar> weights{stencil.weight};
    PeriodicWalk<Scalar, Source> around(pass.source, stencil.size, i, begin);
    if constexpr (Weighted) {
      PeriodicWalk<Scalar, PeriodicCells<Scalar>> weight(weights, stencil.size, i, begin);
      for (int j = begin; j < end; ++j) {
        const PeriodicCross<Value> x = around.take(j);
        const Value image = inside(stencil.image(x, weight.take(j)), i);
        pass.sink(i, j, inside(x.centre, i), image, sums);
      }
    } else {
      for (int j = begin; j < end; ++j) {
        const PeriodicCross<Value> x = around.take(j);
        pass.sink(i, j, inside(x.centre, i), inside(stencil.image(x), i), sums);
      }
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION Value inside(Value x, int i) const {
    for (int k = 1; k < width; ++k) {
      if (i + k >= stencil.size) x[k] = 0;
    }
    return x;
  }
};

template <bool Weighted, class Space, class Scalar, class Sweep, class Memory>
void run_device_periodic(const char* label, const Space& space,
                         const PeriodicStencil<Scalar>& stencil, std::int64_t stride,
                         const Sweep& sweep, const TeamParts<Memory>& parts) {
  const auto packs = static_cast<int>(ceil_divide(stencil.size, pack_width<Scalar>));
  const StencilChunks chunks =
      stencil_chunks<Kokkos::LayoutLeft>(space, packs, stride, stencil.size);
  launch_stencil(label, space,
                 DevicePeriodic<Scalar, Weighted, Sweep, Memory>{stencil, sweep, chunks, parts});
}

template <class Space, class Scalar, class Sweep, class Memory>
void run_periodic(const char* label, const Space& space, const PeriodicStencil<Scalar>& stencil,
                  std::int64_t stride, const Sweep& sweep, const TeamParts<Memory>& parts) {
  const auto run = [&](auto weighted) {
    if constexpr (runs_on_host<Space>) {
      run_host_periodic<weighted>(label, space, stencil, sweep);
    } else {
      run_device_periodic<weighted>(label, space, stencil, stride, sweep, parts);
    }
  };
  if (stencil.weight.values != nullptr) {
    run(std::true_type());
  } else {
    run(std::false_type());
  }
}

template <class Space, class Scalar>
void PeriodicHelmholtzKernels<Space, Scalar>::subtract_image(const Space& space,
                                                             const Stencil& stencil, const Input& u,
                                                             const Output& r) {
  run_periodic("Lamina::PeriodicHelmholtz::subtract_image", space, stencil, r.stride,
               PeriodicSubtract<Scalar>{u, r}, Parts());
}

template <class Space, class Scalar>
void PeriodicHelmholtzKernels<Space, Scalar>::measure(const Space& space, const Stencil& stencil,
                                                      const Step& step, const Parts& parts,
                                                      const Input& r) {
  run_periodic("Lamina::PeriodicHelmholtz::measure", space, stencil, r.stride,
               PeriodicMeasure<Scalar, Memory>{step, r}, parts);
}

template <class Space, class Scalar>
void PeriodicHelmholtzKernels<Space, Scalar>::advance(const Space& space, const Stencil& stencil,
                                                      const Step& step, FusedCgUpdate update,
                                                      const Input& r, const Input& p,
                                                      const Output& new_p, const Output& new_r,
                                                      const Output& u) {
  const bool from_zero = update == FusedCgUpdate::first;
  const auto run = [&](const char* label, auto updates, auto streams) {
    run_periodic(
        label, space, stencil, r.stride,
        PeriodicAdvance<Scalar, Memory, updates, streams>{step, r, p, new_p, new_r, u, from_zero},
        Parts());
  };
  const auto run_update = [&](auto streams) {
    if (update != FusedCgUpdate::none) {
      run(from_zero ? "Lamina::PeriodicHelmholtz::advance_and_set"
                    : "Lamina::PeriodicHelmholtz::advance_and_update",
          std::true_type(), streams);
    } else {
      run("Lamina::PeriodicHelmholtz::advance", std::false_type(), streams);
    }
  };
  if constexpr (runs_on_host<Space>) {
    const double bytes =
        5.0 * stencil.size * static_cast<double>(r.stride) * static_cast<double>(sizeof(Scalar));
    if (bytes > static_cast<double>(last_level_cache_bytes())) return run_update(std::true_type());
  }
  run_update(std::false_type());
}

template <class Space, class Scalar>
void PeriodicHelmholtzKernels<Space, Scalar>::finish(const Space& space, int size,
                                                     const PeriodicSolution<Scalar>& solution,
                                                     const StridedCells<Scalar>& x) {
  for_each_cell("Lamina::PeriodicHelmholtz::finish", space, size, size,
                FinishPeriodic<Scalar>{size, solution, x});
}

}  // namespace Lamina::Impl
