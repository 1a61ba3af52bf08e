// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/device/impl/Access.hpp>
#include <lamina/device/impl/Instantiate.hpp>
#include <lamina/device/impl/TeamSums_Device.hpp>
#include <lamina/krylov/FusedStep.hpp>
#include <lamina/shallow_water/impl/GhostedField.hpp>
#include <lamina/sweeps/impl/CgSweeps.hpp>
#include <lamina/sweeps/impl/GridSystem.hpp>

#include <cstdint>

namespace Lamina::Impl {

/// The operator of `PeriodicHelmholtz`.
template <class Scalar>
struct PeriodicStencil {
  Rectangle rectangle;
  Scalar c_x, c_y;
  GridField<const Scalar> weight;  ///< without values where weights are 1

  /// A x
  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value image(const GridCross<Value>& x) const {
    return x.centre + c_x * ((x.centre - x.west) + (x.centre - x.east)) +
           c_y * ((x.centre - x.south) + (x.centre - x.north));
  }
  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value image(const GridCross<Value>& x,
                                          const GridCross<Value>& w) const {
    const Scalar half(0.5);
    const Value along_x =
        (w.west + w.centre) * (x.centre - x.west) + (w.centre + w.east) * (x.centre - x.east);
    const Value along_y =
        (w.south + w.centre) * (x.centre - x.south) + (w.centre + w.north) * (x.centre - x.north);
    return x.centre + half * c_x * along_x + half * c_y * along_y;
  }
};

/// The same with or without weights, as a `GridSystem` has it.
template <class Scalar, class Memory, bool Weighted>
struct PeriodicFivePoint : PeriodicStencil<Scalar> {
  using scalar_type = Scalar;
  using memory_space = Memory;
  static constexpr bool has_ghosts = true, is_weighted = Weighted, flushes_subnormals = true;
};

/// Of how many vectors a solution from a guess of zero is made after so many iterations.
inline int parts_of_solution(bool fixed_count, int iterations) {
  if (fixed_count) return iterations < 3 ? iterations : 3;          // r, p, u
  return (iterations > 1 ? 1 : 0) + (iterations % 2 == 1 ? 1 : 0);  // u, and p where it is pending
}

/// The kernels of `PeriodicHelmholtz`. All enqueue on `space`; n is the number of cells, weights
/// are read in addition.
template <class Space, class Scalar>
struct PeriodicHelmholtzKernels {
  using Memory = typename Space::memory_space;
  using Stencil = PeriodicStencil<Scalar>;
  using Input = GridField<const Scalar>;
  using Output = GridField<Scalar>;
  using Step = FusedStep<Memory>;
  using Parts = TeamParts<Memory>;

  /// r -= A u.
  // traffic: reads 2n, writes n; flops: 10n
  static void subtract_image(const Space& space, const Stencil& stencil, const Input& u,
                             const Output& r);

  /// <r, r>, <r, A r>.
  // traffic: reads n; flops: 13n
  static void measure(const Space& space, const Stencil& stencil, const Step& step,
                      const Parts& parts, const Input& r);

  /// p' = r + beta p;  r' = r - alpha A p';  with `update` u += alpha_before p + alpha p', or
  /// the same from zero.
  // traffic: reads 2n, writes 2n, with an update n each more, with the first n written; flops: 13n,
  // with an update 17n
  static void advance(const Space& space, const Stencil& stencil, const Step& step, bool update,
                      bool from_zero, const Input& r, const Input& p, const Output& new_p,
                      const Output& new_r, const Output& u);

  /// x = solution.
  // traffic: reads u, p, r as far as the solution has them, writes n; flops: 2n for each
  static void finish(const Space& space, const Rectangle& rectangle,
                     const CgSolution<Scalar>& solution, const StridedCells<Scalar>& x);
};

#define LAMINA_EXTERN_PERIODIC(Space)                            \
  extern template struct PeriodicHelmholtzKernels<Space, float>; \
  extern template struct PeriodicHelmholtzKernels<Space, double>;
LAMINA_FOR_EACH_SPACE(LAMINA_EXTERN_PERIODIC)
#undef LAMINA_EXTERN_PERIODIC

}  // namespace Lamina::Impl

#include <lamina/shallow_water/impl/PeriodicHelmholtzKernels_Bodies.hpp>
