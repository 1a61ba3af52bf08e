// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/impl/RequireDisjoint.hpp>
#include <lamina/krylov/MixedPcg.hpp>
#include <lamina/krylov/impl/AddScaled.hpp>

namespace Lamina {

template <class Model>
template <ExecutionSpace Space>
requires WorksIn<Space, typename Model::memory_space> MixedPcg<Model>::MixedPcg(const Space&,
                                                                                const Model& model)
    : m_num_columns(model.num_columns()),
      m_order(Impl::column_order_of<Space>(model)),
      m_model(Impl::in_own_order<Space>(model)) {
  LAMINA_REQUIRE(model.num_owned() == model.num_columns(), "MixedPcg",
                 "model: expected no halo columns, got " +
                     std::to_string(model.num_columns() - model.num_owned()));
  const auto num_columns = static_cast<std::size_t>(m_model.num_columns());
  const auto num_levels = static_cast<std::size_t>(m_model.num_levels());
  const auto uninitialized = [](const char* name) {
    return Kokkos::view_alloc(std::string("Lamina::MixedPcg::") + name,
                              Kokkos::WithoutInitializing);
  };
  const auto allocate = [&](const char* name) {
    return Kokkos::View<float*, memory_space>(uninitialized(name), num_columns * num_levels);
  };
  m_residual = allocate("residual");
  m_preconditioned = allocate("preconditioned");
  m_directions[0] = allocate("direction");
  m_directions[1] = allocate("direction");
  if (m_order.empty()) return;
  using Long = Kokkos::View<double**, Kokkos::LayoutLeft, memory_space>;
  m_rhs = Long(uninitialized("rhs"), num_columns, num_levels);
  m_solution = Long(uninitialized("solution"), num_columns, num_levels);
}

template <class Model>
template <ExecutionSpace Space, FieldOf<double, typename Model::memory_space> Rhs,
          FieldOf<double, typename Model::memory_space> Solution>
requires MixedModel<Model, Space> && WritableField<Solution> &&
    std::same_as<typename Rhs::array_layout, typename Solution::array_layout>
        SolveReport MixedPcg<Model>::solve(const Space& space, const Rhs& b, const Solution& x,
                                           const StoppingCriteria& criteria) {
  Impl::require_field("MixedPcg::solve", "b", b, m_num_columns, m_model.num_levels());
  Impl::require_field("MixedPcg::solve", "x", x, m_num_columns, m_model.num_levels());
  Impl::require_disjoint("MixedPcg::solve", "b", b, "x", x);
  Impl::require_criteria("MixedPcg::solve", criteria, max_check_every);
  const Impl::UseOfPlan use("MixedPcg::solve", m_in_use);
  const Impl::ProfilingRegion region("Lamina::MixedPcg::solve");

  const auto rhs = Impl::as_const_field(b);
  const auto solution = Impl::as_field(x);
  if constexpr (Impl::may_reorder<Model, Space>) {
    if (!m_order.empty()) {
      Impl::to_places(space, m_order, rhs, m_rhs);
      Impl::to_places(space, m_order, Impl::as_const_field(x), m_solution);
      SolveReport report =
          solve_in_place(space, Impl::as_const_field(m_rhs), Impl::as_field(m_solution), criteria);
      Impl::from_places(space, m_order, Impl::as_const_field(m_solution), solution);
      return report;
    }
  }
  return solve_in_place(space, rhs, solution, criteria);
}

template <class Model>
template <class Space, class Layout>
SolveReport MixedPcg<Model>::solve_in_place(const Space& space,
                                            const FieldView<const double, Layout, memory_space>& b,
                                            const FieldView<double, Layout, memory_space>& u,
                                            const StoppingCriteria& criteria) {
  using Output = FieldView<float, Layout, memory_space>;
  using Input = FieldView<const float, Layout, memory_space>;
  using Event = typename Impl::MixedHistory<memory_space>::Event;
  const auto field = [&](const auto& storage) {
    return Output(storage.data(), static_cast<std::size_t>(m_model.num_columns()),
                  static_cast<std::size_t>(m_model.num_levels()));
  };
  const Output r = field(m_residual), z = field(m_preconditioned);
  const Output p[2] = {field(m_directions[0]), field(m_directions[1])};
  const FieldView<const double, Layout, memory_space> u_now = u;
  const auto replace_residual = [&](int pass) {
    m_model.residual(space, m_history.step(pass), m_history.scale(), b, u_now, r);
  };

  SolveReport report;
  m_history.start(criteria, report);
  if (m_history.begin(space, b, u, replace_residual) == Event::end) return report;
  replace_residual(0);  // with the scale, which is known now
  // beta = 0 is not enough in the first pass: 0 times an old NaN is NaN.
  Kokkos::deep_copy(space, p[1], 0.0f);

  const int interval = Impl::check_interval<Space>(criteria, Impl::LookInterval().shortest);
  while (true) {
    const int begin = m_history.replaced();
    Event event = Event::none;
    for (int pass = begin; event == Event::none; ++pass) {
      const auto step = m_history.step(pass);
      if (!step.is_last) {
        m_model.precondition(space, step, Input(r), z);
        m_model.measure(space, step, Input(z));
        // The solution takes both directions at once, before the older one is overwritten.
        const bool update = (pass - begin) % 2 == 1;
        const int parity = pass % 2;
        m_model.advance(space, step, update, 1 / m_history.scale(), Input(z), Input(p[1 - parity]),
                        p[parity], r, u);
      }
      const bool look = (pass + 1) % interval == 0 || pass == m_history.expected() || step.is_last;
      if (look) event = m_history.look(space, pass);
    }
    if ((report.iterations - begin) % 2 == 1) {
      const int last = report.iterations - 1;
      const auto alpha = static_cast<float>(m_history.alpha(last));
      Impl::add_scaled(space, "Lamina::MixedPcg::update",
                       static_cast<double>(alpha) / m_history.scale(), Input(p[last % 2]), u,
                       m_model.num_owned());
    }
    if (event != Event::end) {
      replace_residual(report.iterations);
      event = m_history.look_at_replacement(space);
    }
    if (event == Event::end) {
      m_history.judge_solution(space, u);
      return report;
    }
  }
}

}  // namespace Lamina
