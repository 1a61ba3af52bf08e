// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/impl/RequireDisjoint.hpp>
#include <lamina/krylov/FusedPcg.hpp>
#include <lamina/krylov/impl/AddScaled.hpp>
#include <lamina/krylov/impl/OwnedColumns.hpp>

#include <string>

namespace Lamina {
namespace Impl {

/// The decomposition of a model, if it has one.
template <class Space, class Model>
Decomposition<typename Model::memory_space> decomposition_of(const Model& model) {
  if constexpr (FusedModelOverRanks<Model, Space>) return model.decomposition();
  return {};
}

}  // namespace Impl

template <class Model>
template <ExecutionSpace Space>
requires WorksIn<Space, typename Model::memory_space> FusedPcg<Model>::FusedPcg(const Space&,
                                                                                const Model& model)
    : m_num_columns(model.num_columns()),
      m_order(Impl::column_order_of<Space>(model)),
      m_model(Impl::in_own_order<Space>(model)),
      m_ranks(Impl::decomposition_of<Space>(model)) {
  LAMINA_REQUIRE(model.num_owned() == model.num_columns() || !m_ranks.halo.empty(), "FusedPcg",
                 "model: expected no halo columns, or a decomposition, got " +
                     std::to_string(model.num_columns() - model.num_owned()));
  m_history.distribute(m_ranks.reduction);
  const auto size = static_cast<std::size_t>(m_model.num_columns()) *
                    static_cast<std::size_t>(m_model.num_levels());
  const auto allocate = [size](const char* name) {
    return Kokkos::View<scalar_type*, memory_space>(
        Kokkos::view_alloc(std::string("Lamina::FusedPcg::") + name, Kokkos::WithoutInitializing),
        size);
  };
  m_residual = allocate("residual");
  m_preconditioned = allocate("preconditioned");
  m_directions[0] = allocate("direction");
  m_directions[1] = allocate("direction");
  if (!m_order.empty()) m_solution = allocate("solution");
}

template <class Model>
template <ExecutionSpace Space,
          FieldOf<typename Model::scalar_type, typename Model::memory_space> Rhs,
          FieldOf<typename Model::scalar_type, typename Model::memory_space> Solution>
requires FusedModel<Model, Space> && WritableField<Solution> &&
    std::same_as<typename Rhs::array_layout, typename Solution::array_layout>
        SolveReport FusedPcg<Model>::solve(const Space& space, const Rhs& b, const Solution& x,
                                           const StoppingCriteria& criteria) {
  const int num_levels = m_model.num_levels();
  Impl::require_field("FusedPcg::solve", "b", b, m_num_columns, num_levels);
  Impl::require_field("FusedPcg::solve", "x", x, m_num_columns, num_levels);
  Impl::require_disjoint("FusedPcg::solve", "b", b, "x", x);
  Impl::require_criteria("FusedPcg::solve", criteria, max_check_every);
  const Impl::UseOfPlan use("FusedPcg::solve", m_in_use);
  const Impl::ProfilingRegion region("Lamina::FusedPcg::solve");

  using Layout = typename Solution::array_layout;
  const Input<Layout> rhs = Impl::as_const_field(b);
  const Output<Layout> solution = Impl::as_field(x);
  if constexpr (Impl::may_reorder<Model, Space>) {
    const auto own = own_solution<Layout>(solution);
    if (own.data() != nullptr) return solve_rearranged(space, rhs, solution, own, criteria);
  }
  return solve_in_place(space, rhs, solution, criteria);
}

template <class Model>
template <class Layout>
auto FusedPcg<Model>::own_solution(const Output<Layout>& x) const -> Output<Kokkos::LayoutLeft> {
  using Own = Output<Kokkos::LayoutLeft>;
  const auto num_places = static_cast<std::size_t>(m_model.num_columns());
  const auto num_levels = static_cast<std::size_t>(m_model.num_levels());
  if (!m_order.empty()) return Own(m_solution.data(), num_places, num_levels);
  const bool transposed = Impl::levels_contiguous<Layout> && x.span() == num_places * num_levels;
  return transposed ? Own(x.data(), num_places, num_levels) : Own();
}

template <class Model>
template <class Space, class Layout>
SolveReport FusedPcg<Model>::solve_rearranged(const Space& space, const Input<Layout>& b,
                                              const Output<Layout>& x,
                                              const Output<Kokkos::LayoutLeft>& u,
                                              const StoppingCriteria& criteria) {
  const auto fields = fields_of<Kokkos::LayoutLeft>(u);
  // In the memory of x the new order would overwrite columns that are still needed. So x goes there
  // by way of another field.
  const bool shares_memory = u.data() == x.data();
  const auto& image = shares_memory ? fields.r : u;
  Impl::to_places(space, m_order, Input<Layout>(x), image);
  if (shares_memory) Kokkos::deep_copy(space, u, image);
  Impl::to_places(space, m_order, b, fields.z);
  SolveReport report = solve_in_place(space, as_input(fields.z), u, criteria);
  if (shares_memory) Kokkos::deep_copy(space, image, u);
  Impl::from_places(space, m_order, as_input(image), x);
  return report;
}

template <class Model>
template <class Layout>
auto FusedPcg<Model>::fields_of(const Output<Layout>& u) const -> Fields<Layout> {
  const auto field = [this](const auto& storage) {
    return Output<Layout>(storage.data(), static_cast<std::size_t>(m_model.num_columns()),
                          static_cast<std::size_t>(m_model.num_levels()));
  };
  return {.r = field(m_residual),
          .z = field(m_preconditioned),
          .p = {field(m_directions[0]), field(m_directions[1])},
          .u = u};
}

template <class Model>
template <class Space, class Layout>
SolveReport FusedPcg<Model>::solve_in_place(const Space& space, const Input<Layout>& b,
                                            const Output<Layout>& u,
                                            const StoppingCriteria& criteria) {
  const Fields<Layout> fields = fields_of<Layout>(u);
  const int num_owned = m_model.num_owned();
  SolveReport report;
  m_history.start(criteria, report, Impl::safe_range<scalar_type>());
  m_history.solve(
      space, Impl::LookInterval(),
      Impl::PcgVectors{Impl::first_columns(b, num_owned), u, u,
                       Impl::first_columns(fields.r, num_owned)},
      [&] {
        // beta = 0 is not enough in the first pass: 0 times an old NaN is NaN.
        Kokkos::deep_copy(space, fields.p[1], scalar_type(0));
        if (!m_ranks.halo.empty()) {
          m_ranks.halo.start(space, u);
          m_ranks.halo.finish(space);
        }
        m_model.residual(space, m_history.step_to_complete(0), b, as_input(u), fields.r);
      },
      [&](int first, int last) { run_passes(space, fields, first, last); });

  if (report.iterations % 2 == 1) {
    const int last = report.iterations - 1;
    Impl::add_scaled(space, "Lamina::FusedPcg::finish",
                     static_cast<scalar_type>(m_history.alpha(last)), as_input(fields.p[last % 2]),
                     fields.u, m_model.num_owned());
  }
  m_history.unscale(space, u);
  m_history.judge_solution(space, Impl::first_columns(u, num_owned));
  return report;
}

template <class Model>
template <ExecutionSpace Space, class Layout>
void FusedPcg<Model>::precondition(const Space& space, const FusedStep<memory_space>& step,
                                   const Fields<Layout>& fields) const {
  if constexpr (FusedModelOverRanks<Model, Space>) {
    if (!m_ranks.halo.empty()) {
      m_ranks.halo.start(space, fields.r);
      m_model.precondition(space, step, as_input(fields.r), fields.z);
      m_ranks.halo.finish(space);
      m_model.precondition_halo(space, as_input(fields.r), fields.z);
      return;
    }
  }
  m_model.precondition(space, step, as_input(fields.r), fields.z);
}

template <class Model>
template <ExecutionSpace Space, class Layout>
void FusedPcg<Model>::run_passes(const Space& space, const Fields<Layout>& fields, int first,
                                 int last) const {
  const auto& [r, z, p, u] = fields;
  for (int pass = first; pass <= last; ++pass) {
    const auto step = m_history.step_to_complete(pass);
    if (step.is_last) return m_history.complete(space, pass);
    precondition(space, step, fields);
    m_model.measure(space, step, as_input(z));
    m_history.complete(space, pass);
    // u takes both directions at once, before the older one is overwritten.
    const int parity = pass % 2;
    m_model.advance(space, m_history.step(pass), parity == 1, as_input(z), as_input(p[1 - parity]),
                    p[parity], r, u);
  }
}

}  // namespace Lamina
