// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Sinks and sweeps of the stencil for fields of two precisions.

#include <lamina/device/impl/MixedAccess.hpp>
#include <lamina/helmholtz/impl/Stencil.hpp>

namespace Lamina::Impl {

/// r = factor (b - A x), rounded;  sums <r, r>
template <class In, class Out>
struct StoreRoundedResidual {
  In b;
  Out r;
  double factor;

  template <class Value, class Sum>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(std::int64_t column, int level, const Value&,
                                              const Value& image, Sum& sum) const {
    const Value residual = factor * (read<Value>(b, column, level) - image);
    write_rounded(r, column, level, residual);
    add_product<double>(sum, residual, residual);
  }
  KOKKOS_FORCEINLINE_FUNCTION void prefetch(std::int64_t column, int level,
                                            std::int64_t ahead) const {
    prefetch_line(&b(column, level) + ahead);
    prefetch_line(&r(column, level) + ahead);
  }
  KOKKOS_FORCEINLINE_FUNCTION StoreRoundedResidual<RowsOf<In>, RowsOf<Out>> from(int level) const {
    return {{b, level}, {r, level}, factor};
  }
};

/// `AdvanceResidual`, and u += step_before p + step x in double precision.
template <class In, class Out, class Solution>
struct AdvanceAndUpdate {
  AdvanceResidual<In, Out, false> advance;
  Solution u;
  double step, step_before;

  template <class Value, class Sum>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(std::int64_t column, int level, const Value& x,
                                              const Value& image, Sum& sum) const {
    add_in_double(u, column, level, step_before, read<Value>(advance.p, column, level), step, x);
    advance(column, level, x, image, sum);
  }
  KOKKOS_FORCEINLINE_FUNCTION void prefetch(std::int64_t column, int level,
                                            std::int64_t ahead) const {
    constexpr std::int64_t line = 64 / sizeof(double);  // a line of floats is two of doubles
    advance.prefetch(column, level, ahead);
    prefetch_line(&u(column, level) + ahead);
    prefetch_line(&u(column, level) + ahead + line);
  }
  KOKKOS_FORCEINLINE_FUNCTION auto from(int level) const {
    using Rows = AdvanceAndUpdate<SinkRowsOf<In, float>, SinkRowsOf<Out, float>,
                                  SinkRowsOf<Solution, float>>;
    return Rows{advance.from(level), {u, level}, step, step_before};
  }
};

template <class Layout, class Memory>
struct RoundedResidualSweep {
  static constexpr bool has_sum = true, stores = true;
  using In = FieldView<const double, Layout, Memory>;
  using Out = FieldView<float, Layout, Memory>;
  double factor;
  In b, x;
  Out r;

  std::int64_t level_stride() const { return longest_stride(b, x, r); }

  KOKKOS_FUNCTION auto begin(bool) const {
    return StencilPass<FieldSource<In>, StoreRoundedResidual<In, Out>>{true, {x}, {b, r, factor}};
  }
};

template <class Layout, class Memory>
struct AdvanceAndUpdateSweep {
  static constexpr bool has_sum = true, stores = true;
  using In = FieldView<const float, Layout, Memory>;
  using Out = FieldView<float, Layout, Memory>;
  using Solution = FieldView<double, Layout, Memory>;
  FusedStep<Memory> step;
  double unscale;
  In z, p;
  Out new_p, r;
  Solution u;

  std::int64_t level_stride() const { return longest_stride(z, p, new_p, r, u); }

  KOKKOS_FUNCTION auto begin(bool leader) const {
    const auto iteration = step.iteration();
    // Nobody reads this entry before the next kernel.
    if (leader) step.now[FusedStep<Memory>::curvature] = iteration.curvature;
    // The solution moves by what the residual was, or is, updated with.
    const auto alpha = static_cast<float>(iteration.alpha);
    const auto alpha_before = static_cast<float>(iteration.alpha_before);
    return StencilPass<DirectionSource<In>, AdvanceAndUpdate<In, Out, Solution>>{
        iteration.proceed,
        {z, p, static_cast<float>(iteration.beta)},
        {{p, new_p, r, r, alpha, alpha_before},
         u,
         unscale * static_cast<double>(alpha),
         unscale * static_cast<double>(alpha_before)}};
  }
};

}  // namespace Lamina::Impl
