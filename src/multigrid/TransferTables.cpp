// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/impl/Index.hpp>
#include <lamina/device/impl/HostTable.hpp>
#include <lamina/device/impl/Instantiate.hpp>
#include <lamina/multigrid/impl/TransferTables.hpp>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace Lamina::Impl {
namespace {

std::string label_of(const char* name) {
  return std::string("Lamina::MultigridPreconditioner::") + name;
}

template <class Memory, class Value, class Rows>
Kokkos::View<const Value**, Kokkos::LayoutLeft, Memory> table_of(const char* label,
                                                                 const Rows& rows) {
  constexpr std::size_t slots = ColumnTransfer::max_entries;
  const auto table = host_table<Value**>(label_of(label), rows.size(), slots);
  for (std::size_t c = 0; c < rows.size(); ++c) {
    for (std::size_t n = 0; n < slots; ++n) table(c, n) = static_cast<Value>(rows[c][n]);
  }
  return copy_in<Memory>(table);
}

/// Lists of numbers, one behind the other.
struct Lists {
  std::vector<int> begin{0}, values{};

  const int* first(int list) const { return values.data() + begin[static_cast<std::size_t>(list)]; }
  const int* last(int list) const { return first(list + 1); }
  void close() { begin.push_back(static_cast<int>(values.size())); }
};

/// For each key its numbers n with key_of[n] == key, in ascending order; negative keys are left
/// out.
Lists by_key(const std::vector<int>& key_of, int count) {
  Lists lists;
  lists.begin.assign(static_cast<std::size_t>(count) + 1, 0);
  for (const int key : key_of) {
    if (key >= 0) ++lists.begin[static_cast<std::size_t>(key) + 1];
  }
  std::partial_sum(lists.begin.begin(), lists.begin.end(), lists.begin.begin());
  lists.values.resize(static_cast<std::size_t>(lists.begin.back()));
  std::vector<int> next(lists.begin.begin(), lists.begin.end() - 1);
  for (std::size_t n = 0; n < key_of.size(); ++n) {
    if (key_of[n] < 0) continue;
    lists.values[static_cast<std::size_t>(next[static_cast<std::size_t>(key_of[n])]++)] =
        static_cast<int>(n);
  }
  return lists;
}

/// The entries of the columns of P, as numbers row * slots + slot.
Lists entries_by_coarse(const ColumnTransfer& transfer, int num_coarse) {
  std::vector<int> keys;
  keys.reserve(transfer.columns.size() * ColumnTransfer::max_entries);
  for (std::size_t c = 0; c < transfer.columns.size(); ++c) {
    for (std::size_t n = 0; n < ColumnTransfer::max_entries; ++n) {
      keys.push_back(transfer.weights[c][n] == 0 ? -1 : transfer.columns[c][n]);
    }
  }
  return by_key(keys, num_coarse);
}

/// Numbers >= 0 keep their order and get no gaps.
void number_without_gaps(std::vector<int>& numbers) {
  std::vector<int> known;
  for (const int number : numbers) {
    if (number >= 0) known.push_back(number);
  }
  std::sort(known.begin(), known.end());
  known.erase(std::unique(known.begin(), known.end()), known.end());
  for (int& number : numbers) {
    if (number < 0) continue;
    number = static_cast<int>(std::lower_bound(known.begin(), known.end(), number) - known.begin());
  }
}

}  // namespace

template <class Scalar, class Memory>
Prolongation<Scalar, Memory>::Prolongation(const ColumnTransfer& transfer)
    : columns(table_of<Memory, int>("columns", transfer.columns)),
      weights(table_of<Memory, Scalar>("weights", transfer.weights)) {}

template <class Scalar, class Memory>
Restriction<Scalar, Memory>::Restriction(const ColumnTransfer& transfer,
                                         const std::vector<int>& tiles) {
  constexpr int slots = ColumnTransfer::max_entries;
  const Lists of_coarse = entries_by_coarse(transfer, static_cast<int>(tiles.size()));
  std::vector<int> places, lengths;
  places.reserve(tiles.size());
  lengths.reserve(tiles.size());
  for (int c = 0; c < static_cast<int>(tiles.size()); ++c) {
    if (tiles[static_cast<std::size_t>(c)] < 0) continue;
    places.push_back(c);
    lengths.push_back(static_cast<int>(of_coarse.last(c) - of_coarse.first(c)));
  }
  // At least one: a device reads the first entry of a place before it looks at their number.
  const std::size_t longest = std::max<std::size_t>(
      1, lengths.empty()
             ? 0
             : static_cast<std::size_t>(*std::max_element(lengths.begin(), lengths.end())));
  const auto rows = host_table<int**>(label_of("fine"), places.size(), longest);
  const auto values = host_table<Scalar**>(label_of("entry_weights"), places.size(), longest);
  for (std::size_t p = 0; p < places.size(); ++p) {
    std::size_t n = 0;
    for (const int* e = of_coarse.first(places[p]); e != of_coarse.last(places[p]); ++e, ++n) {
      const auto row = static_cast<std::size_t>(*e / slots),
                 slot = static_cast<std::size_t>(*e % slots);
      rows(p, n) = *e / slots;
      values(p, n) = static_cast<Scalar>(transfer.weights[row][slot]);
    }
    m_bytes += static_cast<double>(n * (sizeof(int) + sizeof(Scalar)) + 2 * sizeof(int));
    for (; n < longest; ++n) {
      rows(p, n) = 0;
      values(p, n) = 0;
    }
  }
  coarse = list_of<Memory>(label_of("coarse"), places);
  counts = list_of<Memory>(label_of("counts"), lengths);
  fine = copy_in<Memory>(rows);
  weights = copy_in<Memory>(values);
}

template <class Scalar>
TiledRestriction<Scalar>::TiledRestriction(const ColumnTransfer& transfer,
                                           const std::vector<int>& tiles) {
  constexpr int slots = ColumnTransfer::max_entries;
  const int num_tiles = tiles.empty() ? 0 : 1 + *std::max_element(tiles.begin(), tiles.end());
  const Lists members = by_key(tiles, num_tiles),
              of_coarse = entries_by_coarse(transfer, static_cast<int>(tiles.size()));
  Lists needed, places;
  std::vector<Scalar> values;
  std::vector<int> rows, tile_of_row(transfer.columns.size(), -1),
      place_of_row(transfer.columns.size());
  for (int tile = 0; tile < num_tiles; ++tile) {
    rows.clear();
    for (const int* c = members.first(tile); c != members.last(tile); ++c) {
      for (const int* e = of_coarse.first(*c); e != of_coarse.last(*c); ++e) {
        int& last_tile = tile_of_row[index(*e / slots)];
        if (last_tile != tile) rows.push_back(*e / slots);
        last_tile = tile;
      }
    }
    std::sort(rows.begin(), rows.end());
    most_fine = std::max(most_fine, static_cast<int>(rows.size()));
    for (std::size_t n = 0; n < rows.size(); ++n)
      place_of_row[index(rows[n])] = static_cast<int>(n);
    for (const int* c = members.first(tile); c != members.last(tile); ++c) {
      for (const int* e = of_coarse.first(*c); e != of_coarse.last(*c); ++e) {
        const std::size_t row = index(*e / slots), slot = index(*e % slots);
        places.values.push_back(place_of_row[row]);
        values.push_back(static_cast<Scalar>(transfer.weights[row][slot]));
      }
      places.close();
    }
    needed.values.insert(needed.values.end(), rows.begin(), rows.end());
    needed.close();
  }
  first_coarse = list_of<Kokkos::HostSpace>(label_of("first_coarse"), members.begin);
  coarse = list_of<Kokkos::HostSpace>(label_of("coarse"), members.values);
  first_fine = list_of<Kokkos::HostSpace>(label_of("first_fine"), needed.begin);
  fine = list_of<Kokkos::HostSpace>(label_of("fine"), needed.values);
  first_entry = list_of<Kokkos::HostSpace>(label_of("first_entry"), places.begin);
  entries = list_of<Kokkos::HostSpace>(label_of("entries"), places.values);
  weights = list_of<Kokkos::HostSpace>(label_of("entry_weights"), values);
}

#define LAMINA_INSTANTIATE_TABLES(Scalar, Memory) \
  template struct Prolongation<Scalar, Memory>;   \
  template struct Restriction<Scalar, Memory>;
LAMINA_FOR_EACH_SCALAR_AND_MEMORY(LAMINA_INSTANTIATE_TABLES)
template struct TiledRestriction<float>;
template struct TiledRestriction<double>;

std::vector<int> compact_tiles(const ColumnHierarchy& hierarchy, int level, int least_tiles) {
  constexpr int most_columns = 200;
  const auto& levels = hierarchy.levels();
  std::vector<int> tiles(
      static_cast<std::size_t>(levels[static_cast<std::size_t>(level)].graph.count_owned()));
  std::iota(tiles.begin(), tiles.end(), 0);
  for (int depth = 0; depth < 3 && level + depth + 1 < hierarchy.num_levels(); ++depth) {
    const auto next = static_cast<std::size_t>(level + depth);
    const auto count = static_cast<std::size_t>(levels[next + 1].graph.count_owned());
    if (count == 0 || static_cast<int>(count) < least_tiles) break;
    std::vector<int> larger(tiles.size()), sizes(count, 0);
    for (std::size_t c = 0; c < tiles.size(); ++c) {
      larger[c] = levels[next].aggregates[static_cast<std::size_t>(tiles[c])];
      ++sizes[static_cast<std::size_t>(larger[c])];
    }
    if (*std::max_element(sizes.begin(), sizes.end()) > most_columns) break;
    tiles = std::move(larger);
  }
  return tiles;
}

ColumnTransfer transfer_to_rows(const ColumnTransfer& transfer, const RestrictedRows& rows,
                                int num_owned, std::size_t num_coarse) {
  std::vector<int> row_of(num_coarse, -1);
  for (int row = rows.own_begin; row < rows.own_end; ++row) {
    if (rows.columns[index(row)] >= 0) row_of[index(rows.columns[index(row)])] = row;
  }
  ColumnTransfer result;
  result.columns.resize(index(num_owned));
  result.weights.assign(transfer.weights.begin(), transfer.weights.begin() + num_owned);
  for (std::size_t c = 0; c < result.columns.size(); ++c) {
    for (std::size_t n = 0; n < ColumnTransfer::max_entries; ++n) {
      const bool is_used = transfer.weights[c][n] != 0;
      result.columns[c][n] = is_used ? row_of[index(transfer.columns[c][n])] : 0;
    }
  }
  return result;
}

RowTransfer row_transfer(const ColumnHierarchy& hierarchy, int level, int least_tiles) {
  const HierarchyLevel &fine = hierarchy.levels()[index(level)],
                       &coarse = hierarchy.levels()[index(level + 1)];
  const RestrictedRows& rows = fine.rows;
  const std::vector<int> of_column = compact_tiles(hierarchy, level + 1, least_tiles);
  RowTransfer result{.transfer = transfer_to_rows(fine.transfer, rows, fine.graph.count_owned(),
                                                  coarse.graph.areas.size()),
                     .tiles = std::vector<int>(rows.columns.size(), -1)};
  for (int row = rows.own_begin; row < rows.own_end; ++row) {
    const int column = rows.columns[index(row)];
    if (column < 0) continue;
    // Columns of the halo join the tile of a column beside them.
    result.tiles[index(row)] =
        of_column[column < static_cast<int>(of_column.size()) ? index(column) : 0];
  }
  for (std::size_t c = 0; c < result.transfer.columns.size(); ++c) {
    for (std::size_t n = 0; n < ColumnTransfer::max_entries; ++n) {
      const bool is_used = fine.transfer.weights[c][n] != 0;
      if (is_used && fine.transfer.columns[c][n] >= static_cast<int>(of_column.size())) {
        result.tiles[index(result.transfer.columns[c][n])] = of_column[index(fine.aggregates[c])];
      }
    }
  }
  number_without_gaps(result.tiles);
  return result;
}

}  // namespace Lamina::Impl
