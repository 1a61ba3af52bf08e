// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/core/ProfilingRegion.hpp>
#include <lamina/core/Require.hpp>
#include <lamina/core/impl/RequireDisjoint.hpp>
#include <lamina/krylov/impl/FieldRows.hpp>

#include <concepts>

namespace Lamina {

/// |x| in the 2-norm over all columns of a field, summed in double precision. The sum does not
/// underflow or overflow unless the norm itself does. Fences `space`. Makes no allocation in a
/// Kokkos memory space.
template <ExecutionSpace Space, Field Vector>
requires WorksIn<Space, typename Vector::memory_space>
[[nodiscard]] double two_norm(const Space& space, const Vector& x) {
  return Impl::norm_of_rows(space, Impl::rows_of(x).as_const());
}

/// |b - A x| in the 2-norm over the owned columns, recomputed:
///
///   scratch = b - A x
///
/// Solvers report a `residual_norm` that is updated recursively. Below the accuracy that the
/// precision allows, that one says nothing about b - A x. A x is computed in the precision of the
/// operator, the norm as by `two_norm`. Fences `space`.
///
/// \param op       a `FieldOperator` with `apply(space, x, y)`
/// \param x        its halo columns are up to date
/// \param scratch  becomes b - A x; must not overlap b and x
/// \throws InvalidArgument for wrong extents, and where `scratch` overlaps b or x.
template <ExecutionSpace Space, class Operator, Field Rhs, Field Solution, WritableField Scratch>
requires WorksIn<Space, typename Scratch::memory_space> &&
    FieldOf<Rhs, typename Scratch::value_type, typename Scratch::memory_space> &&
    FieldOf<Solution, typename Scratch::value_type, typename Scratch::memory_space> &&
    std::same_as<typename Rhs::array_layout, typename Scratch::array_layout>
[[nodiscard]] double true_residual_norm(const Space& space, const Operator& op, const Rhs& b,
                                        const Solution& x, const Scratch& scratch) {
  const int num_levels = op.num_levels();
  Impl::require_field("true_residual_norm", "b", b, op.num_columns(), num_levels);
  Impl::require_field("true_residual_norm", "x", x, op.num_columns(), num_levels);
  Impl::require_field("true_residual_norm", "scratch", scratch, op.num_columns(), num_levels);
  Impl::require_disjoint("true_residual_norm", "b", b, "scratch", scratch);
  Impl::require_disjoint("true_residual_norm", "x", x, "scratch", scratch);
  const Impl::ProfilingRegion region("Lamina::true_residual_norm");
  op.apply(space, Impl::as_const_field(x), Impl::as_field(scratch));
  const auto columns = static_cast<std::size_t>(op.num_owned());
  const auto residual = Impl::rows_of(scratch, columns);
  Impl::subtract_rows(space, Impl::rows_of(b, columns).as_const(), residual.as_const(), residual);
  return Impl::norm_of_rows(space, residual.as_const());
}

/// sqrt(<r, M^-1 r>) over the owned columns, the norm of preconditioned conjugate gradients:
///
///   z = M^-1 r
///
/// In thin shells |b - A x| may be large although only rounding of the stiff vertical terms is left
/// of it. This norm weighs these terms as the preconditioner does. It is NaN where M is not
/// positive definite. It does not underflow or overflow unless the norm itself does. Fences
/// `space`.
///
/// \param op              a `FieldOperator`
/// \param preconditioner  has `solve(space, r, z)`
/// \param z               becomes M^-1 r; must not overlap r
/// \throws InvalidArgument for wrong extents, and where z overlaps r.
template <ExecutionSpace Space, class Operator, class Preconditioner, Field Residual,
          WritableField Scratch>
requires WorksIn<Space, typename Scratch::memory_space> &&
    FieldOf<Residual, typename Scratch::value_type, typename Scratch::memory_space> &&
    std::same_as<typename Residual::array_layout, typename Scratch::array_layout>
[[nodiscard]] double preconditioned_norm(const Space& space, const Operator& op,
                                         const Preconditioner& preconditioner, const Residual& r,
                                         const Scratch& z) {
  const int num_levels = op.num_levels();
  Impl::require_field("preconditioned_norm", "r", r, op.num_columns(), num_levels);
  Impl::require_field("preconditioned_norm", "z", z, op.num_columns(), num_levels);
  Impl::require_disjoint("preconditioned_norm", "r", r, "z", z);
  const Impl::ProfilingRegion region("Lamina::preconditioned_norm");
  preconditioner.solve(space, Impl::as_const_field(r), Impl::as_field(z));
  const auto columns = static_cast<std::size_t>(op.num_owned());
  return Impl::root_of_product(space, Impl::rows_of(r, columns).as_const(),
                               Impl::rows_of(z, columns).as_const());
}

}  // namespace Lamina
