// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Require.hpp>
#include <lamina/shallow_water/PeriodicHelmholtz.hpp>
#include <lamina/shallow_water/impl/StateKernels.hpp>

namespace Lamina {

template <FieldScalar Scalar, MemorySpace Memory>
template <class FieldType>
void PeriodicHelmholtz<Scalar, Memory>::require_field(const char* function, const char* argument,
                                                      const FieldType& field) const {
  Impl::require_field(function, argument, field, rectangle().nx, rectangle().ny);
}

template <FieldScalar Scalar, MemorySpace Memory>
template <ExecutionSpace Space, class In>
void PeriodicHelmholtz<Scalar, Memory>::start(const Space& space, const In& b, const In& x,
                                              const vector_type& u, const vector_type& r) const {
  using Kernels = Impl::PeriodicHelmholtzKernels<Space, Scalar>;
  using State = Impl::StateKernels<Space, Scalar>;
  const auto solution = Impl::ghosted_lines_of(u), residual = Impl::ghosted_lines_of(r);
  const Impl::StridedCells<const Scalar> rhs(b);
  State::copy_cells(space, rectangle(), rhs,
                    Impl::StridedCells<Scalar>(Impl::cells_of(r, rectangle())));
  if (m_guess == InitialGuess::zero) return;
  State::copy_cells(space, rectangle(), Impl::StridedCells<const Scalar>(x),
                    Impl::StridedCells<Scalar>(Impl::cells_of(u, rectangle())));
  State::exchange(space, rectangle(), solution);
  Kernels::subtract_image(space, m_stencil, solution, residual);
}

template <FieldScalar Scalar, MemorySpace Memory>
template <ExecutionSpace Space>
void PeriodicHelmholtz<Scalar, Memory>::measure(const Space& space, const FusedStep<Memory>& step,
                                                const vector_type& r) const {
  using Kernels = Impl::PeriodicHelmholtzKernels<Space, Scalar>;
  const auto residual = Impl::ghosted_lines_of(r);
  Impl::StateKernels<Space, Scalar>::exchange(space, rectangle(), residual);
  Kernels::measure(space, m_stencil, step, m_parts, residual);
}

template <FieldScalar Scalar, MemorySpace Memory>
template <ExecutionSpace Space>
void PeriodicHelmholtz<Scalar, Memory>::advance(const Space& space, const FusedStep<Memory>& step,
                                                FusedCgUpdate update, const vector_type& r,
                                                const vector_type& p, const vector_type& new_p,
                                                const vector_type& new_r,
                                                const vector_type& u) const {
  using Impl::ghosted_lines_of;
  Impl::StateKernels<Space, Scalar>::exchange(space, rectangle(), ghosted_lines_of(p));
  if (update == FusedCgUpdate::first && m_guess == InitialGuess::given) {
    update = FusedCgUpdate::again;
  }
  Impl::PeriodicHelmholtzKernels<Space, Scalar>::advance(
      space, m_stencil, step, update, ghosted_lines_of(r), ghosted_lines_of(p),
      ghosted_lines_of(new_p), ghosted_lines_of(new_r), ghosted_lines_of(u));
}

template <FieldScalar Scalar, MemorySpace Memory>
template <ExecutionSpace Space, class Out>
void PeriodicHelmholtz<Scalar, Memory>::finish(const Space& space, const FusedCgEnd<Scalar>& end,
                                               const vector_type& p, const vector_type& r,
                                               const vector_type& u, const Out& x) const {
  using Kernels = Impl::PeriodicHelmholtzKernels<Space, Scalar>;
  Kernels::finish(space, rectangle(), solution(end, p, r, u), Impl::StridedCells<Scalar>(x));
}

}  // namespace Lamina
