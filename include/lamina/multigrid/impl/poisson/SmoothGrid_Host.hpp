// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// All of a `GridSmoothing` in one pass over memory on CPU cores. A worker takes a band of lines in
// tiles. Line by line, each stage is a line behind the one before: start, steps, residual,
// restriction. A stage keeps three lines in scratch, which stay in the second-level cache. Around a
// tile, stages recompute what others have, so that workers need not wait for each other.

#include <lamina/device/impl/Access.hpp>
#include <lamina/device/impl/HostWork.hpp>
#include <lamina/device/impl/Lanes_Host.hpp>
#include <lamina/device/impl/StreamingStore_X86.hpp>
#include <lamina/multigrid/impl/Tuning.hpp>
#include <lamina/multigrid/impl/poisson/GridLines_Host.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace Lamina::Impl {
inline namespace LAMINA_LANES {

/// Scratch of a tile: lines by stage, in which cell i of the grid is at i - origin.
template <class Scalar>
class TileLines {
 public:
  static constexpr int margin = 16;  // cells on each side; aligned, and more than stages are wide
  /// Three lines of each stage with the residual; zeros; one of coarser and one of fine points.
  static constexpr int num_lines = 3 * (GridSmoothing<Scalar>::max_steps + 2) + 3;
  static std::int64_t length(std::int64_t cells) {
    return ceil_divide(std::min<std::int64_t>(cells, SmoothTileTuning::cells) + 2 * margin,
                       margin) *
           margin;
  }
  static std::int64_t size(std::int64_t cells) { return num_lines * length(cells); }

  /// Clears the scratch: what lies beyond walls stays zero.
  TileLines(Scalar* scratch, std::int64_t length, int first_cell)
      : m_scratch(scratch), m_length(length), m_origin(first_cell - margin) {
    std::fill(scratch, scratch + num_lines * length, Scalar(0));
  }

  Scalar* of_stage(int stage, int line) const { return at(3 * stage + line % 3) - m_origin; }
  const Scalar* zeros() const { return at(num_lines - 3) - m_origin; }
  /// Of coarser points, where point n is at n.
  Scalar* of_coarse(int first) const { return at(num_lines - 2) + margin - first; }
  Scalar* of_fine() const { return at(num_lines - 1) - m_origin; }

 private:
  Scalar* at(int n) const { return m_scratch + n * m_length; }

  Scalar* m_scratch;
  std::int64_t m_length, m_origin;
};

/// Smooths a tile.
template <class Scalar>
class SmoothTile {
 public:
  /// \param lines,  cells  of the tile; cells begin at even points, and end at even points or walls
  /// \param streams  `to` goes past the caches
  SmoothTile(const GridLevel<Scalar>& level, const GridSmoothing<Scalar>& smoothing,
             const GridSpan& lines, const GridSpan& cells, Scalar* scratch, std::int64_t length,
             bool streams)
      : m_level(level),
        m_smoothing(smoothing),
        m_lines(lines),
        m_cells(cells),
        m_coarse_lines(lines.coarse(level.across.halves).within(smoothing.coarse_lines)),
        m_coarse_cells(cells.coarse(level.along.halves)),
        m_scratch(scratch, length, cells.begin),
        m_streams(streams) {}

  /// \return its part of <f, to>, where that is asked for
  double run() {
    const int steps = m_smoothing.steps, residual = steps + 1;
    const int first = lines_of(0).begin, end = std::max(lines_of(steps).end, m_lines.end) + steps;
    for (int head = first; head <= end + 1; ++head) {
      for (int stage = 0; stage <= residual; ++stage) {
        const int line = head - stage;
        if (!lines_of(stage).contains(line)) continue;
        if (stage == residual) {
          take_residual(line);
        } else if (stage > 0) {
          take_step(stage, line);
        } else if (!m_smoothing.from_zero()) {
          start(line);
        }
      }
    }
    if (m_streams) finish_streaming();
    return m_energy;
  }

 private:
  /// What stages read and write next. Tiles are too narrow for the processor to foresee it. Stages ask for it cell by
  /// cell: all at once they would wait for memory, with nothing to do.
  struct NextLines {
    const Scalar *f = nullptr, *x = nullptr, *to = nullptr;

    void prefetch(std::int64_t i) const {
      if (f != nullptr) prefetch_line(f + i);
      if (x != nullptr) prefetch_line(x + i);
      if (to != nullptr) prefetch_line(to + i);
    }
  };
  NextLines next_lines(int stage, int line) const {
    const auto of_level = [&](const GridField<const Scalar>& field, int next) -> const Scalar* {
      return field.values != nullptr && next < m_level.across.count ? field.line(next) : nullptr;
    };
    NextLines next;
    if (stage == 1) next = {of_level(m_smoothing.f, line + 1), of_level(m_smoothing.x, line + 2)};
    const bool stores = stage == m_smoothing.steps && m_lines.contains(line + 1);
    if (stores && !m_streams) next.to = m_smoothing.to.line(line + 1);
    return next;
  }
  bool restricts() const { return m_smoothing.coarse.values != nullptr && !m_coarse_lines.empty(); }
  GridSpan lines_of(int stage) const {
    return m_smoothing.span_of(stage, m_lines, restricts() ? m_coarse_lines : GridSpan(),
                               m_level.across);
  }
  GridSpan cells_of(int stage) const {
    return m_smoothing.span_of(stage, m_cells, restricts() ? m_coarse_cells : GridSpan(),
                               m_level.along);
  }

  const Scalar* line_of(int stage, int line) const {
    const bool is_wall = line < 0 || line >= m_level.across.count;
    return is_wall ? m_scratch.zeros() : m_scratch.of_stage(stage, line);
  }

  /// x_0 = x + P c
  void start(int line) {
    const GridSpan cells = cells_of(0);
    Scalar* const to = m_scratch.of_stage(0, line);
    const bool has_x = m_smoothing.x.values != nullptr;
    const Scalar* const x = has_x ? m_smoothing.x.line(line) : nullptr;
    if (m_smoothing.c.values == nullptr) {
      std::copy(x + cells.begin, x + cells.end, to + cells.begin);
    } else {
      const GridSpan coarse = coarse_around(m_level.along, cells);
      Scalar* const c = m_scratch.of_coarse(coarse.begin);
      prolong_across(m_level.across.entries(line), m_smoothing.c, coarse, c);
      prolong_along(m_level.along, cells, c, x, to);
    }
  }

  /// x_k, in scratch where the residual is formed, and in the field of the tile.
  void take_step(int stage, int line) {
    const GridSpan cells = cells_of(stage);
    const bool is_last = stage == m_smoothing.steps,
               in_place = is_last && !restricts() && !m_streams;
    Scalar* const to = in_place ? m_smoothing.to.line(line) : m_scratch.of_stage(stage, line);
    const Scalar* const f = m_smoothing.f.line(line);
    const Scalar weight = m_smoothing.weights[stage - 1];
    const NextLines next = next_lines(stage, line);
    if (stage == 1 && m_smoothing.from_zero()) {
      for_rows(m_level, line, cells, [=]<class V>(std::int64_t i, const GridRow<Scalar>& row) {
        next.prefetch(i);
        store(to + i, V((weight / row.diagonal) * load<V>(f + i)));
      });
    } else {
      const Scalar *const x = line_of(stage - 1, line), *const south = line_of(stage - 1, line - 1),
                          *const north = line_of(stage - 1, line + 1);
      for_rows(m_level, line, cells, [=]<class V>(std::int64_t i, const GridRow<Scalar>& row) {
        next.prefetch(i);
        store(to + i, V(row.step(weight, load<V>(f + i), load<V>(x + i),
                                 V(load<V>(x + i - 1) + load<V>(x + i + 1)),
                                 V(load<V>(south + i) + load<V>(north + i)))));
      });
    }
    if (!is_last || !m_lines.contains(line)) return;
    if (!in_place) {
      Scalar* const stored = m_smoothing.to.line(line);
      if (m_streams) {
        stream_span(stored + m_cells.begin, to + m_cells.begin, m_cells.size());
      } else {
        std::copy(to + m_cells.begin, to + m_cells.end, stored + m_cells.begin);
      }
    }
    if (m_smoothing.energy != nullptr) add_energy(f, to);
  }
  void add_energy(const Scalar* f, const Scalar* x) {
    LaneSums<Scalar> lane_sums;
    double rest = 0;
    for_cells<Scalar>(m_cells.begin, m_cells.end, [&]<class V>(std::int64_t i) {
      if constexpr (std::is_same_v<V, Scalar>) {
        add_product(rest, f[i], x[i]);
      } else {
        add_product(lane_sums, load<V>(f + i), load<V>(x + i));
      }
    });
    m_energy += lane_sums.total() + rest;
  }

  /// f - A to, and where its lines are complete what they are on the coarser level.
  void take_residual(int line) {
    const int steps = m_smoothing.steps, stage = steps + 1;
    const GridSpan cells = cells_of(stage);
    Scalar* const to = m_scratch.of_stage(stage, line);
    const Scalar* const f = m_smoothing.f.line(line);
    if (steps == 0) {
      std::copy(f + cells.begin, f + cells.end, to + cells.begin);
    } else {
      const Scalar *const x = line_of(steps, line), *const south = line_of(steps, line - 1),
                          *const north = line_of(steps, line + 1);
      for_rows(m_level, line, cells, [=]<class V>(std::int64_t i, const GridRow<Scalar>& row) {
        store(to + i, V(load<V>(f + i) - row.image(load<V>(x + i),
                                                   V(load<V>(x + i - 1) + load<V>(x + i + 1)),
                                                   V(load<V>(south + i) + load<V>(north + i)))));
      });
    }
    const GridDirection<Scalar>& across = m_level.across;
    if (!across.halves) {
      restrict_along(m_level.along, m_coarse_cells, to, m_smoothing.coarse.line(line));
    } else if (line % 2 == 0 && line / 2 > m_coarse_lines.begin) {
      restrict_lines(line / 2 - 1, cells);
    } else if (line % 2 == 1 && line + 1 == across.count) {  // no line behind
      restrict_lines(line / 2, cells);
    }
  }
  void restrict_lines(int coarse_line, const GridSpan& cells) {
    const int stage = m_smoothing.steps + 1, middle = 2 * coarse_line + 1;
    const Scalar *const before = line_of(stage, middle - 1), *const centre = line_of(stage, middle),
                        *const behind = line_of(stage, middle + 1);
    const Scalar factor = m_level.across.factor_behind(middle + 1);
    Scalar* const sum = m_scratch.of_fine();
    for_cells<Scalar>(cells.begin, cells.end, [=]<class V>(std::int64_t i) {
      store(sum + i, V(Scalar(0.5) * load<V>(before + i) + load<V>(centre + i) +
                       factor * load<V>(behind + i)));
    });
    restrict_along(m_level.along, m_coarse_cells, sum, m_smoothing.coarse.line(coarse_line));
  }

  GridLevel<Scalar> m_level;
  GridSmoothing<Scalar> m_smoothing;
  GridSpan m_lines, m_cells, m_coarse_lines, m_coarse_cells;
  TileLines<Scalar> m_scratch;
  bool m_streams;
  double m_energy = 0;
};

/// The share of a worker: a band of lines, in tiles.
/// \return its part of <f, to>
template <class Scalar>
double smooth_share(const GridLevel<Scalar>& level, const GridSmoothing<Scalar>& smoothing,
                    Scalar* scratch, int worker, int workers) {
  const int cells = level.along.count;
  const GridSpan lines = smoothing.lines.within({0, level.across.count});
  const int first_pair = lines.begin / 2;  // bands end at even lines
  const WorkRange pairs = share_of(worker, workers, ceil_divide(lines.end, 2) - first_pair);
  const GridSpan band = GridSpan{2 * (first_pair + static_cast<int>(pairs.begin)),
                                 2 * (first_pair + static_cast<int>(pairs.end))}
                            .within(lines);
  if (band.empty()) return 0;
  // Fields of the level that a cycle reads or writes on both ways.
  constexpr int fields = 3;
  const double bytes = static_cast<double>(cells) * lines.size() * (fields * sizeof(Scalar));
  const bool streams = bytes > static_cast<double>(reachable_cache_bytes());
  double energy = 0;
  for (int begin = 0; begin < cells; begin += SmoothTileTuning::cells) {
    const GridSpan tile{begin, std::min(begin + SmoothTileTuning::cells, cells)};
    energy += SmoothTile<Scalar>(level, smoothing, band, tile, scratch,
                                 TileLines<Scalar>::length(cells), streams)
                  .run();
  }
  return energy;
}

}  // namespace LAMINA_LANES
}  // namespace Lamina::Impl
