// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/shallow_water/impl/PeriodicHelmholtzKernels.hpp>

namespace Lamina::Impl {

/// The sweeps of `FusedPcg` with a preconditioner, on vectors of `PeriodicHelmholtz`. All enqueue on `space`;
/// `parts` is scratch for sums. Weights are read in addition.
template <class Space, class Scalar>
struct PeriodicPcgKernels {
  using Memory = typename Space::memory_space;
  using Stencil = PeriodicStencil<Scalar>;
  using Input = GridField<const Scalar>;
  using Output = GridField<Scalar>;
  using Step = FusedStep<Memory>;
  using Parts = TeamParts<Memory>;

  /// Row n: <r, r>.  traffic: reads n; flops: 2n
  static void sum_residual(const Space& space, const Stencil& stencil, const Step& step,
                           const Parts& parts, const Input& r);

  /// Row n: <z, A z>, with ghosts of z filled.  traffic: reads n; flops: 11n
  static void measure(const Space& space, const Stencil& stencil, const Step& step,
                      const Parts& parts, const Input& z);

  /// p' = z + beta p;  r -= alpha A p';  row n + 1: <r, r>;  with `update` u += alpha_before p + alpha p'. Ghosts
  /// of z and p are filled.
  /// traffic: reads 3n, writes 2n, with `update` n each more; flops: 15n, with `update` 19n
  static void advance(const Space& space, const Stencil& stencil, const Step& step, bool update,
                      const Parts& parts, const Input& z, const Input& p, const Output& new_p,
                      const Output& r, const Output& u);

  /// sum = the sum of all values of a solution.  traffic: reads u, p, z as far as the solution has them; flops: 2n,
  /// and 2n for each
  static void sum_solution(const Space& space, const Rectangle& rectangle,
                           const CgSolution<Scalar>& solution, double* sum);

  /// u = 0.  traffic: writes n
  static void clear(const Space& space, const Rectangle& rectangle, const Output& u);
};

#define LAMINA_EXTERN_PERIODIC_PCG(Space)                  \
  extern template struct PeriodicPcgKernels<Space, float>; \
  extern template struct PeriodicPcgKernels<Space, double>;
LAMINA_FOR_EACH_SPACE(LAMINA_EXTERN_PERIODIC_PCG)
#undef LAMINA_EXTERN_PERIODIC_PCG

}  // namespace Lamina::Impl

#include <lamina/shallow_water/impl/multigrid/PeriodicPcgKernels_Bodies.hpp>
