// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/impl/RequireDisjoint.hpp>
#include <lamina/grids/impl/ColumnOrder.hpp>
#include <lamina/krylov/FusedPcgStored.hpp>
#include <lamina/krylov/impl/FieldRows.hpp>

#include <string>
#include <type_traits>

namespace Lamina {

template <class Model>
template <ExecutionSpace Space>
requires WorksIn<Space, typename Model::memory_space> FusedPcgStored<Model>::FusedPcgStored(
    const Space&, const Model& model)
    : m_model(model) {
  LAMINA_REQUIRE(model.num_owned() == model.num_columns(), "FusedPcgStored",
                 "model: expected no halo columns, got " +
                     std::to_string(model.num_columns() - model.num_owned()));
  m_residual = allocate("residual");
  m_preconditioned = allocate("preconditioned");
  m_direction = allocate("direction");
  m_image = allocate("image");
}

template <class Model>
template <ExecutionSpace Space,
          FieldOf<typename Model::scalar_type, typename Model::memory_space> Rhs,
          FieldOf<typename Model::scalar_type, typename Model::memory_space> Solution>
requires StoredFusedModel<Model, Space> && WritableField<Solution> &&
    std::same_as<typename Rhs::array_layout, typename Solution::array_layout>
        SolveReport FusedPcgStored<Model>::solve(const Space& space, const Rhs& b,
                                                 const Solution& x,
                                                 const StoppingCriteria& criteria) {
  const int num_columns = m_model.num_columns(), num_levels = m_model.num_levels();
  Impl::require_field("FusedPcgStored::solve", "b", b, num_columns, num_levels);
  Impl::require_field("FusedPcgStored::solve", "x", x, num_columns, num_levels);
  Impl::require_disjoint("FusedPcgStored::solve", "b", b, "x", x);
  Impl::require_criteria("FusedPcgStored::solve", criteria, max_check_every);
  const Impl::UseOfPlan use("FusedPcgStored::solve", m_in_use);
  const Impl::ProfilingRegion region("Lamina::FusedPcgStored::solve");
  const auto rhs = Impl::as_const_field(b);
  const auto solution = Impl::as_field(x);
  using Own = SweepLayout<Space>;
  if constexpr (!Impl::has_column_order<Model> ||
                std::is_same_v<typename Solution::array_layout, Own>) {
    return run(space, rhs, solution, criteria);
  } else {
    const bool fits = solution.span() == m_residual.size();
    if (!fits && m_solution.extent(0) == 0) m_solution = allocate("solution");
    const auto u = field<Own>(fits ? solution.data() : m_solution.data()),
               z = field<Own>(m_preconditioned.data());
    const Impl::ColumnOrder<memory_space> of_mesh;
    Impl::bring_to_places(space, of_mesh, solution, z, u);
    SolveReport report = run(space, rhs, u, criteria);
    Impl::bring_from_places(space, of_mesh, u, z, solution);
    return report;
  }
}

template <class Model>
template <class Space, class Rhs, class Solution>
SolveReport FusedPcgStored<Model>::run(const Space& space, const Rhs& b, const Solution& u,
                                       const StoppingCriteria& criteria) {
  using Layout = typename Solution::array_layout;
  using Input = FieldView<const scalar_type, Layout, memory_space>;
  const auto r = field<Layout>(m_residual.data()), z = field<Layout>(m_preconditioned.data()),
             p = field<Layout>(m_direction.data()), q = field<Layout>(m_image.data());
  const auto own_rhs = [&] {
    if constexpr (std::is_same_v<typename Rhs::array_layout, Layout>) {
      return b;
    } else {
      Impl::to_places(space, {}, b, z);  // which the first pass writes
      return Input(z);
    }
  };

  SolveReport report;
  m_history.start(criteria, report, Impl::safe_range<scalar_type>());
  const auto u_rows = Impl::rows_of(u);
  const auto begin = [&] {
    // beta = 0 is not enough in the first pass: 0 times an old NaN is NaN.
    Impl::fill_rows(space, Impl::rows_of(p), 0);
    Impl::fill_rows(space, Impl::rows_of(q), 0);
    m_model.residual(space, m_history.step(0), own_rhs(), Input(u), r);
  };
  const auto run_all = [&](int first, int last) {
    for (int pass = first; pass <= last; ++pass) {
      const auto step = m_history.step(pass);
      m_model.precondition(space, step, Input(q), r, z);
      if (!step.is_last) m_model.advance(space, step, Input(z), u, p, q);
    }
  };
  m_history.solve(space, Impl::LookInterval(),
                  Impl::SolveVectors{Impl::rows_of(b), u_rows, Impl::rows_of(r)},
                  Impl::SolveCalls<scalar_type>{begin, run_all});
  // The last direction has not been added to u. Where the solve ended on its curvature, it must not
  // be.
  if (report.iterations > 0 && !m_history.ended_on_curvature()) {
    Impl::add_scaled("Lamina::FusedPcgStored::finish", space,
                     static_cast<scalar_type>(m_history.alpha(report.iterations - 1)),
                     Impl::rows_of(Input(p)), u_rows);
  }
  m_history.unscale(space, u_rows);
  m_history.judge_solution(space, u_rows.as_const());
  return report;
}

}  // namespace Lamina
