// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/ProfilingRegion.hpp>
#include <lamina/core/Require.hpp>
#include <lamina/core/impl/RequireDisjoint.hpp>
#include <lamina/distributed/impl/ExchangeHalo.hpp>
#include <lamina/krylov/impl/OwnedColumns.hpp>
#include <lamina/multigrid/ColumnMultigrid.hpp>
#include <lamina/multigrid/impl/ColumnMultigrid_Levels.hpp>

#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace Lamina {

template <ColumnCoefficients Coefficients, FieldLayout Layout>
template <class Space>
void ColumnMultigrid<Coefficients, Layout>::coarsen(const Space& space, std::size_t l) const {
  if (l == 0) return coarsen_from(space, l, m_finest->op().system().coefficients);
  coarsen_from(space, l, m_coarse[l - 1].op->system().coefficients);
}

template <ColumnCoefficients Coefficients, FieldLayout Layout>
template <class Space, class Of>
void ColumnMultigrid<Coefficients, Layout>::coarsen_from(const Space& space, std::size_t l,
                                                         const Of& coefficients) const {
  const Way& way = m_ways[l];
  const CoarseLevel& to = m_coarse[l];
  const bool gathers = way.is_gathered;
  const Values &mass = gathers ? way.row_values : to.mass,
               &vertical = gathers ? way.vertical_rows : to.vertical,
               &walls = gathers ? way.wall_rows : to.walls,
               &horizontal = gathers ? way.edge_values : to.horizontal;
  Impl::run_items(
      "Lamina::ColumnMultigrid::coarsen_cells", space, mass.size(),
      Impl::CoarsenCells<Of, Own>{coefficients, way.wet, way.tables, mass, vertical, walls});
  Impl::run_items("Lamina::ColumnMultigrid::coarsen_edges", space, horizontal.size(),
                  Impl::CoarsenEdges<Of, Own>{coefficients, way.tables, horizontal});
  if (!gathers) return;
  const std::string label = "Lamina::ColumnMultigrid::gather";
  gather_rows(space, {}, label, way.rows, mass, to.mass);
  gather_rows(space, {}, label, way.rows, vertical, to.vertical);
  if (m_has_walls) gather_rows(space, {}, label, way.rows, walls, to.walls);
  gather_rows(space, {}, label, way.edge_rows, horizontal, to.horizontal);
}

template <ColumnCoefficients Coefficients, FieldLayout Layout>
template <class Space>
void ColumnMultigrid<Coefficients, Layout>::clear_packs(const Space& space) const {
  if constexpr (in_packs) {
    const auto clear = [&](const Values& field) {
      Kokkos::deep_copy(space, field, scalar_type(0));
    };
    for (const Way& way : m_ways) {
      clear(way.residual);
      clear(way.second_iterate);
    }
    for (const CoarseLevel& level : m_coarse) clear(level.solution);
    clear(m_rhs);
    clear(m_solution);
  }
}

template <ColumnCoefficients Coefficients, FieldLayout Layout>
template <ExecutionSpace Space>
requires WorksIn<Space, typename Coefficients::memory_space>
void ColumnMultigrid<Coefficients, Layout>::update(const Space& space) const {
  const Impl::ProfilingRegion region("Lamina::ColumnMultigrid::update");
  clear_packs(space);
  m_finest->update(space);
  m_lines->update(space);
  for (std::size_t l = 0; l < m_coarse.size(); ++l) {
    coarsen(space, l);
    m_coarse[l].lines->update(space);
  }
  use_levels(space);
}

template <ColumnCoefficients Coefficients, FieldLayout Layout>
template <class Space, class Of>
void ColumnMultigrid<Coefficients, Layout>::count_stiff(const Space& space,
                                                        const ColumnSystem<Of>& system,
                                                        double* count) const {
  using Index = Kokkos::IndexType<std::int64_t>;
  using Result = Kokkos::View<double, memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  const auto cells =
      static_cast<std::int64_t>(system.topology.num_owned) * system.topology.num_levels;
  constexpr auto most = static_cast<scalar_type>(Impl::most_coarsest_stiffness);
  Kokkos::parallel_reduce("Lamina::ColumnMultigrid::count_stiff",
                          Kokkos::RangePolicy<Space, Index>(space, 0, cells),
                          Impl::CountStiffCells<Of, Own>{system, most}, Result(count));
}

template <ColumnCoefficients Coefficients, FieldLayout Layout>
template <class Space>
void ColumnMultigrid<Coefficients, Layout>::use_levels(const Space& space) const {
  UsedLevels& used = *m_used;
  count_stiff(space, m_finest->op().system(), used.stiff.data());
  for (std::size_t l = 0; l < m_coarse.size(); ++l) {
    count_stiff(space, m_coarse[l].op->system(), used.stiff.data() + l + 1);
  }
  const auto count = static_cast<int>(used.stiff.extent(0));
  m_ranks.reduction.sum(space, used.stiff.data(), used.stiff.data(), count);
  Kokkos::deep_copy(space, used.on_host, used.stiff);
  space.fence();
  used.coarsest = 0;
  while (used.coarsest < m_coarse.size() && used.on_host(used.coarsest) > 0) ++used.coarsest;
  used.is_weak = used.on_host(used.coarsest) == 0;
}

template <ColumnCoefficients Coefficients, FieldLayout Layout>
auto ColumnMultigrid<Coefficients, Layout>::coarsest_weights() const
    -> const std::vector<scalar_type>& {
  // On the last level of a hierarchy line solves are exact.
  if (m_used->coarsest == m_coarse.size() && m_is_whole) return m_exact_weights;
  return m_used->is_weak ? m_weak_weights : m_last_weights;
}

template <ColumnCoefficients Coefficients, FieldLayout Layout>
template <ExecutionSpace Space>
requires WorksIn<Space, typename Coefficients::memory_space> SolveStatus
ColumnMultigrid<Coefficients, Layout>::status(const Space& space)
const {
  SolveStatus found = m_lines->status(space);
  for (std::size_t l = 0; l < m_used->coarsest; ++l) {
    if (found == SolveStatus::completed) found = m_coarse[l].lines->status(space);
  }
  return found;
}

template <ColumnCoefficients Coefficients, FieldLayout Layout>
template <ExecutionSpace Space,
          FieldOf<typename Coefficients::scalar_type, typename Coefficients::memory_space> In,
          FieldOf<typename Coefficients::scalar_type, typename Coefficients::memory_space> Out>
requires WorksIn<Space, typename Coefficients::memory_space> && WritableField<Out> &&
    std::same_as<typename In::array_layout, Layout> &&
    std::same_as<typename Out::array_layout, Layout>
void ColumnMultigrid<Coefficients, Layout>::solve(const Space& space, const In& r,
                                                  const Out& z) const {
  const char* function = "ColumnMultigrid::solve";
  Impl::require_field(function, "r", r, m_operator.num_columns(), m_operator.num_levels());
  Impl::require_field(function, "z", z, m_operator.num_columns(), m_operator.num_levels());
  Impl::require_disjoint(function, "r", r, "z", z);
  const Impl::ProfilingRegion region("Lamina::ColumnMultigrid::solve");
  cycle(space, {}, Impl::as_const_field(r), Impl::as_field(z));
}

template <ColumnCoefficients Coefficients, FieldLayout Layout>
template <class Space>
void ColumnMultigrid<Coefficients, Layout>::cycle(
    const Space& space, const Guard& guard,
    const FieldView<const scalar_type, Layout, memory_space>& r,
    const FieldView<scalar_type, Layout, memory_space>& z,
    const Impl::TeamParts<memory_space>& parts, double* energy) const {
  const auto& op = m_finest->op();
  if constexpr (in_packs) {
    const auto& ends = op.system().coefficients.ends();
    Impl::turn_in(Impl::turn_labels[0], space, guard, r, OutField(m_rhs), ends);
    descend(space, guard, 0, op, *m_lines, InField(m_rhs), OutField(m_solution));
    Impl::turn_out(Impl::turn_labels[1], space, guard, InField(m_solution), z, ends,
                   Impl::TurnEnergy<scalar_type, memory_space>{InField(m_rhs), parts, energy});
  } else {
    descend(space, guard, 0, op, *m_lines, r, z);
    if (energy == nullptr) return;
    const auto columns = index(op.num_owned());
    Impl::sum_energy(space, guard, Impl::rows_of(r, columns).as_const(),
                     Impl::rows_of(z, columns).as_const(), energy);
  }
}

template <ColumnCoefficients Coefficients, FieldLayout Layout>
template <class Space, class Operator, class Lines>
void ColumnMultigrid<Coefficients, Layout>::descend(const Space& space, const Guard& guard,
                                                    std::size_t l, const Operator& op,
                                                    const Lines& lines, const InField& f,
                                                    const OutField& x) const {
  const Way& way = m_ways[l];
  const bool coarsest = l == m_used->coarsest;
  const auto& before = coarsest ? coarsest_weights() : m_weights;
  const std::size_t steps = before.size() + (coarsest ? 0 : m_weights.size());
  // Steps go to and fro; the last one ends in x.
  OutField now(way.second_iterate), next(x);
  if (steps % 2 == 1) std::swap(now, next);
  const auto smooth = [&](scalar_type weight, bool is_first) {
    const OutField to = is_first ? now : next;
    Impl::smooth_columns((is_first ? way.labels.first_step : way.labels.step).c_str(), space,
                         op.system(), guard,
                         Impl::ColumnStep<scalar_type, Own, memory_space>{
                             weight, f, is_first ? InField() : InField(now), to},
                         lines.workspace());
    if (!is_first) std::swap(now, next);
  };
  for (std::size_t k = 0; k < before.size(); ++k) {
    if (k > 0) Impl::exchange_halo(space, way.halo, now);
    smooth(before[k], k == 0);
  }
  if (coarsest) return;
  const CoarseLevel& coarser = m_coarse[l];
  const OutField coarse_f = Impl::first_columns(OutField(coarser.rhs), coarser.op->num_columns()),
                 coarse_x(coarser.solution);
  Impl::exchange_halo(space, way.halo, now);
  restrict_to(space, guard, l, op, lines, f, now, coarse_f);
  descend(space, guard, l + 1, *coarser.op, *coarser.lines, InField(coarse_f), coarse_x);
  Impl::exchange_halo(space, m_ways[l + 1].halo, coarse_x);
  // In halo columns, too, which are up to date before.
  Impl::prolong_wet(way.labels.prolongation.c_str(), space, guard, way.prolongation, way.wet,
                    coarse_x, now);
  for (auto weight = m_weights.rbegin(); weight != m_weights.rend(); ++weight) {
    if (weight != m_weights.rbegin()) Impl::exchange_halo(space, way.halo, now);
    smooth(*weight, false);
  }
}

template <ColumnCoefficients Coefficients, FieldLayout Layout>
template <class Space, class Operator, class Lines>
void ColumnMultigrid<Coefficients, Layout>::restrict_to(const Space& space, const Guard& guard,
                                                        std::size_t l, const Operator& op,
                                                        const Lines& lines, const InField& f,
                                                        const OutField& x,
                                                        const OutField& coarse_f) const {
  const Way& way = m_ways[l];
  const OutField residual(way.residual);
  Impl::form_residual(way.labels.residual.c_str(), space, op.system(), guard, lines.workspace(),
                      way.wet, f, InField(x), residual);
  const Values& rows = way.is_gathered ? way.row_values : m_coarse[l].rhs;
  Impl::restrict_wet(way.labels.restriction.c_str(), space, guard, way.restriction, way.wet,
                     residual, OutField(rows));
  if (way.is_shared) gather_rows(space, guard, way.labels.sum_rows, way.rows, rows, coarse_f);
}

template <ColumnCoefficients Coefficients, FieldLayout Layout>
std::vector<KernelCost> ColumnMultigrid<Coefficients, Layout>::kernel_costs() const {
  std::vector<KernelCost> costs;
  add_costs(0, m_finest->op(), *m_lines, costs);
  for (std::size_t l = 0; l < m_used->coarsest; ++l) {
    add_costs(l + 1, *m_coarse[l].op, *m_coarse[l].lines, costs);
  }
  if constexpr (in_packs) {
    const double field = m_operator.system().topology.cells() * sizeof(scalar_type);
    costs.push_back({Impl::turn_labels[0], 2 * field, 0});
    // For `MultigridColumns` it also reads r again.
    costs.push_back({Impl::turn_labels[1], 2 * field, 0});
  }
  return costs;
}

template <ColumnCoefficients Coefficients, FieldLayout Layout>
template <class Operator, class Lines>
void ColumnMultigrid<Coefficients, Layout>::add_costs(std::size_t l, const Operator& op,
                                                      const Lines& lines,
                                                      std::vector<KernelCost>& costs) const {
  const Way& way = m_ways[l];
  const double cells = op.system().topology.cells(), field = cells * sizeof(scalar_type);
  double of_lines = 0, of_step = 0;  // bytes beside fields
  if constexpr (in_packs) {
    of_lines = lines.bytes();
    of_step = lines.bytes() + op.system().coefficients.edge_bytes();
  } else {
    const double off_chip = lines.workspace().values_off_chip() * field;
    of_lines = Impl::line_bytes(op.system()) + off_chip;
    of_step = Impl::smoothing_bytes(op.system()) + off_chip;
  }
  costs.push_back({way.labels.first_step, 2 * field + of_lines, 13 * cells});
  costs.push_back({way.labels.step, 3 * field + of_step, 36 * cells});
  // A byte of each cell says whether it is wet: the restriction asks, on a device the residual.
  costs.push_back(Impl::stencil_cost(way.labels.residual.c_str(), op.system(), 3, 22));
  costs.back().bytes += in_packs ? cells : 0;
  if (l == m_used->coarsest) return;
  const double coarse =
      m_coarse[l].op->system().topology.cells() * static_cast<double>(sizeof(scalar_type));
  if (way.is_shared) {
    const double levels = cycle_levels(), rows = static_cast<double>(way.rows.rows.extent(0)),
                 columns = static_cast<double>(way.rows.columns.extent(0));
    costs.push_back({way.labels.sum_rows,
                     (rows + columns) * levels * static_cast<double>(sizeof(scalar_type)) +
                         (rows + 2 * columns) * static_cast<double>(sizeof(int)),
                     (rows - columns) * levels});
  }
  costs.push_back({way.labels.restriction,
                   field + (in_packs ? 0 : cells) + coarse + way.restriction.bytes(), 6 * cells});
  costs.push_back(
      {way.labels.prolongation, 2 * field + cells + coarse + way.prolongation.bytes(), 6 * cells});
}

}  // namespace Lamina
