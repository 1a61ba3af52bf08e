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
  Impl::require_field(function, argument, field, m_operator.size(), m_operator.size());
}

template <FieldScalar Scalar, MemorySpace Memory>
template <ExecutionSpace Space, class In>
void FusedPoisson<Scalar, Memory>::start(const Space& space, const In& b, const In& x,
                                         const vector_type& u, const vector_type& r) const {
  using Kernels = Impl::PoissonKernels<Space, Scalar>;
  Kernels::start(space, grid(), typename Kernels::Input(b), typename Kernels::Input(x),
                 typename Kernels::Output(u), typename Kernels::Output(r));
}

template <FieldScalar Scalar, MemorySpace Memory>
template <ExecutionSpace Space>
void FusedPoisson<Scalar, Memory>::measure(const Space& space, const FusedStep<Memory>& step,
                                           const vector_type& r) const {
  using Kernels = Impl::PoissonKernels<Space, Scalar>;
  Kernels::measure(space, grid(), step, m_parts, typename Kernels::Input(r));
}

template <FieldScalar Scalar, MemorySpace Memory>
template <ExecutionSpace Space>
void FusedPoisson<Scalar, Memory>::advance(const Space& space, const FusedStep<Memory>& step,
                                           FusedCgUpdate update, const vector_type& r,
                                           const vector_type& p, const vector_type& new_p,
                                           const vector_type& new_r, const vector_type& u) const {
  using Kernels = Impl::PoissonKernels<Space, Scalar>;
  using Output = typename Kernels::Output;
  const bool updates = update != FusedCgUpdate::none;
  Kernels::advance(space, grid(), step, updates, typename Kernels::Input(r),
                   typename Kernels::Input(p), Output(new_p), Output(new_r), Output(u));
}

template <FieldScalar Scalar, MemorySpace Memory>
template <ExecutionSpace Space>
requires Impl::has_resident_teams<Space>
void FusedPoisson<Scalar, Memory>::iterate(const Space& space, const FusedSteps<Memory>& steps,
                                           int first, int last, const vector_type (&residuals)[2],
                                           const vector_type (&directions)[2],
                                           const vector_type& u) const {
  using Kernels = Impl::PoissonKernels<Space, Scalar>;
  using Output = typename Kernels::Output;
  Kernels::iterate(space, grid(), m_resident_teams, steps, first, last, m_parts,
                   {Output(residuals[0]), Output(residuals[1])},
                   {Output(directions[0]), Output(directions[1])}, Output(u));
}

template <FieldScalar Scalar, MemorySpace Memory>
template <ExecutionSpace Space, class Out>
void FusedPoisson<Scalar, Memory>::finish(const Space& space, const FusedCgEnd<Scalar>& end,
                                          const vector_type& p, const vector_type& r,
                                          const vector_type& u, const Out& x) const {
  using Kernels = Impl::PoissonKernels<Space, Scalar>;
  using Input = typename Kernels::Input;
  Kernels::finish(space, grid(), end, Input(p), Input(r), Input(u), typename Kernels::Output(x));
}

}  // namespace Lamina
