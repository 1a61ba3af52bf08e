// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Which lines of the levels of a rectangle several ranks have.

#include <lamina/distributed/HaloPattern.hpp>
#include <lamina/distributed/Transport.hpp>
#include <lamina/grids/LocalRectangle.hpp>
#include <lamina/multigrid/impl/poisson/GridLevel.hpp>

#include <cstddef>
#include <vector>

namespace Lamina::Impl {

/// The lines of a level by rank. A rank owns the lines of a coarser level that coincide with lines that it
/// owns, or begin with one of them where they are lines of cells. That may be none.
struct GridStrips {
  enum class Kind {
    shared,    ///< each rank smooths its own lines; their fields also have lines around them
    gathered,  ///< each rank gets the lines of all, and does the same as all others
    whole      ///< the same, of a level below a gathered one: nothing is exchanged
  };
  Kind kind = Kind::shared;
  int count = 0;          ///< of lines
  bool of_cells = false;  ///< else of points
  bool periodic =
      false;  ///< lines before the first one, and behind the last one, are those of the other end
  std::vector<GridSpan> owned{};   ///< (rank): each line once
  std::vector<GridSpan> fields{};  ///< (rank): of fields; of cells with lines beyond both ends

  /// The finest level. Collective.
  /// \param ghosts  lines that fields have beside owned ones, where a rank owns any
  /// \throws InvalidArgument on all ranks, where their strips are not those of one rectangle
  GridStrips(const Transport& transport, const LocalRectangle& local, int ghosts);
  /// Of cells. Collective.
  /// \param mine  the lines of this rank; each line is one of one rank
  static GridStrips cells(const Transport& transport, const GridSpan& mine, int count,
                          bool periodic, int ghosts);
  /// The next coarser one.
  GridStrips coarser(Kind coarser_kind, bool halves, int ghosts) const;
  /// The same level with the lines of all on each rank.
  GridStrips gathered() const;

  /// The lines that a rank smooths.
  GridSpan smoothed(int rank) const;
  /// Of the lines of fields.
  HaloPattern pattern(int rank) const;

 private:
  GridStrips() = default;
  GridSpan widened(const GridSpan& lines, int ghosts) const;
  /// Of fields with all lines.
  GridSpan all_lines() const { return widened({0, count}, 1); }
  GridSpan coarse(const GridSpan& lines, bool halves) const;
};

}  // namespace Lamina::Impl
