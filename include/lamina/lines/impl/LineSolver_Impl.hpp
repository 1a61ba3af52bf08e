// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/ProfilingRegion.hpp>
#include <lamina/core/Require.hpp>
#include <lamina/core/impl/RequireDisjoint.hpp>
#include <lamina/lines/LineSolver.hpp>
#include <lamina/lines/impl/Tuning.hpp>

#include <algorithm>
#include <array>
#include <string>

namespace Lamina {

template <class Coefficients>
template <ExecutionSpace Space>
requires WorksIn<Space, typename Coefficients::field_type::memory_space>
LineSolver<Coefficients>::LineSolver(const Space& space, const Coefficients& coefficients)
    : m_coefficients(coefficients) {
  const auto& first = coefficients.field(0);
  m_num_columns = static_cast<int>(first.extent(0));
  m_num_levels = static_cast<int>(first.extent(1));
  for (int i = 0; i < Coefficients::num_fields; ++i) {
    Impl::require_field("LineSolver", "coefficients", coefficients.field(i), m_num_columns,
                        m_num_levels);
  }
  constexpr std::array segment_lengths{Impl::LineSegmentTuning::stored_levels};
  m_workspace = Impl::LineWorkspace<scalar_type, memory_space>(
      space, m_num_columns, m_num_levels, segment_lengths, Kernels<Space>::scratch_fields);
  refresh(space);
}

template <class Coefficients>
template <ExecutionSpace Space>
requires WorksIn<Space, typename Coefficients::field_type::memory_space>
void LineSolver<Coefficients>::refresh(const Space& space) {
  const Impl::ProfilingRegion region("Lamina::LineSolver::refresh");
  Kernels<Space>::prepare(space, columns(), m_workspace);
}

template <class Coefficients>
template <ExecutionSpace Space,
          FieldOf<typename Coefficients::field_type::non_const_value_type,
                  typename Coefficients::field_type::memory_space>
              Rhs,
          FieldOf<typename Coefficients::field_type::non_const_value_type,
                  typename Coefficients::field_type::memory_space>
              Solution>
requires WorksIn<Space, typename Coefficients::field_type::memory_space> &&
    WritableField<Solution> &&
    std::same_as<typename Rhs::array_layout, typename Coefficients::field_type::array_layout> &&
    std::same_as<typename Solution::array_layout, typename Coefficients::field_type::array_layout>
void LineSolver<Coefficients>::solve(const Space& space, const Rhs& rhs, const Solution& x) const {
  solve(space, std::array<Rhs, 1>{rhs}, std::array<Solution, 1>{x});
}

template <class Coefficients>
template <ExecutionSpace Space,
          FieldListOf<typename Coefficients::field_type::non_const_value_type,
                      typename Coefficients::field_type::memory_space>
              RhsList,
          FieldListOf<typename Coefficients::field_type::non_const_value_type,
                      typename Coefficients::field_type::memory_space>
              SolutionList>
requires WorksIn<Space, typename Coefficients::field_type::memory_space> &&
    WritableField<typename SolutionList::value_type> &&
    std::same_as<typename RhsList::value_type::array_layout,
                 typename Coefficients::field_type::array_layout> &&
    std::same_as<typename SolutionList::value_type::array_layout,
                 typename Coefficients::field_type::array_layout>
void LineSolver<Coefficients>::solve(const Space& space, const RhsList& rhs,
                                     const SolutionList& x) const {
  require_fields(rhs, x);
  const std::size_t count = std::size(rhs);
  const Impl::ProfilingRegion region("Lamina::LineSolver::solve");
  for (std::size_t first = 0; first < count; first += Fields::capacity) {
    Fields fields;
    for (std::size_t n = first; n < std::min(count, first + Fields::capacity); ++n) {
      fields.add(Impl::as_const_field(std::data(rhs)[n]), Impl::as_field(std::data(x)[n]));
    }
    Kernels<Space>::solve(space, columns(), fields, m_workspace);
  }
}

template <class Coefficients>
std::vector<KernelCost> LineSolver<Coefficients>::kernel_costs(int num_right_hand_sides) const {
  const double cells = static_cast<double>(m_num_columns) * m_num_levels;
  const double m = num_right_hand_sides, off_chip = m_workspace.values_off_chip();
  const int passes = (num_right_hand_sides - 1) / Fields::capacity + 1;
  const double reads = off_chip > 0 ? m : passes;
  const double flops = Coefficients::is_cyclic ? 8 + 7 * m : 4 + 5 * m;
  return {{"Lamina::LineSolver::solve",
           cells * (Coefficients::num_fields * reads + (2 + off_chip) * m) * sizeof(scalar_type),
           cells * flops}};
}

/// Checks all extents, and that x[n] shares memory with no other field, except where it is rhs[n].
template <class Coefficients>
template <class RhsList, class SolutionList>
void LineSolver<Coefficients>::require_fields(const RhsList& rhs, const SolutionList& x) const {
  const char* function = "LineSolver::solve";
  const std::size_t count = std::size(rhs);
  LAMINA_REQUIRE(std::size(x) == count, function,
                 "argument x: expected " + std::to_string(count) +
                     " fields, one for each right-hand side, got " + std::to_string(std::size(x)));
  for (std::size_t n = 0; n < count; ++n) {
    Impl::require_field(function, "rhs", std::data(rhs)[n], m_num_columns, m_num_levels);
    Impl::require_field(function, "x", std::data(x)[n], m_num_columns, m_num_levels);
  }
  for (std::size_t n = 0; n < count; ++n) {
    const auto& mine = std::data(x)[n];
    for (std::size_t other = 0; other < count; ++other) {
      if (other == n) {
        Impl::require_same_or_disjoint(function, "rhs", std::data(rhs)[n], "x", mine);
      } else {
        Impl::require_disjoint(function, "rhs", std::data(rhs)[other], "x", mine);
        Impl::require_disjoint(function, "x", std::data(x)[other], "x", mine);
      }
    }
    for (int i = 0; i < Coefficients::num_fields; ++i) {
      Impl::require_disjoint(function, "coefficients", m_coefficients.field(i), "x", mine);
    }
  }
}

template <class Coefficients>
typename LineSolver<Coefficients>::Columns LineSolver<Coefficients>::columns() const {
  Columns result;
  for (int i = 0; i < Coefficients::num_fields; ++i) {
    result.fields[i] = Impl::as_const_field(m_coefficients.field(i));
  }
  return result;
}

}  // namespace Lamina
