// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/krylov/FusedPcg.hpp>
#include <lamina/krylov/impl/AddScaled.hpp>

#include <algorithm>
#include <string>
#include <type_traits>

namespace Lamina {

template <class Model>
template <ExecutionSpace Space>
requires WorksIn<Space, typename Model::memory_space> FusedPcg<Model>::FusedPcg(const Space&,
                                                                                const Model& model)
    : m_model(model) {
  LAMINA_REQUIRE(model.num_owned() == model.num_columns(), "FusedPcg",
                 "model: expected no halo columns, got " +
                     std::to_string(model.num_columns() - model.num_owned()));
  const auto size =
      static_cast<std::size_t>(model.num_columns()) * static_cast<std::size_t>(model.num_levels());
  const auto allocate = [size](const char* name) {
    return Kokkos::View<scalar_type*, memory_space>(
        Kokkos::view_alloc(std::string("Lamina::FusedPcg::") + name, Kokkos::WithoutInitializing),
        size);
  };
  m_residual = allocate("residual");
  m_preconditioned = allocate("preconditioned");
  m_directions[0] = allocate("direction");
  m_directions[1] = allocate("direction");
}

template <class Model>
template <ExecutionSpace Space,
          FieldOf<typename Model::scalar_type, typename Model::memory_space> Rhs,
          FieldOf<typename Model::scalar_type, typename Model::memory_space> Solution>
requires FusedModel<Model, Space> && WritableField<Solution> &&
    std::same_as<typename Rhs::array_layout, typename Solution::array_layout>
        SolveReport FusedPcg<Model>::solve(const Space& space, const Rhs& b, const Solution& x,
                                           const StoppingCriteria& criteria) {
  const int num_columns = m_model.num_columns(), num_levels = m_model.num_levels();
  Impl::require_field("FusedPcg::solve", "b", b, num_columns, num_levels);
  Impl::require_field("FusedPcg::solve", "x", x, num_columns, num_levels);
  Impl::require_criteria("FusedPcg::solve", criteria, max_check_every);
  const Impl::ProfilingRegion region("Lamina::FusedPcg::solve");

  const auto field = [&](const auto& storage) {
    return Output<typename Solution::array_layout>(storage.data(),
                                                   static_cast<std::size_t>(num_columns),
                                                   static_cast<std::size_t>(num_levels));
  };
  const Fields<typename Solution::array_layout> fields{
      .r = field(m_residual),
      .z = field(m_preconditioned),
      .p = {field(m_directions[0]), field(m_directions[1])},
      .u = Impl::as_field(x)};

  SolveReport report;
  m_history.start(criteria, report);
  // beta = 0 would not do for the start: 0 times an old NaN is NaN.
  Kokkos::deep_copy(space, fields.p[1], scalar_type(0));
  m_model.residual(space, m_history.step(0), Impl::as_const_field(b), as_input(fields.u), fields.r);

  // Stretches end by themselves: the longest bounds the time that others wait for the device.
  constexpr int longest_stretch = 50;
  const int interval = runs_in_stretches<Space>(fields)
                           ? Impl::check_interval<Space>(criteria, longest_stretch)
                           : Impl::check_interval<Space>(criteria);
  int last_pass = -1;
  do {
    const int first = last_pass + 1;
    last_pass = first + std::min(interval - 1, criteria.max_iterations - first);
    run_passes(space, fields, first, last_pass);
  } while (!m_history.look(space, last_pass));

  if (report.iterations % 2 == 1) {
    const int last = report.iterations - 1;
    Impl::add_scaled(space, "Lamina::FusedPcg::finish",
                     static_cast<scalar_type>(m_history.alpha(last)), as_input(fields.p[last % 2]),
                     fields.u, m_model.num_owned());
  }
  return report;
}

template <class Model>
template <class Space, class Layout>
bool FusedPcg<Model>::runs_in_stretches(const Fields<Layout>& fields) const {
  if constexpr (FusedPcgStretchModel<Model, Space> && std::is_same_v<Layout, Kokkos::LayoutLeft>) {
    return m_model.in_stretches(fields.r, fields.u);
  } else {
    return false;
  }
}

template <class Model>
template <ExecutionSpace Space, class Layout>
void FusedPcg<Model>::run_passes(const Space& space, const Fields<Layout>& fields, int first,
                                 int last) const {
  const auto& [r, z, p, u] = fields;
  if constexpr (FusedPcgStretchModel<Model, Space> && std::is_same_v<Layout, Kokkos::LayoutLeft>) {
    if (runs_in_stretches<Space>(fields)) {
      if (m_history.step(first).is_last) return;
      m_model.iterate(space, m_history.steps(), first, last, z, p, r, u);
      return;
    }
  }
  for (int pass = first; pass <= last; ++pass) {
    const auto step = m_history.step(pass);
    if (step.is_last) return;
    m_model.precondition(space, step, as_input(r), z);
    m_model.measure(space, step, as_input(z));
    // The solution takes both directions at once, before the older one is overwritten.
    const int parity = pass % 2;
    m_model.advance(space, step, parity == 1, as_input(z), as_input(p[1 - parity]), p[parity], r,
                    u);
  }
}

}  // namespace Lamina
