// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Require.hpp>
#include <lamina/poisson/FusedPoisson.hpp>

namespace Lamina {

template <FieldScalar Scalar, MemorySpace Memory>
template <ExecutionSpace Space>
requires WorksIn<Space, Memory> FusedPoisson<Scalar, Memory>::FusedPoisson(
    const Space& space, const PoissonOperator<Scalar, Memory>& op, OnChip on_chip)
    : m_operator(op) {
  if (on_chip == OnChip::automatic) {
    m_resident_teams = Impl::PoissonKernels<Space, Scalar>::teams_on_chip(space, grid());
  }
  if constexpr (!runs_on_host<Space>) {
    m_parts = Impl::TeamParts<Memory>("Lamina::FusedPoisson::parts");
  }
}

template <FieldScalar Scalar, MemorySpace Memory>
template <class FieldType>
void FusedPoisson<Scalar, Memory>::require_field(const char* function, const char* argument,
                                                 const FieldType& field) const {
  const Rectangle& rectangle = m_operator.rectangle();
  Impl::require_field(function, argument, field, rectangle.nx, rectangle.ny);
}

template <FieldScalar Scalar, MemorySpace Memory>
template <ExecutionSpace Space, class In>
void FusedPoisson<Scalar, Memory>::start(const Space& space, const In& b, const In& x,
                                         const vector_type& u, const vector_type& r) const {
  using Impl::lines_of;
  using Kernels = Impl::PoissonKernels<Space, Scalar>;
  if (in_lines(x)) {
    Kernels::start(space, grid(), lines_of(b), lines_of(x), lines_of(u), lines_of(r));
  } else {
    Kernels::start_across(space, grid(), cells(b), cells(x), lines_of(u), lines_of(r));
  }
}

template <FieldScalar Scalar, MemorySpace Memory>
template <ExecutionSpace Space, class In>
void FusedPoisson<Scalar, Memory>::residual(const Space& space, const FusedEnd<Scalar>& end,
                                            const In& b, const vector_type& p, const vector_type& u,
                                            const vector_type& r) const {
  using Impl::lines_of;
  using Kernels = Impl::PoissonKernels<Space, Scalar>;
  if (end.along_p != 0) finish(space, {.along_p = end.along_p}, p, r, u, u);
  Kernels::residual(space, grid(), cells(b), lines_of(u), lines_of(r));
}

template <FieldScalar Scalar, MemorySpace Memory>
template <ExecutionSpace Space>
void FusedPoisson<Scalar, Memory>::measure(const Space& space, const FusedStep<Memory>& step,
                                           const vector_type& r) const {
  Impl::PoissonKernels<Space, Scalar>::measure(space, grid(), step, m_parts, Impl::lines_of(r));
}

template <FieldScalar Scalar, MemorySpace Memory>
template <ExecutionSpace Space>
void FusedPoisson<Scalar, Memory>::advance(const Space& space, const FusedStep<Memory>& step,
                                           bool update, const vector_type& r, const vector_type& p,
                                           const vector_type& new_p, const vector_type& new_r,
                                           const vector_type& u) const {
  using Impl::lines_of;
  Impl::PoissonKernels<Space, Scalar>::advance(space, grid(), step, update, lines_of(r),
                                               lines_of(p), lines_of(new_p), lines_of(new_r),
                                               lines_of(u));
}

template <FieldScalar Scalar, MemorySpace Memory>
template <ExecutionSpace Space>
requires Impl::has_resident_teams<Space>
void FusedPoisson<Scalar, Memory>::iterate(const Space& space, const FusedSteps<Memory>& steps,
                                           int first, int last, const vector_type (&residuals)[2],
                                           const vector_type (&directions)[2],
                                           const vector_type& u) const {
  using Impl::lines_of;
  Impl::PoissonKernels<Space, Scalar>::iterate(
      space, grid(), m_resident_teams, steps, first, last, m_parts,
      {lines_of(residuals[0]), lines_of(residuals[1])},
      {lines_of(directions[0]), lines_of(directions[1])}, lines_of(u));
}

template <FieldScalar Scalar, MemorySpace Memory>
template <ExecutionSpace Space, class Out>
void FusedPoisson<Scalar, Memory>::finish(const Space& space, const FusedEnd<Scalar>& end,
                                          const vector_type& p, const vector_type& r,
                                          const vector_type& u, const Out& x) const {
  using Impl::lines_of;
  Impl::PoissonKernels<Space, Scalar>::finish(
      space, grid(), {end, lines_of(p), lines_of(r), lines_of(u), true}, cells(x));
}

}  // namespace Lamina
