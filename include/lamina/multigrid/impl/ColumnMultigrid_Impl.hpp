// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/ProfilingRegion.hpp>
#include <lamina/core/Require.hpp>
#include <lamina/core/impl/RequireDisjoint.hpp>
#include <lamina/multigrid/ColumnMultigrid.hpp>
#include <lamina/multigrid/impl/ListOf.hpp>
#include <lamina/multigrid/impl/SmoothingWeights.hpp>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace Lamina {

template <ColumnCoefficients Coefficients, FieldLayout Layout>
template <ExecutionSpace Space>
requires WorksIn<Space, typename Coefficients::memory_space>
ColumnMultigrid<Coefficients, Layout>::ColumnMultigrid(const Space& space, const ColumnGraph& graph,
                                                       const ColumnOperator<Coefficients>& op,
                                                       const MultigridParameters& parameters)
    : m_operator(op),
      m_num_edges(static_cast<std::int64_t>(graph.edges.size())),
      m_lines(space, op) {
  const char* function = "ColumnMultigrid";
  LAMINA_REQUIRE(op.num_owned() == op.num_columns(), function, "op: expected no halo columns");
  Impl::require_extent(function, "graph", "columns", op.num_columns(),
                       static_cast<long long>(graph.areas.size()));
  Impl::require_graph_of(graph, Kokkos::create_mirror_view_and_copy(
                                    Kokkos::HostSpace(), op.system().topology.neighbours));
  LAMINA_REQUIRE(parameters.max_levels >= 1, function,
                 "max_levels: expected at least 1, got " + std::to_string(parameters.max_levels));
  for (const double weight : Impl::smoothing_weights(parameters.steps)) {
    m_weights.push_back(static_cast<scalar_type>(weight));
  }
  Way first{.labels = Impl::ColumnCycleLabels(0),
            .residual = allocate(op.num_columns()),
            .correction = allocate(op.num_columns())};
  first.wet = Wet("Lamina::ColumnMultigrid::wet", index(op.num_columns()), index(op.num_levels()));
  const std::vector<Impl::EdgePlace> all_places = Impl::find_edge_places(graph);
  const auto all_wet = find_wet(space, first.wet);
  const Impl::WetGraph start = find_graph(space, graph, all_places, all_wet);
  const ColumnHierarchy hierarchy(start.graph);
  const auto& levels = hierarchy.levels();
  std::vector<int> columns = start.columns;
  std::vector<Impl::EdgePlace> places;
  std::vector<std::vector<bool>> wet;
  for (const int edge : start.edges) places.push_back(all_places[index(edge)]);
  for (const int column : columns) wet.push_back(all_wet[index(column)]);
  m_ways.push_back(first);

  const std::size_t count = std::min(levels.size(), index(parameters.max_levels));
  for (std::size_t l = 0; l + 1 < count; ++l) {
    const ColumnGraph& coarse = levels[l + 1].graph;
    const auto coarse_wet = Impl::coarsen_wet(levels[l], coarse.areas.size(), wet);
    ColumnTransfer transfer = Impl::keep_to_wet(levels[l], wet, coarse_wet);
    if (l == 0) transfer = Impl::spread_transfer(transfer, columns, graph.areas.size());
    add_level(space, levels[l], coarse, columns, places, transfer, copy_wet(coarse_wet));
    wet = coarse_wet;
    columns.resize(coarse.areas.size());
    for (std::size_t c = 0; c < columns.size(); ++c) columns[c] = static_cast<int>(c);
    places = Impl::find_edge_places(coarse);
  }
  // On the last level of the hierarchy line solves are exact.
  constexpr int many = 16;
  constexpr double low = 1.0 / 16;
  if (count == levels.size()) {
    m_coarsest_weights = {scalar_type(1)};
  } else {
    for (const double weight : Impl::chebyshev_weights(many, low, 2)) {
      m_coarsest_weights.push_back(static_cast<scalar_type>(weight));
    }
  }
  space.fence();
}

template <ColumnCoefficients Coefficients, FieldLayout Layout>
template <class Space>
std::vector<std::vector<bool>> ColumnMultigrid<Coefficients, Layout>::find_wet(
    const Space& space, const Wet& wet) const {
  Impl::run_items("Lamina::ColumnMultigrid::wet", space, wet.size(),
                  Impl::FindWetCells<Coefficients, Layout>{m_operator.system(), wet});
  space.fence();
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), wet);
  std::vector<std::vector<bool>> result(host.extent(0), std::vector<bool>(host.extent(1)));
  for (std::size_t c = 0; c < host.extent(0); ++c) {
    for (std::size_t k = 0; k < host.extent(1); ++k) result[c][k] = host(c, k) != 0;
  }
  return result;
}

template <ColumnCoefficients Coefficients, FieldLayout Layout>
template <class Space>
Impl::WetGraph ColumnMultigrid<Coefficients, Layout>::find_graph(
    const Space& space, const ColumnGraph& graph, const std::vector<Impl::EdgePlace>& places,
    const std::vector<std::vector<bool>>& wet) {
  const auto list = Impl::list_of<memory_space>("Lamina::ColumnMultigrid::places", places);
  const Kokkos::View<double*, memory_space> sums("Lamina::ColumnMultigrid::sums", places.size());
  Impl::run_items("Lamina::ColumnMultigrid::sum_edges", space, places.size(),
                  Impl::SumEdges<Coefficients>{m_operator.system(), list, sums});
  const Kokkos::View<double*, memory_space> walls("Lamina::ColumnMultigrid::walls",
                                                  graph.areas.size());
  Impl::run_items("Lamina::ColumnMultigrid::sum_walls", space, graph.areas.size(),
                  Impl::SumWalls<Coefficients>{m_operator.system(), walls});
  space.fence();
  const auto on_host = [](const Kokkos::View<double*, memory_space>& view) {
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
    return std::vector<double>(host.data(), host.data() + host.size());
  };
  Impl::WetGraph found = Impl::find_wet_graph(graph, wet, on_host(sums), on_host(walls));
  m_has_walls = !found.graph.boundary_edges.empty();
  return found;
}

template <ColumnCoefficients Coefficients, FieldLayout Layout>
auto ColumnMultigrid<Coefficients, Layout>::copy_wet(
    const std::vector<std::vector<bool>>& wet) const -> Wet {
  const Wet view("Lamina::ColumnMultigrid::wet", wet.size(), index(m_operator.num_levels()));
  const auto host = Kokkos::create_mirror_view(view);
  for (std::size_t c = 0; c < wet.size(); ++c) {
    for (std::size_t k = 0; k < wet[c].size(); ++k) host(c, k) = wet[c][k] ? 1 : 0;
  }
  Kokkos::deep_copy(view, host);
  return view;
}

template <ColumnCoefficients Coefficients, FieldLayout Layout>
template <class Space>
void ColumnMultigrid<Coefficients, Layout>::add_level(
    const Space& space, const HierarchyLevel& fine, const ColumnGraph& coarse,
    const std::vector<int>& columns, const std::vector<Impl::EdgePlace>& places,
    const ColumnTransfer& transfer, const Wet& wet) {
  using Memory = memory_space;
  const Impl::CoarseLists lists = Impl::list_coarse(fine, coarse, columns, places);
  const int num_columns = static_cast<int>(coarse.areas.size());
  Way& way = m_ways.back();
  way.tables = {
      Impl::list_of<Memory>("Lamina::ColumnMultigrid::begin_members", lists.begin_members),
      Impl::list_of<Memory>("Lamina::ColumnMultigrid::members", lists.members),
      Impl::list_of<Memory>("Lamina::ColumnMultigrid::begin_edges", lists.begin_edges),
      Impl::list_of<Memory>("Lamina::ColumnMultigrid::edges", lists.edges),
      Impl::list_of<Memory>("Lamina::ColumnMultigrid::factors", lists.factors),
      Impl::list_of<Memory>("Lamina::ColumnMultigrid::wall_factors", lists.wall_factors)};
  std::vector<int> tiles(coarse.areas.size());
  std::iota(tiles.begin(), tiles.end(), 0);
  way.restriction = Impl::Restriction<scalar_type, Memory>(transfer, tiles);
  way.prolongation = Impl::Prolongation<scalar_type, Memory>(transfer);
  CoarseLevel level{.mass = allocate(num_columns),
                    .vertical = allocate(num_columns),
                    .horizontal = allocate(static_cast<int>(coarse.edges.size())),
                    .walls = allocate(m_has_walls ? num_columns : 0),
                    .rhs = allocate(num_columns),
                    .solution = allocate(num_columns)};
  m_coarse.push_back(level);
  coarsen(space, m_coarse.size() - 1);
  const ColumnMesh<Memory> mesh(coarse);
  const Stored stored(space, mesh, level.mass, level.vertical, level.horizontal, level.walls);
  m_coarse.back().op.emplace(mesh, m_operator.num_levels(), stored);
  m_coarse.back().lines.emplace(space, *m_coarse.back().op);
  m_ways.push_back({.labels = Impl::ColumnCycleLabels(m_ways.size()),
                    .residual = allocate(num_columns),
                    .correction = allocate(num_columns),
                    .wet = wet});
}

template <ColumnCoefficients Coefficients, FieldLayout Layout>
template <class Space>
void ColumnMultigrid<Coefficients, Layout>::coarsen(const Space& space, std::size_t l) const {
  if (l == 0) return coarsen_from(space, l, m_operator.system().coefficients);
  coarsen_from(space, l, m_coarse[l - 1].op->system().coefficients);
}

template <ColumnCoefficients Coefficients, FieldLayout Layout>
template <class Space, class Of>
void ColumnMultigrid<Coefficients, Layout>::coarsen_from(const Space& space, std::size_t l,
                                                         const Of& coefficients) const {
  const Way& way = m_ways[l];
  const CoarseLevel& to = m_coarse[l];
  Impl::run_items("Lamina::ColumnMultigrid::coarsen_cells", space, to.mass.size(),
                  Impl::CoarsenCells<Of, Layout>{coefficients, way.wet, way.tables, to.mass,
                                                 to.vertical, to.walls});
  Impl::run_items("Lamina::ColumnMultigrid::coarsen_edges", space, to.horizontal.size(),
                  Impl::CoarsenEdges<Of, Layout>{coefficients, way.tables, to.horizontal});
}

template <ColumnCoefficients Coefficients, FieldLayout Layout>
template <ExecutionSpace Space>
requires WorksIn<Space, typename Coefficients::memory_space>
void ColumnMultigrid<Coefficients, Layout>::update(const Space& space) const {
  const Impl::ProfilingRegion region("Lamina::ColumnMultigrid::update");
  m_lines.update(space);
  for (std::size_t l = 0; l < m_coarse.size(); ++l) {
    coarsen(space, l);
    m_coarse[l].lines->update(space);
  }
}

template <ColumnCoefficients Coefficients, FieldLayout Layout>
template <ExecutionSpace Space>
requires WorksIn<Space, typename Coefficients::memory_space> SolveStatus
ColumnMultigrid<Coefficients, Layout>::status(const Space& space)
const {
  SolveStatus found = m_lines.status(space);
  for (const CoarseLevel& level : m_coarse) {
    if (found == SolveStatus::completed) found = level.lines->status(space);
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
template <class Space, class Operator, class Lines>
void ColumnMultigrid<Coefficients, Layout>::descend(const Space& space, const Guard& guard,
                                                    std::size_t l, const Operator& op,
                                                    const Lines& lines, const InField& f,
                                                    const OutField& x) const {
  const Way& way = m_ways[l];
  const bool coarsest = l == m_coarse.size();
  const auto& before = coarsest ? m_coarsest_weights : m_weights;
  lines.solve_guarded(way.labels.lines.c_str(), space, guard, f, x);
  if (before[0] != 1) {
    Impl::run_items(
        way.labels.first_step.c_str(), space, x.size(),
        Impl::CombineColumns<scalar_type, Layout, memory_space>{guard, x, x, before[0], 0});
  }
  for (std::size_t k = 1; k < before.size(); ++k)
    smooth(space, guard, way, op, lines, before[k], f, x);
  if (coarsest) return;
  const CoarseLevel& coarser = m_coarse[l];
  const OutField residual(way.residual), coarse_f(coarser.rhs), coarse_x(coarser.solution);
  using Difference = Impl::DifferenceSweep<scalar_type, Layout, memory_space>;
  run_sweep(way.labels.residual.c_str(), space, op.system(), Difference{guard, f, x, residual});
  Impl::run_items(way.labels.restriction.c_str(), space, coarse_f.size(),
                  Impl::RestrictWet<scalar_type, Layout, memory_space>{
                      guard, way.restriction, way.wet, residual, coarse_f});
  descend(space, guard, l + 1, *coarser.op, *coarser.lines, InField(coarse_f), coarse_x);
  Impl::run_items(way.labels.prolongation.c_str(), space, x.size(),
                  Impl::ProlongWet<scalar_type, Layout, memory_space>{guard, way.prolongation,
                                                                      way.wet, coarse_x, x});
  for (auto weight = m_weights.rbegin(); weight != m_weights.rend(); ++weight) {
    smooth(space, guard, way, op, lines, *weight, f, x);
  }
}

template <ColumnCoefficients Coefficients, FieldLayout Layout>
template <class Space, class Operator, class Lines>
void ColumnMultigrid<Coefficients, Layout>::smooth(const Space& space, const Guard& guard,
                                                   const Way& way, const Operator& op,
                                                   const Lines& lines, scalar_type weight,
                                                   const InField& f, const OutField& x) const {
  const OutField residual(way.residual), correction(way.correction);
  using Difference = Impl::DifferenceSweep<scalar_type, Layout, memory_space>;
  run_sweep(way.labels.residual.c_str(), space, op.system(), Difference{guard, f, x, residual});
  lines.solve_guarded(way.labels.lines.c_str(), space, guard, InField(residual), correction);
  Impl::run_items(
      way.labels.add.c_str(), space, x.size(),
      Impl::CombineColumns<scalar_type, Layout, memory_space>{guard, x, correction, 1, weight});
}

template <ColumnCoefficients Coefficients, FieldLayout Layout>
std::vector<KernelCost> ColumnMultigrid<Coefficients, Layout>::kernel_costs() const {
  std::vector<KernelCost> costs;
  add_costs(0, m_operator, m_lines, costs);
  for (std::size_t l = 0; l < m_coarse.size(); ++l) {
    add_costs(l + 1, *m_coarse[l].op, *m_coarse[l].lines, costs);
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
  KernelCost of_lines = lines.kernel_costs().front();
  of_lines.label = way.labels.lines;
  costs.push_back(of_lines);
  costs.push_back(Impl::stencil_cost(way.labels.residual.c_str(), op.system(), 3, 22));
  costs.push_back({way.labels.first_step, 2 * field, cells});
  costs.push_back({way.labels.add, 3 * field, 3 * cells});
  if (l == m_coarse.size()) return;
  const double coarse =
      m_coarse[l].op->system().topology.cells() * static_cast<double>(sizeof(scalar_type));
  // A byte of each cell says whether it is wet.
  costs.push_back(
      {way.labels.restriction, field + cells + coarse + way.restriction.bytes(), 6 * cells});
  costs.push_back(
      {way.labels.prolongation, 2 * field + cells + coarse + way.prolongation.bytes(), 6 * cells});
}

}  // namespace Lamina
