// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "helmholtz/columns/HelmholtzColumns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "helmholtz/HelmholtzTask.hpp"
#include "helmholtz/columns/ColumnAssembly.hpp"
#include "helmholtz/columns/ColumnInput.hpp"
#include "helmholtz/columns/ColumnTerms.hpp"
#include "helmholtz/columns/OwnColumns.hpp"
#include "helmholtz/parts/GridPartition.hpp"
#include "support/machine/HostMachine.hpp"
#include "support/machine/Launcher.hpp"
#include "support/options/InputError.hpp"

namespace Lamina::Cli {
namespace {

/// Counts wet cells of all columns.
void count_wet(const CellSizes& sizes, HelmholtzColumns& columns) {
  const ColumnBottoms& bottoms = columns.bottoms;
  const int levels = sizes.grid().num_levels();
  for (std::size_t c = 0; c < bottoms.first_wet.size(); ++c) {
    const int first = bottoms.first_wet[c];
    if (first == levels) continue;
    ++columns.num_wet_columns;
    columns.num_wet_cells += levels - first;
    const double whole = sizes.grid().thicknesses()[static_cast<std::size_t>(first)];
    if (bottoms.height[c] < whole) ++columns.num_partial_cells;
  }
}

}  // namespace

CellSizes::CellSizes(const HelmholtzProblem& problem, const ColumnBottoms& bottoms)
    : m_grid(problem.vertical()), m_graph(problem.grid->graph), m_bottoms(bottoms) {}

double CellSizes::height(std::size_t column, int level) const {
  return level == m_bottoms.first_wet[column]
             ? m_bottoms.height[column]
             : m_grid.thicknesses()[static_cast<std::size_t>(level)];
}

double CellSizes::volume_of(int level, double height) const {
  const auto l = static_cast<std::size_t>(level);
  if (height == m_grid.thicknesses()[l]) return m_grid.volume(level);
  if (m_grid.metric() == VerticalMetric::flat) return height;
  const double above = m_grid.interfaces()[l + 1], below = above - height;
  return height * (above * above + above * below + below * below) / 3;
}

double CellSizes::volume(std::size_t column, int level) const {
  return level < m_bottoms.first_wet[column]
             ? 0
             : m_graph.areas[column] * volume_of(level, height(column, level));
}

std::vector<double> wet_levels(const ColumnBottoms& bottoms, int num_levels) {
  std::vector<double> levels;
  levels.reserve(bottoms.first_wet.size());
  for (const int first : bottoms.first_wet) levels.push_back(num_levels - first);
  return levels;
}

void require_columns_memory(const HelmholtzProblem& problem, ColumnsClass kind, double of_file) {
  const auto launch = find_launch();
  const double processes = launch ? launch->processes : 1;  // each keeps its part
  const auto all_columns = static_cast<double>(problem.num_columns()),
             all_edges = static_cast<double>(problem.grid->graph.edges.size());
  // Once the partition is known: the own and halo columns of the rank that has most.
  const double columns = launch && problem.partition
                             ? static_cast<double>(problem.partition->quality.most_items)
                             : all_columns / processes;
  const double edges = all_edges * (columns / std::max(all_columns, 1.0)),
               levels = problem.num_levels + 1.0;
  // Of the edges of a process while a file is read: sorted by their faces, and their places.
  const double of_tables = of_file > 0 ? 6 * edges : 0;
  constexpr double of_vertical_grid = 16;  // a level
  // A class without values of cells has a few numbers of columns and edges.
  const double of_class =
      kind == ColumnsClass::stored ? (2 * columns + edges) * levels : 6 * columns + 8 * edges;
  const double values = of_class + of_vertical_grid * levels + of_file + of_tables;
  // What other processes of the host have taken is not available any more.
  const double needed = values * sizeof(double), available = HostMachine::available_bytes();
  if (needed <= available) return;
  throw InputError(
      fmt::format("--levels: expected coefficients of at most {:.1f} GB, got {:.1f} GB",
                  available * 1e-9, needed * 1e-9));
}

HelmholtzColumns make_columns(const HelmholtzProblem& problem, ColumnBottoms bottoms,
                              const std::string& coefficients) {
  HelmholtzColumns columns;
  columns.bottoms = std::move(bottoms);
  columns.num_levels = problem.num_levels;
  for_option("--coefficients", [&] {
    std::optional<ColumnInput> file;
    if (!coefficients.empty()) {
      file.emplace(coefficients, ColumnExtents{static_cast<std::size_t>(problem.num_columns()),
                                               static_cast<std::size_t>(problem.num_levels)});
    }
    ColumnTerms terms(file ? &*file : nullptr);
    columns.kind = terms.class_of(columns.bottoms, problem.vertical());
    std::optional<LocalColumns> local;
    if (const auto launch = find_launch()) {
      columns.rank = launch->rank;
      local = local_columns(problem.grid->graph, problem.partition->columns, columns.rank);
    }
    const OwnColumns own(*problem.grid, local ? &*local : nullptr);
    columns.num_edges = static_cast<double>(own.graph().edges.size());
    require_columns_memory(
        problem, columns.kind,
        terms.num_values(static_cast<double>(own.num_columns()), columns.num_edges));
    if (file) {
      terms.read(*file, own);
      columns.file_fingerprint = terms.fingerprint();
    }
    assemble_columns(problem, own, terms, columns);
  });
  count_wet(CellSizes(problem, columns.bottoms), columns);
  return columns;
}

std::vector<double> cell_volumes(const HelmholtzProblem& problem, const LocalColumns* local) {
  const CellSizes sizes(problem, problem.columns->bottoms);
  const OwnColumns own(*problem.grid, local);
  std::vector<double> volumes;
  volumes.reserve(own.num_owned() * static_cast<std::size_t>(problem.num_levels));
  for (std::size_t c = 0; c < own.num_owned(); ++c) {
    for (int k = 0; k < problem.num_levels; ++k) volumes.push_back(sizes.volume(own.number(c), k));
  }
  return volumes;
}

std::optional<LocalColumns> scaled_columns(const HelmholtzProblem& problem,
                                           const LocalColumns* local) {
  const std::vector<double>& factors = problem.columns->profiled.edge_factors;
  if (factors.empty()) return std::nullopt;
  LocalColumns result =
      local == nullptr ? LocalColumns{.graph = problem.grid->graph, .halo = {}} : *local;
  result.graph.halo_coupling_sums.clear();  // they are those without factors
  std::vector<ColumnGraph::Edge> edges;
  edges.reserve(factors.size());
  for (std::size_t e = 0; e < factors.size(); ++e) {
    if (factors[e] == 0) continue;
    edges.push_back(result.graph.edges[e]);
    edges.back().length *= factors[e];
  }
  result.graph.edges = std::move(edges);
  return result;
}

void require_rank_of(const HelmholtzColumns& columns, int rank) {
  if (rank == columns.rank) return;
  throw InputError("--coefficients: expected rank " + std::to_string(columns.rank) +
                   ", as the launcher tells, got rank " + std::to_string(rank) + " by MPI");
}

}  // namespace Lamina::Cli
