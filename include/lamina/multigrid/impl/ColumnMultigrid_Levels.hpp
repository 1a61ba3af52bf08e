// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// The set-up of `ColumnMultigrid`: its levels, on one process and over ranks.

#include <lamina/core/Require.hpp>
#include <lamina/device/impl/HostTable.hpp>
#include <lamina/distributed/impl/RequireSame.hpp>
#include <lamina/distributed/impl/TransportCalls.hpp>
#include <lamina/multigrid/ColumnMultigrid.hpp>
#include <lamina/multigrid/impl/RankColumns.hpp>
#include <lamina/multigrid/impl/SmoothingWeights.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace Lamina {

namespace Impl {

/// Columns and edges of a level, over all ranks of one that they share.
struct LevelSize {
  std::int64_t num_columns, num_edges;
};
inline LevelSize size_of_level(const Transport* transport, const ColumnGraph& graph,
                               bool is_shared) {
  const int num_owned = graph.count_owned();
  LevelSize size{num_owned, 0};
  size.num_edges =
      std::count_if(graph.edges.begin(), graph.edges.end(),
                    [=](const ColumnGraph::Edge& edge) { return edge.first < num_owned; });
  if (!is_shared) return size;
  LevelSize sum{0, 0};
  for (const LevelSize& of_rank : gather_values(*transport, size)) {
    sum.num_columns += of_rank.num_columns;
    sum.num_edges += of_rank.num_edges;
  }
  return sum;
}

/// Whether columns of some rank are coupled to walls.
inline bool has_walls(const Transport* transport, const ColumnGraph& graph) {
  const int mine = graph.boundary_edges.empty() ? 0 : 1;
  if (transport == nullptr) return mine != 0;
  const auto all = gather_values(*transport, mine);
  return std::find(all.begin(), all.end(), 1) != all.end();
}

}  // namespace Impl

template <ColumnCoefficients Coefficients, FieldLayout Layout>
template <ExecutionSpace Space>
requires WorksIn<Space, typename Coefficients::memory_space>
ColumnMultigrid<Coefficients, Layout>::ColumnMultigrid(const Space& space, const ColumnGraph& graph,
                                                       const ColumnOperator<Coefficients>& op,
                                                       const MultigridParameters& parameters)
    : m_operator(op) {
  LAMINA_REQUIRE(op.num_owned() == op.num_columns(), "ColumnMultigrid",
                 "op: expected no halo columns, or a transport");
  make_levels(space, nullptr, {.graph = graph, .halo = {}}, parameters, {});
}

template <ColumnCoefficients Coefficients, FieldLayout Layout>
template <ExecutionSpace Space>
requires WorksIn<Space, typename Coefficients::memory_space>
ColumnMultigrid<Coefficients, Layout>::ColumnMultigrid(const Space& space,
                                                       const Transport& transport,
                                                       const LocalColumns& local,
                                                       const ColumnOperator<Coefficients>& op,
                                                       const MultigridParameters& parameters,
                                                       const HierarchyParameters& coarsening)
    : m_operator(op) {
  const bool alone = transport.size() == 1;
  LAMINA_REQUIRE(!alone || op.num_owned() == op.num_columns(), "ColumnMultigrid",
                 "op: expected no halo columns on one rank");
  Impl::require_same("ColumnMultigrid", transport,
                     {{"steps", static_cast<double>(parameters.steps)},
                      {"max_levels", static_cast<double>(parameters.max_levels)},
                      {"levels of op", static_cast<double>(op.num_levels())}});
  const LocalColumns whole{.graph = local.graph, .halo = {}};
  make_levels(space, alone ? nullptr : &transport, alone ? whole : local, parameters, coarsening);
}

template <ColumnCoefficients Coefficients, FieldLayout Layout>
void ColumnMultigrid<Coefficients, Layout>::require_columns(
    const LocalColumns& local, const MultigridParameters& parameters) const {
  const char* function = "ColumnMultigrid";
  Impl::require_extent(function, "graph", "columns", m_operator.num_columns(),
                       static_cast<long long>(local.graph.areas.size()));
  Impl::require_extent(function, "graph", "owned columns", m_operator.num_owned(),
                       local.graph.count_owned());
  if (m_operator.num_owned() < m_operator.num_columns()) {
    Impl::require_extent(function, "local", "numbers of columns", m_operator.num_columns(),
                         static_cast<long long>(local.columns.size()));
  }
  Impl::require_graph_of(
      local.graph, Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(),
                                                       m_operator.system().topology.neighbours));
  LAMINA_REQUIRE(parameters.max_levels >= 1, function,
                 "max_levels: expected at least 1, got " + std::to_string(parameters.max_levels));
}

template <ColumnCoefficients Coefficients, FieldLayout Layout>
template <class Space>
void ColumnMultigrid<Coefficients, Layout>::make_levels(const Space& space,
                                                        const Transport* transport,
                                                        const LocalColumns& local,
                                                        const MultigridParameters& parameters,
                                                        const HierarchyParameters& coarsening) {
  const int num_levels = cycle_levels();
  std::vector<Impl::EdgePlace> edges;
  WetTable wet;
  Impl::run_agreed(transport, [&] {
    require_columns(local, parameters);
    set_weights(parameters);
    m_finest.emplace(space, local.graph, m_operator);
    m_lines.emplace(space, m_finest->op());
    if constexpr (in_packs) {
      m_rhs = allocate(m_operator.num_columns());
      m_solution = allocate(m_operator.num_columns());
    }
    edges = Impl::find_edge_places(local.graph);
    wet = find_wet(space);
  });
  if (transport != nullptr) {
    m_ranks =
        Decomposition<memory_space>(*transport, local.halo, index(num_levels) * sizeof(double));
  }
  Impl::share_wet(transport, local.halo, wet);
  add_way(transport, local.graph, transport != nullptr, wet);
  m_ways.back().halo = m_ranks.halo;
  Impl::WetGraph start;
  Impl::run_agreed(transport, [&] { start = find_graph(space, local, edges, wet); });
  m_has_walls = Impl::has_walls(transport, start.local.graph);
  const ColumnHierarchy hierarchy = transport == nullptr
                                        ? ColumnHierarchy(start.local.graph, coarsening)
                                        : ColumnHierarchy(*transport, start.local, coarsening);

  Places places{start.columns, {}, {}};
  for (const int edge : start.edges) places.edges.push_back(edges[index(edge)]);
  for (const int column : start.columns) places.wet.push_back(wet[index(column)]);
  const auto& levels = hierarchy.levels();
  const std::size_t count = std::min(levels.size(), index(parameters.max_levels));
  for (std::size_t l = 0; l + 1 < count; ++l) {
    Places next{
        {}, {}, Impl::coarsen_wet(transport, levels[l], levels[l + 1], places.wet, num_levels)};
    add_level(space, transport, levels[l], levels[l + 1], places, next.wet);
    next.columns.resize(levels[l + 1].graph.areas.size());
    std::iota(next.columns.begin(), next.columns.end(), 0);
    next.edges = Impl::find_edge_places(levels[l + 1].graph);
    places = std::move(next);
  }
  m_is_whole = count == levels.size();
  Impl::run_agreed(transport, [&] {
    const Kokkos::View<double*, memory_space> stiff("Lamina::ColumnMultigrid::stiff", count);
    m_used = std::make_shared<UsedLevels>(
        UsedLevels{stiff, Kokkos::create_mirror_view(stiff), count - 1, false});
  });
  use_levels(space);
}

template <ColumnCoefficients Coefficients, FieldLayout Layout>
void ColumnMultigrid<Coefficients, Layout>::set_weights(const MultigridParameters& parameters) {
  for (const double weight : Impl::smoothing_weights(parameters.steps)) {
    m_weights.push_back(static_cast<scalar_type>(weight));
  }
  constexpr int many = 16;
  constexpr double low = 1.0 / 16;
  for (const double weight : Impl::chebyshev_weights(many, low, 2)) {
    m_last_weights.push_back(static_cast<scalar_type>(weight));
  }
  for (const double weight : Impl::coarsest_weights(Impl::most_coarsest_stiffness)) {
    m_weak_weights.push_back(static_cast<scalar_type>(weight));
  }
}

template <ColumnCoefficients Coefficients, FieldLayout Layout>
template <class Space>
auto ColumnMultigrid<Coefficients, Layout>::find_wet(const Space& space) const -> WetTable {
  const int num_owned = m_operator.num_owned();
  const Wet wet("Lamina::ColumnMultigrid::wet", index(num_owned), index(cycle_levels()));
  Impl::run_items("Lamina::ColumnMultigrid::wet", space, wet.size(),
                  Impl::FindWetCells<Finest, Own>{m_finest->op().system(), wet});
  space.fence();
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), wet);
  WetTable result(index(m_operator.num_columns()), std::vector<bool>(host.extent(1)));
  for (std::size_t c = 0; c < host.extent(0); ++c) {
    for (std::size_t k = 0; k < host.extent(1); ++k) result[c][k] = host(c, k) != 0;
  }
  return result;
}

template <ColumnCoefficients Coefficients, FieldLayout Layout>
template <class Space>
Impl::WetGraph ColumnMultigrid<Coefficients, Layout>::find_graph(
    const Space& space, const LocalColumns& local, const std::vector<Impl::EdgePlace>& places,
    const WetTable& wet) const {
  const auto list = Impl::list_of<memory_space>("Lamina::ColumnMultigrid::places", places);
  const Kokkos::View<double*, memory_space> sums("Lamina::ColumnMultigrid::sums", places.size());
  Impl::run_items("Lamina::ColumnMultigrid::sum_edges", space, places.size(),
                  Impl::SumEdges<Finest>{m_finest->op().system(), list, sums});
  const Kokkos::View<double*, memory_space> walls("Lamina::ColumnMultigrid::walls",
                                                  index(m_operator.num_owned()));
  Impl::run_items("Lamina::ColumnMultigrid::sum_walls", space, walls.size(),
                  Impl::SumWalls<Finest>{m_finest->op().system(), walls});
  space.fence();
  const auto on_host = [](const Kokkos::View<double*, memory_space>& view) {
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
    return std::vector<double>(host.data(), host.data() + host.size());
  };
  return Impl::find_wet_graph(local, wet, on_host(sums), on_host(walls));
}

template <ColumnCoefficients Coefficients, FieldLayout Layout>
void ColumnMultigrid<Coefficients, Layout>::add_way(const Transport* transport,
                                                    const ColumnGraph& graph, bool is_shared,
                                                    const WetTable& wet) {
  const Impl::LevelSize size = Impl::size_of_level(transport, graph, is_shared);
  Impl::run_agreed(transport, [&] {
    const auto num_columns = static_cast<int>(graph.areas.size());
    Way way{.labels = Impl::ColumnCycleLabels(m_ways.size()),
            .num_columns = size.num_columns,
            .num_edges = size.num_edges,
            .residual = allocate(num_columns),
            .second_iterate = allocate(num_columns),
            .wet = copy_wet(wet)};
    way.is_shared = is_shared;
    m_ways.push_back(std::move(way));
  });
}

template <ColumnCoefficients Coefficients, FieldLayout Layout>
auto ColumnMultigrid<Coefficients, Layout>::copy_wet(const WetTable& wet) const -> Wet {
  const Wet view("Lamina::ColumnMultigrid::wet", wet.size(), index(cycle_levels()));
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
    const Space& space, const Transport* transport, const HierarchyLevel& fine,
    const HierarchyLevel& coarse, const Places& places, const WetTable& coarse_wet) {
  const bool is_gathered = fine.is_shared && !coarse.is_shared;
  Impl::CoarseLists lists;
  Impl::run_agreed(transport, [&] {
    lists = Impl::list_coarse(fine, coarse, places.columns, places.edges);
    add_transfers(fine, coarse, places, Impl::keep_to_wet(fine, places.wet, coarse_wet));
    add_fields(fine, coarse);
  });
  if (fine.is_shared) connect_rows(*transport, fine, coarse.is_shared);
  if (is_gathered) {
    const RestrictedRows edges = Impl::gathered_rows(*transport, Impl::listed_edges(lists));
    lists = Impl::lists_of_rows(lists, fine.rows, edges);
    connect_edges(*transport, edges);
  }
  Impl::run_agreed(transport, [&] { m_ways.back().tables = tables_of(lists); });
  coarsen(space, m_coarse.size() - 1);
  Impl::run_agreed(transport, [&] {
    CoarseLevel& level = m_coarse.back();
    const ColumnMesh<memory_space> mesh(coarse.graph);
    const Stored stored(space, mesh, level.mass, level.vertical, level.horizontal, level.walls);
    level.op.emplace(mesh, cycle_levels(), stored);
    level.lines.emplace(space, *level.op);
  });
  add_way(transport, coarse.graph, coarse.is_shared, coarse_wet);
  if (coarse.is_shared) {
    m_ways.back().halo = HaloExchange<memory_space>(*transport, coarse.halo, bytes_per_column());
  }
}

template <ColumnCoefficients Coefficients, FieldLayout Layout>
void ColumnMultigrid<Coefficients, Layout>::add_transfers(const HierarchyLevel& fine,
                                                          const HierarchyLevel& coarse,
                                                          const Places& places,
                                                          const ColumnTransfer& transfer) {
  Way& way = m_ways.back();
  const std::size_t num_fine = way.residual.extent(0), num_coarse = coarse.graph.areas.size();
  // A tile for each column, or for each row of this rank.
  std::vector<int> tiles(fine.is_shared ? fine.rows.columns.size() : num_coarse, -1);
  ColumnTransfer restricted = transfer;
  if (fine.is_shared) {
    restricted = Impl::transfer_to_rows(transfer, fine.rows, fine.graph.count_owned(), num_coarse);
  }
  int num_tiles = 0;
  for (int row = 0; row < static_cast<int>(tiles.size()); ++row) {
    const bool is_own = !fine.is_shared || (row >= fine.rows.own_begin && row < fine.rows.own_end &&
                                            fine.rows.columns[index(row)] >= 0);
    if (is_own) tiles[index(row)] = num_tiles++;
  }
  way.restriction = Impl::CycleRestriction<scalar_type, memory_space>(
      Impl::spread_transfer(restricted, places.columns, num_fine), tiles);
  way.prolongation = Impl::CycleProlongation<scalar_type, memory_space>(
      Impl::spread_transfer(transfer, places.columns, num_fine));
}

template <ColumnCoefficients Coefficients, FieldLayout Layout>
void ColumnMultigrid<Coefficients, Layout>::add_fields(const HierarchyLevel& fine,
                                                       const HierarchyLevel& coarse) {
  const int num_columns = static_cast<int>(coarse.graph.areas.size()),
            num_rows = coarse.is_shared ? static_cast<int>(fine.rows.columns.size()) : num_columns;
  m_coarse.push_back({.mass = allocate(num_columns),
                      .vertical = allocate(num_columns),
                      .horizontal = allocate(static_cast<int>(coarse.graph.edges.size())),
                      .walls = allocate(m_has_walls ? num_columns : 0),
                      .rhs = allocate(num_rows),
                      .solution = allocate(num_columns)});
}

template <ColumnCoefficients Coefficients, FieldLayout Layout>
auto ColumnMultigrid<Coefficients, Layout>::tables_of(const Impl::CoarseLists& lists)
    -> Impl::CoarseTables<memory_space> {
  using Memory = memory_space;
  return {Impl::list_of<Memory>("Lamina::ColumnMultigrid::begin_members", lists.begin_members),
          Impl::list_of<Memory>("Lamina::ColumnMultigrid::members", lists.members),
          Impl::list_of<Memory>("Lamina::ColumnMultigrid::begin_edges", lists.begin_edges),
          Impl::list_of<Memory>("Lamina::ColumnMultigrid::edges", lists.edges),
          Impl::list_of<Memory>("Lamina::ColumnMultigrid::factors", lists.factors),
          Impl::list_of<Memory>("Lamina::ColumnMultigrid::wall_factors", lists.wall_factors)};
}

template <ColumnCoefficients Coefficients, FieldLayout Layout>
void ColumnMultigrid<Coefficients, Layout>::connect_rows(const Transport& transport,
                                                         const HierarchyLevel& fine,
                                                         bool in_place) {
  Way& way = m_ways.back();
  way.rows = Impl::RankRows<memory_space>(transport, fine.rows, in_place, bytes_per_column());
  if (in_place) return;
  way.is_gathered = true;
  Impl::run_agreed(transport, [&] {
    way.row_values = allocate(way.rows.num_rows);
    way.vertical_rows = allocate(way.rows.num_rows);
    way.wall_rows = allocate(m_has_walls ? way.rows.num_rows : 0);
  });
}

template <ColumnCoefficients Coefficients, FieldLayout Layout>
void ColumnMultigrid<Coefficients, Layout>::connect_edges(const Transport& transport,
                                                          const RestrictedRows& edges) {
  Way& way = m_ways.back();
  way.edge_rows = Impl::RankRows<memory_space>(transport, edges, false, bytes_per_column());
  Impl::run_agreed(transport, [&] { way.edge_values = allocate(way.edge_rows.num_rows); });
}

}  // namespace Lamina
