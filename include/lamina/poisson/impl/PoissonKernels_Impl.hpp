// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/device/impl/RangeOf.hpp>
#include <lamina/device/impl/ResidentTeams.hpp>
#include <lamina/poisson/impl/GridStencil_Device.hpp>
#include <lamina/poisson/impl/GridStencil_Host.hpp>
#include <lamina/poisson/impl/GridTextures_Cuda.hpp>
#include <lamina/poisson/impl/PoissonKernels.hpp>
#include <lamina/poisson/impl/ResidentGrid_Device.hpp>

#include <cstddef>
#include <type_traits>

namespace Lamina::Impl {
inline namespace LAMINA_LANES {

/// The share of one worker.
template <class Scalar, class Sweep>
struct HostGridShare {
  using value_type = double[];
  using Step = FusedStep<Kokkos::HostSpace>;
  const int value_count = Step::row_length;

  Grid grid;
  Sweep sweep;
  int workers;

  void operator()(int worker) const { run(worker); }
  /// Fills a row of the step: all sums at once.
  void operator()(int worker, double* row) const {
    const GridSums<double> sums = run(worker);
    row[Step::residual2] += sums.of[0];
    row[Step::energy] += sums.of[0];
    row[Step::line_curvature] += sums.of[1];
  }

 private:
  GridSums<double> run(int worker) const {
    const auto pass = sweep.begin(worker == 0);
    if (!pass.active) return {};
    using Pass = std::remove_const_t<decltype(pass)>;
    const HostGrid<Scalar, typename Pass::source_type, typename Pass::sink_type> lines(
        grid.size, pass.source, pass.sink);
    const WorkRange share = share_of(worker, workers, grid.size);
    const GridSums<double> sums =
        grid.memory == StencilMemory::shared ? lines.sweep_tiles(share) : lines.sweep(share);
    finish_streaming();
    return sums;
  }
};

template <class Space, class Scalar, class Sweep>
void run_host_grid(const char* label, const Space& space, const Grid& grid, const Sweep& sweep) {
  const int workers = static_cast<int>(space.concurrency());
  const auto policy = range_of(space, workers);
  const HostGridShare<Scalar, Sweep> share{.grid = grid, .sweep = sweep, .workers = workers};
  if constexpr (Sweep::has_sums) {
    using Row = Kokkos::View<double*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
    Kokkos::parallel_reduce(label, policy, share,
                            Row(sweep.step.now, static_cast<std::size_t>(share.value_count)));
  } else {
    Kokkos::parallel_for(label, policy, share);
  }
}

}  // namespace LAMINA_LANES

/// Runs a sweep over all points. `wide`: lines may be read in packs, also the last of a line.
template <class Space, class Scalar, class Sweep, class Memory>
void run_grid(const char* label, const Space& space, const Grid& grid, std::int64_t stride,
              bool wide, const Sweep& sweep, const TeamParts<Memory>& parts) {
  if constexpr (runs_on_host<Space>) {
    run_host_grid<Space, Scalar>(label, space, grid, sweep);
  } else if constexpr (!Sweep::points_type::reads_packs) {
    run_device_grid<1, Scalar>(label, space, grid.size, stride, true, sweep, parts);
  } else if (grid.memory == StencilMemory::shared) {
    run_device_tiles<Scalar>(label, space, grid.size, sweep, parts);
  } else if (grid.memory == StencilMemory::automatic && wide) {
    run_device_grid<pack_width<Scalar>, Scalar>(label, space, grid.size, stride, false, sweep,
                                                parts);
  } else {
    run_device_grid<1, Scalar>(label, space, grid.size, stride,
                               grid.memory == StencilMemory::global, sweep, parts);
  }
}

template <class Space, class Scalar>
void PoissonKernels<Space, Scalar>::apply(const Space& space, const Grid& grid, const Input& x,
                                          const Output& y) {
  constexpr int width = pack_width<Scalar>;
  const bool wide = packs_aligned<width>(x) && packs_aligned<width>(y) && grid.size % width == 0;
  const auto run = [&](const auto& points) {
    using Points = std::remove_cvref_t<decltype(points)>;
    run_grid<Space, Scalar>("Lamina::PoissonOperator::apply", space, grid, x.stride, wide,
                            GridApply<Scalar, Points>{points, y}, Parts());
  };
  with_points<Space, Scalar>(grid, run, x);
}

template <class Space, class Scalar>
void PoissonKernels<Space, Scalar>::start(const Space& space, const Grid& grid, const Input& b,
                                          const Input& x, const Output& u, const Output& r) {
  constexpr int width = pack_width<Scalar>;
  const bool wide = packs_aligned<width>(x) && packs_aligned<width>(b) && grid.size % width == 0;
  const auto run = [&](const auto& points) {
    using Points = std::remove_cvref_t<decltype(points)>;
    run_grid<Space, Scalar>("Lamina::FusedPoisson::start", space, grid, x.stride, wide,
                            GridStart<Scalar, Points>{b, points, u, r}, Parts());
  };
  with_points<Space, Scalar>(grid, run, x);
}

template <class Space, class Scalar>
void PoissonKernels<Space, Scalar>::measure(const Space& space, const Grid& grid, const Step& step,
                                            const Parts& parts, const Input& r) {
  const auto run = [&](const auto& points) {
    using Points = std::remove_cvref_t<decltype(points)>;
    run_grid<Space, Scalar>("Lamina::FusedPoisson::measure", space, grid, r.stride, true,
                            GridMeasure<Points, Memory>{step, points}, parts);
  };
  with_points<Space, Scalar>(grid, run, r);
}

template <class Space, class Scalar>
void PoissonKernels<Space, Scalar>::advance(const Space& space, const Grid& grid, const Step& step,
                                            bool update, const Input& r, const Input& p,
                                            const Output& new_p, const Output& new_r,
                                            const Output& u) {
  const auto run = [&](const char* label, auto updates, auto streams) {
    const auto run_points = [&](const auto& r_points, const auto& p_points) {
      using Points = std::remove_cvref_t<decltype(r_points)>;
      using Sweep = GridAdvance<Scalar, Points, Memory, updates, streams>;
      run_grid<Space, Scalar>(label, space, grid, r.stride, true,
                              Sweep{step, r_points, p_points, new_p, new_r, u}, Parts());
    };
    with_points<Space, Scalar>(grid, run_points, r, p);
  };
  const auto run_update = [&](auto streams) {
    if (update) {
      run("Lamina::FusedPoisson::advance_and_update", std::true_type(), streams);
    } else {
      run("Lamina::FusedPoisson::advance", std::false_type(), streams);
    }
  };
  if constexpr (runs_on_host<Space>) {
    constexpr int fields = 5;
    const double bytes = static_cast<double>(grid.size) * static_cast<double>(r.stride) *
                         static_cast<double>(fields * sizeof(Scalar));
    if (bytes > static_cast<double>(last_level_cache_bytes())) return run_update(std::true_type());
  }
  run_update(std::false_type());
}

template <class Space, class Scalar>
int PoissonKernels<Space, Scalar>::teams_on_chip(const Space& space, const Grid& grid) {
  if constexpr (has_resident_teams<Space>) {
    using Kernel = ResidentGrid<Scalar, Memory>;
    if (grid.memory != StencilMemory::automatic) return 0;
    const auto limits = resident_limits<Kernel::team_size, Kernel>(space);
    const auto line_bytes = 3 * sizeof(Scalar) * static_cast<std::size_t>(grid.size);
    if (line_bytes > limits.scratch_bytes) return 0;
    const auto bands = Kernel::bands_of(grid.size, limits.teams);
    return Kernel::scratch_bytes(bands) <= limits.scratch_bytes ? limits.teams : 0;
  } else {
    return 0;
  }
}

template <class Space, class Scalar>
void PoissonKernels<Space, Scalar>::iterate(const Space& space, const Grid& grid, int most_teams,
                                            const FusedSteps<Memory>& steps, int first, int last,
                                            const Parts& parts, const Output (&residuals)[2],
                                            const Output (&directions)[2], const Output& u) {
  if constexpr (has_resident_teams<Space>) {
    using Kernel = ResidentGrid<Scalar, Memory>;
    const auto bands = Kernel::bands_of(grid.size, most_teams);
    const Kernel kernel{bands,
                        steps,
                        first,
                        last,
                        parts.data(),
                        {residuals[0], residuals[1]},
                        {directions[0], directions[1]},
                        u};
    launch_resident<Kernel::team_size>("Lamina::FusedPoisson::iterate", space, bands.teams,
                                       Kernel::scratch_bytes(bands), kernel);
  }
}

/// x = u + along_p p + along_r r: a line at a time on CPU cores, a point on a device.
template <class Scalar>
struct FinishGrid {
  std::int64_t size;
  FusedCgEnd<Scalar> end;
  GridField<const Scalar> p, r, u;
  GridField<Scalar> x;

  struct Line {};
  KOKKOS_FUNCTION void operator()(Line, std::int64_t i) const {
    for (std::int64_t j = 0; j < size; ++j) take(i, j);
  }
  struct Point {};
  KOKKOS_FUNCTION void operator()(Point, std::int64_t n) const { take(n / size, n % size); }

 private:
  KOKKOS_FORCEINLINE_FUNCTION void take(std::int64_t i, std::int64_t j) const {
    Scalar value = u.line(i)[j];
    if (end.along_p != 0) value += end.along_p * p.line(i)[j];
    if (end.along_r != 0) value += end.along_r * r.line(i)[j];
    x.line(i)[j] = value;
  }
};

template <class Space, class Scalar>
void PoissonKernels<Space, Scalar>::finish(const Space& space, const Grid& grid,
                                           const FusedCgEnd<Scalar>& end, const Input& p,
                                           const Input& r, const Input& u, const Output& x) {
  using Finish = FinishGrid<Scalar>;
  using Index = Kokkos::IndexType<std::int64_t>;
  const char* label = "Lamina::FusedCg::finish";
  const Finish finish{grid.size, end, p, r, u, x};
  if constexpr (runs_on_host<Space>) {
    using Lines = Kokkos::RangePolicy<Space, Index, typename Finish::Line>;
    Kokkos::parallel_for(label, Lines(space, 0, finish.size), finish);
  } else {
    using Points = Kokkos::RangePolicy<Space, Index, typename Finish::Point>;
    Kokkos::parallel_for(label, Points(space, 0, finish.size * finish.size), finish);
  }
}

}  // namespace Lamina::Impl
