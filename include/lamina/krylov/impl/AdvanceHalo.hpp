// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/device/impl/RangeOf.hpp>
#include <lamina/krylov/FusedStep.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace Lamina::Impl {

/// p' = z + beta p, in cells or in rows of contiguous cells.
template <class In, class Out>
struct AdvanceHalo {
  using Iteration = typename FusedStep<typename Out::memory_space>::Iteration;
  using Scalar = typename Out::value_type;
  static constexpr bool rows_are_columns = levels_contiguous<typename Out::array_layout>;
  FusedStep<typename Out::memory_space> step;
  In z, p;
  Out new_p;

  KOKKOS_FORCEINLINE_FUNCTION void take(const Iteration& iteration, std::int64_t column,
                                        std::int64_t level) const {
    new_p(column, level) =
        z(column, level) + static_cast<Scalar>(iteration.beta) * p(column, level);
  }
  KOKKOS_FUNCTION void operator()(std::int64_t column, std::int64_t level) const {
    const auto iteration = step.iteration();
    if (iteration.proceed) take(iteration, column, level);
  }
  KOKKOS_FUNCTION void operator()(std::int64_t row) const {
    const auto iteration = step.iteration();
    if (!iteration.proceed) return;
    const auto length = static_cast<std::int64_t>(new_p.extent(rows_are_columns ? 1 : 0));
    for (std::int64_t i = 0; i < length; ++i) {
      if constexpr (rows_are_columns) {
        take(iteration, row, i);
      } else {
        take(iteration, i, row);
      }
    }
  }
};

/// p' = z + beta p in columns that another rank owns. Nothing unless the iteration proceeds.
/// traffic: reads 2n, writes n, of halo columns
template <class Space, class In, class Out>
void advance_halo(const char* label, const Space& space,
                  const FusedStep<typename Out::memory_space>& step, const In& z, const In& p,
                  const Out& new_p) {
  using Kernel = AdvanceHalo<In, Out>;
  const auto columns = static_cast<std::int64_t>(new_p.extent(0)),
             levels = static_cast<std::int64_t>(new_p.extent(1));
  if constexpr (runs_on_host<Space>) {
    const std::int64_t rows = Kernel::rows_are_columns ? columns : levels;
    Kokkos::parallel_for(label, range_of(space, rows), Kernel{step, z, p, new_p});
  } else {
    constexpr auto order =
        Kernel::rows_are_columns ? Kokkos::Iterate::Right : Kokkos::Iterate::Left;
    using Policy = Kokkos::MDRangePolicy<Space, Kokkos::Rank<2, order, order>,
                                         Kokkos::IndexType<std::int64_t>>;
    Kokkos::parallel_for(label, Policy(space, {0, 0}, {columns, levels}),
                         Kernel{step, z, p, new_p});
  }
}

}  // namespace Lamina::Impl
