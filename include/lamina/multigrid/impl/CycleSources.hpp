// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/multigrid/impl/TransferTables.hpp>
#include <lamina/sweeps/Sources.hpp>

#include <cstdint>

namespace Lamina::Impl {

/// x + P c of single columns, as the source of a sweep: several levels of a column at once at most.
template <class In, class Scalar, class Memory>
struct ProlongedSource {
  In x, c;
  Prolongation<Scalar, Memory> prolongation;

  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value value(std::int64_t column, int level) const {
    Value sum = read<Value>(x, column, level);
    for (int n = 0; n < Prolongation<Scalar, Memory>::slots; ++n) {
      sum = sum + prolongation.weights(column, n) *
                      read<Value>(c, prolongation.columns(column, n), level);
    }
    return sum;
  }
  KOKKOS_FORCEINLINE_FUNCTION void prefetch(std::int64_t column, int level,
                                            std::int64_t ahead) const {
    prefetch_line(&x(column, level) + ahead);
  }
  KOKKOS_FORCEINLINE_FUNCTION ProlongedSource<RowsOf<In>, Scalar, Memory> from(int level) const {
    return {{x, level}, {c, level}, prolongation};
  }
};

}  // namespace Lamina::Impl
