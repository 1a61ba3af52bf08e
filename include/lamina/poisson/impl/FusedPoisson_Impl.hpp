// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Require.hpp>
#include <lamina/distributed/impl/RequireDecomposition.hpp>
#include <lamina/krylov/impl/AdvanceHalo.hpp>
#include <lamina/krylov/impl/OwnedColumns.hpp>
#include <lamina/poisson/FusedPoisson.hpp>

#include <cstddef>
#include <string>
#include <utility>

namespace Lamina {

template <FieldScalar Scalar, MemorySpace Memory>
template <ExecutionSpace Space>
requires WorksIn<Space, Memory> FusedPoisson<Scalar, Memory>::FusedPoisson(
    const Space& space, const PoissonOperator<Scalar, Memory>& op, OnChip on_chip)
    : FusedPoisson(space, op, Decomposition<Memory>()) {
  if (on_chip == OnChip::automatic) {
    m_resident_teams = Impl::PoissonKernels<Space, Scalar>::teams_on_chip(space, grid());
  }
}

template <FieldScalar Scalar, MemorySpace Memory>
template <ExecutionSpace Space>
requires WorksIn<Space, Memory> FusedPoisson<Scalar, Memory>::FusedPoisson(
    const Space& space, const PoissonOperator<Scalar, Memory>& op,
    const Decomposition<Memory>& ranks)
    : m_operator(op), m_ranks(ranks) {
  Impl::require_decomposition("FusedPoisson", "op", "columns", ranks, op.num_owned(),
                              op.num_columns());
  if (!ranks.halo.empty()) m_side.open(space);
  if constexpr (!runs_on_host<Space>) {
    m_parts = Impl::TeamParts<Memory>("Lamina::FusedPoisson::parts");
  }
}

template <FieldScalar Scalar, MemorySpace Memory>
template <class FieldType>
void FusedPoisson<Scalar, Memory>::require_field(const char* function, const char* argument,
                                                 const FieldType& field) const {
  Impl::require_field(function, argument, field, m_operator.num_columns(), m_operator.num_levels());
}

template <FieldScalar Scalar, MemorySpace Memory>
template <class Space>
void FusedPoisson<Scalar, Memory>::start_exchange(const Space& space,
                                                  const vector_type& vector) const {
  const auto length = static_cast<std::size_t>(m_operator.num_levels());
  const vector_type without_padding =
      Kokkos::subview(vector, Kokkos::ALL, std::pair<std::size_t, std::size_t>(0, length));
  m_ranks.halo.start(space, without_padding);
}

template <FieldScalar Scalar, MemorySpace Memory>
template <class Space>
void FusedPoisson<Scalar, Memory>::exchange(const Space& space, const vector_type& vector) const {
  if (m_ranks.halo.empty()) return;
  start_exchange(space, vector);
  m_ranks.halo.finish(space);
}

template <FieldScalar Scalar, MemorySpace Memory>
template <ExecutionSpace Space, class In>
void FusedPoisson<Scalar, Memory>::start(const Space& space, const In& b, const In& x,
                                         const vector_type& u, const vector_type& r) const {
  using Impl::lines_of;
  using Kernels = Impl::PoissonKernels<Space, Scalar>;
  if (in_lines(x) && m_ranks.halo.empty()) {
    Kernels::start(space, grid(), lines_of(b), lines_of(x), lines_of(u), lines_of(r));
  } else {
    Kernels::copy(space, grid(), cells(x), lines_of(u));
    exchange(space, u);
    Kernels::residual(space, grid(), cells(b), lines_of(u), lines_of(r));
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
  exchange(space, u);
  Kernels::residual(space, grid(), cells(b), lines_of(u), lines_of(r));
}

template <FieldScalar Scalar, MemorySpace Memory>
template <ExecutionSpace Space>
void FusedPoisson<Scalar, Memory>::measure(const Space& space, const FusedStep<Memory>& step,
                                           const vector_type& r) const {
  // Later residuals come with their halo from `advance`, but this one may have been scaled since.
  if (step.is_first) exchange(space, r);
  Impl::PoissonKernels<Space, Scalar>::measure(space, grid(), step, m_parts, Impl::lines_of(r));
}

template <FieldScalar Scalar, MemorySpace Memory>
template <ExecutionSpace Space>
void FusedPoisson<Scalar, Memory>::advance(const Space& space, const FusedStep<Memory>& step,
                                           bool update, const vector_type& r, const vector_type& p,
                                           const vector_type& new_p, const vector_type& new_r,
                                           const vector_type& u) const {
  const auto sweep = [&](const Space& instance, int first, int count) {
    const auto lines = [&](const vector_type& vector) {
      return Impl::lines_of(vector).lines_from(first);
    };
    Impl::PoissonKernels<Space, Scalar>::advance(instance, grid().lines(first, count), step, update,
                                                 lines(r), lines(p), lines(new_p), lines(new_r),
                                                 lines(u));
  };
  if (m_ranks.halo.empty()) return sweep(space, 0, num_owned());
  const auto halo = [&](const vector_type& vector) {
    return Impl::last_columns(vector, num_owned());
  };
  const auto [begin, end] = grid().lines_between_cuts();
  const Space& side = m_side.after(space);
  const Impl::JoinAtEnd joins(m_side, space);
  if (begin > 0) sweep(side, 0, begin);
  if (end < num_owned()) sweep(side, end, num_owned() - end);
  start_exchange(side, new_r);
  sweep(space, begin, end - begin);  // even without lines: it leaves the scalars of the iteration
  Impl::advance_halo("Lamina::FusedPoisson::advance_halo", side, step, halo(r), halo(p),
                     halo(new_p));
  m_ranks.halo.finish(side);
}

template <FieldScalar Scalar, MemorySpace Memory>
template <ExecutionSpace Space>
requires Impl::has_resident_teams<Space>
void FusedPoisson<Scalar, Memory>::iterate(const Space& space, const FusedSteps<Memory>& steps,
                                           int first, int last,
                                           const Kokkos::Array<vector_type, 2>& residuals,
                                           const Kokkos::Array<vector_type, 2>& directions,
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
