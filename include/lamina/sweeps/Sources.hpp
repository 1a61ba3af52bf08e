// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/device/impl/HostWork.hpp>
#include <lamina/sweeps/impl/LevelRows.hpp>

#include <cstdint>

namespace Lamina {

/// \file
/// Sources: the field that a sweep applies its operator to. A user's source has the same members:
///
///   template <class Value, class Columns>
///   Value value(const Columns& columns, int level) const;   // of one cell, or of several at once
///   void prefetch(std::int64_t column, int level, std::int64_t ahead) const;
///   auto from(int level) const;    // optional: the same source, whose level 0 is this level
///
/// All of them are `KOKKOS_FUNCTION`s. `Value` is the scalar, or several scalars with the same
/// arithmetic (lanes of a vector on CPU cores, packs on a device); `read` brings them from a field.
/// `prefetch` asks for what lies `ahead` values behind a cell; it may do nothing. With
/// `from`, of both source and sink, a device computes addresses in 32 bits.

/// How sources and sinks reach fields and sums: the values of cells, and a b added in double precision,
///
///   read<Value>(field, columns, level)     write(field, columns, level, value)
///   add_product<Scalar>(sums[n], a, b)
using Impl::add_product;
using Impl::read;
using Impl::write;

/// x
template <class In>
struct FieldSource {
  In x;

  template <class Value, class Columns>
  KOKKOS_FORCEINLINE_FUNCTION Value value(const Columns& columns, int level) const {
    return Impl::read<Value>(x, columns, level);
  }
  KOKKOS_FORCEINLINE_FUNCTION void prefetch(std::int64_t column, int level,
                                            std::int64_t ahead) const {
    Impl::prefetch_line(&x(column, level) + ahead);
  }
  KOKKOS_FORCEINLINE_FUNCTION FieldSource<Impl::RowsOf<In>> from(int level) const {
    return {{x, level}};
  }
};

/// z + beta p, the new direction of conjugate gradients, stored nowhere.
template <class In>
struct DirectionSource {
  In z, p;
  Impl::ScalarOf<In> beta;

  template <class Value, class Columns>
  KOKKOS_FORCEINLINE_FUNCTION Value value(const Columns& columns, int level) const {
    return Impl::read<Value>(z, columns, level) + beta * Impl::read<Value>(p, columns, level);
  }
  KOKKOS_FORCEINLINE_FUNCTION void prefetch(std::int64_t column, int level,
                                            std::int64_t ahead) const {
    Impl::prefetch_line(&z(column, level) + ahead);
    Impl::prefetch_line(&p(column, level) + ahead);
  }
  KOKKOS_FORCEINLINE_FUNCTION DirectionSource<Impl::RowsOf<In>> from(int level) const {
    return {{z, level}, {p, level}, beta};
  }
};

}  // namespace Lamina
