// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Sweeps that walk across the lines of the grid, on CPU cores: lanes run along the lines, in
// pieces, and what is kept of a line stands in the first cache.

#include <lamina/core/impl/ExtentOf.hpp>
#include <lamina/device/impl/FlushSubnormals_X86.hpp>
#include <lamina/device/impl/HostWork.hpp>
#include <lamina/device/impl/Lanes_Host.hpp>
#include <lamina/device/impl/RangeOf.hpp>
#include <lamina/device/impl/StreamingStore_X86.hpp>
#include <lamina/shallow_water/impl/GhostedField.hpp>
#include <lamina/shallow_water/impl/Tuning.hpp>

#include <algorithm>
#include <cstdint>

namespace Lamina::Impl {
inline namespace LAMINA_LANES {

/// The share of one worker. `Sweep::has_sum`: cells add to a sum, which goes to sweep.sum.
template <class Scalar, class Sweep>
struct HostMarch {
  using value_type = double;
  using Vector = Lanes<Scalar>;
  static constexpr std::int64_t lanes = lane_count<Scalar>;
  static constexpr std::int64_t piece = HostMarchTuning::vectors * lanes;

  CellRange range;
  Sweep sweep;
  int workers;

  void operator()(int worker) const { run(worker); }
  void operator()(int worker, double& sum) const { sum += run(worker); }

 private:
  double run(int worker) const {
    const WorkRange share = share_of(worker, workers, range.lines());
    const WorkRange lines{range.j_begin + share.begin, range.j_begin + share.end};
    double sum = 0;
    if (lines.begin == lines.end) return sum;
    const FlushSubnormals flushes;
    for (std::int64_t i = range.i_begin; i < range.i_end; i += piece) {
      sum += march_piece({i, std::min<std::int64_t>(i + piece, range.i_end)}, lines);
    }
    finish_streaming();
    return sum;
  }

  double march_piece(const WorkRange& cells, const WorkRange& lines) const {
    LaneSums<Scalar> lane_sums;
    double sum = 0;
    typename Sweep::template March<Vector> vectors[extent_of<piece / lanes>];
    typename Sweep::template March<Scalar> singles[extent_of<lanes>];
    const std::int64_t whole = (cells.end - cells.begin) / lanes;
    const std::int64_t rest = cells.begin + whole * lanes;
    for (std::int64_t j = lines.begin - 1; j <= lines.begin; ++j) {
      for (std::int64_t n = 0; n < whole; ++n) vectors[n].take(sweep, cells.begin + n * lanes, j);
      for (std::int64_t i = rest; i < cells.end; ++i) singles[i - rest].take(sweep, i, j);
    }
    for (std::int64_t j = lines.begin; j < lines.end; ++j) {
      const std::int64_t ahead = std::min(j + 2, lines.end);
      for (std::int64_t n = 0; n < whole; ++n) {
        const std::int64_t i = cells.begin + n * lanes;
        sweep.prefetch(i, ahead);
        vectors[n].finish(sweep, i, j, lane_sums);
      }
      for (std::int64_t i = rest; i < cells.end; ++i) singles[i - rest].finish(sweep, i, j, sum);
    }
    return sum + (Sweep::has_sum ? lane_sums.total() : 0);
  }
};

template <class Scalar, class Space, class Sweep>
void run_host_march(const char* label, const Space& space, const CellRange& range,
                    const Sweep& sweep) {
  const int workers = static_cast<int>(space.concurrency());
  const auto policy = range_of(space, workers);
  const HostMarch<Scalar, Sweep> march{range, sweep, workers};
  if constexpr (Sweep::has_sum) {
    using Sum = Kokkos::View<double, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
    Kokkos::parallel_reduce(label, policy, march, Sum(sweep.sum));
  } else {
    Kokkos::parallel_for(label, policy, march);
  }
}

}  // namespace LAMINA_LANES
}  // namespace Lamina::Impl
