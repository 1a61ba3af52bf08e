// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/impl/FunctionRef.hpp>
#include <lamina/device/impl/Instantiate.hpp>
#include <lamina/krylov/impl/FieldRows.hpp>
#include <lamina/krylov/impl/SolveHistory.hpp>

namespace Lamina::Impl {

/// The vectors of a solve that may be scaled. Vectors of the plan may be larger than fields: their
/// ghosts and padding are scaled with them.
template <class Scalar, class ResidualScalar>
struct SolveVectors {
  FieldRows<const Scalar> b;           ///< right-hand side; read with `Reference::rhs` only
  FieldRows<Scalar> u;                 ///< the iterate of the passes: x, or a vector of the plan
  FieldRows<ResidualScalar> residual;  ///< r_0, until a pass has changed it
};
template <class Scalar, class ResidualScalar>
SolveVectors(FieldRows<const Scalar>, FieldRows<Scalar>, FieldRows<ResidualScalar>)
    -> SolveVectors<Scalar, ResidualScalar>;

/// What a solver does, which `ScaledSolve` calls.
template <class ResidualScalar>
struct SolveCalls {
  /// Enqueues u = x, r_0 = b - A u, and everything else that the first pass reads; called again, it finds u as
  /// it left it, or 0.
  FunctionRef<void()> begin;
  /// Enqueues the passes first <= n <= last.
  FunctionRef<void(int first, int last)> run;
  /// Enqueues all pending updates of u, and r = b - A u for a pass; gives r, without halo columns. Called where
  /// replacements were asked for.
  FunctionRef<FieldRows<ResidualScalar>(int pass)> replace = {};
};

/// Runs a solve, and judges it.
///
/// Where the initial residual or the right-hand side is so small or large that sums of squares
/// leave the range of double precision, the passes do nothing. Then the solve runs once more, with
/// r and u scaled by a power of two, which rounds nothing. Solves in range pay nothing for it.
/// Solves in mixed precision scale r, but never u: where |r| is below 2^-20 or above 2^20 at the start it
/// becomes 1 to 2.
///
/// It knows vectors as rows of values, and solvers by what they do: the library has it compiled, once for all
/// models.
template <class Memory>
class ScaledSolve : public SolveHistory<Memory> {
 public:
  /// Runs a whole solve. Fences `space` at each look.
  template <class Space, class Scalar, class ResidualScalar>
  void solve(const Space& space, const LookInterval& interval,
             const SolveVectors<Scalar, ResidualScalar>& vectors,
             const SolveCalls<ResidualScalar>& calls);

  /// Scales u back at the end of a solve.
  template <class Space, class Scalar>
  void unscale(const Space& space, const FieldRows<Scalar>& u) const {
    if (m_state.scaled) scale_rows(space, u, 1 / m_state.scale);
  }

 private:
  using History = SolveHistory<Memory>;
  using History::m_rows, History::m_state, History::residual2;

  template <class Space>
  SolveEvent run_to_event(const Space& space, const LookInterval& interval,
                          FunctionRef<void(int, int)> run);
  template <class Space, class Vectors, class Calls>
  SolveEvent begin_plain(const Space& space, const Vectors& vectors, const Calls& calls);
  template <class Space, class Scalar, class Calls>
  SolveEvent replace_residual(const Space& space, const FieldRows<Scalar>& u, bool restart,
                              const Calls& calls);
  SolveEvent settle_replacement(double true2, double recursive2);
  template <class Space, class Vectors, class Calls>
  SolveEvent begin_scaled(const Space& space, const Vectors& vectors, const Calls& calls);
  SolveEvent settle_start();
  template <class Space, class Vectors, class Calls>
  SolveEvent rescale(const Space& space, const Vectors& vectors, const Calls& calls);
};

#define LAMINA_SCALED_SOLVE(Space, Scalar, ResidualScalar, prefix)                                \
  LAMINA_FUNCTION(                                                                                \
      prefix, void ScaledSolve<typename Space::memory_space>::solve(                              \
                  const Space&, const LookInterval&, const SolveVectors<Scalar, ResidualScalar>&, \
                  const SolveCalls<ResidualScalar>&))
/// Of one precision, and of mixed.
#define LAMINA_SCALED_SOLVES(Space, prefix)          \
  LAMINA_SCALED_SOLVE(Space, float, float, prefix)   \
  LAMINA_SCALED_SOLVE(Space, double, double, prefix) \
  LAMINA_SCALED_SOLVE(Space, double, float, prefix)
#define LAMINA_EXTERN_SOLVES(Space) LAMINA_SCALED_SOLVES(Space, extern)
LAMINA_FOR_EACH_SPACE(LAMINA_EXTERN_SOLVES)
#undef LAMINA_EXTERN_SOLVES

}  // namespace Lamina::Impl

#include <lamina/krylov/impl/ScaledSolve_Impl.hpp>
