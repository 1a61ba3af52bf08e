// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/device/impl/HostWork.hpp>
#include <lamina/sweeps/impl/LevelRows.hpp>

#include <cstdint>

namespace Lamina {

/// \file
/// Sinks: what a sweep does with the value x of a cell and its image A x. A user's sink has the same
/// members:
///
///   static constexpr int num_sums;    // 0, 1 or 2 sums over all cells
///   static constexpr bool stores;     // it writes to a field
///   template <class Columns, class Value, class Sums>
///   void operator()(const Columns& columns, int level, const Value& x, const Value& image,
///                   Sums& sums) const;
///   void prefetch(std::int64_t column, int level, std::int64_t ahead) const;
///   auto from(int level) const;       // optional, as of a source
///
/// `columns`, `Value` and `prefetch` are those of the source. `add_product<Scalar>(sums[n], a, b)` adds
/// to a sum. A sink may write to the cell that it is called for, of any field but those of the source.

/// y = A x
template <class Out>
struct StoreImage {
  static constexpr int num_sums = 0;
  static constexpr bool stores = true;
  Out y;

  template <class Columns, class Value, class Sums>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const Columns& columns, int level, const Value&,
                                              const Value& image, Sums&) const {
    Impl::write(y, columns, level, image);
  }
  KOKKOS_FORCEINLINE_FUNCTION void prefetch(std::int64_t column, int level,
                                            std::int64_t ahead) const {
    Impl::prefetch_written_line(&y(column, level) + ahead);
  }
  KOKKOS_FORCEINLINE_FUNCTION StoreImage<Impl::RowsOf<Out>> from(int level) const {
    return {{y, level}};
  }
};

/// r = b - A x;  sums <r, r>
template <class In, class Out>
struct StoreResidual {
  static constexpr int num_sums = 1;
  static constexpr bool stores = true;
  In b;
  Out r;

  template <class Columns, class Value, class Sums>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const Columns& columns, int level, const Value&,
                                              const Value& image, Sums& sums) const {
    const Value residual = Impl::read<Value>(b, columns, level) - image;
    Impl::write(r, columns, level, residual);
    Impl::add_product<Impl::ScalarOf<In>>(sums[0], residual, residual);
  }
  KOKKOS_FORCEINLINE_FUNCTION void prefetch(std::int64_t column, int level,
                                            std::int64_t ahead) const {
    Impl::prefetch_line(&b(column, level) + ahead);
    Impl::prefetch_written_line(&r(column, level) + ahead);
  }
  KOKKOS_FORCEINLINE_FUNCTION StoreResidual<Impl::RowsOf<In>, Impl::RowsOf<Out>> from(
      int level) const {
    return {{b, level}, {r, level}};
  }
};

/// sums <x, A x>
template <class Scalar>
struct MeasureCurvature {
  static constexpr int num_sums = 1;
  static constexpr bool stores = false;
  template <class Columns, class Value, class Sums>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const Columns&, int, const Value& x,
                                              const Value& image, Sums& sums) const {
    Impl::add_product<Scalar>(sums[0], x, image);
  }
  KOKKOS_FORCEINLINE_FUNCTION void prefetch(std::int64_t, int, std::int64_t) const {}
  KOKKOS_FORCEINLINE_FUNCTION MeasureCurvature from(int) const { return {}; }
};

/// Stores x as the new direction;  r -= alpha A x;  sums <r, r>.
/// With `Update` also u += alpha_before p + alpha x, p being the direction before.
template <class In, class Out, bool Update>
struct AdvanceResidual {
  static constexpr int num_sums = 1;
  static constexpr bool stores = true;
  In p;
  Out new_p, r, u;
  Impl::ScalarOf<In> alpha, alpha_before;

  template <class Columns, class Value, class Sums>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const Columns& columns, int level, const Value& x,
                                              const Value& image, Sums& sums) const {
    const Value residual = Impl::read<Value>(r, columns, level) - alpha * image;
    if constexpr (Update) {
      const Value step = alpha_before * Impl::read<Value>(p, columns, level) + alpha * x;
      Impl::write(u, columns, level, Impl::read<Value>(u, columns, level) + step);
    }
    Impl::write(r, columns, level, residual);
    Impl::write(new_p, columns, level, x);
    Impl::add_product<Impl::ScalarOf<In>>(sums[0], residual, residual);
  }
  KOKKOS_FORCEINLINE_FUNCTION void prefetch(std::int64_t column, int level,
                                            std::int64_t ahead) const {
    Impl::prefetch_line(&r(column, level) + ahead);
    Impl::prefetch_written_line(&new_p(column, level) + ahead);
    if constexpr (Update) Impl::prefetch_line(&u(column, level) + ahead);
  }
  KOKKOS_FORCEINLINE_FUNCTION auto from(int level) const {
    using Scalar = Impl::ScalarOf<In>;
    using Rows =
        AdvanceResidual<Impl::SinkRowsOf<In, Scalar>, Impl::SinkRowsOf<Out, Scalar>, Update>;
    return Rows{{p, level}, {new_p, level}, {r, level}, {u, level}, alpha, alpha_before};
  }
};

/// u += alpha p;  p = x + beta p;  q = A x + beta q;  sums <p, q>
template <class Out>
struct AdvanceStored {
  static constexpr int num_sums = 1;
  static constexpr bool stores = true;
  Out u, p, q;
  Impl::ScalarOf<Out> alpha, beta;

  template <class Columns, class Value, class Sums>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const Columns& columns, int level, const Value& x,
                                              const Value& image, Sums& sums) const {
    const Value old = Impl::read<Value>(p, columns, level);
    const Value direction = x + beta * old;
    const Value direction_image = image + beta * Impl::read<Value>(q, columns, level);
    Impl::write(u, columns, level, Impl::read<Value>(u, columns, level) + alpha * old);
    Impl::write(p, columns, level, direction);
    Impl::write(q, columns, level, direction_image);
    Impl::add_product<Impl::ScalarOf<Out>>(sums[0], direction, direction_image);
  }
  KOKKOS_FORCEINLINE_FUNCTION void prefetch(std::int64_t column, int level,
                                            std::int64_t ahead) const {
    Impl::prefetch_line(&u(column, level) + ahead);
    Impl::prefetch_line(&p(column, level) + ahead);
    Impl::prefetch_line(&q(column, level) + ahead);
  }
  KOKKOS_FORCEINLINE_FUNCTION AdvanceStored<Impl::RowsOf<Out>> from(int level) const {
    return {{u, level}, {p, level}, {q, level}, alpha, beta};
  }
};

}  // namespace Lamina
