// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/core/impl/Index.hpp>
#include <lamina/distributed/impl/HaloPlan.hpp>
#include <lamina/distributed/impl/RequirePattern.hpp>
#include <lamina/distributed/impl/TransportCalls.hpp>

#include <algorithm>
#include <string>

namespace Lamina::Impl {
namespace {

using std::to_string;

constexpr const char* constructor = "HaloExchange";

void require_list(const char* function, const char* name, const std::vector<int>& items,
                  const std::vector<int>& parts, int num_parts, int begin, int end) {
  for (const int item : items) {
    LAMINA_REQUIRE(item >= begin && item < end, function,
                   std::string(name) + ": expected local numbers from " + to_string(begin) +
                       " to below " + to_string(end) + ", got " + to_string(item));
  }
  const std::vector<int> offsets = part_offsets(items, parts);
  LAMINA_REQUIRE(offsets.size() == index(num_parts) + 1 && offsets.front() == 0 &&
                     index(offsets.back()) == items.size() &&
                     std::is_sorted(offsets.begin(), offsets.end()),
                 function,
                 std::string(name) + "_parts: expected ascending offsets of " +
                     to_string(num_parts) + " parts of " + to_string(items.size()) + " items");
}

/// Items in any order: none is both sent and received.
void require_apart(const char* function, const HaloPattern& pattern) {
  std::vector<bool> is_received(index(pattern.num_local), false);
  for (const auto& peer : pattern.peers) {
    for (const int item : peer.receive) is_received[index(item)] = true;
  }
  for (const auto& peer : pattern.peers) {
    for (const int item : peer.send) {
      LAMINA_REQUIRE(!is_received[index(item)], function,
                     "send: expected no items that are received, got " + to_string(item));
    }
  }
}

}  // namespace

void require_pattern(const char* function, const HaloPattern& pattern, int num_ranks) {
  const bool any_order = pattern.num_owned == pattern.num_local && pattern.halo_begin == 0;
  LAMINA_REQUIRE(pattern.num_owned >= 0 && (any_order || (pattern.num_owned <= pattern.halo_begin &&
                                                          pattern.halo_begin <= pattern.num_local)),
                 function,
                 "pattern: expected 0 <= num_owned <= halo_begin <= num_local, got " +
                     to_string(pattern.num_owned) + ", " + to_string(pattern.halo_begin) + ", " +
                     to_string(pattern.num_local));
  LAMINA_REQUIRE(pattern.num_parts >= 1, function,
                 "pattern: expected at least one part, got " + to_string(pattern.num_parts));
  int last = -1;
  for (const auto& peer : pattern.peers) {
    LAMINA_REQUIRE(peer.rank > last && peer.rank < num_ranks, function,
                   "pattern: expected peers by ascending rank below " + to_string(num_ranks) +
                       ", got " + to_string(peer.rank) + " after " + to_string(last));
    last = peer.rank;
    require_list(function, "send", peer.send, peer.send_parts, pattern.num_parts, 0,
                 pattern.num_owned);
    require_list(function, "receive", peer.receive, peer.receive_parts, pattern.num_parts,
                 pattern.halo_begin, pattern.num_local);
  }
  if (any_order) require_apart(function, pattern);
}

/// What one rank sends is what the other one expects: bytes of an item, the number of parts, then
/// their offsets.
void require_match(const char* function, const Transport& transport, const HaloPattern& pattern,
                   std::size_t most_bytes_per_item) {
  std::vector<std::vector<std::int64_t>> sent(index(transport.size())), expected(sent);
  for (auto* const lists : {&sent, &expected}) {
    for (auto& list : *lists) {
      list = {static_cast<std::int64_t>(most_bytes_per_item), pattern.num_parts};
    }
  }
  const auto append = [](std::vector<std::int64_t>& list, const std::vector<int>& offsets) {
    list.insert(list.end(), offsets.begin(), offsets.end());
  };
  for (const auto& peer : pattern.peers) {
    append(sent[index(peer.rank)], part_offsets(peer.send, peer.send_parts));
    append(expected[index(peer.rank)], part_offsets(peer.receive, peer.receive_parts));
  }
  const auto received = exchange_lists(transport, sent);
  run_agreed(transport, [&] {
    for (std::size_t rank = 0; rank < received.size(); ++rank) {
      const auto count = [](const auto& list) { return list.size() > 2 ? list.back() : 0; };
      const std::int64_t wanted = count(expected[rank]), got = count(received[rank]);
      LAMINA_REQUIRE(wanted == got, function,
                     "pattern: expected " + to_string(wanted) + " items from rank " +
                         to_string(rank) + ", which sends " + to_string(got));
      LAMINA_REQUIRE(expected[rank][1] == received[rank][1], function,
                     "pattern: expected " + to_string(expected[rank][1]) + " parts of rank " +
                         to_string(rank) + ", got " + to_string(received[rank][1]));
      LAMINA_REQUIRE(wanted == 0 || expected[rank] == received[rank], function,
                     "pattern: expected the parts and most_bytes_per_item of rank " +
                         to_string(rank) + ", got others");
    }
  });
}

void HaloFields::add(HaloFieldData field) {
  int place = count++;
  for (; place > 0 && fields[place - 1].value_bytes < field.value_bytes; --place) {
    fields[place] = fields[place - 1];
  }
  fields[place] = field;
  num_levels += field.num_levels;
  std::int64_t before = 0;
  for (int n = 0; n < count; ++n) {
    fields[n].bytes_before = before;
    before += fields[n].bytes();
  }
}

std::int64_t HaloFields::bytes() const {
  return count == 0 ? 0 : fields[count - 1].bytes_before + fields[count - 1].bytes();
}

template <class Memory>
HaloPlan<Memory>::HaloPlan(const Transport& transport, const HaloPattern& pattern,
                           std::size_t most_bytes_per_item)
    : m_num_local(pattern.num_local),
      m_num_parts(pattern.num_parts),
      m_most_bytes(most_bytes_per_item) {
  require_initialized(constructor);
  run_agreed(transport, [&] {
    require_memory(constructor, transport, Memory::name());
    require_pattern(constructor, pattern, transport.size());
  });
  require_match(constructor, transport, pattern, most_bytes_per_item);
  constexpr auto positions = HaloTable<Memory>::Positions::of_part;
  m_tables.emplace_back(pattern, transport.rank(), all_parts, positions);
  for (int part = 0; m_num_parts > 1 && part < m_num_parts; ++part) {
    m_tables.emplace_back(pattern, transport.rank(), part, positions);
  }
  m_tables[0].set_bytes(most_bytes_per_item, m_bytes);
  if (transport.size() == 1) return;
  // What may fail on one rank alone comes before channels, whose destruction is collective.
  if (m_num_parts > 1) {
    run_agreed(transport, [&] {
      m_window =
          std::make_shared<HaloWindow<Memory>>(pattern, transport.rank(), most_bytes_per_item);
    });
  }
  m_connection->channels = transport.open_channels(m_bytes);
  if (!m_connection->channels->has_windows()) m_window.reset();
  if (m_window) m_window->open(transport.open_channels(m_bytes));
}

template <class Memory>
HaloPlan<Memory>::HaloPlan(const HaloPlan& given, const std::vector<int>& numbers, int num_local)
    : HaloPlan(given) {
  const char* function = "HaloExchange::renumbered";
  LAMINA_REQUIRE(static_cast<long long>(numbers.size()) == m_num_local, function,
                 "numbers: expected " + to_string(m_num_local) + ", got " +
                     to_string(static_cast<long long>(numbers.size())));
  for (const int number : numbers) {
    LAMINA_REQUIRE(
        number < num_local, function,
        "numbers: expected less than " + to_string(num_local) + ", got " + to_string(number));
  }
  m_num_local = num_local;
  for (auto& table : m_tables) table = table.renumbered(numbers);
  m_window.reset();
}

template <class Memory>
void HaloPlan<Memory>::begin(const char* function, int part, const HaloFields& fields) {
  LAMINA_REQUIRE(m_connection->in_flight == nullptr, function,
                 "expected finish() after the last start, got another start");
  LAMINA_REQUIRE(part == all_parts || (part >= 0 && part < m_num_parts), function,
                 "part: expected 0 to " + to_string(m_num_parts - 1) + ", got " + to_string(part));
  for (int n = 0; n < fields.count; ++n) {
    require_extent(function, "fields", "items", m_num_local, fields.fields[n].num_items);
  }
  LAMINA_REQUIRE(index(fields.bytes()) <= m_most_bytes, function,
                 "fields: expected " + to_string(m_most_bytes) + " bytes per item at most, got " +
                     to_string(fields.bytes()));
  m_current = part == all_parts || m_num_parts == 1 ? 0 : index(part) + 1;
  m_fields = fields;
  m_tables[m_current].set_bytes(index(fields.bytes()), m_bytes);
  m_connection->in_flight = this;
}

template <class Memory>
void HaloPlan<Memory>::end() {
  LAMINA_REQUIRE(m_connection->in_flight == this, "HaloExchange::finish",
                 "expected a start before, got none");
  m_connection->in_flight = nullptr;
}

#define LAMINA_INSTANTIATE_PLAN(Memory) template class HaloPlan<Memory>;
LAMINA_FOR_EACH_MEMORY(LAMINA_INSTANTIATE_PLAN)
#define LAMINA_INSTANTIATE_KERNELS(Space) template struct HaloKernels<Space>;
LAMINA_FOR_EACH_SPACE(LAMINA_INSTANTIATE_KERNELS)

}  // namespace Lamina::Impl
