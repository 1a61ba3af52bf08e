// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Sinks and sweeps for fields of two precisions.

#include <lamina/device/impl/MixedAccess.hpp>
#include <lamina/sweeps/FusedSweeps.hpp>

namespace Lamina::Impl {

/// r = factor (b - A x), rounded;  sums <r, r>
template <class In, class Out>
struct StoreRoundedResidual {
  static constexpr int num_sums = 1;
  static constexpr bool stores = true;
  In b;
  Out r;
  double factor;

  template <class Value, class Sums>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(std::int64_t column, int level, const Value&,
                                              const Value& image, Sums& sums) const {
    const Value residual = factor * (read<Value>(b, column, level) - image);
    write_rounded(r, column, level, residual);
    add_product<double>(sums[0], residual, residual);
  }
  KOKKOS_FORCEINLINE_FUNCTION void prefetch(std::int64_t column, int level,
                                            std::int64_t ahead) const {
    prefetch_line(&b(column, level) + ahead);
    prefetch_written_line(&r(column, level) + ahead);
  }
  KOKKOS_FORCEINLINE_FUNCTION StoreRoundedResidual<RowsOf<In>, RowsOf<Out>> from(int level) const {
    return {{b, level}, {r, level}, factor};
  }
};

/// `AdvanceResidual`, and u += step_before p + step x in double precision.
template <class In, class Out, class Solution>
struct AdvanceAndUpdate {
  static constexpr int num_sums = 1;
  static constexpr bool stores = true;
  AdvanceResidual<In, Out, false> advance;
  Solution u;
  double step, step_before;

  template <class Value, class Sums>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(std::int64_t column, int level, const Value& x,
                                              const Value& image, Sums& sums) const {
    add_in_double(u, column, level, step_before, read<Value>(advance.p, column, level), step, x);
    advance(column, level, x, image, sums);
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

/// r = factor (b - A x), rounded to single precision;  row n: <r, r>
template <class Layout, class Memory>
struct RoundedResidualSweep {
  using array_layout = Layout;
  using In = FieldView<const double, Layout, Memory>;
  using Out = FieldView<float, Layout, Memory>;
  FusedStep<Memory> step;
  double factor;
  In b, x;
  Out r;

  double* sums() const { return step.now + FusedStep<Memory>::residual2; }
  template <class Visit>
  auto with_fields(const Visit& visit) const {
    return visit(b, x, r);
  }
  KOKKOS_FUNCTION auto begin(bool) const {
    return SweepPass<FieldSource<In>, StoreRoundedResidual<In, Out>>{true, {x}, {b, r, factor}};
  }
};

/// `AdvanceSweep` in single precision, which updates a solution in double precision each time.
template <class Layout, class Memory>
struct AdvanceAndUpdateSweep {
  using array_layout = Layout;
  using In = FieldView<const float, Layout, Memory>;
  using Out = FieldView<float, Layout, Memory>;
  using Solution = FieldView<double, Layout, Memory>;
  FusedStep<Memory> step;
  double unscale;
  In z, p;
  Out new_p, r;
  Solution u;

  double* sums() const { return step.next + FusedStep<Memory>::residual2; }
  template <class Visit>
  auto with_fields(const Visit& visit) const {
    return visit(z, p, new_p, r, u);
  }
  KOKKOS_FUNCTION auto begin(bool leader) const {
    const auto iteration = step.iteration();
    // Nobody reads this entry before the next kernel.
    if (leader) step.now[FusedStep<Memory>::curvature] = iteration.curvature;
    // The solution moves by what the residual was, or is, updated with.
    const auto alpha = static_cast<float>(iteration.alpha);
    const auto alpha_before = static_cast<float>(iteration.alpha_before);
    return SweepPass<DirectionSource<In>, AdvanceAndUpdate<In, Out, Solution>>{
        iteration.proceed,
        {z, p, static_cast<float>(iteration.beta)},
        {{p, new_p, r, r, alpha, alpha_before},
         u,
         unscale * static_cast<double>(alpha),
         unscale * static_cast<double>(alpha_before)}};
  }
};

}  // namespace Lamina::Impl
