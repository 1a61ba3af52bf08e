// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/StoppingCriteria.hpp>
#include <lamina/krylov/impl/FieldRows.hpp>

#include <cmath>

namespace Lamina::Impl {

/// The vectors of a solve that may have to be scaled. Those of the plan may be larger than fields:
/// what lies beyond the system's entries (ghosts, padding) is scaled with them.
template <class Rhs, class Guess, class Vector>
struct PcgVectors {
  using scalar_type = typename Vector::non_const_value_type;

  Rhs b;            ///< right-hand side; read with `Reference::rhs` only
  Guess x;          ///< initial guess
  Vector u;         ///< what the passes iterate on; x itself or a vector of the plan
  Vector residual;  ///< r_0, until a pass has proceeded
};
template <class Rhs, class Guess, class Vector>
PcgVectors(Rhs, Guess, Vector, Vector) -> PcgVectors<Rhs, Guess, Vector>;

/// Largest entries at the start of a solve; infinite where one is not finite.
struct StartSizes {
  double residual;
  double reference;  ///< of b or of the residual, whichever tolerances refer to

  bool finite() const { return std::isfinite(residual) && std::isfinite(reference); }
};

/// Fences `space`.
template <class Space, class Vectors>
StartSizes start_sizes(const Space& space, const Vectors& vectors, Reference reference) {
  const double residual = largest_size(space, rows_of(vectors.residual));
  return {residual,
          reference == Reference::rhs ? largest_size(space, rows_of(vectors.b)) : residual};
}

/// r and u times `scale`, after begin(), which sets them. A guess that is worth nothing is dropped.
template <class Space, class Vectors, class Begin>
void begin_scaled(const Space& space, const Vectors& vectors, const StartSizes& sizes, double scale,
                  const Begin& begin) {
  using Scalar = typename Vectors::scalar_type;
  if (sizes.residual * scale > worthless) Kokkos::deep_copy(space, vectors.x, Scalar(0));
  begin();  // passes that did nothing may have left something else than they found
  scale_rows(space, rows_of(vectors.residual), scale);
  scale_rows(space, rows_of(vectors.u), scale);
}

}  // namespace Lamina::Impl
