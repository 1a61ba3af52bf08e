// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/impl/RequireDisjoint.hpp>
#include <lamina/distributed/impl/RequireDecomposition.hpp>
#include <lamina/krylov/Pcg.hpp>
#include <lamina/krylov/impl/BadPivots.hpp>
#include <lamina/krylov/impl/Blas1.hpp>
#include <lamina/krylov/impl/FieldRows.hpp>
#include <lamina/krylov/impl/OwnedColumns.hpp>
#include <lamina/krylov/impl/PcgCoefficients.hpp>

namespace Lamina {

template <class Operator, class Preconditioner>
template <ExecutionSpace Space>
requires WorksIn<Space, typename Operator::memory_space> Pcg<Operator, Preconditioner>::Pcg(
    const Space&, const Operator& op, const Preconditioner& preconditioner,
    const Decomposition<memory_space>& ranks)
    : m_operator(op), m_preconditioner(preconditioner), m_ranks(ranks) {
  Impl::require_decomposition("Pcg", "op", "columns", ranks, op.num_owned(), op.num_columns());
  m_history.distribute(ranks.reduction);
  const auto size =
      static_cast<std::size_t>(op.num_columns()) * static_cast<std::size_t>(op.num_levels());
  const auto allocate = [](const char* name, std::size_t count) {
    return Kokkos::View<scalar_type*, memory_space>(
        Kokkos::view_alloc(std::string("Lamina::Pcg::") + name, Kokkos::WithoutInitializing),
        count);
  };
  m_residual = allocate("residual", size);
  m_preconditioned = preconditioned ? allocate("preconditioned", size) : m_residual;
  m_direction = allocate("direction", size);
  m_image = allocate("image", size);
  m_coefficients = allocate("coefficients", Impl::PcgCoefficients<Space, scalar_type>::count);
  if constexpr (!std::is_same_v<memory_space, Kokkos::HostSpace>) {
    m_parts = Impl::TeamParts<memory_space>("Lamina::Pcg::parts");
  }
}

template <class Operator, class Preconditioner>
template <ExecutionSpace Space,
          FieldOf<typename Operator::scalar_type, typename Operator::memory_space> Rhs,
          FieldOf<typename Operator::scalar_type, typename Operator::memory_space> Solution>
requires WorksIn<Space, typename Operator::memory_space> && WritableField<Solution> &&
    std::same_as<typename Rhs::array_layout, typename Solution::array_layout>
        SolveReport Pcg<Operator, Preconditioner>::solve(const Space& space, const Rhs& b,
                                                         const Solution& x,
                                                         const StoppingCriteria& criteria) {
  const int num_columns = m_operator.num_columns(), num_levels = m_operator.num_levels();
  Impl::require_field("Pcg::solve", "b", b, num_columns, num_levels);
  Impl::require_field("Pcg::solve", "x", x, num_columns, num_levels);
  Impl::require_disjoint("Pcg::solve", "b", b, "x", x);
  Impl::require_criteria("Pcg::solve", criteria, max_check_every);
  const Impl::UseOfPlan use("Pcg::solve", m_in_use);
  const Impl::ProfilingRegion region("Lamina::Pcg::solve");

  SolveReport report;
  const auto on_any_rank = [&](bool found) { return m_history.on_any_rank(space, found); };
  if (on_any_rank(Impl::knows_bad_pivots(space, m_preconditioner))) {
    report.status = SolveStatus::breakdown_zero_pivot;
    return report;
  }
  const int num_owned = m_operator.num_owned();
  const auto rhs = Impl::as_const_field(b);
  const auto u = Impl::as_field(x);
  const auto r = field<typename Solution::array_layout>(m_residual);
  const auto u_rows = Impl::rows_of(u);
  m_history.start(criteria, report, Impl::safe_range<scalar_type>());
  const auto begin = [&] { start(space, rhs, u); };
  const auto run = [&](int first, int last) {
    for (int pass = first; pass <= last; ++pass) run_pass(space, pass, u);
  };
  m_history.solve(space, Impl::short_look_interval,
                  Impl::SolveVectors{Impl::rows_of(Impl::first_columns(rhs, num_owned)), u_rows,
                                     Impl::rows_of(Impl::first_columns(r, num_owned))},
                  Impl::SolveCalls<scalar_type>{begin, run});
  m_history.unscale(space, u_rows);
  m_history.judge_solution(space, Impl::rows_of(Impl::first_columns(u, num_owned)).as_const());
  Impl::blame_bad_pivots(space, m_preconditioner, report, on_any_rank);
  return report;
}

template <class Operator, class Preconditioner>
template <class Space, class Rhs, class Solution>
void Pcg<Operator, Preconditioner>::start(const Space& space, const Rhs& b,
                                          const Solution& x) const {
  using Layout = typename Solution::array_layout;
  const auto r = field<Layout>(m_residual), p = field<Layout>(m_direction),
             q = field<Layout>(m_image);
  Impl::PcgCoefficients<Space, scalar_type>::start(space, m_coefficients.data());
  if (x.span_is_contiguous()) {
    apply(space, x, q);
  } else {  // not every operator takes padded Views
    Impl::copy_rows(space, Impl::rows_of(x).as_const(), Impl::rows_of(p));
    apply(space, p, q);
  }
  if (!m_ranks.halo.empty()) {  // then scalar products of all columns are those of owned ones
    for (const auto& field : {r, field<Layout>(m_preconditioned), q}) {
      Impl::fill_rows(space, Impl::rows_of(Impl::last_columns(field, m_operator.num_owned())), 0);
    }
  }
  const int num_owned = m_operator.num_owned();
  Impl::subtract_rows(space, Impl::rows_of(Impl::first_columns(b, num_owned)),
                      Impl::rows_of(Impl::first_columns(q, num_owned)).as_const(),
                      Impl::rows_of(Impl::first_columns(r, num_owned)));
  Impl::fill_rows(space, Impl::rows_of(p), 0);
}

template <class Operator, class Preconditioner>
template <class Space, class Solution>
void Pcg<Operator, Preconditioner>::run_pass(const Space& space, int pass,
                                             const Solution& x) const {
  using Layout = typename Solution::array_layout;
  using Step = FusedStep<memory_space>;
  using Blas1 = Impl::Blas1<Space, scalar_type>;
  using Vector = typename Blas1::Output;
  using ConstVector = typename Blas1::Input;
  using C = Impl::PcgCoefficients<Space, scalar_type>;
  const auto r = field<Layout>(m_residual), z = field<Layout>(m_preconditioned),
             p = field<Layout>(m_direction), q = field<Layout>(m_image);
  const Vector r_vector(m_residual), z_vector(m_preconditioned), p_vector(m_direction),
      q_vector(m_image);
  scalar_type* const coefficients = m_coefficients.data();
  const auto axpby = [&](int a, const ConstVector& from, int b, const Vector& to) {
    Blas1::axpby(space, coefficients + a, from, coefficients + b, to);
  };
  const auto dot = [&](double* result, const ConstVector& left, const ConstVector& right) {
    Blas1::dot(space, m_parts, result, left, right);
  };

  const auto part = m_history.step_to_complete(pass), step = m_history.step(pass);
  dot(part.now + Step::residual2, r_vector, r_vector);
  if (step.is_last) return m_history.complete(space, pass);
  if constexpr (preconditioned) {
    m_preconditioner.solve(space, Impl::as_const_field(r), z);
    dot(part.now + Step::energy, r_vector, z_vector);
  } else {
    C::take_energy(space, part);
  }
  m_history.complete(space, pass);
  C::compute_beta(space, coefficients, step);
  axpby(C::one, z_vector, C::beta, p_vector);
  apply(space, p, q);
  dot(part.now + Step::curvature, p_vector, q_vector);
  m_history.complete(space, pass, Step::curvature, 1);
  C::compute_alpha(space, coefficients, step);
  if (x.span_is_contiguous()) {
    axpby(C::alpha, p_vector, C::one, Vector(x.data(), p_vector.extent(0)));
  } else {
    Impl::add_rows(space, coefficients + C::alpha, Impl::rows_of(p).as_const(), Impl::rows_of(x));
  }
  axpby(C::minus_alpha, q_vector, C::one, r_vector);
}

template <class Operator, class Preconditioner>
std::vector<KernelCost> Pcg<Operator, Preconditioner>::kernel_costs() const {
  const double size = static_cast<double>(m_residual.extent(0));
  const double bytes = size * sizeof(scalar_type);
  // <r, r> reads one vector, <r, z> and <p, q> two each; an update reads two and writes one.
  return {{Impl::dot_label<memory_space>, preconditioned ? bytes * 5 / 3 : bytes * 3 / 2, size * 2},
          {"Lamina::Pcg::axpby", bytes * 3, size * 3}};
}

}  // namespace Lamina
