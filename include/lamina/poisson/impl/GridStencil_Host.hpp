// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Sweeps of the five-point stencil on CPU cores: lanes run along the lines of the grid.

#include <lamina/core/impl/ExtentOf.hpp>
#include <lamina/device/impl/HostWork.hpp>
#include <lamina/device/impl/Lanes_Host.hpp>
#include <lamina/poisson/impl/GridStencil.hpp>

#include <algorithm>
#include <type_traits>

namespace Lamina::Impl {
inline namespace LAMINA_LANES {

template <class Scalar, class Source, class Sink>
class HostGrid {
 public:
  HostGrid(int size, const Source& source, const Sink& sink)
      : m_size(size), m_source(source), m_sink(sink) {}

  /// Sweeps over lines, in pieces: what was read for a line is still there for the next two.
  GridSums<double> sweep(const WorkRange& lines) const {
    GridSums<double> sums;
    for (std::int64_t begin = 0; begin < m_size; begin += piece) {
      const std::int64_t end = std::min<std::int64_t>(begin + piece, m_size);
      GridSums<LaneSums<Scalar>> lane_sums;
      for (std::int64_t line = lines.begin; line < lines.end; ++line) {
        sweep_piece(line, begin, end, lane_sums, sums);
      }
      for (int n = 0; n < 2; ++n) sums.of[n] += lane_sums.of[n].total();
    }
    return sums;
  }

  /// The same by tiles: values with a margin of one point are put into scratch first.
  GridSums<double> sweep_tiles(const WorkRange& lines) const {
    GridSums<double> sums;
    for (std::int64_t line = lines.begin; line < lines.end; line += tile_lines) {
      const std::int64_t line_end = std::min(line + tile_lines, lines.end);
      for (std::int64_t j = 0; j < m_size; j += tile_width) {
        sweep_tile({line, line_end}, {j, std::min<std::int64_t>(j + tile_width, m_size)}, sums);
      }
    }
    return sums;
  }

 private:
  using Vector = Lanes<Scalar>;
  static constexpr int lanes = lane_count<Scalar>;
  /// Where nothing is stored, three lines of a piece stay in the first-level cache. Stores past the
  /// caches want longer stretches; then three lines stay in the second level.
  static constexpr std::int64_t piece = (Sink::stores ? 16384 : 4096) / sizeof(Scalar);
  static constexpr std::int64_t tile_lines = 16, tile_width = 1024 / sizeof(Scalar);

  /// Points begin <= j < end of a line. What lies left and right comes from the vectors before and
  /// after: a load at an odd address crosses cache lines, and may wait for stores that have nothing
  /// to do with it.
  void sweep_piece(std::int64_t line, std::int64_t begin, std::int64_t end,
                   GridSums<LaneSums<Scalar>>& lane_sums, GridSums<double>& sums) const {
    // Beyond the first and the last line the weight of the line itself is 0.
    const bool first = line == 0, last = line + 1 == m_size;
    const auto points = m_source.line(line), above = m_source.line(first ? line : line - 1),
               below = m_source.line(last ? line : line + 1);
    const Scalar weight_above = first ? 0 : 1, weight_below = last ? 0 : 1;
    const auto sink = m_sink.line(line);
    // What the next line will need and this one does not. The last line asks for itself.
    const auto beyond = m_source.line(std::min<std::int64_t>(line + 2, m_size - 1));
    const auto next_sink = m_sink.line(last ? line : line + 1);
    const auto take = [&](std::int64_t j, const auto& left, const auto& x, const auto& right,
                          auto& to) {
      using Value = std::remove_cvref_t<decltype(x)>;
      const Value image = Scalar(4) * x - left - right -
                          weight_above * above.template at<Value>(j) -
                          weight_below * below.template at<Value>(j);
      sink(j, lanes, x, image, to);
    };
    std::int64_t j = begin;
    if (j + lanes <= end) {
      Vector before = j > 0 ? points.template at<Vector>(j - lanes) : Vector{};
      Vector x = points.template at<Vector>(j);
      const std::int64_t whole = std::min<std::int64_t>(end, m_size - lanes);  // another follows
      for (; j + lanes <= whole; j += lanes) {
        const Vector after = points.template at<Vector>(j + lanes);
        beyond.prefetch(j);
        next_sink.prefetch(j);
        take(j, shift_up<Scalar>(before, x), x, shift_down<Scalar>(x, after), lane_sums);
        before = x;
        x = after;
      }
      if (j + lanes <= end) {  // values beyond the end of the line are 0
        const Vector after = gather_lanes<Scalar>([&](int i) {
          const std::int64_t k = j + lanes + i;
          return k < m_size ? points.template at<Scalar>(k) : Scalar(0);
        });
        take(j, shift_up<Scalar>(before, x), x, shift_down<Scalar>(x, after), lane_sums);
        j += lanes;
      }
    }
    for (; j < end; ++j) {
      const Scalar x = points.template at<Scalar>(j);
      const Scalar left = j > 0 ? points.template at<Scalar>(j - 1) : 0;
      const Scalar right = j + 1 < m_size ? points.template at<Scalar>(j + 1) : 0;
      take(j, left, x, right, sums);
    }
  }

  void sweep_tile(const WorkRange& lines, const WorkRange& points, GridSums<double>& sums) const {
    Scalar tile[extent_of<tile_lines + 2>][extent_of<tile_width + 2>];
    for (std::int64_t line = lines.begin - 1; line <= lines.end; ++line) {
      for (std::int64_t j = points.begin - 1; j <= points.end; ++j) {
        const bool inside = line >= 0 && line < m_size && j >= 0 && j < m_size;
        tile[line - lines.begin + 1][j - points.begin + 1] =
            inside ? m_source.line(line).template at<Scalar>(j) : Scalar(0);
      }
    }
    for (std::int64_t line = lines.begin; line < lines.end; ++line) {
      const auto* const row = tile[line - lines.begin + 1] + 1;
      const auto *const above = row - (tile_width + 2), *const below = row + (tile_width + 2);
      for (std::int64_t j = points.begin; j < points.end; ++j) {
        const std::int64_t k = j - points.begin;
        const Scalar image = 4 * row[k] - row[k - 1] - row[k + 1] - above[k] - below[k];
        m_sink.line(line)(j, 1, row[k], image, sums);
      }
    }
  }

  int m_size;
  Source m_source;
  Sink m_sink;
};

}  // namespace LAMINA_LANES
}  // namespace Lamina::Impl
