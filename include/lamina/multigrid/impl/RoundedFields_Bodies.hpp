// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/device/impl/HostWork.hpp>
#include <lamina/device/impl/RangeOf.hpp>
#include <lamina/grids/impl/Tuning.hpp>
#include <lamina/multigrid/impl/RoundedFields.hpp>

#include <cmath>
#include <cstdint>
#include <type_traits>

namespace Lamina::Impl {

/// Cells of fields, and the scale of a pass. Rounding multiplies by it, widening divides.
template <class From, class To, class Memory>
struct ConvertCells {
  using Scalar = typename To::value_type;
  static constexpr bool rounds = std::is_same_v<Scalar, float>;

  CycleGuard<Memory> guard;
  From from;
  To to;

  /// A power of two: products with it and with its inverse are exact.
  KOKKOS_FORCEINLINE_FUNCTION double factor() const {
    const auto& step = guard.step;
    const double* const row = step.complete == nullptr ? step.now : step.complete;
    const int exponent = ilogb(row[FusedStep<Memory>::residual2]) / 2;
    return ldexp(1.0, rounds ? -exponent : exponent);
  }
  /// <s r, s z> becomes <r, z>. By one thread.
  KOKKOS_FORCEINLINE_FUNCTION void finish(double factor) const {
    double& energy = guard.step.now[FusedStep<Memory>::energy];
    if constexpr (!rounds) energy = energy * factor * factor;
  }

  KOKKOS_FUNCTION void operator()(std::int64_t column, std::int64_t level) const {
    if (!guard.active()) return;
    const double by = factor();
    to(column, level) = static_cast<Scalar>(by * from(column, level));
    if (column == 0 && level == 0) finish(by);
  }
};

/// The same over the share of a worker of CPU cores, with the contiguous index inside.
template <class From, class To, class Memory>
void convert_share(const ConvertCells<From, To, Memory>& cells, int worker, int workers) {
  if (!cells.guard.active()) return;
  constexpr bool by_column = levels_contiguous<typename To::array_layout>;
  const From& from = cells.from;
  const To& to = cells.to;
  const auto num_columns = static_cast<std::int64_t>(to.extent(0)),
             num_levels = static_cast<std::int64_t>(to.extent(1));
  const std::int64_t lines = by_column ? num_columns : num_levels,
                     length = by_column ? num_levels : num_columns;
  const double by = cells.factor();
  const WorkRange share = share_of(worker, workers, lines);
  for (std::int64_t line = share.begin; line < share.end; ++line) {
    const auto* const source = by_column ? &from(line, 0) : &from(0, line);
    auto* const target = by_column ? &to(line, 0) : &to(0, line);
    for (std::int64_t i = 0; i < length; ++i) {
      target[i] = static_cast<typename To::value_type>(by * source[i]);
    }
  }
  if (worker == 0) cells.finish(by);
}

template <class Space, class From, class To, class Memory>
void convert_field(const char* label, const Space& space, const CycleGuard<Memory>& guard,
                   const From& from, const To& to) {
  const ConvertCells<From, To, Memory> cells{guard, from, to};
  if constexpr (runs_on_host<Space>) {
    const int workers = static_cast<int>(space.concurrency());
    Kokkos::parallel_for(label, range_of(space, workers),
                         [=](int worker) { convert_share(cells, worker, workers); });
  } else {
    constexpr bool by_column = levels_contiguous<typename To::array_layout>;
    constexpr auto along = by_column ? Kokkos::Iterate::Right : Kokkos::Iterate::Left;
    constexpr std::int64_t wide = ColumnOrderTuning::tile_columns,
                           narrow = ColumnOrderTuning::tile_levels;
    using Order = Kokkos::Rank<2, along, along>;
    const Kokkos::MDRangePolicy<Space, Order, Kokkos::IndexType<std::int64_t>> policy(
        space, {0, 0},
        {static_cast<std::int64_t>(to.extent(0)), static_cast<std::int64_t>(to.extent(1))},
        {by_column ? narrow : wide, by_column ? wide : narrow});
    Kokkos::parallel_for(label, policy, cells);
  }
}

template <class Space, class Layout>
void RoundedFields<Space, Layout>::round(const Space& space, const Guard& guard,
                                         const Input<double>& from, const Output<float>& to) {
  convert_field(round_label, space, guard, from, to);
}

template <class Space, class Layout>
void RoundedFields<Space, Layout>::widen(const Space& space, const Guard& guard,
                                         const Input<float>& from, const Output<double>& to) {
  convert_field(widen_label, space, guard, from, to);
}

}  // namespace Lamina::Impl
