// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// `StencilMemory::shared` on CPU cores: values with a margin of one cell are put into scratch first.

#include <lamina/core/impl/ExtentOf.hpp>
#include <lamina/sweeps/impl/GridTraversal_Host.hpp>

#include <algorithm>
#include <cstdint>

namespace Lamina::Impl {

/// A system that is swept over tile by tile.
template <class Coefficients>
struct TiledGridSystem : GridSystem<Coefficients> {};

inline namespace LAMINA_LANES {

template <class Coefficients, class Source, class Sink>
class HostGridTiles {
 public:
  using Scalar = typename Coefficients::scalar_type;
  using System = TiledGridSystem<Coefficients>;
  using Sums = SweepSums<double, Sink>;

  HostGridTiles(const System& system, const Source& source, const Sink& sink)
      : m_system(system), m_source(source), m_sink(sink) {}

  static int num_items(const System& system) { return system.topology.num_levels; }
  Sums sweep(const WorkRange& lines) const {
    Sums sums;
    const std::int64_t cells = m_system.topology.num_owned;
    for (std::int64_t line = lines.begin; line < lines.end; line += tile_lines) {
      for (std::int64_t i = 0; i < cells; i += tile_width) {
        sweep_tile({line, std::min(line + tile_lines, lines.end)},
                   {i, std::min(i + tile_width, cells)}, sums);
      }
    }
    return sums;
  }

 private:
  static constexpr std::int64_t tile_lines = 16, tile_width = 1024 / sizeof(Scalar);

  Scalar value(std::int64_t i, std::int64_t line) const {
    const GridTopology& grid = m_system.topology;
    const bool inside = line >= 0 && line < grid.num_levels && i >= 0 && i < grid.num_owned;
    return inside ? m_source.template value<Scalar>(i, static_cast<int>(line)) : Scalar(0);
  }
  void sweep_tile(const WorkRange& lines, const WorkRange& cells, Sums& sums) const {
    Scalar tile[extent_of<tile_lines + 2>][extent_of<tile_width + 2>];
    for (std::int64_t line = lines.begin - 1; line <= lines.end; ++line) {
      for (std::int64_t i = cells.begin - 1; i <= cells.end; ++i) {
        tile[line - lines.begin + 1][i - cells.begin + 1] = value(i, line);
      }
    }
    for (std::int64_t line = lines.begin; line < lines.end; ++line) {
      const auto* const row = tile[line - lines.begin + 1] + 1;
      const auto *const south = row - (tile_width + 2), *const north = row + (tile_width + 2);
      for (std::int64_t i = cells.begin; i < cells.end; ++i) {
        const std::int64_t k = i - cells.begin;
        const GridCross<Scalar> x{row[k], row[k - 1], row[k + 1], south[k], north[k]};
        m_sink(i, static_cast<int>(line), x.centre, m_system.coefficients.image(x), sums);
      }
    }
  }

  const System& m_system;
  const Source& m_source;
  const Sink& m_sink;
};

template <class Coefficients, class Sweep>
struct HostTraversalOf<TiledGridSystem<Coefficients>, Sweep> {
  using type = HostGridTiles<Coefficients, SourceOf<Sweep>, SinkOf<Sweep>>;
};

}  // namespace LAMINA_LANES
}  // namespace Lamina::Impl
