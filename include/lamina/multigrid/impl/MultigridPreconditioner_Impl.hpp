// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/multigrid/MultigridPreconditioner.hpp>
#include <lamina/multigrid/impl/SmoothingWeights.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace Lamina {

namespace Impl {

template <class Scalar>
std::vector<Scalar> rounded_weights(const std::vector<double>& weights) {
  std::vector<Scalar> result;
  result.reserve(weights.size());
  for (const double weight : weights) result.push_back(static_cast<Scalar>(weight));
  return result;
}

}  // namespace Impl

template <FieldScalar Scalar, MemorySpace Memory>
template <ExecutionSpace Space>
requires WorksIn<Space, Memory> MultigridPreconditioner<Scalar, Memory>::MultigridPreconditioner(
    const Space& space, const ColumnHierarchy& hierarchy, const VerticalGrid& grid,
    const HelmholtzParameters& equation, const MultigridParameters& parameters)
    : m_weights(Impl::rounded_weights<Scalar>(Impl::smoothing_weights(parameters.steps))),
      m_reversed_weights(m_weights.rbegin(), m_weights.rend()) {
  const int count = Impl::count_used_levels(hierarchy, equation.omega2, parameters);
  const auto& last = hierarchy.levels()[static_cast<std::size_t>(count - 1)].graph;
  m_coarsest_weights = Impl::rounded_weights<Scalar>(
      Impl::coarsest_weights(Impl::largest_stiffness(last, equation.omega2)));
  for (int l = 0; l < count; ++l) {
    const HierarchyLevel& from = hierarchy.levels()[static_cast<std::size_t>(l)];
    const HelmholtzOperator<Scalar, Memory> op(ColumnMesh<Memory>(from.graph), grid, equation);
    const auto size =
        static_cast<std::size_t>(op.num_columns()) * static_cast<std::size_t>(op.num_levels());
    const auto allocate = [&](const char* name, bool wanted) {
      return Storage(Kokkos::view_alloc(std::string("Lamina::MultigridPreconditioner::") + name,
                                        Kokkos::WithoutInitializing),
                     wanted ? size : 0);
    };
    Level level{.op = op,
                .data = {.system = op.system(),
                         .lines = op.make_line_workspace(
                             space, Impl::plain_helmholtz_segments<Scalar>(op.num_levels())),
                         .transfer = {}},
                .rhs = allocate("rhs", l > 0),
                .solution = allocate("solution", l > 0),
                .other = allocate("other", true)};
    if (l + 1 < count) {
      level.data.transfer = Impl::TransferTables<Scalar, Memory>(
          from.transfer,
          static_cast<int>(hierarchy.levels()[static_cast<std::size_t>(l) + 1].graph.areas.size()));
    }
    m_levels.push_back(std::move(level));
  }
}

template <FieldScalar Scalar, MemorySpace Memory>
template <ExecutionSpace Space>
requires WorksIn<Space, Memory>
double MultigridPreconditioner<Scalar, Memory>::required_bytes(
    const Space& space, const ColumnGridSize& size, const MultigridParameters& parameters) {
  constexpr double of_row = ColumnTransfer::max_entries * 2 * (sizeof(int) + sizeof(Scalar));
  const auto half = [](std::int64_t count) { return count > 1 ? count / 2 : 1; };
  double bytes = 0;
  ColumnGridSize level = size;
  for (int l = 0; l < parameters.max_levels; ++l) {
    const std::int64_t columns = level.num_columns();
    const auto segments = Impl::plain_helmholtz_segments<Scalar>(size.num_levels);
    const double fields = l == 0 ? 1 : 3;
    if (l > 0) bytes -= Impl::small_arrays_bytes;  // enough for all levels together
    bytes += ColumnMesh<Memory>::required_bytes(level) +
             HelmholtzOperator<Scalar, Memory>::required_bytes(level) +
             Impl::LineWorkspace<Scalar, Memory>::required_bytes(space, columns, size.num_levels,
                                                                 segments) +
             static_cast<double>(columns) * of_row +
             fields * static_cast<double>(level.num_cells()) * sizeof(Scalar);
    if (columns <= 1) break;
    level.num_rows = half(level.num_rows);
    level.row_length = half(level.row_length);
  }
  return bytes;
}

template <FieldScalar Scalar, MemorySpace Memory>
template <class Space, class In, class Out>
void MultigridPreconditioner<Scalar, Memory>::smooth(
    const Space& space, const Impl::CycleGuard<Memory>& guard, const Impl::TeamParts<Memory>& parts,
    const Level& level, const std::vector<Scalar>& weights, std::size_t first, const In& f, Out& x,
    Out& other, double* energy) const {
  using Kernels = Impl::CycleKernels<Space, Scalar, typename Out::array_layout>;
  for (std::size_t k = first; k < weights.size(); ++k) {
    if (energy != nullptr && k + 1 == weights.size()) {
      Kernels::step_with_energy(space, level.data, guard, parts, weights[k], f, x, other, energy);
    } else {
      Kernels::step(space, level.data, guard, weights[k], f, x, other);
    }
    if (Kernels::steps_swap) std::swap(x, other);
  }
}

template <FieldScalar Scalar, MemorySpace Memory>
template <class Space, class In, class Out>
void MultigridPreconditioner<Scalar, Memory>::descend(const Space& space,
                                                      const Impl::CycleGuard<Memory>& guard,
                                                      const Impl::TeamParts<Memory>& parts, int l,
                                                      const In& f, const Out& x) const {
  using Layout = typename Out::array_layout;
  using Kernels = Impl::CycleKernels<Space, Scalar, Layout>;
  const Level& level = m_levels[static_cast<std::size_t>(l)];
  const bool coarsest = l + 1 == num_used_levels();
  double* const energy =
      l == 0 && guard.guarded ? guard.step.now + FusedStep<Memory>::energy : nullptr;
  const auto& before = coarsest ? m_coarsest_weights : m_weights;
  // The last step has to leave its result in x.
  const std::size_t steps = before.size() + (coarsest ? 0 : m_reversed_weights.size());
  Out now = x, other = field<Layout>(level, level.other);
  if (Kernels::steps_swap && (steps - 1) % 2 == 1) std::swap(now, other);

  Kernels::first_step(space, level.data, guard, before[0], f, now);
  smooth(space, guard, parts, level, before, 1, f, now, other, coarsest ? energy : nullptr);
  if (coarsest) return;
  const Level& coarser = m_levels[static_cast<std::size_t>(l) + 1];
  const auto coarse_f = field<Layout>(coarser, coarser.rhs);
  const auto coarse_x = field<Layout>(coarser, coarser.solution);
  Kernels::residual(space, level.data, guard, f, Impl::as_const_field(now), other);
  Kernels::restrict_residual(space, level.data, guard, Impl::as_const_field(other), coarse_f);
  descend(space, guard, parts, l + 1, Impl::as_const_field(coarse_f), coarse_x);
  Kernels::prolong(space, level.data, guard, Impl::as_const_field(coarse_x), now);
  smooth(space, guard, parts, level, m_reversed_weights, 0, f, now, other, energy);
}

}  // namespace Lamina
