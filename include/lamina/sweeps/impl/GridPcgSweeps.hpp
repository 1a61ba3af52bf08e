// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// The sweeps of FusedSweeps.hpp for models whose fields are `GridField`s: those of conjugate gradients with a
// preconditioner, which leave z apart from r.

#include <lamina/krylov/FusedStep.hpp>
#include <lamina/sweeps/FusedSweeps.hpp>
#include <lamina/sweeps/impl/GridSystem.hpp>

#include <cstdint>

namespace Lamina::Impl {

/// r = b - A x;  row n: <r, r>.
template <class Scalar, class Memory>
struct GridResidualSweep {
  using array_layout = Kokkos::LayoutLeft;
  using read_type = GridField<const Scalar>;
  FusedStep<Memory> step;
  read_type b, x;
  GridField<Scalar> r;

  double* sums() const { return step.now + FusedStep<Memory>::residual2; }
  KOKKOS_FORCEINLINE_FUNCTION auto begin(bool) const {
    return SweepPass<FieldSource<read_type>, StoreResidual<read_type, GridField<Scalar>>>{
        true, {x}, {b, r}};
  }
};

/// sums <x, x>
template <class Scalar>
struct SumCellSquares {
  static constexpr int num_sums = 1;
  static constexpr bool stores = false;

  template <class Value, class Sums>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(std::int64_t, int, const Value& x, const Value&,
                                              Sums& sums) const {
    add_product<Scalar>(sums[0], x, x);
  }
  KOKKOS_FORCEINLINE_FUNCTION void prefetch(std::int64_t, int, std::int64_t) const {}
};
/// Row n: <r, r>.
template <class Scalar, class Memory>
struct GridSquaresSweep {
  using array_layout = Kokkos::LayoutLeft;
  using read_type = GridField<const Scalar>;
  FusedStep<Memory> step;
  read_type r;

  double* sums() const { return step.now + FusedStep<Memory>::residual2; }
  KOKKOS_FORCEINLINE_FUNCTION auto begin(bool) const {
    return SweepPass<FieldSource<read_type>, SumCellSquares<Scalar>>{true, {r}, {}};
  }
};

/// Row n: <z, A z>; 0 unless the solve continues.
template <class Scalar, class Memory>
struct GridMeasureSweep {
  using array_layout = Kokkos::LayoutLeft;
  using read_type = GridField<const Scalar>;
  FusedStep<Memory> step;
  read_type z;

  double* sums() const { return step.now + FusedStep<Memory>::line_curvature; }
  KOKKOS_FORCEINLINE_FUNCTION auto begin(bool) const {
    return SweepPass<FieldSource<read_type>, MeasureCurvature<Scalar>>{step.measures(), {z}, {}};
  }
};

/// p' = z + beta p;  r -= alpha A p';  row n + 1: <r, r>;  row n: <p', A p'>;  with `Update` also
/// u += alpha_before p + alpha p'. Nothing unless the iteration proceeds.
template <class Scalar, class Memory, bool Update>
struct GridAdvanceSweep {
  using array_layout = Kokkos::LayoutLeft;
  using read_type = GridField<const Scalar>;
  using Out = GridField<Scalar>;
  FusedStep<Memory> step;
  read_type z, p;
  Out new_p, r, u;

  double* sums() const { return step.next + FusedStep<Memory>::residual2; }
  KOKKOS_FORCEINLINE_FUNCTION auto begin(bool leader) const {
    const auto it = step.iteration();
    // Nobody reads this entry before the next kernel.
    if (leader) step.now[FusedStep<Memory>::curvature] = it.curvature;
    return SweepPass<DirectionSource<read_type>, AdvanceResidual<read_type, Out, Update>>{
        it.proceed,
        {z, p, static_cast<Scalar>(it.beta)},
        {p, new_p, r, u, static_cast<Scalar>(it.alpha), static_cast<Scalar>(it.alpha_before)}};
  }
};

}  // namespace Lamina::Impl
