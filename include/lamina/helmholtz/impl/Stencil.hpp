// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/impl/Access.hpp>
#include <lamina/helmholtz/impl/HelmholtzData.hpp>

namespace Lamina::Impl {

/// (A x) from the value of a cell (or of lanes of cells), its neighbours in the column, and the
/// flux from the neighbouring columns, sum_n alpha_n (x_n - x) - alpha_b x.
template <class Value, class Area, class Level>
KOKKOS_FORCEINLINE_FUNCTION Value stencil_image(const Area& area, const Level& mass,
                                                const Level& above, const Level& below,
                                                const Level& scale, const Value& x,
                                                const Value& x_above, const Value& x_below,
                                                const Value& flux) {
  return scale * (area * (mass * x + above * (x_above - x) + below * (x_below - x)) + flux);
}

// What is done with a cell's value and image. `sink(column, level, x, image)` returns what the
// sweep sums up; `prefetch(column, level, ahead)` asks for what it will touch `ahead` values later.

/// y = A x
template <class Scalar, class Layout, class Memory>
struct StoreImage {
  FieldView<Scalar, Layout, Memory> y;

  template <class Value, class Sum>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(std::int64_t column, int level, const Value&,
                                              const Value& image, Sum&) const {
    write(y, column, level, image);
  }
  void prefetch(std::int64_t column, int level, std::int64_t ahead) const {
    __builtin_prefetch(&y(column, level) + ahead, 1);
  }
};

/// r = b - A x
template <class Scalar, class Layout, class Memory>
struct StoreResidual {
  FieldView<const Scalar, Layout, Memory> b;
  FieldView<Scalar, Layout, Memory> r;

  template <class Value, class Sum>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(std::int64_t column, int level, const Value&,
                                              const Value& image, Sum&) const {
    write(r, column, level, read<Value>(b, column, level) - image);
  }
  void prefetch(std::int64_t column, int level, std::int64_t ahead) const {
    __builtin_prefetch(&b(column, level) + ahead);
    __builtin_prefetch(&r(column, level) + ahead, 1);
  }
};

/// u += alpha p;  p = z + beta p;  q = A z + beta q;  sums <p, q>
template <class Scalar, class Layout, class Memory>
struct AdvanceDirection {
  FieldView<Scalar, Layout, Memory> u, p, q;
  Scalar alpha, beta;

  template <class Value, class Sum>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(std::int64_t column, int level, const Value& z,
                                              const Value& image, Sum& sum) const {
    const Value old = read<Value>(p, column, level);
    write(u, column, level, read<Value>(u, column, level) + alpha * old);
    const Value direction = z + beta * old;
    const Value direction_image = image + beta * read<Value>(q, column, level);
    write(p, column, level, direction);
    write(q, column, level, direction_image);
    add_product<Scalar>(sum, direction, direction_image);
  }
  void prefetch(std::int64_t column, int level, std::int64_t ahead) const {
    __builtin_prefetch(&u(column, level) + ahead, 1);
    __builtin_prefetch(&p(column, level) + ahead, 1);
    __builtin_prefetch(&q(column, level) + ahead, 1);
  }
};

}  // namespace Lamina::Impl
