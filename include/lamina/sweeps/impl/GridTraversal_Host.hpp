// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Sweeps over a rectangle of cells on CPU cores: lanes run along its lines.

#include <lamina/device/impl/FlushSubnormals_X86.hpp>
#include <lamina/device/impl/HostWork.hpp>
#include <lamina/device/impl/Lanes_Host.hpp>
#include <lamina/device/impl/StreamingStore_X86.hpp>
#include <lamina/sweeps/Sources.hpp>
#include <lamina/sweeps/impl/GridSystem.hpp>
#include <lamina/sweeps/impl/Traversal_Host.hpp>

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace Lamina::Impl {
inline namespace LAMINA_LANES {

/// Cells of a line from i on, and those around them, in lanes or one by one: whatever `Value` is.
/// \tparam Ghosts  see `GridSystem`
/// \tparam Stores  the sweep stores to fields
template <class Value, class Scalar, bool Ghosts, bool Stores, class Source>
class GridLine {
 public:
  static constexpr int width = std::is_same_v<Value, Scalar> ? 1 : lane_count<Scalar>;

  GridLine(const GridTopology& grid, const Source& source, int line, std::int64_t i)
      : m_source(source),
        m_cells(grid.num_owned),
        m_west(grid.west),
        m_east(grid.east),
        m_line(line),
        m_south(Ghosts || line > 0 ? line - 1 : line_or(grid.south, line)),
        m_north(Ghosts || line + 1 < grid.num_levels ? line + 1 : line_or(grid.north, line)),
        m_beyond(std::min(line + 2, grid.num_levels - 1)),
        m_south_weight(m_south == line ? 0 : 1),
        m_north_weight(m_north == line ? 0 : 1),
        m_centre(m_source.template value<Value>(i, line)) {
    set_entry<width - 1>(m_before, single(i - 1));
  }

  /// The first cells, or those that follow the ones before. In sweeps that store, what lies west and
  /// east comes from the vectors before and after: a load at an odd address crosses cache lines, and may
  /// wait for stores that have nothing to do with it. Otherwise such loads cost less than shuffles, where
  /// there is something at both ends.
  /// \tparam Ends  fewer than `width` cells follow in the line
  template <bool Ends>
  [[gnu::always_inline]] inline GridCross<Value> take(std::int64_t i) {
    Value after{};
    if constexpr (!Ends && width > 1) m_source.prefetch(i, m_beyond, 0);
    if constexpr (Ends) {
      set_entry<0>(after, single(i + width));
    } else {
      after = m_source.template value<Value>(i + width, m_line);
    }
    // Where there is no line its weight is 0, and it is the line itself.
    Value south = m_source.template value<Value>(i, m_south),
          north = m_source.template value<Value>(i, m_north);
    if constexpr (!Ghosts) {
      south = m_south_weight * south;
      north = m_north_weight * north;
    }
    GridCross<Value> x{m_centre, m_before, after, south, north};
    if constexpr (width > 1 && Ghosts && !Stores) {
      x.west = m_source.template value<Value>(i - 1, m_line);
      x.east = m_source.template value<Value>(i + 1, m_line);
    } else if constexpr (width > 1) {
      x.west = shift_up<Scalar>(m_before, m_centre);
      x.east = shift_down<Scalar>(m_centre, after);
    }
    m_before = m_centre;
    m_centre = after;
    return x;
  }

 private:
  template <int Lane>
  static void set_entry(Value& values, Scalar value) {
    if constexpr (width > 1) {
      values[Lane] = value;
    } else {
      values = value;
    }
  }
  Scalar single(std::int64_t i) const {
    if constexpr (!Ghosts) {
      if (i < 0 || i >= m_cells) i = i < 0 ? m_west : m_east;
      if (i == GridTopology::none) return Scalar(0);
    }
    return m_source.template value<Scalar>(i, m_line);
  }
  static int line_or(int beside, int line) { return beside == GridTopology::none ? line : beside; }

  const Source& m_source;
  std::int64_t m_cells, m_west, m_east;
  int m_line, m_south, m_north;
  int m_beyond;  // what the next line will need and this one does not
  Scalar m_south_weight, m_north_weight;
  Value m_before{}, m_centre;
};

template <class Coefficients, class Source, class Sink>
class HostGridTraversal {
 public:
  using Scalar = typename Coefficients::scalar_type;
  using System = GridSystem<Coefficients>;
  using Sums = SweepSums<double, Sink>;

  HostGridTraversal(const System& system, const Source& source, const Sink& sink)
      : m_system(system), m_source(source), m_sink(sink) {}

  static int num_items(const System& system) { return system.topology.num_levels; }
  /// Sweeps over lines, in pieces: what was read for a line is still there for the next two.
  Sums sweep(const WorkRange& lines) const {
    [[maybe_unused]] const FlushSubnormalsIf<Coefficients::flushes_subnormals> flushes;
    Sums sums;
    const std::int64_t cells = m_system.topology.num_owned;
    for (std::int64_t begin = 0; begin < cells; begin += piece) {
      LaneSumsOfSink lane_sums;
      for (std::int64_t line = lines.begin; line < lines.end; ++line) {
        const WorkRange range{begin, std::min(begin + piece, cells)};
        if constexpr (Sink::stores) {
          sweep_piece_apart(static_cast<int>(line), range, lane_sums, sums);
        } else {
          sweep_piece(static_cast<int>(line), range, lane_sums, sums);
        }
      }
      sums.add_total(lane_sums);
    }
    finish_streaming();
    return sums;
  }

 private:
  using LaneSumsOfSink = SweepSums<LaneSums<Scalar>, Sink>;
  static constexpr bool ghosts = Coefficients::has_ghosts;
  static constexpr int lanes = lane_count<Scalar>;
  static constexpr std::int64_t piece =
      (Sink::stores || ghosts ? HostSweepTuning::long_piece_bytes
                              : HostSweepTuning::short_piece_bytes) /
      sizeof(Scalar);

  /// Sweeps with many addresses have a function of their own: the loops around it would take registers
  /// of these.
  [[gnu::noinline]] void sweep_piece_apart(int line, const WorkRange& cells,
                                           LaneSumsOfSink& lane_sums, Sums& sums) const {
    sweep_piece(line, cells, lane_sums, sums);
  }
  [[gnu::always_inline]] inline void sweep_piece(int line, const WorkRange& cells,
                                                 LaneSumsOfSink& lane_sums, Sums& sums) const {
    const std::int64_t full = cells.begin + (cells.end - cells.begin) / lanes * lanes;
    if (full > cells.begin) take_cells<Lanes<Scalar>>(line, {cells.begin, full}, lane_sums);
    if (cells.end > full) take_cells<Scalar>(line, {full, cells.end}, sums);
  }

  /// Cells in steps of `Value`.
  template <class Value, class SumsOfValue>
  [[gnu::always_inline]] inline void take_cells(int line, const WorkRange& cells,
                                                SumsOfValue& sums) const {
    // Copies: stores to a field cannot change them.
    const Source source = m_source;
    const System system = m_system;
    if constexpr (Coefficients::is_weighted) {
      using Weights = FieldSource<GridField<const Scalar>>;
      const Weights weights{system.coefficients.weight};
      GridLine<Value, Scalar, ghosts, Sink::stores, Weights> weight(system.topology, weights, line,
                                                                    cells.begin);
      take_images<Value>(source, line, cells, sums, [&](const auto& x, std::int64_t i, auto ends) {
        return system.coefficients.image(x, weight.template take<ends>(i));
      });
    } else {
      take_images<Value>(source, line, cells, sums, [&](const auto& x, std::int64_t, auto) {
        return system.coefficients.image(x);
      });
    }
  }

  template <class Value, class SumsOfValue, class Image>
  [[gnu::always_inline]] inline void take_images(const Source& source, int line,
                                                 const WorkRange& cells, SumsOfValue& sums,
                                                 const Image& image) const {
    const GridTopology grid = m_system.topology;
    const Sink sink = m_sink;
    GridLine<Value, Scalar, ghosts, Sink::stores, Source> around(grid, source, line, cells.begin);
    SumsOfValue found;
    const auto take = [&](std::int64_t i, auto ends) {
      const GridCross<Value> x = around.template take<ends>(i);
      sink(i, line, x.centre, image(x, i, ends), found);
    };
    const int next = std::min(line + 1, grid.num_levels - 1);
    constexpr int width = around.width;
    const std::int64_t end = cells.end,
                       last = std::min<std::int64_t>(end, grid.num_owned - width) - width;
    std::int64_t i = cells.begin;
    for (; i <= last; i += width) {
      if constexpr (width > 1) sink.prefetch(i, next, 0);
      take(i, std::false_type());
    }
    if (i < end) take(i, std::true_type());
    sums += found;
  }

  const System& m_system;
  const Source& m_source;
  const Sink& m_sink;
};

template <class Coefficients, class Sweep>
struct HostTraversalOf<GridSystem<Coefficients>, Sweep> {
  using type = HostGridTraversal<Coefficients, SourceOf<Sweep>, SinkOf<Sweep>>;
};

}  // namespace LAMINA_LANES
}  // namespace Lamina::Impl
