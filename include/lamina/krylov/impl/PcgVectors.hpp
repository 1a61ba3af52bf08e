// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/StoppingCriteria.hpp>
#include <lamina/krylov/impl/FieldRows.hpp>

#include <cmath>

namespace Lamina::Impl {

/// The vectors of a solve that may be scaled. Vectors of the plan may be larger than fields: their
/// ghosts and padding are scaled with them.
template <class Rhs, class Guess, class Vector>
struct PcgVectors {
  using scalar_type = typename Vector::non_const_value_type;

  Rhs b;            ///< right-hand side; read with `Reference::rhs` only
  Guess x;          ///< initial guess
  Vector u;         ///< the iterate of the passes: x, or a vector of the plan
  Vector residual;  ///< r_0, until a pass has changed it
};
template <class Rhs, class Guess, class Vector>
PcgVectors(Rhs, Guess, Vector, Vector) -> PcgVectors<Rhs, Guess, Vector>;

/// Largest entries at the start of a solve; infinite where one is not finite.
struct StartSizes {
  double residual;
  double reference;  ///< of b or of the residual: of the one that tolerances refer to

  bool finite() const { return std::isfinite(residual) && std::isfinite(reference); }
};

/// Fences `space`.
template <class Space, class Vectors>
StartSizes start_sizes(const Space& space, const Vectors& vectors, Reference reference) {
  const double residual = largest_size(space, rows_of(vectors.residual));
  return {residual,
          reference == Reference::rhs ? largest_size(space, rows_of(vectors.b)) : residual};
}

/// Calls begin(), which sets r and u, and multiplies both by `scale`. Drops a worthless guess.
template <class Space, class Vectors, class Begin>
void begin_scaled(const Space& space, const Vectors& vectors, const StartSizes& sizes, double scale,
                  const Begin& begin) {
  using Scalar = typename Vectors::scalar_type;
  if (sizes.residual * scale > worthless) Kokkos::deep_copy(space, vectors.x, Scalar(0));
  begin();  // passes that did nothing may still have changed vectors
  scale_rows(space, rows_of(vectors.residual), scale);
  scale_rows(space, rows_of(vectors.u), scale);
}

}  // namespace Lamina::Impl
