// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/blocks/Asymmetry.hpp>
#include <lamina/core/impl/Index.hpp>

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace Lamina::Impl {
namespace {

/// The ranks that own the halo rows.
std::vector<int> owners_of(const LocalBlockRows& local) {
  std::vector<int> owners(index(local.num_halo()));
  for (const HaloPattern::Peer& peer : local.halo.peers) {
    for (const int row : peer.receive) owners[index(row - local.num_owned())] = peer.rank;
  }
  return owners;
}

/// Where a block is, in global numbers.
struct Place {
  std::int64_t row, column;

  // Written out: nvcc does not emit the defaulted ones of an unnamed namespace.
  friend bool operator==(const Place& a, const Place& b) {
    return a.row == b.row && a.column == b.column;
  }
  friend bool operator<(const Place& a, const Place& b) {
    return a.row != b.row ? a.row < b.row : a.column < b.column;
  }
};

}  // namespace

std::vector<double> counterparts_of(const Transport& transport, const LocalBlockRows& local,
                                    VectorOrder order, const CutBlocks& cut,
                                    std::size_t block_values) {
  const std::vector<int> owners = owners_of(local);
  std::vector<Place> places;  // of the blocks that are looked for
  std::vector<std::vector<Place>> sent_places(index(transport.size()));
  std::vector<std::vector<double>> sent_values(index(transport.size()));
  for (std::size_t n = 0; n < cut.rows.size(); ++n) {
    const int row =
        order == VectorOrder::colour ? local.ordering.old_rows()[index(cut.rows[n])] : cut.rows[n];
    const Place place{local.numbers[index(row)], local.numbers[index(cut.columns[n])]};
    const std::size_t owner = index(owners[index(cut.columns[n] - local.num_owned())]);
    const double* const block = cut.values.data() + n * block_values;
    sent_places[owner].push_back(place);
    sent_values[owner].insert(sent_values[owner].end(), block, block + block_values);
    places.push_back({place.column, place.row});
  }
  const auto received_places = exchange_lists(transport, sent_places);
  const auto received_values = exchange_lists(transport, sent_values);
  std::vector<std::pair<Place, const double*>> received;
  for (std::size_t rank = 0; rank < received_places.size(); ++rank) {
    for (std::size_t n = 0; n < received_places[rank].size(); ++n) {
      received.emplace_back(received_places[rank][n],
                            received_values[rank].data() + n * block_values);
    }
  }
  std::sort(received.begin(), received.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<double> counterparts(places.size() * block_values, 0.0);
  for (std::size_t n = 0; n < places.size(); ++n) {
    const auto found =
        std::lower_bound(received.begin(), received.end(), places[n],
                         [](const auto& entry, const Place& place) { return entry.first < place; });
    if (found == received.end() || found->first != places[n]) continue;
    std::copy_n(found->second, block_values, counterparts.data() + n * block_values);
  }
  return counterparts;
}

}  // namespace Lamina::Impl
