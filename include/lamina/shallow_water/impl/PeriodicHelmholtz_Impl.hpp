// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Require.hpp>
#include <lamina/krylov/impl/AdvanceHalo.hpp>
#include <lamina/shallow_water/PeriodicHelmholtz.hpp>
#include <lamina/shallow_water/impl/StateKernels.hpp>

#include <cstddef>
#include <utility>

namespace Lamina {

namespace Impl {

/// Lines -1 and ny of a vector, without their ends, as columns.
template <class Memory, class Scalar>
FieldView<Scalar, Kokkos::LayoutRight, Memory> ghost_lines_of(const GridField<Scalar>& field,
                                                              const Rectangle& owned) {
  const auto apart = (static_cast<std::int64_t>(owned.ny) + 1) * field.stride;
  const FieldView<Scalar, Kokkos::LayoutRight, Memory> lines(field.line(-1), 2,
                                                             static_cast<std::size_t>(apart));
  return Kokkos::subview(
      lines, Kokkos::ALL,
      std::pair<std::size_t, std::size_t>(0, static_cast<std::size_t>(owned.nx)));
}

}  // namespace Impl

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
  const auto copy = [&](const In& from, const vector_type& to) {
    Impl::StateKernels<Space, Scalar>::copy_cells(
        space, rectangle(), Impl::StridedCells<const Scalar>(from),
        Impl::StridedCells<Scalar>(Impl::cells_of(to, rectangle())));
  };
  copy(b, r);
  if (m_guess == InitialGuess::zero) return;
  copy(x, u);
  subtract_image(space, {.updated = true}, r, u, r);
}

template <FieldScalar Scalar, MemorySpace Memory>
template <ExecutionSpace Space, class In>
void PeriodicHelmholtz<Scalar, Memory>::residual(const Space& space, const FusedEnd<Scalar>& end,
                                                 const In& b, const vector_type& p,
                                                 const vector_type& u, const vector_type& r) const {
  Impl::StateKernels<Space, Scalar>::copy_cells(
      space, rectangle(), Impl::StridedCells<const Scalar>(b),
      Impl::StridedCells<Scalar>(Impl::cells_of(r, rectangle())));
  subtract_image(space, end, p, u, r);
}

template <FieldScalar Scalar, MemorySpace Memory>
template <ExecutionSpace Space>
void PeriodicHelmholtz<Scalar, Memory>::subtract_image(const Space& space,
                                                       const FusedEnd<Scalar>& end,
                                                       const vector_type& p, const vector_type& u,
                                                       const vector_type& r) const {
  const auto values = solution(end, p, r, u);
  if (!values.with_u && end.along_p == 0) return;  // u is zero
  if (end.along_p != 0) finish(space, end, p, r, u, Impl::cells_of(u, rectangle()));
  fill_ghosts(space, u);
  Impl::PeriodicHelmholtzKernels<Space, Scalar>::subtract_image(
      space, m_stencil, Impl::ghosted_lines_of(u), Impl::ghosted_lines_of(r));
}

template <FieldScalar Scalar, MemorySpace Memory>
template <ExecutionSpace Space>
void PeriodicHelmholtz<Scalar, Memory>::measure(const Space& space, const FusedStep<Memory>& step,
                                                const vector_type& r) const {
  using Kernels = Impl::PeriodicHelmholtzKernels<Space, Scalar>;
  fill_ghosts(space, r);
  Kernels::measure(space, m_stencil, step, m_parts, Impl::ghosted_lines_of(r));
}

template <FieldScalar Scalar, MemorySpace Memory>
template <ExecutionSpace Space>
void PeriodicHelmholtz<Scalar, Memory>::advance(const Space& space, const FusedStep<Memory>& step,
                                                bool update, const vector_type& r,
                                                const vector_type& p, const vector_type& new_p,
                                                const vector_type& new_r,
                                                const vector_type& u) const {
  using Impl::ghosted_lines_of;
  fill_ghosts_of_direction(space, p);
  const bool from_zero = m_guess == InitialGuess::zero && !step.updated;
  Impl::PeriodicHelmholtzKernels<Space, Scalar>::advance(
      space, m_stencil, step, update, from_zero, ghosted_lines_of(r), ghosted_lines_of(p),
      ghosted_lines_of(new_p), ghosted_lines_of(new_r), ghosted_lines_of(u));
  advance_ghosts(space, step, r, p, new_p);
}

template <FieldScalar Scalar, MemorySpace Memory>
template <ExecutionSpace Space>
void PeriodicHelmholtz<Scalar, Memory>::fill_ghosts_of_direction(const Space& space,
                                                                 const vector_type& p) const {
  if (m_strip.is_whole()) return fill_ghosts(space, p);
  Impl::StateKernels<Space, Scalar>::exchange_along(space, rectangle(), Impl::ghosted_lines_of(p));
}

template <FieldScalar Scalar, MemorySpace Memory>
template <ExecutionSpace Space>
void PeriodicHelmholtz<Scalar, Memory>::advance_ghosts(const Space& space,
                                                       const FusedStep<Memory>& step,
                                                       const vector_type& z, const vector_type& p,
                                                       const vector_type& new_p) const {
  if (m_strip.is_whole()) return;
  const auto ghosts = [&](const vector_type& vector) {
    return Impl::ghost_lines_of<Memory>(Impl::ghosted_lines_of(vector), rectangle());
  };
  Impl::advance_halo("Lamina::PeriodicHelmholtz::advance_ghosts", space, step, ghosts(z), ghosts(p),
                     ghosts(new_p));
}

template <FieldScalar Scalar, MemorySpace Memory>
template <ExecutionSpace Space, class Out>
void PeriodicHelmholtz<Scalar, Memory>::finish(const Space& space, const FusedEnd<Scalar>& end,
                                               const vector_type& p, const vector_type& r,
                                               const vector_type& u, const Out& x) const {
  using Kernels = Impl::PeriodicHelmholtzKernels<Space, Scalar>;
  Kernels::finish(space, rectangle(), solution(end, p, r, u), Impl::StridedCells<Scalar>(x));
}

}  // namespace Lamina
