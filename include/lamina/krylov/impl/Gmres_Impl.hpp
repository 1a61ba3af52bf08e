// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/impl/RequireCriteria.hpp>
#include <lamina/core/impl/RequireDisjoint.hpp>
#include <lamina/krylov/Gmres.hpp>
#include <lamina/krylov/impl/BadPivots.hpp>
#include <lamina/krylov/impl/FieldRows.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace Lamina {

template <class Operator, class Preconditioner>
template <ExecutionSpace Space>
requires WorksIn<Space, typename Operator::memory_space> Gmres<Operator, Preconditioner>::Gmres(
    const Space&, const Operator& op, const Preconditioner& preconditioner, int restart)
    : m_operator(op),
      m_preconditioner(preconditioner),
      m_restart(restart),
      m_size(static_cast<std::size_t>(op.num_columns()) *
             static_cast<std::size_t>(op.num_levels())),
      m_history(std::clamp(restart, 1, max_restart),
                16 * static_cast<double>(std::numeric_limits<scalar_type>::epsilon())) {
  LAMINA_REQUIRE(
      op.num_owned() == op.num_columns(), "Gmres",
      "op: expected no halo columns, got " + std::to_string(op.num_columns() - op.num_owned()));
  LAMINA_REQUIRE(restart >= 1 && restart <= max_restart, "Gmres",
                 "argument restart: expected 1 to " + std::to_string(max_restart) + ", got " +
                     std::to_string(restart));
  static_assert(max_restart <= Impl::max_basis);
  constexpr std::size_t line = 128 / sizeof(scalar_type);  // vectors begin with a cache line
  m_stride = (m_size + line - 1) / line * line;
  const auto length = static_cast<std::size_t>(restart);
  const auto label = [](const char* name) { return std::string("Lamina::Gmres::") + name; };
  // Vectors are padded by zeros.
  m_vectors = decltype(m_vectors)(label("vectors"), m_stride * (length + 1));
  if constexpr (preconditioned) {
    m_preconditioned = decltype(m_preconditioned)(
        Kokkos::view_alloc(label("preconditioned"), Kokkos::WithoutInitializing), m_size);
  }
  m_scalars = Doubles<memory_space>(label("scalars"),
                                    static_cast<std::size_t>(Basis::num_records(restart)) *
                                        static_cast<std::size_t>(Basis::record_length(restart)));
  m_lower = Doubles<memory_space>(label("lower"), length * length);
  m_update = Doubles<memory_space>(label("update"), length + 2);
  m_parts = Doubles<memory_space>(
      Kokkos::view_alloc(label("parts"), Kokkos::WithoutInitializing),
      static_cast<std::size_t>(Basis::num_sums(restart)) * Impl::max_basis_parts);
  m_host_scalars = Kokkos::create_mirror_view(HostMemory(), m_scalars);
  m_host_update = Kokkos::create_mirror_view(HostMemory(), m_update);
}

template <class Operator, class Preconditioner>
typename Gmres<Operator, Preconditioner>::Basis Gmres<Operator, Preconditioner>::basis() const {
  return {m_vectors.data(),
          static_cast<std::int64_t>(m_size),
          static_cast<std::int64_t>(m_stride),
          m_restart,
          m_scalars.data(),
          m_lower.data(),
          m_update.data(),
          m_parts.data()};
}

template <class Operator, class Preconditioner>
template <class Layout>
auto Gmres<Operator, Preconditioner>::field(scalar_type* data) const {
  return FieldView<scalar_type, Layout, memory_space>(
      data, static_cast<std::size_t>(m_operator.num_columns()),
      static_cast<std::size_t>(m_operator.num_levels()));
}

template <class Operator, class Preconditioner>
template <class Space>
void Gmres<Operator, Preconditioner>::fetch_scalars(const Space& space, int num_records) const {
  const std::pair<std::size_t, std::size_t> range(
      0, static_cast<std::size_t>(num_records) *
             static_cast<std::size_t>(Basis::record_length(m_restart)));
  Kokkos::deep_copy(space, Kokkos::subview(m_host_scalars, range),
                    Kokkos::subview(m_scalars, range));
  space.fence();
}

/// u_0 = (b - A x) / power, with the power of two of `expected`. Where |u_0| leaves the range in
/// which all products with it are safe, its own power of two is divided out, too. \return |b - A x|
template <class Operator, class Preconditioner>
template <class Space, class Rhs, class Solution>
double Gmres<Operator, Preconditioner>::compute_residual(const Space& space, const Rhs& b,
                                                         const Solution& x, double expected) {
  using Kernels = Impl::BasisKernels<Space, scalar_type>;
  using Layout = typename Solution::array_layout;
  constexpr double range = 0x1p30;
  const Basis basis = this->basis();
  const auto image = field<Layout>(basis.vector(1));
  const auto rhs = Impl::flat(Impl::as_const_field(b));
  if (x.span_is_contiguous()) {
    m_operator.apply(space, Impl::as_const_field(x), image);
  } else {  // not every operator takes padded Views; u_0 is free for a copy
    const auto copy = field<Layout>(basis.vector(0));
    Impl::copy_rows(space, Impl::rows_of(x).as_const(), Impl::rows_of(copy));
    m_operator.apply(space, Impl::as_const_field(copy), image);
  }
  double power = Impl::power_of_two_below(expected);
  double norm = 0;
  for (int attempt = 0; attempt < 2; ++attempt) {
    Kernels::start(space, basis, 1 / power, rhs, image.data());
    fetch_scalars(space, 1);
    norm = m_host_scalars(1);
    if (!(norm > range || norm < 1 / range) || norm == 0) break;
    power *= Impl::power_of_two_below(norm);
  }
  return norm * power;
}

/// Runs iterations up to the end of the cycle, and hands them to the history.
template <class Operator, class Preconditioner>
template <class Layout, class Space>
void Gmres<Operator, Preconditioner>::run_cycle(const Space& space) {
  using Kernels = Impl::BasisKernels<Space, scalar_type>;
  const Basis basis = this->basis();
  const int length = m_history.begin_cycle();
  const Basis host{nullptr, 0, 0, m_restart, m_host_scalars.data(), nullptr, nullptr, nullptr};
  for (int first = 0; first < length;) {
    const int last = std::min(length, first + m_history.next_look(!runs_on_host<Space>));
    for (int j = first; j < last; ++j) {
      const auto v = Impl::as_const_field(field<Layout>(basis.vector(j)));
      const auto w = field<Layout>(basis.vector(j + 1));
      if constexpr (preconditioned) {
        const auto z = field<Layout>(m_preconditioned.data());
        m_preconditioner.solve(space, v, z);
        m_operator.apply(space, Impl::as_const_field(z), w);
      } else {
        m_operator.apply(space, v, w);
      }
      Kernels::orthogonalise(space, basis, j);
    }
    Kernels::measure(space, basis, last - 1);
    fetch_scalars(space, last + 1);
    for (; first < last; ++first) {
      if (m_history.take({host.column(first), host.below_scale(first) * host.norm(first + 1),
                          host.image_norm(first)})) {
        return;
      }
    }
    if (last < length && m_history.look()) return;
  }
}

/// x += M^-1 V y
template <class Operator, class Preconditioner>
template <class Space, class Solution>
void Gmres<Operator, Preconditioner>::update_solution(const Space& space, const Solution& x) {
  using Kernels = Impl::BasisKernels<Space, scalar_type>;
  using Layout = typename Solution::array_layout;
  const Basis basis = this->basis();
  const int count = m_history.num_columns();
  double* const coefficients = m_host_update.data();
  coefficients[0] = 1;
  m_history.solve(coefficients + 1);
  for (int i = 0; i < count; ++i) {
    coefficients[1 + i] *= -Impl::inverse_norm(m_host_scalars(static_cast<std::size_t>(1 + i)));
  }
  Kokkos::deep_copy(space, m_update, m_host_update);
  Kernels::combine(space, basis, count);
  const auto combined = field<Layout>(basis.vector(count));
  const scalar_type* correction = combined.data();
  if constexpr (preconditioned) {
    m_preconditioner.solve(space, Impl::as_const_field(combined),
                           field<Layout>(m_preconditioned.data()));
    correction = m_preconditioned.data();
  }
  Kernels::add(space, static_cast<std::int64_t>(m_size), m_history.start_residual(), correction,
               Impl::flat(Impl::as_field(x)));
}

template <class Operator, class Preconditioner>
template <ExecutionSpace Space,
          FieldOf<typename Operator::scalar_type, typename Operator::memory_space> Rhs,
          FieldOf<typename Operator::scalar_type, typename Operator::memory_space> Solution>
requires WorksIn<Space, typename Operator::memory_space> && WritableField<Solution> &&
    std::same_as<typename Rhs::array_layout, typename Solution::array_layout>
        SolveReport Gmres<Operator, Preconditioner>::solve(const Space& space, const Rhs& b,
                                                           const Solution& x,
                                                           const StoppingCriteria& criteria) {
  Impl::require_field("Gmres::solve", "b", b, m_operator.num_columns(), m_operator.num_levels());
  Impl::require_field("Gmres::solve", "x", x, m_operator.num_columns(), m_operator.num_levels());
  Impl::require_disjoint("Gmres::solve", "b", b, "x", x);
  Impl::require_criteria("Gmres::solve", criteria, max_check_every);
  const Impl::UseOfPlan use("Gmres::solve", m_in_use);
  const Impl::ProfilingRegion region("Lamina::Gmres::solve");

  SolveReport report;
  const double initial = compute_residual(space, b, x, 0);
  const double rhs_norm = m_host_scalars(0);
  if (Impl::knows_bad_pivots(space, m_preconditioner)) {
    m_history.refuse(criteria, rhs_norm, initial, SolveStatus::breakdown_zero_pivot, report);
    return report;
  }
  bool ended = m_history.start(criteria, rhs_norm, initial, report);
  if (rhs_norm == 0) {
    Kokkos::deep_copy(space, x, scalar_type(0));
    space.fence();
  }
  while (!ended) {
    run_cycle<typename Solution::array_layout>(space);
    const bool advances = m_history.num_columns() > 0;
    if (advances) update_solution(space, x);
    ended = m_history.end_cycle(advances ? compute_residual(space, b, x, m_history.residual())
                                         : m_history.start_residual());
  }
  Impl::blame_bad_pivots(space, m_preconditioner, report);
  return report;
}

template <class Operator, class Preconditioner>
std::vector<KernelCost> Gmres<Operator, Preconditioner>::kernel_costs() const {
  const double size = static_cast<double>(m_size), bytes = size * sizeof(scalar_type);
  const double mean = (m_restart + 1) / 2.0;  // of j + 1 over a cycle
  return {{"Lamina::Gmres::products", bytes * (mean + 1), size * (4 * mean + 2)},
          {"Lamina::Gmres::update", bytes * (mean + 2), size * (2 * mean + 3)},
          {"Lamina::Gmres::combination", bytes * (m_restart + 1), size * 2 * m_restart},
          {"Lamina::Gmres::solution", bytes * 3, size * 2},
          {"Lamina::Gmres::residual", bytes * 3, size * 6}};
}

}  // namespace Lamina
