// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/core/impl/Access.hpp>
#include <lamina/core/impl/Instantiate.hpp>
#include <lamina/core/impl/TeamSums_Device.hpp>
#include <lamina/krylov/FusedStep.hpp>
#include <lamina/shallow_water/impl/GhostedField.hpp>

#include <cstdint>

namespace Lamina::Impl {

/// Values of a cell, or of several in a line, and of its neighbours.
template <class Value>
struct PeriodicCross {
  Value centre, west, east, south, north;
};

/// The operator of `PeriodicHelmholtz`.
template <class Scalar>
struct PeriodicStencil {
  int size;
  Scalar c_x, c_y;
  GhostedField<const Scalar> weight;  ///< without values where weights are 1

  /// A x
  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value image(const PeriodicCross<Value>& x) const {
    return x.centre + c_x * ((x.centre - x.west) + (x.centre - x.east)) +
           c_y * ((x.centre - x.south) + (x.centre - x.north));
  }
  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value image(const PeriodicCross<Value>& x,
                                          const PeriodicCross<Value>& w) const {
    const Scalar half(0.5);
    const Value along_x =
        (w.west + w.centre) * (x.centre - x.west) + (w.centre + w.east) * (x.centre - x.east);
    const Value along_y =
        (w.south + w.centre) * (x.centre - x.south) + (w.centre + w.north) * (x.centre - x.north);
    return x.centre + half * c_x * along_x + half * c_y * along_y;
  }
};

/// The kernels of `PeriodicHelmholtz`. All enqueue on `space`; n is the number of cells, weights
/// are read in addition.
template <class Space, class Scalar>
struct PeriodicHelmholtzKernels {
  using Memory = typename Space::memory_space;
  using Stencil = PeriodicStencil<Scalar>;
  using Input = GhostedField<const Scalar>;
  using Output = GhostedField<Scalar>;
  using Step = FusedStep<Memory>;
  using Parts = TeamParts<Memory>;

  /// u = 0;  r = b.
  // traffic: reads n, writes 2n; flops: 0
  static void start_at_zero(const Space& space, int size, const StridedCells<const Scalar>& b,
                            const Output& u, const Output& r);

  /// r -= A u.
  // traffic: reads 2n, writes n; flops: 10n
  static void subtract_image(const Space& space, const Stencil& stencil, const Input& u,
                             const Output& r);

  /// <r, r>, <r, A r>.
  // traffic: reads n; flops: 13n
  static void measure(const Space& space, const Stencil& stencil, const Step& step,
                      const Parts& parts, const Input& r);

  /// p' = r + beta p;  r' = r - alpha A p';  with `update` u += alpha_before p + alpha p'.
  // traffic: reads 2n, writes 2n, with `update` n each more; flops: 13n, with `update` 17n
  static void advance(const Space& space, const Stencil& stencil, const Step& step, bool update,
                      const Input& r, const Input& p, const Output& new_p, const Output& new_r,
                      const Output& u);

  /// x = u + alpha p.
  // traffic: reads 2n, writes n; flops: 2n
  static void finish(const Space& space, int size, Scalar alpha, const Input& p, const Input& u,
                     const StridedCells<Scalar>& x);
};

#define LAMINA_EXTERN_PERIODIC(Space)                            \
  extern template struct PeriodicHelmholtzKernels<Space, float>; \
  extern template struct PeriodicHelmholtzKernels<Space, double>;
LAMINA_FOR_EACH_SPACE(LAMINA_EXTERN_PERIODIC)
#undef LAMINA_EXTERN_PERIODIC

}  // namespace Lamina::Impl

#include <lamina/shallow_water/impl/PeriodicHelmholtzKernels_Impl.hpp>
