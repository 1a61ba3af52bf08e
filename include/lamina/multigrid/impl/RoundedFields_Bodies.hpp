// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/impl/ExtentOf.hpp>
#include <lamina/device/impl/HostWork.hpp>
#include <lamina/device/impl/RangeOf.hpp>
#include <lamina/grids/impl/Tuning.hpp>
#include <lamina/multigrid/impl/RoundedFields.hpp>

#include <cstdint>

namespace Lamina::Impl {

/// to(column, level) = from(column, level) in the precision of `to`.
template <class From, class To, class Memory>
struct ConvertCell {
  CycleGuard<Memory> guard;
  From from;
  To to;

  KOKKOS_FUNCTION void operator()(std::int64_t column, std::int64_t level) const {
    if (guard.active())
      to(column, level) = static_cast<typename To::value_type>(from(column, level));
  }
};

/// to = from in the precision of `to`.
template <class Space, class From, class To, class Memory>
void convert_field(const char* label, const Space& space, const CycleGuard<Memory>& guard,
                   const From& from, const To& to) {
  const auto num_columns = static_cast<std::int64_t>(to.extent(0)),
             num_levels = static_cast<std::int64_t>(to.extent(1));
  if constexpr (runs_on_host<Space>) {
    using Scalar = typename To::value_type;
    // The contiguous index inside.
    constexpr bool by_column = levels_contiguous<typename To::array_layout>;
    const std::int64_t lines = by_column ? num_columns : num_levels,
                       length = by_column ? num_levels : num_columns;
    const int workers = static_cast<int>(space.concurrency());
    Kokkos::parallel_for(label, range_of(space, workers), [=](int worker) {
      if (!guard.active()) return;
      const WorkRange share = share_of(worker, workers, lines);
      for (std::int64_t line = share.begin; line < share.end; ++line) {
        const auto* const source = by_column ? &from(line, 0) : &from(0, line);
        auto* const target = by_column ? &to(line, 0) : &to(0, line);
        for (std::int64_t i = 0; i < length; ++i) target[i] = static_cast<Scalar>(source[i]);
      }
    });
  } else {
    using Order = Kokkos::Rank<2, Kokkos::Iterate::Left, Kokkos::Iterate::Left>;
    using Policy = Kokkos::MDRangePolicy<Space, Order, Kokkos::IndexType<std::int64_t>>;
    const Policy policy(space, {0, 0}, {num_columns, num_levels},
                        {ColumnOrderTuning::tile_columns, ColumnOrderTuning::tile_levels});
    Kokkos::parallel_for(label, policy, ConvertCell<From, To, Memory>{guard, from, to});
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
