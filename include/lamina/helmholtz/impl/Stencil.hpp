// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/impl/Access.hpp>
#include <lamina/helmholtz/impl/HelmholtzData.hpp>
#include <lamina/krylov/FusedStep.hpp>

namespace Lamina::Impl {

/// (A x) from the value of a cell (or of several cells), its neighbours in the column, and the
/// flux from the neighbouring columns, sum_n alpha_n (x_n - x) - alpha_b x.
template <class Value, class Area, class Level>
KOKKOS_FORCEINLINE_FUNCTION Value stencil_image(const Area& area, const Level& mass,
                                                const Level& above, const Level& below,
                                                const Level& scale, const Value& x,
                                                const Value& x_above, const Value& x_below,
                                                const Value& flux) {
  return scale * (area * (mass * x + above * (x_above - x) + below * (x_below - x)) + flux);
}

// --- Sources: the field that the stencil is applied to ---

/// A field as it is.
template <class Scalar, class Layout, class Memory>
struct FieldSource {
  FieldView<const Scalar, Layout, Memory> x;

  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value value(std::int64_t column, int level) const {
    return read<Value>(x, column, level);
  }
  void prefetch(std::int64_t column, int level, std::int64_t ahead) const {
    __builtin_prefetch(&x(column, level) + ahead);
  }
};

/// z + beta p
template <class Scalar, class Layout, class Memory>
struct DirectionSource {
  FieldView<const Scalar, Layout, Memory> z, p;
  Scalar beta;

  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value value(std::int64_t column, int level) const {
    return read<Value>(z, column, level) + beta * read<Value>(p, column, level);
  }
  void prefetch(std::int64_t column, int level, std::int64_t ahead) const {
    __builtin_prefetch(&z(column, level) + ahead);
    __builtin_prefetch(&p(column, level) + ahead);
  }
};

// --- Sinks: what is done with a cell's value and image ---
// `sink(column, level, x, image, sum)` adds to what the sweep sums up; `prefetch(column, level,
// ahead)` asks for what it will touch `ahead` values later.

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

/// r = b - A x;  sums <r, r>
template <class Scalar, class Layout, class Memory>
struct StoreResidual {
  FieldView<const Scalar, Layout, Memory> b;
  FieldView<Scalar, Layout, Memory> r;

  template <class Value, class Sum>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(std::int64_t column, int level, const Value&,
                                              const Value& image, Sum& sum) const {
    const Value residual = read<Value>(b, column, level) - image;
    write(r, column, level, residual);
    add_product<Scalar>(sum, residual, residual);
  }
  void prefetch(std::int64_t column, int level, std::int64_t ahead) const {
    __builtin_prefetch(&b(column, level) + ahead);
    __builtin_prefetch(&r(column, level) + ahead, 1);
  }
};

/// sums <x, A x>
template <class Scalar, class Layout, class Memory>
struct MeasureCurvature {
  template <class Value, class Sum>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(std::int64_t, int, const Value& x, const Value& image,
                                              Sum& sum) const {
    add_product<Scalar>(sum, x, image);
  }
  void prefetch(std::int64_t, int, std::int64_t) const {}
};

/// Stores x as the new direction;  r -= alpha A x;  sums <r, r>.
/// With `Update` also u += alpha_before p + alpha x, p being the direction before.
template <class Scalar, class Layout, class Memory, bool Update>
struct AdvanceResidual {
  FieldView<const Scalar, Layout, Memory> p;
  FieldView<Scalar, Layout, Memory> new_p, r, u;
  Scalar alpha, alpha_before;

  template <class Value, class Sum>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(std::int64_t column, int level, const Value& x,
                                              const Value& image, Sum& sum) const {
    const Value residual = read<Value>(r, column, level) - alpha * image;
    if constexpr (Update) {
      const Value step = alpha_before * read<Value>(p, column, level) + alpha * x;
      write(u, column, level, read<Value>(u, column, level) + step);
    }
    write(r, column, level, residual);
    write(new_p, column, level, x);
    add_product<Scalar>(sum, residual, residual);
  }
  void prefetch(std::int64_t column, int level, std::int64_t ahead) const {
    __builtin_prefetch(&r(column, level) + ahead, 1);
    __builtin_prefetch(&new_p(column, level) + ahead, 1);
    if constexpr (Update) __builtin_prefetch(&u(column, level) + ahead, 1);
  }
};

/// u += alpha p;  p = x + beta p;  q = A x + beta q;  sums <p, q>
template <class Scalar, class Layout, class Memory>
struct AdvanceStored {
  FieldView<Scalar, Layout, Memory> u, p, q;
  Scalar alpha, beta;

  template <class Value, class Sum>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(std::int64_t column, int level, const Value& x,
                                              const Value& image, Sum& sum) const {
    const Value old = read<Value>(p, column, level);
    const Value direction = x + beta * old;
    const Value direction_image = image + beta * read<Value>(q, column, level);
    write(u, column, level, read<Value>(u, column, level) + alpha * old);
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

// --- Sweeps: source and sink, known when the kernel runs ---

/// What a sweep does, or that it does nothing.
template <class Source, class Sink>
struct StencilPass {
  using source_type = Source;
  using sink_type = Sink;
  bool active;
  Source source;
  Sink sink;
};

// `begin(leader)` looks at the scalars of the solve in device memory; one thread is the leader.
// `has_sum`: somebody asks for what the sink sums up.

template <class Scalar, class Layout, class Memory>
struct ApplySweep {
  static constexpr bool has_sum = false;
  FieldView<const Scalar, Layout, Memory> x;
  FieldView<Scalar, Layout, Memory> y;

  KOKKOS_FUNCTION auto begin(bool) const {
    return StencilPass<FieldSource<Scalar, Layout, Memory>, StoreImage<Scalar, Layout, Memory>>{
        true, {x}, {y}};
  }
};

template <class Scalar, class Layout, class Memory>
struct ResidualSweep {
  static constexpr bool has_sum = true;
  FieldView<const Scalar, Layout, Memory> b, x;
  FieldView<Scalar, Layout, Memory> r;

  KOKKOS_FUNCTION auto begin(bool) const {
    return StencilPass<FieldSource<Scalar, Layout, Memory>, StoreResidual<Scalar, Layout, Memory>>{
        true, {x}, {b, r}};
  }
};

template <class Scalar, class Layout, class Memory>
struct MeasureSweep {
  static constexpr bool has_sum = true;
  FusedStep<Memory> step;
  FieldView<const Scalar, Layout, Memory> z;

  KOKKOS_FUNCTION auto begin(bool) const {
    return StencilPass<FieldSource<Scalar, Layout, Memory>,
                       MeasureCurvature<Scalar, Layout, Memory>>{step.continues(step.now), {z}, {}};
  }
};

template <class Scalar, class Layout, class Memory, bool Update>
struct AdvanceSweep {
  static constexpr bool has_sum = true;
  FusedStep<Memory> step;
  FieldView<const Scalar, Layout, Memory> z, p;
  FieldView<Scalar, Layout, Memory> new_p, r, u;

  KOKKOS_FUNCTION auto begin(bool leader) const {
    const auto iteration = step.iteration();
    // Nobody reads this entry before the next kernel.
    if (leader) step.now[FusedStep<Memory>::curvature] = iteration.curvature;
    return StencilPass<DirectionSource<Scalar, Layout, Memory>,
                       AdvanceResidual<Scalar, Layout, Memory, Update>>{
        iteration.proceed,
        {z, p, static_cast<Scalar>(iteration.beta)},
        {p, new_p, r, u, static_cast<Scalar>(iteration.alpha),
         static_cast<Scalar>(iteration.alpha_before)}};
  }
};

template <class Scalar, class Layout, class Memory>
struct AdvanceStoredSweep {
  static constexpr bool has_sum = true;
  FusedStep<Memory> step;
  FieldView<const Scalar, Layout, Memory> z;
  FieldView<Scalar, Layout, Memory> u, p, q;

  KOKKOS_FUNCTION auto begin(bool) const {
    const auto direction = step.direction_step();
    return StencilPass<FieldSource<Scalar, Layout, Memory>, AdvanceStored<Scalar, Layout, Memory>>{
        direction.proceed,
        {z},
        {u, p, q, static_cast<Scalar>(direction.alpha), static_cast<Scalar>(direction.beta)}};
  }
};

}  // namespace Lamina::Impl
