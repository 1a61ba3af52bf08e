// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/core/impl/Index.hpp>
#include <lamina/grids/impl/ColumnPacks.hpp>

#include <algorithm>
#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace Lamina::Impl {
namespace {

enum { north, south, west, east };

/// The neighbours of one column that no side has taken yet. A column of a pack has four at most.
class Neighbourhood {
 public:
  struct Entry {
    int column;
    double coupling;
    bool is_halo;
    bool is_first;  // of a halo column: whether this column is the first of the edge
  };

  /// False for more than four neighbours: the column cannot be in a pack.
  bool fill(const HostNeighbours& neighbours, int column) {
    const std::size_t row = index(column);
    for (std::size_t n = 0; n < neighbours.columns.extent(1); ++n) {
      const int other = neighbours.columns(row, n);
      const bool is_halo = index(other) >= neighbours.columns.extent(0);
      const Entry entry{other, neighbours.couplings(row, n), is_halo,
                        is_halo && neighbours.is_first(row, n)};
      if (entry.coupling == 0) continue;
      if (m_count == m_entries.size()) return false;
      m_entries[m_count] = entry;
      m_left[m_count] = m_count;
      ++m_count;
    }
    return true;
  }

  std::size_t size() const { return m_count; }
  bool empty() const { return m_count == 0; }
  const Entry& operator[](std::size_t n) const { return m_entries[m_left[n]]; }
  /// The entry of a neighbour, or null.
  const Entry* entry_of(int column) const {
    const std::size_t at = find(column);
    return at == m_count ? nullptr : &(*this)[at];
  }

  /// Removes a neighbour. Returns its coupling, or nothing.
  std::optional<double> take(int column) {
    const std::size_t at = find(column);
    if (at == m_count) return std::nullopt;
    const double coupling = (*this)[at].coupling;
    m_left[at] = m_left[--m_count];
    return coupling;
  }

 private:
  std::size_t find(int column) const {
    std::size_t at = 0;
    while (at < m_count && (*this)[at].column != column) ++at;
    return at;
  }

  std::array<Entry, 4> m_entries{};
  std::array<std::size_t, 4> m_left{};  // numbers of entries: entries do not move
  std::size_t m_count = 0;
};

// The width is a template parameter where all packs are looked through: divisions by it are shifts then.
template <int width>
using Columns = std::array<Neighbourhood, static_cast<std::size_t>(width)>;
template <int width>
using Occupied = std::array<bool, static_cast<std::size_t>(width)>;

/// Couplings between consecutive columns of the pack, where they are neighbours.
template <int width>
void take_inner_couplings(Columns<width>& columns, int first, ColumnPack& pack) {
  for (int i = 0; i + 1 < width; ++i) {
    pack.couplings[east][index(i)] = columns[index(i)].take(first + i + 1).value_or(0);
    pack.couplings[west][index(i + 1)] = columns[index(i + 1)].take(first + i).value_or(0);
  }
}

/// Whether each column i of the pack is coupled with column i of the pack that starts at `other`, and
/// has the same side of it, except for columns without neighbours. `occupied` tells which columns
/// have neighbours.
template <int width>
bool is_neighbouring_pack(const Columns<width>& columns, const Occupied<width>& occupied,
                          const Neighbourhood::Entry& other) {
  for (int i = 0; i < width; ++i) {
    if (!occupied[index(i)]) continue;
    const auto* const entry = columns[index(i)].entry_of(other.column + i);
    if (entry == nullptr || entry->is_first != other.is_first) return false;
  }
  return other.column % width == 0;
}

/// Takes the couplings of columns i of the pack with columns i of the pack that starts at `other`.
template <int width>
void take_side(Columns<width>& columns, int other, int side, ColumnPack& pack) {
  pack.neighbours[index(side)] = other;
  for (int i = 0; i < width; ++i) {
    pack.couplings[index(side)][index(i)] = columns[index(i)].take(other + i).value_or(0);
  }
}

/// Couplings with the packs north and south. Of two neighbouring packs one is north of the other.
/// Where the other pack is done already, it has decided which. A halo pack has one side only.
template <int width>
void take_whole_sides(Columns<width>& columns, int first, const Occupied<width>& occupied,
                      const std::vector<ColumnPack>& packs, ColumnPack& pack) {
  enum class Kind { halo, done, later };
  bool free[2] = {true, true};
  std::array<const Neighbourhood::Entry*, 4> candidates{};  // `columns` changes, entries stay
  const std::size_t num_candidates = columns[0].size();
  for (std::size_t n = 0; n < num_candidates; ++n) candidates[n] = &columns[0][n];
  const auto kind_of = [first](const Neighbourhood::Entry& entry) {
    if (entry.is_halo) return Kind::halo;
    return entry.column < first ? Kind::done : Kind::later;
  };
  const auto side_of = [&](const Neighbourhood::Entry& entry) {
    if (entry.is_halo) return entry.is_first ? south : north;
    if (entry.column >= first) return south;
    const ColumnPack& other = packs[index(entry.column / width)];
    return !other.fits || other.neighbours[south] == first ? north : south;
  };
  for (const Kind kind : {Kind::halo, Kind::done, Kind::later}) {  // those with a choice come last
    for (std::size_t n = 0; n < num_candidates; ++n) {
      const auto& entry = *candidates[n];
      if (kind_of(entry) != kind) continue;
      if (!is_neighbouring_pack<width>(columns, occupied, entry)) continue;
      const int wanted = side_of(entry);
      const int side = free[wanted] || kind == Kind::halo ? wanted : 1 - wanted;
      if (!free[side]) continue;
      take_side<width>(columns, entry.column, side, pack);
      free[side] = false;
    }
  }
}

/// The remaining neighbour of the first column is in the west, that of the last column in the east.
/// A halo column that belongs on the other side stays, and there is no pack.
void take_end(Neighbourhood& column, int i, int side, ColumnPack& pack) {
  if (column.empty()) return;
  const auto entry = column[0];
  if (entry.is_halo && entry.is_first != (side == east)) return;
  pack.neighbours[index(side)] = entry.column;
  pack.couplings[index(side)][index(i)] = *column.take(entry.column);
}

/// Adds the pack that starts at a column. It may not fit.
template <int width>
void add_pack(const HostNeighbours& neighbours, int first, std::vector<ColumnPack>& packs) {
  const ColumnPack none{{first, first, first, first}, {}, false};
  ColumnPack& pack = packs.emplace_back(none);
  Columns<width> columns;
  Occupied<width> occupied{};
  for (int i = 0; i < width; ++i) {
    if (!columns[index(i)].fill(neighbours, first + i)) return;
    occupied[index(i)] = !columns[index(i)].empty();
  }
  take_inner_couplings<width>(columns, first, pack);
  take_whole_sides<width>(columns, first, occupied, packs, pack);
  take_end(columns.front(), 0, west, pack);
  take_end(columns.back(), width - 1, east, pack);
  pack.fits = std::all_of(columns.begin(), columns.end(),
                          [](const Neighbourhood& column) { return column.empty(); });
  if (!pack.fits) pack = none;
}

/// Column i of the pack that starts at `first`, and its neighbour on one side.
struct End {
  int column, neighbour;
  double coupling;
};
End end_of(const ColumnPack& pack, int first, int width, int side, int i) {
  int neighbour = pack.neighbours[index(side)] + (side == north || side == south ? i : 0);
  if (side == west && i > 0) neighbour = first + i - 1;
  if (side == east && i + 1 < width) neighbour = first + i + 1;
  return {first + i, neighbour, pack.couplings[index(side)][index(i)]};
}

/// Whether the edge at one end of a pack is at the other end of a pack that fits.
template <int width>
bool ends_agree(const std::vector<ColumnPack>& packs, int first, int side, int opposite, int i) {
  const End here = end_of(packs[index(first / width)], first, width, side, i);
  const int other = here.neighbour / width;
  if (here.coupling == 0 || index(other) >= packs.size() || !packs[index(other)].fits) return true;
  const End there =
      end_of(packs[index(other)], other * width, width, opposite, here.neighbour % width);
  return there.neighbour == here.column && there.coupling == here.coupling;
}

/// Whether a pack is on the opposite side of the one that is its neighbour on a whole side.
template <int width>
bool whole_sides_agree(const std::vector<ColumnPack>& packs, int first, int side, int opposite) {
  const ColumnPack& here = packs[index(first / width)];
  const std::size_t other = index(here.neighbours[index(side)] / width);
  if (other >= packs.size() || !packs[other].fits) return true;
  const bool is_opposite = packs[other].neighbours[index(opposite)] == first;
  const auto &couplings = here.couplings[index(side)],
             &theirs = packs[other].couplings[index(opposite)];
  for (std::size_t i = 0; i < width; ++i) {
    if (couplings[i] != 0 && !(is_opposite && couplings[i] == theirs[i])) return false;
  }
  return true;
}

/// Whether both columns of each edge between a pack and others that fit have it on opposite sides.
template <int width>
bool sides_agree(const std::vector<ColumnPack>& packs, std::size_t pack) {
  for (std::size_t i = 0; i + 1 < width; ++i) {
    if (packs[pack].couplings[east][i] != packs[pack].couplings[west][i + 1]) return false;
  }
  const int first = static_cast<int>(pack) * width;
  return whole_sides_agree<width>(packs, first, north, south) &&
         whole_sides_agree<width>(packs, first, south, north) &&
         ends_agree<width>(packs, first, west, east, 0) &&
         ends_agree<width>(packs, first, east, west, width - 1);
}

/// Packs without neighbours, as those that rows are padded with, become neighbours of each other, two
/// by two, over a side that nothing flows through: they go into pairs like others.
void join_lone_packs(std::vector<ColumnPack>& packs, int width) {
  std::optional<std::size_t> waiting;
  for (std::size_t pack = 0; pack < packs.size(); ++pack) {
    const int first = static_cast<int>(pack) * width;
    const auto& neighbours = packs[pack].neighbours;
    const bool alone = std::all_of(neighbours.begin(), neighbours.end(),
                                   [first](int neighbour) { return neighbour == first; });
    if (!packs[pack].fits || !alone) continue;
    if (!waiting) {
      waiting = pack;
      continue;
    }
    packs[*waiting].neighbours[south] = first;
    packs[pack].neighbours[north] = static_cast<int>(*waiting) * width;
    waiting.reset();
  }
}

/// Whether a column of a pack has its edge with `other` on the south or east side.
bool lists_edge(const ColumnPack& pack, int first, int width, int i, int other) {
  for (const int side : {south, east}) {
    const End end = end_of(pack, first, width, side, i);
    if (end.coupling != 0 && end.neighbour == other) return true;
  }
  return false;
}

/// The edges that a column in no pack lists at first, in ascending order.
/// \param own  that it leaves them in
void find_own_edges(const HostNeighbours& neighbours, const std::vector<ColumnPack>& packs,
                    int width, int column, std::vector<ListedEdges::Edge>& own) {
  own.clear();
  for (std::size_t n = 0; n < neighbours.columns.extent(1); ++n) {
    const int other = neighbours.columns(index(column), n);
    const double coupling = neighbours.couplings(index(column), n);
    if (coupling == 0) continue;
    const std::size_t pack = index(other / width);
    bool lists = other > column;
    if (index(other) >= neighbours.columns.extent(0)) {
      lists = neighbours.is_first(index(column), n);
    } else if (pack < packs.size() && packs[pack].fits) {
      lists =
          !lists_edge(packs[pack], static_cast<int>(pack) * width, width, other % width, column);
    }
    if (lists) own.push_back({other, coupling});
  }
  std::sort(own.begin(), own.end(),
            [](const auto& a, const auto& b) { return a.neighbour < b.neighbour; });
}

/// Moves the edge of `column` with `other` from the list of the first to that of the second.
void hand_over(std::vector<ListedEdges>& lists, int column, int other) {
  auto &from = lists[index(column)].edges, &to = lists[index(other)].edges;
  const auto edge =
      std::find_if(from.begin(), from.end(), [&](const auto& e) { return e.neighbour == other; });
  const auto place =
      std::find_if(to.begin(), to.end(), [&](const auto& e) { return e.neighbour > column; });
  to.insert(place, {column, edge->coupling});
  from.erase(edge);
}

/// Takes one edge off a list that is too long: a column with room is looked for along edges, breadth
/// first, and each column on the way hands an edge over to the next one. Returns whether there is
/// room. Columns for which `has_list` is false take nothing.
template <class HasList>
bool shorten(std::vector<ListedEdges>& lists, int column, const HasList& has_list) {
  std::map<int, int> came_from{{column, column}};
  std::deque<int> ends{column};
  while (!ends.empty()) {
    const int end = ends.front();
    ends.pop_front();
    for (const auto& edge : lists[index(end)].edges) {
      if (!has_list(edge.neighbour) || !came_from.emplace(edge.neighbour, end).second) continue;
      if (lists[index(edge.neighbour)].edges.size() >= ListedEdges::most) {
        ends.push_back(edge.neighbour);
        continue;
      }
      for (int to = edge.neighbour; to != column; to = came_from[to]) {
        hand_over(lists, came_from[to], to);
      }
      return true;
    }
  }
  return false;
}

template <int width>
std::vector<ColumnPack> find_packs(const HostNeighbours& neighbours) {
  const int num_columns = static_cast<int>(neighbours.columns.extent(0));
  std::vector<ColumnPack> packs;
  packs.reserve(index(num_columns / width));
  for (int first = 0; first + width <= num_columns; first += width) {
    add_pack<width>(neighbours, first, packs);
  }
  for (std::size_t pack = 0; pack < packs.size(); ++pack) {
    packs[pack].fits = packs[pack].fits && sides_agree<width>(packs, pack);
  }
  const auto fitting =
      std::count_if(packs.begin(), packs.end(), [](const ColumnPack& pack) { return pack.fits; });
  // Fewer are not worth a kernel that holds the code of both kinds.
  if (2 * width * fitting < num_columns) packs.clear();
  join_lone_packs(packs, width);
  return packs;
}

}  // namespace

std::vector<ListedEdges> find_column_edges(const HostNeighbours& neighbours,
                                           const std::vector<ColumnPack>& packs, int width) {
  const int num_columns = static_cast<int>(neighbours.columns.extent(0));
  std::vector<ListedEdges> lists(index(num_columns));
  const auto has_list = [&](int column) {
    const std::size_t pack = index(column / width);
    return column < num_columns && (pack >= packs.size() || !packs[pack].fits);
  };
  std::vector<ListedEdges::Edge> own;
  for (int column = 0; column < num_columns; ++column) {
    if (!has_list(column)) continue;
    find_own_edges(neighbours, packs, width, column, own);
    lists[index(column)].edges = own;  // allocates once, as much as it needs
  }
  for (int column = 0; column < num_columns; ++column) {
    while (lists[index(column)].edges.size() > ListedEdges::most) {
      if (!shorten(lists, column, has_list)) break;
    }
  }
  return lists;
}

std::vector<ColumnPack> find_column_packs(const HostNeighbours& neighbours, int width) {
  LAMINA_REQUIRE(width == 2 || width == 4, "find_column_packs",
                 "width: expected 2 or 4, got " + std::to_string(width));
  return width == 2 ? find_packs<2>(neighbours) : find_packs<4>(neighbours);
}

std::vector<int> columns_in_no_pack(const std::vector<ColumnPack>& packs, int width,
                                    int num_columns) {
  std::vector<int> columns;
  for (int column = 0; column < num_columns; ++column) {
    const std::size_t pack = index(column / width);
    if (pack >= packs.size() || !packs[pack].fits) columns.push_back(column);
  }
  return columns;
}

std::vector<int> find_pack_pairs(const std::vector<ColumnPack>& packs, int width, int num_columns) {
  // Row by row from one end, in the direction of the numbering. The first free packs form pairs.
  std::vector<bool> taken(packs.size());
  std::vector<int> pairs;
  pairs.reserve(packs.size() / 2);
  for (std::size_t pack = 0; pack < packs.size(); ++pack) {
    const auto other = index(packs[pack].neighbours[south] / width);
    const bool pairs_up = packs[pack].fits && other < packs.size() && other != pack &&
                          packs[other].fits && !taken[pack] && !taken[other];
    if (!pairs_up) continue;
    taken[pack] = taken[other] = true;
    pairs.push_back(static_cast<int>(pack) * width);
  }
  if (16 * index(width) * pairs.size() < 7 * index(num_columns)) return {};
  return pairs;
}

}  // namespace Lamina::Impl
