// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// How a thread of a device sweeps over a rectangle of cells: it takes one cell, or a pack of them, and
// walks across the lines. What it reads of a line serves three.

#include <lamina/device/impl/Access.hpp>
#include <lamina/device/impl/HostWork.hpp>
#include <lamina/sweeps/Sources.hpp>
#include <lamina/sweeps/impl/GridSystem.hpp>
#include <lamina/sweeps/impl/Traversal_Device.hpp>

#include <cstdint>
#include <type_traits>

namespace Lamina::Impl {

/// One value, or several as a pack.
template <class Scalar, int Width>
using GridValue = std::conditional_t<Width == 1, Scalar, Pack<Scalar, Width>>;

/// `Width` cells from i on of one line after the other, and those around them.
/// \tparam Ghosts  see `GridSystem`
template <class Scalar, int Width, bool Ghosts, class Source>
class GridWalk {
 public:
  using Value = GridValue<Scalar, Width>;

  KOKKOS_FORCEINLINE_FUNCTION GridWalk(const GridTopology& grid, const Source& source, int i,
                                       int line)
      : m_grid(grid),
        m_source(source),
        m_first(i),
        m_south(neighbour<Value>(i, Ghosts || line > 0 ? line - 1 : grid.south, line)),
        m_centre(source.template value<Value>(i, line)) {}

  /// The cells of a line, which is the first one, or follows the one before.
  KOKKOS_FORCEINLINE_FUNCTION GridCross<Value> take(int line) {
    const int north = Ghosts || line + 1 < m_grid.num_levels ? line + 1 : m_grid.north;
    const int before = Ghosts || m_first > 0 ? m_first - 1 : m_grid.west;
    GridCross<Value> x{m_centre, {}, {}, m_south, neighbour<Value>(m_first, north, line)};
    const auto west = neighbour<Scalar>(before, line, line), east = beyond(line);
    if constexpr (Width == 1) {
      x.west = west;
      x.east = east;
    } else {
      x.west[0] = west;
      x.east[Width - 1] = east;
      for (int k = 1; k < Width; ++k) {
        x.west[k] = x.centre[k - 1];
        x.east[k - 1] = x.centre[k];
      }
    }
    m_south = m_centre;
    m_centre = x.north;
    return x;
  }

 private:
  /// The cell behind the last one. What lies behind the ghost of a line may not be there.
  KOKKOS_FORCEINLINE_FUNCTION Scalar beyond(int line) const {
    const int next = m_first + Width, end = m_grid.num_owned;
    if constexpr (Ghosts) return neighbour<Scalar>(next < end ? next : end, line, line);
    return neighbour<Scalar>(next < end ? next : m_grid.east, line, line);
  }
  /// Cell i of `line`, 0 where there is none. Then a cell of `own_line` is read instead: without branches
  /// between them all loads of a line are under way at once. With ghosts all cells are there.
  template <class Read>
  KOKKOS_FORCEINLINE_FUNCTION Read neighbour(int i, int line, int own_line) const {
    if constexpr (Ghosts) return m_source.template value<Read>(i, line);
    const bool is_there = i != GridTopology::none && line != GridTopology::none;
    Read x = m_source.template value<Read>(is_there ? i : m_first, is_there ? line : own_line);
    if constexpr (std::is_same_v<Read, Scalar>) {
      x = is_there ? x : Scalar(0);
    } else {
      for (int k = 0; k < Width; ++k) x[k] = is_there ? x[k] : Scalar(0);
    }
    return x;
  }

  const GridTopology& m_grid;
  const Source& m_source;
  int m_first;
  Value m_south, m_centre;
};

/// A stencil of `Traversal_Device`, which walks by itself: cells i = Width item, ... of each line.
template <class Coefficients, int Width>
class GridStencil {
 public:
  using System = GridSystem<Coefficients>;
  using Scalar = typename Coefficients::scalar_type;
  using Value = GridValue<Scalar, Width>;
  static constexpr int width = Width;
  static int count(const System& system) {
    return static_cast<int>(ceil_divide(system.topology.num_owned, Width));
  }

  GridStencil() = default;
  KOKKOS_FORCEINLINE_FUNCTION GridStencil(const System&, int item) : m_first(item * Width) {}

  template <class Source, class Sink, class Sums>
  KOKKOS_FORCEINLINE_FUNCTION void walk(const System& system, const Source& source,
                                        const Sink& sink, int begin, int end, Sums& sums) const {
    constexpr bool ghosts = Coefficients::has_ghosts;
    const GridTopology& grid = system.topology;
    const int cells = grid.num_owned - m_first;
    // Where nothing is stored, an image beyond the end meets a zero in the sums.
    const auto take = [&](int line, const Value& x, const Value& image) {
      if constexpr (!ghosts && !Sink::stores) {
        sink(m_first, line, x, image, sums);
      } else {
        sink(m_first, line, ghosts ? inside(x, cells) : x, inside(image, cells), sums);
      }
    };
    GridWalk<Scalar, Width, ghosts, Source> around(grid, source, m_first, begin);
    if constexpr (Coefficients::is_weighted) {
      using Weights = FieldSource<GridField<const Scalar>>;
      const Weights weights{system.coefficients.weight};
      GridWalk<Scalar, Width, ghosts, Weights> weight(grid, weights, m_first, begin);
      for (int line = begin; line < end; ++line) {
        const GridCross<Value> x = around.take(line);
        take(line, x.centre, system.coefficients.image(x, weight.take(line)));
      }
    } else {
      for (int line = begin; line < end; ++line) {
        const GridCross<Value> x = around.take(line);
        take(line, x.centre, system.coefficients.image(x));
      }
    }
  }

 private:
  /// Cells of the last pack beyond the end of a line take part as zeros: what lies there stays zero.
  KOKKOS_FORCEINLINE_FUNCTION static Value inside(Value x, int cells) {
    if constexpr (Width > 1) {
      for (int k = 1; k < Width; ++k) {
        if (k >= cells) x[k] = 0;
      }
    }
    return x;
  }

  int m_first;
};

/// Sweeps over all cells, `Width` of them at once, in walks across some lines or only one.
/// \param stride  from line to line of the fields
template <int Width, class Space, class System, class Sweep, class Memory>
void traverse_grid(const char* label, const Space& space, const System& system, std::int64_t stride,
                   const Sweep& sweep, const TeamParts<Memory>& parts, bool one_line = false,
                   KernelStart start = KernelStart::overlapped) {
  using Stencil = GridStencil<typename System::coefficients_type, Width>;
  const int packs = Stencil::count(system), lines = system.topology.num_levels;
  // Without lines, as on a rank that owns none, one team still leaves sums of 0.
  const StencilChunks chunks =
      one_line || lines == 0 ? StencilChunks{packs, lines, lines, 1}
                             : stencil_chunks<Kokkos::LayoutLeft>(space, packs, stride, lines);
  traverse_chunks<Stencil>(label, space, system, sweep, parts, chunks, any_number_of_rounds, start);
}

}  // namespace Lamina::Impl
