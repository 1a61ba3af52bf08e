// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/columns/impl/CellComponents.hpp>
#include <lamina/core/impl/Index.hpp>
#include <lamina/distributed/impl/TransportCalls.hpp>
#include <lamina/distributed/impl/UpdateHalo.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

namespace Lamina::Impl {
namespace {

/// Sets of cells that are joined; the root of a set is its smallest number.
class JoinedCells {
 public:
  explicit JoinedCells(std::size_t count) : m_parent(count) {
    std::iota(m_parent.begin(), m_parent.end(), 0);
  }
  int root_of(int cell) {
    while (parent(cell) != cell) {
      parent(cell) = parent(parent(cell));  // halves the path
      cell = parent(cell);
    }
    return cell;
  }
  void join(int a, int b) {
    a = root_of(a);
    b = root_of(b);
    if (a > b) std::swap(a, b);
    parent(b) = a;
  }

 private:
  int& parent(int cell) { return m_parent[static_cast<std::size_t>(cell)]; }
  std::vector<int> m_parent;
};

bool has(std::uint64_t faces, int n) { return (faces & CellFaces::bit(n)) != 0; }

using Neighbours = Kokkos::View<const int**, Kokkos::LayoutLeft, Kokkos::HostSpace>;
using Faces = Kokkos::View<const std::uint64_t*, Kokkos::HostSpace>;

/// Calls visit(cell, neighbour column, level) for all open faces to other columns.
template <class Visit>
void for_each_open_edge(const CellExtents& extents, const Neighbours& neighbours,
                        const Faces& faces, const Visit& visit) {
  for (int c = 0; c < extents.num_columns; ++c) {
    for (int k = 0; k < extents.num_levels; ++k) {
      const int cell = c * extents.num_levels + k;
      for (std::size_t n = 0; n < neighbours.extent(1); ++n) {
        if (has(faces(cell), static_cast<int>(n))) visit(cell, neighbours(c, n), k);
      }
    }
  }
}

/// Joins owned cells.
JoinedCells join_cells(const CellExtents& extents, const Neighbours& neighbours,
                       const Faces& faces) {
  JoinedCells joined(faces.extent(0));
  const int count = static_cast<int>(extents.count());
  for (int cell = 0; cell < count; ++cell) {
    if (has(faces(cell), CellFaces::above)) joined.join(cell, cell + 1);
  }
  for_each_open_edge(extents, neighbours, faces, [&](int cell, int neighbour, int level) {
    if (neighbour < extents.num_columns) joined.join(cell, neighbour * extents.num_levels + level);
  });
  return joined;
}

/// Which sets of a rank's cells are connected with cells of other ranks, and by way of these with each
/// other. Over all ranks a cell has the number of those of lower ranks, and its own one.
class SharedSets {
 public:
  SharedSets() = default;  ///< of one process: none
  /// Collective.
  /// \param has_mass  of the set with this root
  SharedSets(const CellRanks& ranks, const CellExtents& extents, const Neighbours& neighbours,
             const Faces& faces, JoinedCells& joined, const std::vector<bool>& has_mass) {
    const Transport& transport = *ranks.transport;
    const auto levels = static_cast<std::size_t>(extents.num_levels);
    const auto counts = gather_values(transport, extents.count());
    m_first = std::accumulate(counts.begin(), counts.begin() + transport.rank(), std::int64_t{0});
    std::vector<std::int64_t> numbers;
    run_agreed(transport, [&] {
      numbers.assign(index(ranks.halo->num_local) * levels, no_item);
      for (int cell = 0; cell < static_cast<int>(extents.count()); ++cell) {
        numbers[index(cell)] = m_first + joined.root_of(cell);
      }
    });
    update_halo(transport, *ranks.halo, numbers, levels);
    std::vector<Link> links;
    std::vector<Set> mine;
    run_agreed(transport, [&] {
      links = find_links(extents, neighbours, faces, numbers);
      for (const Link& link : links) {
        if (!mine.empty() && mine.back().number == link.mine) continue;
        mine.push_back(
            {link.mine, has_mass[static_cast<std::size_t>(link.mine - m_first)] ? 1 : 0});
      }
    });
    m_sets = gather_list(transport, mine);  // they ascend, as ranks do
    const auto all_links = gather_list(transport, links);
    const bool both_sides = std::all_of(all_links.begin(), all_links.end(),
                                        [&](const Link& link) { return has_number(link.other); });
    LAMINA_REQUIRE(both_sides, "ColumnNullSpace",
                   "op: expected couplings between ranks on both sides of an edge, got one on one "
                   "side alone");
    run_agreed(transport, [&] { join_sets(all_links); });
  }

  int num_components() const { return m_num_components; }
  int num_singular() const { return m_num_singular; }
  bool has(int root) const { return has_number(m_first + root); }
  /// The singular component that a shared set belongs to; -1 where that has mass.
  int singular_of(int root) const { return m_singular[place_of(m_first + root)]; }

 private:
  struct Set {
    std::int64_t number, has_mass;
  };
  struct Link {
    std::int64_t mine, other;
    bool operator<(const Link& link) const {
      return std::tie(mine, other) < std::tie(link.mine, link.other);
    }
    bool operator==(const Link& link) const = default;
  };

  /// Between sets of this rank and of others, sorted.
  /// \param numbers  of the sets of all cells, with those of the halo
  static std::vector<Link> find_links(const CellExtents& extents, const Neighbours& neighbours,
                                      const Faces& faces,
                                      const std::vector<std::int64_t>& numbers) {
    const auto levels = static_cast<std::size_t>(extents.num_levels);
    std::vector<Link> links;
    for_each_open_edge(extents, neighbours, faces, [&](int cell, int neighbour, int level) {
      if (neighbour < extents.num_columns) return;
      links.push_back({numbers[index(cell)], numbers[index(neighbour) * levels + index(level)]});
    });
    std::sort(links.begin(), links.end());
    links.erase(std::unique(links.begin(), links.end()), links.end());
    return links;
  }

  std::size_t place_of(std::int64_t number) const {
    const auto found =
        std::lower_bound(m_sets.begin(), m_sets.end(), number,
                         [](const Set& set, std::int64_t value) { return set.number < value; });
    return static_cast<std::size_t>(found - m_sets.begin());
  }
  bool has_number(std::int64_t number) const {
    const std::size_t place = place_of(number);
    return place < m_sets.size() && m_sets[place].number == number;
  }
  void join_sets(const std::vector<Link>& links) {
    JoinedCells joined(m_sets.size());
    for (const Link& link : links) {
      joined.join(static_cast<int>(place_of(link.mine)), static_cast<int>(place_of(link.other)));
    }
    const int count = static_cast<int>(m_sets.size());
    std::vector<bool> has_mass(m_sets.size(), false);
    for (int n = 0; n < count; ++n) {
      if (m_sets[index(n)].has_mass != 0) has_mass[index(joined.root_of(n))] = true;
    }
    m_singular.assign(m_sets.size(), -1);
    for (int n = 0; n < count; ++n) {
      const int root = joined.root_of(n);
      if (root == n) ++m_num_components;
      if (!has_mass[index(root)])
        m_singular[index(n)] = root == n ? m_num_singular++ : m_singular[index(root)];
    }
  }

  std::int64_t m_first = 0;     // number of this rank's first cell
  std::vector<Set> m_sets;      // of all ranks
  std::vector<int> m_singular;  // of each of them
  int m_num_components = 0, m_num_singular = 0;
};

/// Lists the cells of singular components.
/// \param list_of  (root): the list of its set, or -1
void list_cells(JoinedCells& joined, const std::vector<int>& list_of, int num_lists,
                CellComponents& result) {
  result.begin.assign(index(num_lists) + 1, 0);
  const int count = static_cast<int>(list_of.size());
  for (int cell = 0; cell < count; ++cell) {
    const int list = list_of[index(joined.root_of(cell))];
    if (list >= 0) ++result.begin[index(list) + 1];
  }
  std::partial_sum(result.begin.begin(), result.begin.end(), result.begin.begin());
  result.cells.resize(static_cast<std::size_t>(result.begin.back()));
  std::vector<std::int64_t> next(result.begin.begin(), result.begin.end() - 1);
  for (int cell = 0; cell < count; ++cell) {
    const int list = list_of[index(joined.root_of(cell))];
    if (list >= 0) result.cells[static_cast<std::size_t>(next[index(list)]++)] = cell;
  }
}

/// Counts of this rank alone become those of all.
void add_up_counts(const Transport& transport, const SharedSets& shared, CellComponents& result) {
  struct Counts {
    std::int64_t components, singular, dry;
  };
  const auto counts =
      gather_values(transport, Counts{result.num_components, result.num_singular, result.num_dry});
  result.num_components = shared.num_components();
  result.num_singular = shared.num_singular();
  result.num_dry = 0;
  for (const Counts& of_rank : counts) {
    result.num_components += static_cast<int>(of_rank.components);
    result.num_singular += static_cast<int>(of_rank.singular);
    result.num_dry += of_rank.dry;
  }
}

}  // namespace

CellComponents find_components(const CellExtents& extents, const Neighbours& neighbours,
                               const Faces& faces, const CellRanks& ranks) {
  const int count = static_cast<int>(extents.count());
  JoinedCells joined(0);
  std::vector<int> size;  // of the set with this root
  std::vector<bool> has_mass;
  run_agreed(ranks.transport, [&] {
    joined = join_cells(extents, neighbours, faces);
    size.assign(index(count), 0);
    has_mass.assign(index(count), false);
    for (int cell = 0; cell < count; ++cell) {
      const int root = joined.root_of(cell);
      ++size[index(root)];
      if (has(faces(cell), CellFaces::mass)) has_mass[index(root)] = true;
    }
  });
  SharedSets shared;
  if (ranks.transport != nullptr) {
    shared = SharedSets(ranks, extents, neighbours, faces, joined, has_mass);
  }
  CellComponents result;
  run_agreed(ranks.transport, [&] {
    result.num_shared = shared.num_singular();
    int num_lists = result.num_shared;
    std::vector<int> list_of(index(count), -1);
    for (int cell = 0; cell < count; ++cell) {
      if (joined.root_of(cell) != cell) continue;
      if (shared.has(cell)) {
        list_of[index(cell)] = shared.singular_of(cell);
      } else if (size[index(cell)] == 1) {
        if (!has_mass[index(cell)]) result.dry.push_back(cell);
      } else {
        ++result.num_components;
        if (!has_mass[index(cell)]) list_of[index(cell)] = num_lists++;
      }
    }
    list_cells(joined, list_of, num_lists, result);
    result.num_singular = num_lists - result.num_shared;
    result.num_dry = static_cast<std::int64_t>(result.dry.size());
  });
  if (ranks.transport != nullptr) add_up_counts(*ranks.transport, shared, result);
  return result;
}

}  // namespace Lamina::Impl
