// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Coarser and coarser grids of a rectangle of points with a zero boundary, and the five-point operator on
// each of them.

#include <lamina/grids/impl/GridField.hpp>

#include <algorithm>
#include <cstdint>

namespace Lamina::Impl {

/// Points begin <= i < end of one direction.
struct GridSpan {
  int begin = 0, end = 0;

  bool empty() const { return begin >= end; }
  int size() const { return empty() ? 0 : end - begin; }
  bool contains(int i) const { return i >= begin && i < end; }
  GridSpan within(const GridSpan& other) const {
    return {std::max(begin, other.begin), std::min(end, other.end)};
  }
  /// With more points on both sides, as far as there are any.
  GridSpan widened(int by, int count) const {
    return {std::max(begin - by, 0), std::min(end + by, count)};
  }
  /// The points from the first one of both to the last one.
  GridSpan with(const GridSpan& other) const {
    if (empty() || other.empty()) return empty() ? other : *this;
    return {std::min(begin, other.begin), std::max(end, other.end)};
  }
  /// The coarser points that coincide with some of these.
  GridSpan coarse(bool halves) const { return halves ? GridSpan{begin / 2, end / 2} : *this; }
};

/// The points of one direction: each at the distance 1 from the one before, the first at 1 from the wall, and
/// the last at `last` from the other wall, 0 < last <= 1.
struct GridAxis {
  int count = 0;
  double last = 1;

  /// Every other point stays, beginning with the second one.
  bool halves() const { return count > 1; }
  /// In units of its own distance, which is twice this one where the direction halves.
  GridAxis coarser() const {
    if (!halves()) return *this;
    return {count / 2, count % 2 == 0 ? last / 2 : (1 + last) / 2};
  }
};

/// A row of the operator: diagonal x - along (west + east) - across (south + north), with 0 beyond walls.
template <class Scalar>
struct GridRow {
  Scalar diagonal, along, across;

  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value image(const Value& x, const Value& beside,
                                          const Value& beyond) const {
    return diagonal * x - along * beside - across * beyond;
  }
  /// x + weight (f - A x) / diagonal
  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value step(Scalar weight, const Value& f, const Value& x,
                                         const Value& beside, const Value& beyond) const {
    return (1 - weight) * x + (weight / diagonal) * (f + along * beside + across * beyond);
  }
};

/// Entries of a point of a direction in the prolongation: the values of two coarser points times factors.
/// The points are beside it; where one of them does not exist it is the other one again, with the factor 0.
template <class Scalar>
struct GridEntries {
  int first, second;
  Scalar first_factor, second_factor;
};

/// One direction of a level, as kernels capture it.
template <class Scalar>
struct GridDirection {
  int count = 0;
  bool halves = false;
  Scalar coupling = 1;  ///< of neighbours in this direction, but for the last line across it
  Scalar to_wall = 1;   ///< of the last point, relative to `coupling`
  Scalar width = 1;     ///< of the cell around the last point
  Scalar share = 0;     ///< factor in the prolongation to the last of an odd number of points

  GridDirection() = default;
  /// \param coupling_  distance of points across this direction over that along it
  GridDirection(const GridAxis& axis, double coupling_)
      : count(axis.count),
        halves(axis.halves()),
        coupling(static_cast<Scalar>(coupling_)),
        to_wall(static_cast<Scalar>(1 / axis.last)),
        width(static_cast<Scalar>((1 + axis.last) / 2)),
        share(static_cast<Scalar>(axis.last / (1 + axis.last))) {}

  KOKKOS_FORCEINLINE_FUNCTION int num_coarse() const { return halves ? count / 2 : count; }
  /// The factor of a coarser point n for the fine point behind it, 2 n + 2; and of that point's prolongation.
  KOKKOS_FORCEINLINE_FUNCTION Scalar factor_behind(int fine) const {
    return fine + 1 < count ? Scalar(0.5) : share;
  }
  KOKKOS_FORCEINLINE_FUNCTION GridEntries<Scalar> entries(int i) const {
    if (!halves) return {i, i, 1, 0};
    const int n = i / 2;
    if (i % 2 == 1) return {n, n, 1, 0};
    const bool has_before = n > 0, has_behind = n < count / 2;
    return {has_before ? n - 1 : n, has_behind ? n : n - 1,
            has_before ? factor_behind(i) : Scalar(0), has_behind ? Scalar(0.5) : Scalar(0)};
  }
};

/// A level as kernels capture it: `along` the lines of its fields, and `across` them.
///
/// The operator is that of finite volumes: a coupling is the length of the side between two cells over the
/// distance of their points. On the finest level it is that of `PoissonOperator`.
template <class Scalar>
struct GridLevel {
  GridDirection<Scalar> along, across;

  KOKKOS_FORCEINLINE_FUNCTION GridRow<Scalar> row(int line, bool is_last_cell) const {
    const bool is_last_line = line + 1 == across.count;
    const Scalar beside = is_last_line ? along.coupling * across.width : along.coupling,
                 beyond = is_last_cell ? across.coupling * along.width : across.coupling;
    return {beside * (is_last_cell ? 1 + along.to_wall : Scalar(2)) +
                beyond * (is_last_line ? 1 + across.to_wall : Scalar(2)),
            beside, beyond};
  }
  KOKKOS_FORCEINLINE_FUNCTION bool contains(int i, int line) const {
    return i >= 0 && i < along.count && line >= 0 && line < across.count;
  }
};

/// Smoothing steps on a level, with what goes before and behind them:
///
///   x_0 = x + P c;  x_k = x_{k-1} + weights[k-1] D^-1 (f - A x_{k-1});  to = x_steps
///   coarse = P^T (f - A to)
///
/// Lines of fields have their numbers in the level. Of several ranks each has some of them: it computes some
/// lines of `to` and `coarse`, and reads lines around them, at most `num_ghosts(steps)` on each side.
///
/// Fields without values: x is zero, c is not added, and the last line is left out. `to` may be none of the
/// fields that are read; without steps it may have no values.
template <class Scalar>
struct GridSmoothing {
  static constexpr int max_steps = 3;
  GridField<const Scalar> f, x, c;
  GridField<Scalar> to, coarse;
  Scalar weights[max_steps] = {};
  int steps = 0;
  double* energy = nullptr;  ///< where <f, to> goes

  static constexpr GridSpan all_lines{0, 1 << 30};
  GridSpan lines = all_lines;         ///< of `to` that are computed
  GridSpan coarse_lines = all_lines;  ///< of `coarse`, that coincide with some of those

  bool from_zero() const { return x.values == nullptr && c.values == nullptr; }
  /// What is computed of x_stage for so many lines or cells of `to` and `coarse`: these, and what the next stage
  /// reads. The last stage is the residual.
  GridSpan span_of(int stage, const GridSpan& of_to, const GridSpan& of_coarse,
                   const GridDirection<Scalar>& direction) const {
    const int count = direction.count;
    GridSpan residual = of_coarse;
    if (direction.halves && !of_coarse.empty()) {
      residual = {2 * of_coarse.begin, std::min(2 * of_coarse.end + 1, count)};
    }
    if (stage > steps) return residual;
    const GridSpan steps_behind = of_to.widened(steps - stage, count);
    return residual.empty() ? steps_behind
                            : steps_behind.with(residual.widened(steps + 1 - stage, count));
  }
};

/// Lines beside its own that a rank needs of each field, where it smooths as many lines more of `to` as there are
/// steps: those of x_0.
constexpr int num_ghosts(int steps) { return std::max(steps + 2, 2 * steps); }

}  // namespace Lamina::Impl
