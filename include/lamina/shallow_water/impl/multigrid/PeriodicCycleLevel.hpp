// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/distributed/HaloExchange.hpp>
#include <lamina/multigrid/impl/poisson/GridLevel.hpp>
#include <lamina/shallow_water/impl/GhostedField.hpp>
#include <lamina/shallow_water/impl/multigrid/PeriodicCycleKernels.hpp>

#include <algorithm>
#include <cstddef>
#include <string>

namespace Lamina::Impl {

/// Lines that a rank has of a field beside its own: of couplings one more than of what is smoothed, which is
/// what the restriction to a line of three reads after so many steps.
constexpr int num_cell_ghosts(int steps) { return steps + 4; }

/// A level of `PeriodicMultigrid`, and what a rank has of it. Lines have their numbers in the rectangle of all
/// ranks; over several ranks those before the first one and behind the last one are lines of the other end.
template <class Scalar, class Memory>
struct PeriodicCycleLevel {
  using Vector = Kokkos::View<Scalar**, Kokkos::LayoutLeft, Memory>;

  CellAxis x, y;
  PeriodicCycleLabels labels;
  PeriodicLevel<Scalar> kernels{};
  GridSpan fields{-1, y.count + 1};  // lines of fields
  GridSpan smoothed{0, y.count};     // that the last step writes
  GridSpan restricted = smoothed;    // that are restricted to
  bool is_shared = false;       // a rank has some of the lines, and the solution is exchanged, too
  HaloExchange<Memory> halo{};  // of the lines of fields; empty where all are this rank's
  Vector rhs{}, solution{}, other{};
  Vector weight{}, west{}, south{},
      mass{};  // owners of what `kernels` has, of several ranks or coarser levels

  Rectangle rectangle() const { return {x.count, y.count}; }
  /// Whether a rank forms some of the lines only of what comes from a finer level.
  bool is_cut() const { return !halo.empty(); }
  /// For the last step. Ghost lines of a rank are filled by an exchange, or not read.
  PeriodicLevel<Scalar> last_kernels() const {
    PeriodicLevel<Scalar> level = kernels;
    if (is_cut()) level.wraps = false;
    return level;
  }
  Vector make_vector(const char* name) const {
    return make_ghosted<Scalar, Memory>(std::string("Lamina::PeriodicMultigrid::") + name,
                                        {x.count, std::max(fields.size() - 2, 0)});
  }
  GridField<Scalar> field(const Vector& vector) const {
    return ghosted_lines_of(vector).lines_from(-1 - fields.begin);
  }
  /// Lines as items of an exchange, with the ghosts at their ends.
  auto items(const Vector& vector) const {
    const GridField<Scalar> lines = lines_of(vector);
    const FieldView<Scalar, Kokkos::LayoutRight, Memory> padded(
        lines.values, static_cast<std::size_t>(fields.size()),
        static_cast<std::size_t>(lines.stride));
    return FieldView<Scalar, Kokkos::LayoutRight, Memory>(
        Kokkos::subview(padded, Kokkos::ALL,
                        Kokkos::make_pair(std::size_t{0}, static_cast<std::size_t>(x.count) + 2)));
  }
  /// To the next coarser level.
  PeriodicTransfer<Scalar> transfer(bool coarse_wraps) const {
    return {{x, false}, {y, kernels.walls}, coarse_wraps};
  }

  /// The lines of a step that so many steps follow, of those after the coarser level.
  GridSpan lines_after(int steps) const { return steps == 0 ? smoothed : around(smoothed, steps); }
  /// The same before the coarser level: for the residual of lines that are restricted to, and for what is
  /// prolonged to, where no step follows for now.
  GridSpan lines_before(int steps, int all_steps, const GridSpan& coarse_lines) const {
    GridSpan lines = around(smoothed, all_steps);
    if (is_shared && !coarse_lines.empty()) {
      const CellTransfer<Scalar> across = transfer(false).y;
      lines = lines.with(around(
          {across.first_with(coarse_lines.begin), across.end_with(coarse_lines.end - 1)}, 1));
    }
    return around(lines, steps);
  }
  double cells_of(const GridSpan& lines) const {
    return static_cast<double>(lines.size()) * x.count;
  }

 private:
  GridSpan around(const GridSpan& lines, int by) const {
    if (!is_shared) return {0, y.count};
    if (lines.empty()) return lines;
    const GridSpan wide{lines.begin - by, lines.end + by};
    return kernels.walls ? wide.within({0, y.count}) : wide;
  }
};

}  // namespace Lamina::Impl
