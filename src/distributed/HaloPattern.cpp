// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/core/impl/Index.hpp>
#include <lamina/distributed/HaloPattern.hpp>
#include <lamina/distributed/impl/TransportCalls.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>

namespace Lamina {
namespace {

using Items = std::vector<std::int64_t>;
using Lists = std::vector<Items>;  // one for each rank

constexpr const char* function = "make_halo_pattern";

/// An item and the rank that owns it, or the local number that it has.
using Numbered = std::pair<std::int64_t, int>;

using Impl::index;

void require_items(const Items& owned, const Items& halo) {
  LAMINA_REQUIRE(owned.size() + halo.size() <= std::numeric_limits<int>::max(), function,
                 "expected fewer than 2^31 owned and halo items, got " +
                     std::to_string(owned.size() + halo.size()));
  for (const std::int64_t item : owned) {
    LAMINA_REQUIRE(item >= 0, function,
                   "owned: expected numbers >= 0, got " + std::to_string(item));
  }
  for (const std::int64_t item : halo) {
    LAMINA_REQUIRE(item >= 0 || item == no_item, function,
                   "halo: expected numbers >= 0 or no_item, got " + std::to_string(item));
  }
}

/// Entry of a sorted list, or null.
const Numbered* find(const std::vector<Numbered>& sorted, std::int64_t item) {
  const auto at = std::lower_bound(sorted.begin(), sorted.end(), Numbered(item, 0));
  return at != sorted.end() && at->first == item ? &*at : nullptr;
}

/// Items by the rank that knows their owners.
Lists by_directory(const Items& items, int num_ranks) {
  Lists lists(index(num_ranks));
  for (const std::int64_t item : items) lists[index(item % num_ranks)].push_back(item);
  return lists;
}

/// The items that this rank knows the owners of.
std::vector<Numbered> make_directory(const Transport& transport, const Items& owned) {
  const Lists received = Impl::exchange_lists(transport, by_directory(owned, transport.size()));
  std::vector<Numbered> directory;
  for (std::size_t rank = 0; rank < received.size(); ++rank) {
    for (const std::int64_t item : received[rank]) {
      directory.emplace_back(item, static_cast<int>(rank));
    }
  }
  std::sort(directory.begin(), directory.end());
  Impl::run_agreed(transport, [&] {
    const auto same = [](const Numbered& a, const Numbered& b) { return a.first == b.first; };
    const auto at = std::adjacent_find(directory.begin(), directory.end(), same);
    LAMINA_REQUIRE(at == directory.end(), function,
                   "item " + std::to_string(at->first) +
                       ": expected one owner, got it from ranks " + std::to_string(at->second) +
                       " and " + std::to_string((at + 1)->second));
  });
  return directory;
}

/// The owner of each item of a sorted list.
std::vector<Numbered> find_owners(const Transport& transport,
                                  const std::vector<Numbered>& directory, const Items& items) {
  const Lists asked = by_directory(items, transport.size());
  std::vector<std::vector<int>> answers;
  for (const Items& list : Impl::exchange_lists(transport, asked)) {
    auto& owners = answers.emplace_back();
    for (const std::int64_t item : list) {
      const Numbered* const entry = find(directory, item);
      owners.push_back(entry != nullptr ? entry->second : -1);
    }
  }
  const auto received = Impl::exchange_lists(transport, answers);
  std::vector<Numbered> owners;
  for (std::size_t rank = 0; rank < received.size(); ++rank) {
    for (std::size_t n = 0; n < received[rank].size(); ++n) {
      owners.emplace_back(asked[rank][n], received[rank][n]);
    }
  }
  std::sort(owners.begin(), owners.end());
  Impl::run_agreed(transport, [&] {
    for (const auto& [item, owner] : owners) {
      LAMINA_REQUIRE(owner >= 0, function,
                     "halo: item " + std::to_string(item) + ": expected an owner, got none");
    }
  });
  return owners;
}

/// The sorted numbers that occur in a list.
Items distinct(const Items& halo) {
  Items items(halo);
  std::sort(items.begin(), items.end());
  items.erase(std::unique(items.begin(), items.end()), items.end());
  if (!items.empty() && items.front() == no_item) items.erase(items.begin());
  return items;
}

}  // namespace

HaloPattern make_halo_pattern(const Transport& transport, const Items& owned, const Items& halo) {
  Impl::run_agreed(transport, [&] { require_items(owned, halo); });
  const auto owners = find_owners(transport, make_directory(transport, owned), distinct(halo));

  HaloPattern pattern;
  pattern.num_owned = static_cast<int>(owned.size());
  pattern.num_local = static_cast<int>(owned.size() + halo.size());
  const auto first = std::find_if(halo.begin(), halo.end(), [](auto item) { return item >= 0; });
  pattern.halo_begin = pattern.num_owned + static_cast<int>(first - halo.begin());

  std::vector<std::tuple<int, std::int64_t, int>> wanted;  // owner, item, local number
  for (std::size_t n = 0; n < halo.size(); ++n) {
    if (halo[n] == no_item) continue;
    wanted.emplace_back(find(owners, halo[n])->second, halo[n],
                        pattern.num_owned + static_cast<int>(n));
  }
  std::sort(wanted.begin(), wanted.end());
  Lists requests(index(transport.size()));
  std::vector<std::vector<int>> receive(index(transport.size()));
  for (const auto& [owner, item, local] : wanted) {
    requests[index(owner)].push_back(item);
    receive[index(owner)].push_back(local);
  }

  std::vector<Numbered> numbers;
  for (std::size_t n = 0; n < owned.size(); ++n) {
    numbers.emplace_back(owned[n], static_cast<int>(n));
  }
  std::sort(numbers.begin(), numbers.end());
  const Lists requested = Impl::exchange_lists(transport, requests);
  for (int rank = 0; rank < transport.size(); ++rank) {
    const Items& items = requested[index(rank)];
    if (items.empty() && receive[index(rank)].empty()) continue;
    std::vector<int> send;
    for (const std::int64_t item : items) send.push_back(find(numbers, item)->second);
    pattern.peers.push_back({rank, std::move(send), std::move(receive[index(rank)])});
  }
  return pattern;
}

HaloPattern split_into_parts(HaloPattern pattern, const std::vector<int>& parts, int num_parts) {
  LAMINA_REQUIRE(num_parts >= 1, "split_into_parts",
                 "num_parts: expected at least 1, got " + std::to_string(num_parts));
  Impl::require_extent("split_into_parts", "parts", "items", pattern.num_local,
                       static_cast<long long>(parts.size()));
  const auto split = [&](std::vector<int>& items, std::vector<int>& offsets) {
    offsets.assign(index(num_parts) + 1, 0);
    for (const int item : items) {
      const int part = parts[index(item)];
      LAMINA_REQUIRE(part >= 0 && part < num_parts, "split_into_parts",
                     "parts: expected 0 to " + std::to_string(num_parts - 1) + ", got " +
                         std::to_string(part));
      ++offsets[index(part) + 1];
    }
    std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
    std::stable_sort(items.begin(), items.end(),
                     [&](int a, int b) { return parts[index(a)] < parts[index(b)]; });
  };
  for (auto& peer : pattern.peers) {
    split(peer.send, peer.send_parts);
    split(peer.receive, peer.receive_parts);
  }
  pattern.num_parts = num_parts;
  return pattern;
}

}  // namespace Lamina
