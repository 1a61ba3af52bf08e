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

namespace Lamina {

namespace Impl {

/// The coefficients of `Pcg` in device memory, computed from the rows of `FusedStep`.
template <class Scalar, class Memory>
struct PcgCoefficients {
  enum { one = 0, alpha = 1, minus_alpha = 2, beta = 3, stopped = 4, count = 5 };
  Scalar* values;
  FusedStep<Memory> step;

  struct Start {};
  KOKKOS_FUNCTION void operator()(Start, int) const {
    values[one] = 1;
    values[stopped] = 0;
  }
  /// Without a preconditioner: <r, z> = <r, r>.
  struct Energy {};
  KOKKOS_FUNCTION void operator()(Energy, int) const {
    step.now[FusedStep<Memory>::energy] = step.now[FusedStep<Memory>::residual2];
  }
  /// beta = kappa_n / kappa_{n-1}; 0 in the first pass and after the end of the solve.
  struct Beta {};
  KOKKOS_FUNCTION void operator()(Beta, int) const {
    const bool proceed = !step.is_first && values[stopped] == 0 && step.continues(step.now);
    values[beta] = proceed ? static_cast<Scalar>(step.now[FusedStep<Memory>::energy] /
                                                 step.before[FusedStep<Memory>::energy])
                           : Scalar(0);
  }
  /// alpha = kappa_n / <p, q>. It is 0 after convergence or breakdown, which leaves x and r
  /// unchanged.
  struct Alpha {};
  KOKKOS_FUNCTION void operator()(Alpha, int) const {
    const double curvature = step.now[FusedStep<Memory>::curvature];
    if (!step.continues(step.now) || !FusedStep<Memory>::positive_finite(curvature)) {
      values[stopped] = 1;
    }
    const double value = values[stopped] == 0 ? step.now[FusedStep<Memory>::energy] / curvature : 0;
    values[alpha] = static_cast<Scalar>(value);
    values[minus_alpha] = static_cast<Scalar>(-value);
  }
};

/// Computes some of the coefficients, by one thread.
template <class Part, class Space, class Coefficients>
void compute(const char* label, const Space& space, const Coefficients& coefficients) {
  Kokkos::parallel_for(label, Kokkos::RangePolicy<Space, Part>(space, 0, 1), coefficients);
}

}  // namespace Impl

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
  m_coefficients =
      allocate("coefficients", Impl::PcgCoefficients<scalar_type, memory_space>::count);
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
  const auto rhs = Impl::as_const_field(b);
  const auto u = Impl::as_field(x);
  const auto r = field<typename Solution::array_layout>(m_residual);
  m_history.start(criteria, report, Impl::safe_range<scalar_type>());
  const int num_owned = m_operator.num_owned();
  m_history.solve(
      space, Impl::short_look_interval,
      Impl::SolveVectors{Impl::first_columns(rhs, num_owned), u, Impl::first_columns(r, num_owned)},
      [&] { start(space, rhs, u); },
      [&](int first, int last) {
        for (int pass = first; pass <= last; ++pass) run_pass(space, pass, u);
      });
  m_history.unscale(space, u);
  m_history.judge_solution(space, Impl::first_columns(u, num_owned));
  Impl::blame_bad_pivots(space, m_preconditioner, report, on_any_rank);
  return report;
}

template <class Operator, class Preconditioner>
template <class Space, class Rhs, class Solution>
void Pcg<Operator, Preconditioner>::start(const Space& space, const Rhs& b,
                                          const Solution& x) const {
  using Layout = typename Solution::array_layout;
  using Coefficients = Impl::PcgCoefficients<scalar_type, memory_space>;
  const auto r = field<Layout>(m_residual), p = field<Layout>(m_direction),
             q = field<Layout>(m_image);
  Impl::compute<typename Coefficients::Start>(
      "Lamina::Pcg::start", space, Coefficients{m_coefficients.data(), m_history.step(0)});
  if (x.span_is_contiguous()) {
    apply(space, x, q);
  } else {  // not every operator takes padded Views
    Impl::copy_rows(space, Impl::rows_of(x).as_const(), Impl::rows_of(p));
    apply(space, p, q);
  }
  if (!m_ranks.halo.empty()) {  // then scalar products of all columns are those of owned ones
    for (const auto& field : {r, field<Layout>(m_preconditioned), q}) {
      Kokkos::deep_copy(space, Impl::last_columns(field, m_operator.num_owned()), scalar_type(0));
    }
  }
  const int num_owned = m_operator.num_owned();
  Impl::subtract_rows(space, Impl::rows_of(Impl::first_columns(b, num_owned)),
                      Impl::rows_of(Impl::first_columns(q, num_owned)).as_const(),
                      Impl::rows_of(Impl::first_columns(r, num_owned)));
  Kokkos::deep_copy(space, p, scalar_type(0));
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
  using C = Impl::PcgCoefficients<scalar_type, memory_space>;
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
    Impl::compute<typename C::Energy>("Lamina::Pcg::energy", space, C{coefficients, part});
  }
  m_history.complete(space, pass);
  Impl::compute<typename C::Beta>("Lamina::Pcg::beta", space, C{coefficients, step});
  axpby(C::one, z_vector, C::beta, p_vector);
  apply(space, p, q);
  dot(part.now + Step::curvature, p_vector, q_vector);
  m_history.complete(space, pass, Step::curvature, 1);
  Impl::compute<typename C::Alpha>("Lamina::Pcg::alpha", space, C{coefficients, step});
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
