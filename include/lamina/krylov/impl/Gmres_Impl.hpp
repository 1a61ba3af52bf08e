// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/impl/RequireCriteria.hpp>
#include <lamina/core/impl/RequireDisjoint.hpp>
#include <lamina/distributed/impl/ExchangeHalo.hpp>
#include <lamina/distributed/impl/RequireDecomposition.hpp>
#include <lamina/krylov/Gmres.hpp>
#include <lamina/krylov/impl/AgreedCriteria.hpp>
#include <lamina/krylov/impl/BadPivots.hpp>
#include <lamina/krylov/impl/FieldRows.hpp>
#include <lamina/krylov/impl/OwnedColumns.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace Lamina {

template <class Operator, class Preconditioner>
template <ExecutionSpace Space>
requires WorksIn<Space, typename Operator::memory_space> Gmres<Operator, Preconditioner>::Gmres(
    const Space&, const Operator& op, const Preconditioner& preconditioner, int restart,
    const Decomposition<memory_space>& ranks)
    : m_operator(op),
      m_preconditioner(preconditioner),
      m_ranks(ranks),
      m_restart(restart),
      m_size(static_cast<std::size_t>(op.num_columns()) *
             static_cast<std::size_t>(op.num_levels())),
      m_history(std::clamp(restart, 1, max_restart),
                16 * static_cast<double>(std::numeric_limits<scalar_type>::epsilon())) {
  Impl::require_decomposition("Gmres", "op", "columns", ranks, op.num_owned(), op.num_columns());
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
  if (preconditioned || is_decomposed()) {
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
  if (is_decomposed()) {
    static_assert(Basis::num_sums(max_restart) <= GlobalReduction<memory_space>::max_values);
    m_totals =
        Doubles<memory_space>(label("totals"), static_cast<std::size_t>(Basis::num_sums(restart)));
  }
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

template <class Operator, class Preconditioner>
template <class Space>
Impl::BasisRanks<Space> Gmres<Operator, Preconditioner>::basis_ranks() const {
  if (!is_decomposed()) return {};
  return {m_totals.data(), [this](const Space& space, int count) {
            m_ranks.reduction.sum(space, m_totals.data(), m_totals.data(), count);
          }};
}

template <class Operator, class Preconditioner>
template <class Space, class PlanField>
void Gmres<Operator, Preconditioner>::clear_halo(const Space& space,
                                                 const PlanField& of_plan) const {
  if (!is_decomposed()) return;
  Impl::fill_rows(space, Impl::rows_of(Impl::last_columns(of_plan, m_operator.num_owned())), 0);
}

template <class Operator, class Preconditioner>
template <class Space, class Rhs>
auto Gmres<Operator, Preconditioner>::flat_rhs(const Space& space, const Rhs& b) const {
  if (!is_decomposed()) return Impl::flat(Impl::as_const_field(b));
  const auto copy = field<typename Rhs::array_layout>(m_preconditioned.data());
  const int num_owned = m_operator.num_owned();
  Impl::copy_rows(space, Impl::rows_of(Impl::first_columns(Impl::as_const_field(b), num_owned)),
                  Impl::rows_of(Impl::first_columns(copy, num_owned)));
  clear_halo(space, copy);
  return Impl::flat(Impl::as_const_field(copy));
}

template <class Operator, class Preconditioner>
template <class Space, class In, class Out>
void Gmres<Operator, Preconditioner>::apply(const Space& space, const In& v, const Out& w) const {
  clear_halo(space, w);
  const auto z = field<typename Out::array_layout>(m_preconditioned.data());
  if constexpr (preconditioned) {
    m_preconditioner.solve(space, v, z);
  } else {
    if (!is_decomposed()) return m_operator.apply(space, v, w);
    Kokkos::deep_copy(space, z, v);
  }
  Impl::exchange_halo(space, m_ranks.halo, z);
  m_operator.apply(space, Impl::as_const_field(z), w);
}

/// u_0 = (b - A x) / power, with the power of two of `expected`. Where |u_0| leaves the range in
/// which all products with it are safe, its own power of two is divided out, too. \return |b - A x|
template <class Operator, class Preconditioner>
template <class Space, class Rhs, class Solution>
double Gmres<Operator, Preconditioner>::compute_residual(const Space& space, const Rhs& b,
                                                         const Solution& x, double expected) {
  using Kernels = Impl::BasisKernels<Space, scalar_type>;
  using Layout = typename Solution::array_layout;
  constexpr double range = 0x1p30, least = std::numeric_limits<double>::min();
  const Basis basis = this->basis();
  const auto image = field<Layout>(basis.vector(1));
  clear_halo(space, image);
  if (x.span_is_contiguous()) {
    Impl::exchange_halo(space, m_ranks.halo, Impl::as_field(x));
    m_operator.apply(space, Impl::as_const_field(x), image);
  } else {  // not every operator takes padded Views; u_0 is free for a copy
    const auto copy = field<Layout>(basis.vector(0));
    Impl::copy_rows(space, Impl::rows_of(x).as_const(), Impl::rows_of(copy));
    Impl::exchange_halo(space, m_ranks.halo, copy);
    m_operator.apply(space, Impl::as_const_field(copy), image);
  }
  const auto rhs = flat_rhs(space, b);
  double power = Impl::power_of_two_below(expected);
  double norm = 0;
  for (int attempt = 0; attempt < 2; ++attempt) {
    Kernels::start(space, basis, 1 / power, rhs, image.data(), basis_ranks<Space>());
    fetch_scalars(space, 1);
    norm = m_host_scalars(1);
    if (!(norm > range || norm < 1 / range) || norm == 0) break;
    // The reciprocal stays finite.
    power = std::max(power * (norm < least ? least : Impl::power_of_two_below(norm)), least);
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
  const auto ranks = basis_ranks<Space>();
  const Basis host{nullptr, 0, 0, m_restart, m_host_scalars.data(), nullptr, nullptr, nullptr};
  for (int first = 0; first < length;) {
    const int last = std::min(length, first + m_history.next_look(!runs_on_host<Space>));
    for (int j = first; j < last; ++j) {
      const auto v = Impl::as_const_field(field<Layout>(basis.vector(j)));
      apply(space, v, field<Layout>(basis.vector(j + 1)));
      Kernels::orthogonalise(space, basis, j, ranks);
    }
    Kernels::measure(space, basis, last - 1, ranks);
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
  const auto on_any_rank = [&](bool found) { return this->on_any_rank(space, found); };
  const StoppingCriteria of_all = Impl::agree_on_stops(criteria, is_decomposed(), on_any_rank);
  const double initial = compute_residual(space, b, x, 0);
  const double rhs_norm = m_host_scalars(0);
  if (on_any_rank(Impl::knows_bad_pivots(space, m_preconditioner))) {
    m_history.refuse(of_all, rhs_norm, initial, SolveStatus::breakdown_zero_pivot, report);
    return report;
  }
  bool ended = m_history.start(of_all, rhs_norm, initial, report);
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
  Impl::blame_bad_pivots(space, m_preconditioner, report, on_any_rank);
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
