// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/poisson/impl/PoissonKernels.hpp>

namespace Lamina::Impl {

/// The sweeps of `FusedPcg` with a preconditioner, for fields of a user without ghosts and with any
/// stride from line to line; and the norm of a residual. All enqueue on `space`; `parts` is scratch
/// for sums.
template <class Space, class Scalar>
struct PoissonPcgKernels {
  using Memory = typename Space::memory_space;
  using Input = GridField<const Scalar>;
  using Output = GridField<Scalar>;
  using Step = FusedStep<Memory>;
  using Parts = TeamParts<Memory>;

  /// r = b - A x;  row n: <r, r>.  traffic: reads 2n, writes n; flops: 8n
  static void residual(const Space& space, const Grid& grid, const Step& step, const Parts& parts,
                       const Input& b, const Input& x, const Output& r);

  /// sum = <r, r> with r = b - A x.  traffic: reads 2n; flops: 9n
  static void residual_norm(const Space& space, const Grid& grid, const Parts& parts, double* sum,
                            const Input& b, const Input& x);
  /// sum = <b, b>, added up by the same instructions: that of x = 0 to the last bit. It is not finite
  /// where A b is not.  traffic: reads n
  static void rhs_norm(const Space& space, const Grid& grid, const Parts& parts, double* sum,
                       const Input& b);

  /// Row n: <z, A z>.  traffic: reads n; flops: 7n
  static void measure(const Space& space, const Grid& grid, const Step& step, const Parts& parts,
                      const Input& z);

  /// p' = z + beta p;  r -= alpha A p';  row n + 1: <r, r>;  with `update` u += alpha_before p +
  /// alpha p'.
  /// traffic: reads 3n, writes 2n, with `update` n each more; flops: 11n, with `update` 15n
  static void advance(const Space& space, const Grid& grid, const Step& step, bool update,
                      const Parts& parts, const Input& z, const Input& p, const Output& new_p,
                      const Output& r, const Output& u);
};

#define LAMINA_EXTERN_POISSON_PCG(Space)                  \
  extern template struct PoissonPcgKernels<Space, float>; \
  extern template struct PoissonPcgKernels<Space, double>;
LAMINA_FOR_EACH_SPACE(LAMINA_EXTERN_POISSON_PCG)
#undef LAMINA_EXTERN_POISSON_PCG

}  // namespace Lamina::Impl

#include <lamina/poisson/impl/PoissonPcgKernels_Bodies.hpp>
