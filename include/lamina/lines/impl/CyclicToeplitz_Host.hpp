// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Cyclic lines with constant coefficients on CPU cores. A piece of a line is solved in a buffer
// that stays in cache. The buffer takes the right-hand side from `reach` levels before the piece to
// `reach` levels behind it. Both recurrences run in place. The combination with other fields is
// computed when the piece is stored.

#include <lamina/core/impl/ExtentOf.hpp>
#include <lamina/device/impl/FlushSubnormals_X86.hpp>
#include <lamina/device/impl/HostWork.hpp>
#include <lamina/device/impl/Lanes_Host.hpp>
#include <lamina/device/impl/RangeOf.hpp>
#include <lamina/device/impl/StreamingStore_X86.hpp>
#include <lamina/lines/impl/CyclicToeplitzKernels.hpp>
#include <lamina/lines/impl/Tuning.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>

namespace Lamina::Impl {
inline namespace LAMINA_LANES {

/// k modulo n, not negative.
inline std::int64_t wrapped(std::int64_t k, std::int64_t n) { return ((k % n) + n) % n; }

/// The recurrence y(k) = b(k) + r y(k -/+ 1) along contiguous values, a vector at a time. Within a
/// vector distances double from step to step. Its last lane carries over to the next vector.
template <class Scalar>
class LaneRecurrence {
 public:
  using Vector = Lanes<Scalar>;
  static constexpr int lanes = lane_count<Scalar>;

  explicit LaneRecurrence(double ratio) {
    double power = 1;
    Scalar up[extent_of<lanes>], down[extent_of<lanes>];
    for (int i = 0; i < lanes; ++i) {
      power *= ratio;
      up[i] = static_cast<Scalar>(power);
      down[lanes - 1 - i] = up[i];
    }
    m_up = load_lanes(up);
    m_down = load_lanes(down);
    for (int step = 0, distance = 1; distance < lanes; ++step, distance *= 2) {
      m_powers[step] = broadcast_lanes(up[distance - 1]);
    }
  }

  /// Runs over `count` values in place, a multiple of `lanes`. Prefetches as many values from
  /// `next` on.
  void upwards(Scalar* values, std::int64_t count, const Scalar* next) const {
    Scalar carry = 0;
    for (std::int64_t k = 0; k < count; k += lanes) {
      prefetch_line(next + k);
      const Vector y = within_up<1, 0>(load_lanes(values + k)) + m_up * broadcast_lanes(carry);
      store_lanes(values + k, y);
      carry = y[lanes - 1];
    }
  }
  void downwards(Scalar* values, std::int64_t count, const Scalar* next) const {
    Scalar carry = 0;
    for (std::int64_t k = count - lanes; k >= 0; k -= lanes) {
      prefetch_line(next + k);
      const Vector y = within_down<1, 0>(load_lanes(values + k)) + m_down * broadcast_lanes(carry);
      store_lanes(values + k, y);
      carry = y[0];
    }
  }

 private:
  template <int Distance, int Step>
  Vector within_up(const Vector& x) const {
    if constexpr (Distance >= lanes) {
      return x;
    } else {
      return within_up<2 * Distance, Step + 1>(x +
                                               m_powers[Step] * shift_up_by<Scalar, Distance>(x));
    }
  }
  template <int Distance, int Step>
  Vector within_down(const Vector& x) const {
    if constexpr (Distance >= lanes) {
      return x;
    } else {
      return within_down<2 * Distance, Step + 1>(x + m_powers[Step] *
                                                         shift_down_by<Scalar, Distance>(x));
    }
  }

  Vector m_up, m_down, m_powers[4];
};

template <class Scalar>
class HostCyclicToeplitz {
 public:
  HostCyclicToeplitz(const ToeplitzFactors& factors, const LinesShape& shape,
                     const LineCombination<Scalar>& combination, bool stream)
      : m_factors(factors), m_shape(shape), m_combination(combination), m_stream(stream) {
    m_combination.c *= static_cast<Scalar>(factors.inverse);
  }

  /// Lines of contiguous levels.
  void solve_along(const WorkRange& lines) const {
    constexpr std::int64_t lanes = lane_count<Scalar>;
    const std::int64_t levels = m_shape.num_levels, reach = m_factors.reach;
    const std::int64_t piece =
        std::min(levels, std::max<std::int64_t>(piece_bytes / sizeof(Scalar), 4 * reach));
    const auto buffer = make_buffer(piece + 2 * reach + lanes);
    const LaneRecurrence<Scalar> recurrence(m_factors.ratio);
    for (std::int64_t line = lines.begin; line < lines.end; ++line) {
      for (std::int64_t begin = 0; begin < levels; begin += piece) {
        const std::int64_t count = std::min(piece, levels - begin);
        // Rounded up to whole vectors
        const std::int64_t all = ceil_divide(count + 2 * reach, lanes) * lanes;
        gather(m_combination.rhs.line(line), begin - reach, all, buffer.get());
        const GridField<const Scalar>& rhs = m_combination.rhs;
        const bool last = begin + count == levels;
        recurrence.upwards(
            buffer.get(), all,
            (m_combination.num_terms > 0 ? m_combination.terms[0] : rhs).line(line) + begin);
        recurrence.downwards(buffer.get(), all,
                             last ? rhs.line(line + 1) : rhs.line(line) + begin + count);
        combine(line, begin, buffer.get() + reach, count);
      }
    }
  }

  /// Contiguous lines, a block of them at a time.
  void solve_across(const WorkRange& lines) const {
    const std::int64_t levels = m_shape.num_levels, reach = m_factors.reach;
    const std::int64_t tile =
        std::min<std::int64_t>(levels, std::max<std::int64_t>(tile_levels, reach));
    const auto buffer = make_buffer((tile + reach) * block);
    const auto row = [&](std::int64_t n) { return buffer.get() + n * block; };
    for (std::int64_t first = lines.begin; first < lines.end; first += block) {
      const std::int64_t width = std::min(block, lines.end - first);
      Scalar before[extent_of<block>] = {};
      for (std::int64_t k = -reach; k < 0; ++k) upwards(first, width, k, before, before);
      std::int64_t known = 0;  // rows computed with the tile before
      for (std::int64_t begin = 0; begin < levels; begin += tile) {
        const std::int64_t count = std::min(tile, levels - begin), rows = count + reach;
        for (std::int64_t n = known; n < rows; ++n) {
          upwards(first, width, begin + n, n > 0 ? row(n - 1) : before, row(n));
        }
        Scalar x[extent_of<block>] = {};
        prefetch_terms_of(begin + count - 1, first, width);
        for (std::int64_t n = rows - 1; n >= count; --n) downwards(width, row(n), x);
        for (std::int64_t n = count - 1; n >= 0; --n) {
          downwards(width, row(n), x);
          prefetch_terms_of(begin + n - ahead, first, width);
          combine(begin + n, first, x, width);
        }
        std::copy(row(count), row(rows), row(0));
        known = reach;
      }
    }
  }

 private:
  using Tuning = CyclicToeplitzTuning;
  static constexpr std::int64_t piece_bytes = Tuning::piece_bytes,
                                block = Tuning::block_bytes / sizeof(Scalar),
                                tile_levels = Tuning::tile_levels, ahead = Tuning::levels_ahead;

  static std::unique_ptr<Scalar[]> make_buffer(std::int64_t count) {
    return std::make_unique_for_overwrite<Scalar[]>(static_cast<std::size_t>(count));
  }

  /// Levels first, ..., first + count - 1 of a line, modulo their number.
  void gather(const Scalar* line, std::int64_t first, std::int64_t count, Scalar* to) const {
    const std::int64_t levels = m_shape.num_levels;
    for (std::int64_t k = wrapped(first, levels); count > 0; k = 0) {
      const std::int64_t some = std::min(count, levels - k);
      std::copy_n(line + k, some, to);
      to += some;
      count -= some;
    }
  }

  /// The right-hand side of level k of the lines from `first` on.
  const Scalar* rhs_of(std::int64_t k, std::int64_t first) const {
    static constexpr Scalar zeros[extent_of<block>] = {};
    const LineCombination<Scalar>& from = m_combination;
    const std::int64_t levels = m_shape.num_levels;
    if (from.before == nullptr) return from.rhs.line(wrapped(k, levels)) + first;
    if (k == -1) return from.before + first;
    if (k == levels) return from.behind + first;
    return k >= 0 && k < levels ? from.rhs.line(k) + first : zeros;
  }
  /// y = rhs + r before, in level k modulo their number of some lines.
  void upwards(std::int64_t first, std::int64_t width, std::int64_t k, const Scalar* before,
               Scalar* y) const {
    const auto ratio = static_cast<Scalar>(m_factors.ratio);
    const Scalar* const b = rhs_of(k, first);
    prefetch(rhs_of(k + ahead, first), width);
    for (std::int64_t i = 0; i < width; ++i) y[i] = b[i] + ratio * before[i];
  }
  static void prefetch(const Scalar* values, std::int64_t count) {
    constexpr std::int64_t step = 64 / sizeof(Scalar);
    for (std::int64_t i = 0; i < count; i += step) prefetch_line(values + i);
  }
  /// Prefetches the terms that `combine` reads.
  void prefetch_terms_of(std::int64_t line, std::int64_t first, std::int64_t count) const {
    if (line < 0) return;
    for (int term = 0; term < m_combination.num_terms; ++term) {
      prefetch(m_combination.terms[term].line(line) + first, count);
    }
  }

  /// x = y + r x
  void downwards(std::int64_t width, const Scalar* y, Scalar* x) const {
    const auto ratio = static_cast<Scalar>(m_factors.ratio);
    for (std::int64_t i = 0; i < width; ++i) x[i] = y[i] + ratio * x[i];
  }

  /// out = a x_0 + b x_1 + c x from value `first` of a line on; x is overwritten.
  void combine(std::int64_t line, std::int64_t first, Scalar* x, std::int64_t count) const {
    const LineCombination<Scalar>& to = m_combination;
    const Scalar a = to.factors[0], b = to.factors[1], c = to.c;
    Scalar* const out = to.out.line(line) + first;
    Scalar* const put = m_stream ? x : out;
    if (to.num_terms == 0) {
      for (std::int64_t i = 0; i < count; ++i) put[i] = c * x[i];
    } else if (to.num_terms == 1) {
      const Scalar* const x0 = to.terms[0].line(line) + first;
      for (std::int64_t i = 0; i < count; ++i) put[i] = a * x0[i] + c * x[i];
    } else {
      const Scalar *const x0 = to.terms[0].line(line) + first, *const x1 =
                                                                   to.terms[1].line(line) + first;
      for (std::int64_t i = 0; i < count; ++i) put[i] = a * x0[i] + b * x1[i] + c * x[i];
    }
    if (m_stream) stream_span(out, x, count);
  }

  ToeplitzFactors m_factors;
  LinesShape m_shape;
  LineCombination<Scalar> m_combination;
  bool m_stream;  // bypass the caches; `out` is none of the terms then
};

/// The share of one worker.
template <class Scalar>
struct CyclicToeplitzShare {
  HostCyclicToeplitz<Scalar> lines;
  bool along;
  int num_lines, workers;

  void operator()(int worker) const {
    const FlushSubnormals flushes;
    if (along) {
      lines.solve_along(share_of(worker, workers, num_lines));
    } else {
      // Whole cache lines: no two workers write to the same one
      constexpr std::int64_t unit = 64 / sizeof(Scalar);
      const WorkRange share = share_of(worker, workers, ceil_divide(num_lines, unit));
      lines.solve_across({share.begin * unit, std::min<std::int64_t>(share.end * unit, num_lines)});
    }
    finish_streaming();
  }
};

template <class Space, class Scalar>
void run_host_cyclic(const char* label, const Space& space, const ToeplitzFactors& factors,
                     const LinesShape& shape, bool along,
                     const LineCombination<Scalar>& combination) {
  const int workers = static_cast<int>(space.concurrency());
  const bool in_place =
      (combination.num_terms > 0 && combination.terms[0].values == combination.out.values) ||
      (combination.num_terms > 1 && combination.terms[1].values == combination.out.values);
  const double bytes = static_cast<double>(shape.num_lines) * shape.num_levels *
                       (2 + combination.num_terms) * static_cast<double>(sizeof(Scalar));
  const bool stream = !in_place && bytes > static_cast<double>(reachable_cache_bytes());
  const CyclicToeplitzShare<Scalar> share{
      HostCyclicToeplitz<Scalar>(factors, shape, combination, stream), along, shape.num_lines,
      workers};
  Kokkos::parallel_for(label, range_of(space, workers), share);
}

}  // namespace LAMINA_LANES
}  // namespace Lamina::Impl
