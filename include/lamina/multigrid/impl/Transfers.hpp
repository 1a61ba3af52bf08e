// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Restriction and prolongation. Both gather: each cell is written by one thread, which adds in a
// fixed order.

#include <lamina/core/Concepts.hpp>
#include <lamina/device/impl/HostWork.hpp>
#include <lamina/device/impl/RangeOf.hpp>
#include <lamina/multigrid/impl/CycleLevel.hpp>

#include <algorithm>
#include <cstdint>

namespace Lamina::Impl {

/// f = P^T r
template <class Scalar, class Layout, class Memory>
struct RestrictColumns {
  CycleGuard<Memory> guard;
  TransferTables<Scalar, Memory> transfer;
  FieldView<const Scalar, Layout, Memory> r;
  FieldView<Scalar, Layout, Memory> f;

  KOKKOS_FUNCTION int num_columns() const { return transfer.num_coarse(); }
  KOKKOS_FORCEINLINE_FUNCTION void cell(int column, int level) const {
    Scalar sum = 0;
    for (int n = transfer.begin(column); n < transfer.begin(column + 1); ++n) {
      sum += transfer.fine_weights(n) * r(transfer.fine_columns(n), level);
    }
    f(column, level) = sum;
  }
  /// A whole column, whose levels are contiguous.
  void column(int column, int num_levels) const {
    Scalar* const to = &f(column, 0);
    for (int k = 0; k < num_levels; ++k) to[k] = 0;
    for (int n = transfer.begin(column); n < transfer.begin(column + 1); ++n) {
      const Scalar weight = transfer.fine_weights(n);
      const Scalar* const from = &r(transfer.fine_columns(n), 0);
      for (int k = 0; k < num_levels; ++k) to[k] += weight * from[k];
    }
  }
};

/// x += P c
template <class Scalar, class Layout, class Memory>
struct ProlongColumns {
  CycleGuard<Memory> guard;
  TransferTables<Scalar, Memory> transfer;
  FieldView<const Scalar, Layout, Memory> c;
  FieldView<Scalar, Layout, Memory> x;

  KOKKOS_FUNCTION int num_columns() const { return transfer.num_fine(); }
  KOKKOS_FORCEINLINE_FUNCTION void cell(int column, int level) const {
    Scalar sum = 0;
    for (int n = 0; n < transfer.slots; ++n) {
      sum += transfer.weights(column, n) * c(transfer.columns(column, n), level);
    }
    x(column, level) += sum;
  }
  void column(int column, int num_levels) const {
    static_assert(TransferTables<Scalar, Memory>::slots == 3);
    const Scalar w0 = transfer.weights(column, 0), w1 = transfer.weights(column, 1),
                 w2 = transfer.weights(column, 2);
    const Scalar *const c0 = &c(transfer.columns(column, 0), 0),
                        *const c1 = &c(transfer.columns(column, 1), 0),
                        *const c2 = &c(transfer.columns(column, 2), 0);
    Scalar* const to = &x(column, 0);
    for (int k = 0; k < num_levels; ++k) to[k] += w0 * c0[k] + w1 * c1[k] + w2 * c2[k];
  }
};

/// Cells of columns on a device.
template <class Kernel>
struct TransferCells {
  Kernel kernel;
  KOKKOS_FUNCTION void operator()(std::int64_t column, std::int64_t level) const {
    if (kernel.guard.active()) kernel.cell(static_cast<int>(column), static_cast<int>(level));
  }
};

template <class Layout, class Space, class Kernel>
void run_transfer(const char* label, const Space& space, const Kernel& kernel, int num_levels) {
  const int num_columns = kernel.num_columns();
  if constexpr (runs_on_host<Space>) {
    const int workers = static_cast<int>(space.concurrency());
    Kokkos::parallel_for(label, range_of(space, workers), [=](int worker) {
      if (!kernel.guard.active()) return;
      const WorkRange share = share_of(worker, workers, num_columns);
      if constexpr (levels_contiguous<Layout>) {
        for (std::int64_t c = share.begin; c < share.end; ++c) {
          kernel.column(static_cast<int>(c), num_levels);
        }
      } else {
        // As the tiles of sweeps: long rows, whose tables stay in the second-level cache.
        constexpr std::int64_t tile = 1024;
        for (std::int64_t begin = share.begin; begin < share.end; begin += tile) {
          const std::int64_t end = std::min(begin + tile, share.end);
          for (int k = 0; k < num_levels; ++k) {
            for (std::int64_t c = begin; c < end; ++c) kernel.cell(static_cast<int>(c), k);
          }
        }
      }
    });
  } else {
    using Order =
        std::conditional_t<levels_contiguous<Layout>,
                           Kokkos::Rank<2, Kokkos::Iterate::Right, Kokkos::Iterate::Right>,
                           Kokkos::Rank<2, Kokkos::Iterate::Left, Kokkos::Iterate::Left>>;
    using Policy = Kokkos::MDRangePolicy<Space, Order, Kokkos::IndexType<std::int64_t>>;
    Kokkos::parallel_for(label, Policy(space, {0, 0}, {num_columns, num_levels}),
                         TransferCells<Kernel>{kernel});
  }
}

}  // namespace Lamina::Impl
