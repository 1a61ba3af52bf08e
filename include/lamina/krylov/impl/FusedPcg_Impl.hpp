// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/krylov/FusedPcg.hpp>
#include <lamina/krylov/impl/AddScaled.hpp>

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

  using Layout = typename Solution::array_layout;
  using Output = Impl::FieldView<scalar_type, Layout, memory_space>;
  using Input = Impl::FieldView<const scalar_type, Layout, memory_space>;
  const auto field = [&](const auto& storage) {
    return Output(storage.data(), static_cast<std::size_t>(num_columns),
                  static_cast<std::size_t>(num_levels));
  };
  const Output r = field(m_residual), z = field(m_preconditioned), u = Impl::as_field(x);
  const Output p[2] = {field(m_directions[0]), field(m_directions[1])};

  SolveReport report;
  m_history.start(criteria, report);
  // beta = 0 would not do for the start: 0 times an old NaN is NaN.
  Kokkos::deep_copy(space, p[1], scalar_type(0));
  m_model.residual(space, m_history.step(0), Impl::as_const_field(b), Input(u), r);

  const int interval = Impl::check_interval<Space>(criteria);
  for (int pass = 0; pass <= criteria.max_iterations; ++pass) {
    const auto step = m_history.step(pass);
    if (!step.is_last) {
      m_model.precondition(space, step, Input(r), z);
      m_model.measure(space, step, Input(z));
      // The solution takes both directions at once, before the older one is overwritten.
      const int parity = pass % 2;
      m_model.advance(space, step, parity == 1, Input(z), Input(p[1 - parity]), p[parity], r, u);
    }
    const bool look = (pass + 1) % interval == 0 || step.is_last;
    if (look && m_history.look(space, pass)) break;
  }
  if (report.iterations % 2 == 1) {
    const int last = report.iterations - 1;
    Impl::add_scaled(space, "Lamina::FusedPcg::finish",
                     static_cast<scalar_type>(m_history.alpha(last)), Input(p[last % 2]), u,
                     m_model.num_owned());
  }
  return report;
}

}  // namespace Lamina
