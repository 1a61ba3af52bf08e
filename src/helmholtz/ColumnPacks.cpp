// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/helmholtz/impl/ColumnPacks.hpp>

#include <cstddef>
#include <map>
#include <optional>
#include <utility>

namespace Lamina::Impl {
namespace {

/// Coupling by neighbour; columns that are a neighbour twice, as on a ring of two, do not count as
/// a structure.
using Couplings = std::map<int, double>;

std::optional<Couplings> couplings_of(const HostNeighbours& neighbours, int column) {
  Couplings couplings;
  const auto row = static_cast<std::size_t>(column);
  for (std::size_t n = 0; n < neighbours.columns.extent(1); ++n) {
    if (neighbours.couplings(row, n) == 0) continue;
    if (!couplings.emplace(neighbours.columns(row, n), neighbours.couplings(row, n)).second) {
      return std::nullopt;
    }
  }
  return couplings;
}

/// Takes a neighbour out of a list; its coupling, or nothing.
std::optional<double> take(Couplings& couplings, int neighbour) {
  const auto found = couplings.find(neighbour);
  if (found == couplings.end()) return std::nullopt;
  const double coupling = found->second;
  couplings.erase(found);
  return coupling;
}

/// The packs that are neighbours of a pack as a whole: each column i is coupled with column i of it.
std::vector<int> neighbouring_packs(const std::vector<Couplings>& columns, int width) {
  std::vector<int> packs;
  for (const auto& [first, coupling] : columns[0]) {
    bool whole = first % width == 0;
    for (std::size_t i = 1; i < columns.size(); ++i) {
      whole = whole && columns[i].count(first + static_cast<int>(i)) > 0;
    }
    if (whole) packs.push_back(first);
  }
  return packs;
}

/// The pack that starts at a column, if it is one.
std::optional<ColumnPack> find_pack(const HostNeighbours& neighbours, int first, int width) {
  std::vector<Couplings> columns;
  for (int i = 0; i < width; ++i) {
    auto couplings = couplings_of(neighbours, first + i);
    if (!couplings) return std::nullopt;
    columns.push_back(std::move(*couplings));
  }

  ColumnPack pack{{first, first, first, first}, {}};
  for (auto& side : pack.couplings) side.assign(static_cast<std::size_t>(width), 0.0);
  enum { north, south, west, east };
  // Within the pack
  for (std::size_t i = 0; i + 1 < columns.size(); ++i) {
    const auto here = first + static_cast<int>(i);
    const auto to_east = take(columns[i], here + 1), to_west = take(columns[i + 1], here);
    if (!to_east || !to_west) return std::nullopt;
    pack.couplings[east][i] = *to_east;
    pack.couplings[west][i + 1] = *to_west;
  }
  // Side by side
  auto packs = neighbouring_packs(columns, width);
  if (packs.size() > 2) packs.resize(2);
  for (std::size_t side = 0; side < packs.size(); ++side) {
    pack.neighbours[side] = packs[side];
    for (std::size_t i = 0; i < columns.size(); ++i) {
      pack.couplings[side][i] = *take(columns[i], packs[side] + static_cast<int>(i));
    }
  }
  // At the ends; a pack of one column has both at once.
  const auto take_end = [&pack](Couplings& column, int side, std::size_t i) {
    if (column.empty()) return;
    pack.neighbours[side] = column.begin()->first;
    pack.couplings[side][i] = column.begin()->second;
    column.erase(column.begin());
  };
  take_end(columns.front(), west, 0);
  take_end(columns.back(), east, columns.size() - 1);
  for (const Couplings& rest : columns) {
    if (!rest.empty()) return std::nullopt;
  }
  return pack;
}

}  // namespace

std::vector<ColumnPack> find_column_packs(const HostNeighbours& neighbours, int width) {
  const int num_columns = static_cast<int>(neighbours.columns.extent(0));
  std::vector<ColumnPack> packs;
  if (num_columns % width != 0) return packs;
  for (int first = 0; first < num_columns; first += width) {
    auto pack = find_pack(neighbours, first, width);
    if (!pack) return {};
    packs.push_back(std::move(*pack));
  }
  return packs;
}

}  // namespace Lamina::Impl
