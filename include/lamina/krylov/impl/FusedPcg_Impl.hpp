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

  const auto sweep = [&](int first, int last) {
    for (int pass = first; pass <= last; ++pass) {
      const auto step = m_history.step(pass);
      if (step.is_last) return;
      m_model.precondition(space, step, Input(r), z);
      m_model.measure(space, step, Input(z));
      // The solution takes both directions at once, before the older one is overwritten.
      const int parity = pass % 2;
      m_model.advance(space, step, parity == 1, Input(z), Input(p[1 - parity]), p[parity], r, u);
    }
  };
  const auto each_stretch = [&](int interval, const auto& run) {
    int last = -1;
    do {
      const int first = last + 1;
      last = first + std::min(interval - 1, criteria.max_iterations - first);
      run(first, last);
    } while (!m_history.look(space, last));
  };
  bool in_stretches = false;
  if constexpr (FusedPcgStretchModel<Model, Space> && std::is_same_v<Layout, Kokkos::LayoutLeft>) {
    in_stretches = m_model.in_stretches(r, u);
    if (in_stretches) {
      // Solves end there by themselves: this bounds the time that others wait for the device.
      constexpr int longest = 50;
      each_stretch(Impl::check_interval<Space>(criteria, longest), [&](int first, int last) {
        if (first == criteria.max_iterations) return;  // nothing follows the last residual
        m_model.iterate(space, m_history.steps(), first, last, z, p, r, u);
      });
    }
  }
  if (!in_stretches) each_stretch(Impl::check_interval<Space>(criteria), sweep);

  if (report.iterations % 2 == 1) {
    const int last = report.iterations - 1;
    Impl::add_scaled(space, "Lamina::FusedPcg::finish",
                     static_cast<scalar_type>(m_history.alpha(last)), Input(p[last % 2]), u,
                     m_model.num_owned());
  }
  return report;
}

}  // namespace Lamina
