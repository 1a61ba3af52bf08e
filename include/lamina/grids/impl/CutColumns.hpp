// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// A grid here is a class with
//   num_columns(), area(column),
//   for_each_neighbour(column, visit(other column, is_first, flux)), where flux() is a Flux, and
//   for_each_boundary(column, visit(Flux)).
// Both ends of an edge get the same bits of its flux, and one of them is the first.

#include <lamina/core/Require.hpp>
#include <lamina/grids/LocalColumns.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace Lamina::Impl {

/// What a column shares with a neighbour, or with the boundary.
struct Flux {
  double length, distance;
};

/// The local numbers of a rank.
class LocalNumbers {
 public:
  using Owned = std::pair<int, std::int64_t>;  // rank, column

  /// \param halo  the halo columns with their owners, sorted
  LocalNumbers(std::vector<std::int64_t> owned, std::vector<Owned> halo);

  /// The column of each local number.
  const std::vector<std::int64_t>& columns() const { return m_columns; }
  const std::vector<Owned>& halo() const { return m_halo; }
  int of_owned(std::int64_t column) const;
  int of_halo(const Owned& column) const;
  /// \param sent  the columns that each peer needs, with its rank, sorted
  HaloPattern pattern(const std::vector<Owned>& sent) const;

 private:
  std::size_t m_num_owned;
  std::vector<std::int64_t> m_columns;
  std::vector<Owned> m_halo;
  std::vector<int> m_halo_numbers;  // of each of them
};

/// Columns and neighbours of a grid, and which rank they belong to.
template <class Grid>
class ColumnCutter {
 public:
  ColumnCutter(const Grid& grid, const Partition& partition, int rank)
      : m_grid(grid), m_partition(partition), m_rank(rank) {}

  LocalColumns cut() const {
    std::vector<LocalNumbers::Owned> halo, sent;
    const auto owned = m_partition.items(m_rank);
    for (const std::int64_t column : owned) {
      m_grid.for_each_neighbour(column, [&](std::int64_t other, bool, const auto&) {
        const int owner = m_partition.owner(other);
        if (owner == m_rank) return;
        halo.emplace_back(owner, other);
        sent.emplace_back(owner, column);
      });
    }
    for (auto* const list : {&halo, &sent}) {
      std::sort(list->begin(), list->end());
      list->erase(std::unique(list->begin(), list->end()), list->end());
    }
    const LocalNumbers numbers(owned, halo);
    return {graph(owned, numbers), numbers.pattern(sent), numbers.columns()};
  }

 private:
  ColumnGraph graph(const std::vector<std::int64_t>& owned, const LocalNumbers& numbers) const {
    ColumnGraph graph;
    graph.num_owned = static_cast<int>(owned.size());
    graph.areas.reserve(numbers.columns().size());
    for (const std::int64_t column : numbers.columns()) {
      graph.areas.push_back(column == no_item ? 1 : m_grid.area(column));
    }
    for (std::size_t n = 0; n < owned.size(); ++n) {
      const int here = static_cast<int>(n);
      m_grid.for_each_neighbour(
          owned[n], [&](std::int64_t other, bool is_first, const auto& flux_of) {
            const int owner = m_partition.owner(other);
            if (owner == m_rank && !is_first) return;  // the other one lists it
            const Flux flux = flux_of();
            const int there =
                owner == m_rank ? numbers.of_owned(other) : numbers.of_halo({owner, other});
            graph.edges.push_back(
                {is_first ? here : there, is_first ? there : here, flux.length, flux.distance});
          });
      m_grid.for_each_boundary(owned[n], [&](const Flux& flux) {
        graph.boundary_edges.push_back({here, flux.length, flux.distance});
      });
    }
    graph.halo_coupling_sums.assign(numbers.columns().size() - owned.size(), 0.0);
    for (const auto& column : numbers.halo()) {
      const auto place = static_cast<std::size_t>(numbers.of_halo(column)) - owned.size();
      graph.halo_coupling_sums[place] = coupling_sum(column);
    }
    return graph;
  }

  /// The sum of all couplings of a column, added in the order in which its owner adds them: the
  /// boundary first, then its own columns, then halo columns.
  double coupling_sum(const LocalNumbers::Owned& column) const {
    double sum = 0;
    m_grid.for_each_boundary(column.second,
                             [&](const Flux& flux) { sum += flux.length / flux.distance; });
    std::vector<std::tuple<bool, int, std::int64_t, double>> couplings;
    m_grid.for_each_neighbour(column.second, [&](std::int64_t other, bool, const auto& flux_of) {
      const int owner = m_partition.owner(other);
      const Flux flux = flux_of();
      couplings.emplace_back(owner != column.first, owner, other, flux.length / flux.distance);
    });
    std::sort(couplings.begin(), couplings.end());
    for (const auto& coupling : couplings) sum += std::get<double>(coupling);
    return sum;
  }

  const Grid& m_grid;
  const Partition& m_partition;
  int m_rank;
};

/// All of a grid.
template <class Grid>
ColumnGraph whole_graph(const Grid& grid, std::vector<double> areas) {
  ColumnGraph graph;
  graph.num_owned = static_cast<int>(grid.num_columns());
  graph.areas = std::move(areas);
  graph.edges.reserve(2 * static_cast<std::size_t>(grid.num_columns()));
  for (int column = 0; column < graph.num_owned; ++column) {
    grid.for_each_neighbour(column, [&](std::int64_t other, bool is_first, const auto& flux_of) {
      if (!is_first) return;  // the other one lists it
      const Flux flux = flux_of();
      graph.edges.push_back({column, static_cast<int>(other), flux.length, flux.distance});
    });
    grid.for_each_boundary(column, [&](const Flux& flux) {
      graph.boundary_edges.push_back({column, flux.length, flux.distance});
    });
  }
  return graph;
}

/// The centres of the columns of a rank; 0 in places without a column.
/// \param centre_of  centre_of(column) of the whole grid
template <class CentreOf>
void set_centres(const CentreOf& centre_of, LocalColumns& local) {
  auto& points = local.graph.centres.points;
  points.reserve(local.columns.size());
  for (const std::int64_t column : local.columns) {
    points.push_back(column == no_item ? std::array<double, 3>{} : centre_of(column));
  }
}

/// The part of a grid that a rank has.
template <class Grid>
LocalColumns cut_columns(const char* function, const Grid& grid, const Partition& partition,
                         int rank) {
  require_extent(function, "partition", "items", grid.num_columns(), partition.num_items());
  return ColumnCutter<Grid>(grid, partition, rank).cut();
}

}  // namespace Lamina::Impl
