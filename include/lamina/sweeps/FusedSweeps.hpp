// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/krylov/FusedStep.hpp>
#include <lamina/sweeps/Sinks.hpp>
#include <lamina/sweeps/Sources.hpp>

#include <cmath>

namespace Lamina {

/// \file
/// Sweeps: one pass over all cells, whose source and sink are made when its kernel runs, so that it
/// can read scalars of a solve that are born on the device. A user's sweep has the same members:
///
///   using array_layout = ...;          // of its fields
///   auto with_fields(visit) const;     // visit(field, ...) of all its fields
///   double* sums() const;              // where the sums of its sink go, in `memory_space`; unless none
///   SweepPass<Source, Sink> begin(bool leader) const;   // a `KOKKOS_FUNCTION`
///
/// `begin` is called by each thread; one of all of them is the leader and may report to memory. These
/// are the sweeps of conjugate gradients: rows and scalars are those of `FusedStep`.

/// What a sweep does, or that it does nothing.
template <class Source, class Sink>
struct SweepPass {
  using source_type = Source;
  using sink_type = Sink;
  bool active;
  Source source;
  Sink sink;
};

/// y = A x
template <class Scalar, class Layout, class Memory>
struct ApplySweep {
  using array_layout = Layout;
  using In = FieldView<const Scalar, Layout, Memory>;
  using Out = FieldView<Scalar, Layout, Memory>;
  In x;
  Out y;

  template <class Visit>
  auto with_fields(const Visit& visit) const {
    return visit(x, y);
  }
  KOKKOS_FORCEINLINE_FUNCTION auto begin(bool) const {
    return SweepPass<FieldSource<In>, StoreImage<Out>>{true, {x}, {y}};
  }
};

/// r = b - A x;  row n: <r, r>
template <class Scalar, class Layout, class Memory>
struct ResidualSweep {
  using array_layout = Layout;
  using In = FieldView<const Scalar, Layout, Memory>;
  using Out = FieldView<Scalar, Layout, Memory>;
  FusedStep<Memory> step;
  In b, x;
  Out r;

  double* sums() const { return step.now + FusedStep<Memory>::residual2; }

  template <class Visit>
  auto with_fields(const Visit& visit) const {
    return visit(b, x, r);
  }
  KOKKOS_FORCEINLINE_FUNCTION auto begin(bool) const {
    return SweepPass<FieldSource<In>, StoreResidual<In, Out>>{true, {x}, {b, r}};
  }
};

/// Row n: <z, A z>; 0 unless the solve continues.
template <class Scalar, class Layout, class Memory>
struct MeasureSweep {
  using array_layout = Layout;
  using In = FieldView<const Scalar, Layout, Memory>;
  FusedStep<Memory> step;
  In z;

  double* sums() const { return step.now + FusedStep<Memory>::line_curvature; }
  template <class Visit>
  auto with_fields(const Visit& visit) const {
    return visit(z);
  }
  /// What `unit` is found from: the energy <z, r>, which is <z, M z>. Over several ranks it is that of
  /// this rank, and may be 0 where columns of other ranks are not: it is then no less than a small
  /// part of the residual of all ranks, so that their squares do not overflow.
  KOKKOS_FORCEINLINE_FUNCTION double energy() const {
    constexpr double small = 1e-20;
    const double own = step.now[FusedStep<Memory>::energy];
    if (step.complete == nullptr) return own;
    return ::fmax(own, small * step.complete[FusedStep<Memory>::residual2]);
  }
  /// A power of two that makes squares of z neither vanish nor overflow: with it the energy is about
  /// 1.
  KOKKOS_FORCEINLINE_FUNCTION static Scalar unit(double energy) {
    constexpr int most = sizeof(Scalar) == sizeof(double) ? 500 : 120;
    int exponent = 0;
    ::frexp(energy, &exponent);
    exponent = -exponent / 2;
    if (exponent > most) exponent = most;
    if (exponent < -most) exponent = -most;
    return static_cast<Scalar>(::ldexp(1.0, exponent));
  }
  KOKKOS_FORCEINLINE_FUNCTION auto begin(bool) const {
    return SweepPass<FieldSource<In>, MeasureCurvature<Scalar>>{step.measures(), {z}, {}};
  }
};

/// p' = z + beta p;  r -= alpha A p';  row n + 1: <r, r>;  row n: <p', A p'>;  with `Update` also
/// u += alpha_before p + alpha p'. Nothing unless the iteration proceeds.
template <class Scalar, class Layout, class Memory, bool Update>
struct AdvanceSweep {
  using array_layout = Layout;
  using In = FieldView<const Scalar, Layout, Memory>;
  using Out = FieldView<Scalar, Layout, Memory>;
  FusedStep<Memory> step;
  In z, p;
  Out new_p, r, u;

  double* sums() const { return step.next + FusedStep<Memory>::residual2; }
  template <class Visit>
  auto with_fields(const Visit& visit) const {
    return visit(z, p, new_p, r, u);
  }
  KOKKOS_FORCEINLINE_FUNCTION auto begin(bool leader) const {
    const auto iteration = step.iteration();
    // Nobody reads this entry before the next kernel.
    if (leader) step.now[FusedStep<Memory>::curvature] = iteration.curvature;
    return pass(iteration);
  }
  KOKKOS_FORCEINLINE_FUNCTION auto pass(
      const typename FusedStep<Memory>::Iteration& iteration) const {
    return SweepPass<DirectionSource<In>, AdvanceResidual<In, Out, Update>>{
        iteration.proceed,
        {z, p, static_cast<Scalar>(iteration.beta)},
        {p, new_p, r, u, static_cast<Scalar>(iteration.alpha),
         static_cast<Scalar>(iteration.alpha_before)}};
  }
};

/// The second sweep of `FusedPcgStored`: u += alpha p;  p = z + beta p;  q = A z + beta q;  row n:
/// <p, q>.
template <class Scalar, class Layout, class Memory>
struct AdvanceStoredSweep {
  using array_layout = Layout;
  using In = FieldView<const Scalar, Layout, Memory>;
  using Out = FieldView<Scalar, Layout, Memory>;
  FusedStep<Memory> step;
  In z;
  Out u, p, q;

  double* sums() const { return step.now + FusedStep<Memory>::curvature; }
  template <class Visit>
  auto with_fields(const Visit& visit) const {
    return visit(z, u, p, q);
  }
  KOKKOS_FORCEINLINE_FUNCTION auto begin(bool) const {
    const auto direction = step.direction_step();
    return SweepPass<FieldSource<In>, AdvanceStored<Out>>{
        direction.proceed,
        {z},
        {u, p, q, static_cast<Scalar>(direction.alpha), static_cast<Scalar>(direction.beta)}};
  }
};

}  // namespace Lamina
