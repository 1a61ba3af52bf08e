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

/// Offsets of the parts of a list of items.
std::vector<int> offsets_of(const std::vector<int>& items, const std::vector<int>& parts) {
  if (!parts.empty()) return parts;
  return {0, static_cast<int>(items.size())};
}

void require_list(const char* function, const char* name, const std::vector<int>& items,
                  const std::vector<int>& parts, int num_parts, int begin, int end) {
  for (const int item : items) {
    LAMINA_REQUIRE(item >= begin && item < end, function,
                   std::string(name) + ": expected local numbers from " + to_string(begin) +
                       " to below " + to_string(end) + ", got " + to_string(item));
  }
  const std::vector<int> offsets = offsets_of(items, parts);
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

void append_entries(std::vector<HaloEntry>& entries, const std::vector<int>& items, int begin,
                    int end, int message) {
  for (int n = begin; n < end; ++n) {
    entries.push_back({items[index(n)], message, n - begin, end - begin});
  }
}

template <class Memory>
Kokkos::View<const HaloEntry*, Memory> copy_to(const std::vector<HaloEntry>& entries) {
  const Kokkos::View<HaloEntry*, Memory> copy(
      Kokkos::view_alloc("Lamina::HaloExchange::entries", Kokkos::WithoutInitializing),
      entries.size());
  const auto host = Kokkos::create_mirror_view(copy);
  std::copy(entries.begin(), entries.end(), host.data());
  Kokkos::deep_copy(copy, host);
  return copy;
}

/// Entries with other local numbers, without those of halo items that have none.
template <class Memory>
Kokkos::View<const HaloEntry*, Memory> renumber(
    const Kokkos::View<const HaloEntry*, Memory>& entries, const std::vector<int>& numbers) {
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), entries);
  std::vector<HaloEntry> renumbered;
  for (std::size_t n = 0; n < host.extent(0); ++n) {
    HaloEntry entry = host(n);
    entry.item = numbers[index(entry.item)];
    const bool is_copied = entry.peer < 0;
    if (is_copied) entry.position = numbers[index(entry.position)];
    if (entry.item >= 0 && entry.position >= 0) renumbered.push_back(entry);
  }
  return copy_to<Memory>(renumbered);
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

/// What one rank sends is what the other one expects: bytes of an item, then the offsets of parts.
void require_match(const char* function, const Transport& transport, const HaloPattern& pattern,
                   std::size_t most_bytes_per_item) {
  std::vector<std::vector<std::int64_t>> sent(index(transport.size())), expected(sent);
  for (auto* const lists : {&sent, &expected}) {
    for (auto& list : *lists) list.push_back(static_cast<std::int64_t>(most_bytes_per_item));
  }
  const auto append = [](std::vector<std::int64_t>& list, const std::vector<int>& offsets) {
    list.insert(list.end(), offsets.begin(), offsets.end());
  };
  for (const auto& peer : pattern.peers) {
    append(sent[index(peer.rank)], offsets_of(peer.send, peer.send_parts));
    append(expected[index(peer.rank)], offsets_of(peer.receive, peer.receive_parts));
  }
  const auto received = exchange_lists(transport, sent);
  run_agreed(transport, [&] {
    for (std::size_t rank = 0; rank < received.size(); ++rank) {
      const auto count = [](const auto& list) { return list.size() > 1 ? list.back() : 0; };
      const std::int64_t wanted = count(expected[rank]), got = count(received[rank]);
      LAMINA_REQUIRE(wanted == got, function,
                     "pattern: expected " + to_string(wanted) + " items from rank " +
                         to_string(rank) + ", which sends " + to_string(got));
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
    LAMINA_REQUIRE(transport.size() == 1 || transport.memory() == Memory::name(), constructor,
                   "transport: expected one for memory space " + std::string(Memory::name()) +
                       ", got one for " + std::string(transport.memory()));
    require_pattern(constructor, pattern, transport.size());
  });
  require_match(constructor, transport, pattern, most_bytes_per_item);
  m_tables.push_back(make_table(pattern, transport.rank(), all_parts));
  for (int part = 0; m_num_parts > 1 && part < m_num_parts; ++part) {
    m_tables.push_back(make_table(pattern, transport.rank(), part));
  }
  m_bytes = m_tables[0].items;
  for (auto& peer : m_bytes) {
    peer.send *= most_bytes_per_item;
    peer.receive *= most_bytes_per_item;
  }
  if (transport.size() > 1) m_connection->channels = transport.open_channels(m_bytes);
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
  for (Table& table : m_tables) {
    table.send = renumber<Memory>(table.send, numbers);
    table.receive = renumber<Memory>(table.receive, numbers);
  }
}

template <class Memory>
auto HaloPlan<Memory>::make_table(const HaloPattern& pattern, int own_rank, int part) const
    -> Table {
  std::vector<HaloEntry> send, receive;
  Table table;
  for (const auto& peer : pattern.peers) {
    const auto sent = offsets_of(peer.send, peer.send_parts),
               received = offsets_of(peer.receive, peer.receive_parts);
    const auto begin = part == all_parts ? 0 : index(part);
    const auto end = part == all_parts ? index(m_num_parts) : index(part) + 1;
    if (peer.rank == own_rank) {
      for (int n = sent[begin]; n < sent[end]; ++n) {
        send.push_back({peer.send[index(n)], -1, peer.receive[index(n)], 0});
      }
      continue;
    }
    const int message = static_cast<int>(table.items.size());
    append_entries(send, peer.send, sent[begin], sent[end], message);
    append_entries(receive, peer.receive, received[begin], received[end], message);
    table.items.push_back(
        {peer.rank, index(sent[end] - sent[begin]), index(received[end] - received[begin])});
  }
  table.send = copy_to<Memory>(send);
  table.receive = copy_to<Memory>(receive);
  return table;
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
  const auto& items = m_tables[m_current].items;
  for (std::size_t n = 0; n < items.size(); ++n) {
    m_bytes[n].send = items[n].send * index(fields.bytes());
    m_bytes[n].receive = items[n].receive * index(fields.bytes());
  }
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
