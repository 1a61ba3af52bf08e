// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/krylov/FusedPcg.hpp>

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
  m_direction = allocate("direction");
  m_image = allocate("image");
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
  const Output r = field(m_residual), z = field(m_preconditioned), p = field(m_direction),
               q = field(m_image), u = Impl::as_field(x);

  // beta = 0 would not do for the start: 0 times an old NaN is NaN.
  Kokkos::deep_copy(space, p, scalar_type(0));
  Kokkos::deep_copy(space, q, scalar_type(0));
  m_model.residual(space, Impl::as_const_field(b), Input(u), r);

  SolveReport report;
  m_history.start(criteria, report);
  const int interval = Impl::check_interval<Space>(criteria);
  for (int pass = 0; pass <= criteria.max_iterations; ++pass) {
    const auto step = m_history.step(pass);
    m_model.precondition(space, step, Input(q), r, z);
    m_model.advance(space, step, Input(z), u, p, q);
    const bool look = (pass + 1) % interval == 0 || pass == criteria.max_iterations;
    if (look && m_history.look(space, pass)) break;
  }
  return report;
}

}  // namespace Lamina
