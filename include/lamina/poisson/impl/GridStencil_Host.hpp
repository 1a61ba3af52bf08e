// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Sweeps of the five-point stencil on CPU cores: lanes run along the lines of the grid.

#include <lamina/core/impl/HostWork.hpp>
#include <lamina/core/impl/Lanes_Host.hpp>
#include <lamina/poisson/impl/GridStencil.hpp>

#include <algorithm>

namespace Lamina::Impl {
inline namespace LAMINA_LANES {

template <class Scalar, class Source, class Sink>
class HostGrid {
 public:
  HostGrid(int size, const Source& source, const Sink& sink)
      : m_size(size), m_source(source), m_sink(sink) {}

  /// Sweeps over lines. Wide ones in pieces, such that three lines of each field stay in the
  /// second-level cache.
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
  static constexpr std::int64_t piece = 16384 / sizeof(Scalar);
  static constexpr std::int64_t tile_lines = 16, tile_width = 1024 / sizeof(Scalar);

  /// Points begin <= j < end of a line. What lies left and right comes from the vectors before and
  /// after: a load at an odd address crosses cache lines, and may wait for stores that have nothing
  /// to do with it.
  void sweep_piece(std::int64_t line, std::int64_t begin, std::int64_t end,
                   GridSums<LaneSums<Scalar>>& lane_sums, GridSums<double>& sums) const {
    // Copies: stores to a field cannot change them.
    const Source source = m_source;
    const Sink sink = m_sink;
    // Beyond the first and the last line the weight of the line itself is 0.
    const std::int64_t up = line > 0 ? line - 1 : line, down = line + 1 < m_size ? line + 1 : line;
    const Scalar up_weight = line > 0 ? 1 : 0, down_weight = line + 1 < m_size ? 1 : 0;
    std::int64_t j = begin;
    if (j + lanes <= end) {
      Vector before = j > 0 ? source.template at<Vector>(line, j - lanes) : Vector{};
      Vector x = source.template at<Vector>(line, j);
      for (; j + lanes <= end; j += lanes) {
        const Vector after = vector_at(source, line, j + lanes);
        const Vector image = Scalar(4) * x - shift_up<Scalar>(before, x) -
                             shift_down<Scalar>(x, after) -
                             up_weight * source.template at<Vector>(up, j) -
                             down_weight * source.template at<Vector>(down, j);
        sink(line, j, lanes, x, image, lane_sums);
        before = x;
        x = after;
      }
    }
    for (; j < end; ++j) {
      const Scalar x = source.template at<Scalar>(line, j);
      const Scalar left = j > 0 ? source.template at<Scalar>(line, j - 1) : 0;
      const Scalar right = j + 1 < m_size ? source.template at<Scalar>(line, j + 1) : 0;
      const Scalar image = 4 * x - left - right - up_weight * source.template at<Scalar>(up, j) -
                           down_weight * source.template at<Scalar>(down, j);
      sink(line, j, 1, x, image, sums);
    }
  }

  /// Values that follow each other in a line, 0 beyond its end.
  Vector vector_at(const Source& source, std::int64_t line, std::int64_t j) const {
    if (j + lanes <= m_size) return source.template at<Vector>(line, j);
    return gather_lanes<Scalar>([&](int i) {
      return j + i < m_size ? source.template at<Scalar>(line, j + i) : Scalar(0);
    });
  }

  void sweep_tile(const WorkRange& lines, const WorkRange& points, GridSums<double>& sums) const {
    Scalar tile[tile_lines + 2][tile_width + 2];
    for (std::int64_t line = lines.begin - 1; line <= lines.end; ++line) {
      for (std::int64_t j = points.begin - 1; j <= points.end; ++j) {
        const bool inside = line >= 0 && line < m_size && j >= 0 && j < m_size;
        tile[line - lines.begin + 1][j - points.begin + 1] =
            inside ? m_source.template at<Scalar>(line, j) : 0;
      }
    }
    for (std::int64_t line = lines.begin; line < lines.end; ++line) {
      const auto* const row = tile[line - lines.begin + 1] + 1;
      const auto *const above = row - (tile_width + 2), *const below = row + (tile_width + 2);
      for (std::int64_t j = points.begin; j < points.end; ++j) {
        const std::int64_t k = j - points.begin;
        const Scalar image = 4 * row[k] - row[k - 1] - row[k + 1] - above[k] - below[k];
        m_sink(line, j, 1, row[k], image, sums);
      }
    }
  }

  int m_size;
  Source m_source;
  Sink m_sink;
};

}  // namespace LAMINA_LANES
}  // namespace Lamina::Impl
