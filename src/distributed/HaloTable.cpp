// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/impl/Index.hpp>
#include <lamina/device/impl/HostTable.hpp>
#include <lamina/distributed/impl/HaloTable.hpp>

namespace Lamina::Impl {
namespace {

constexpr const char* label = "Lamina::HaloExchange::entries";

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
  return list_of<Memory>(label, renumbered);
}

/// Offsets of parts [begin, end) of a list of items.
struct PartItems {
  int begin, end, first, count;  // positions are n - first, of `count` items

  template <class Memory>
  static PartItems of(const std::vector<int>& offsets, int part,
                      typename HaloTable<Memory>::Positions positions) {
    if (part == HaloTable<Memory>::all_parts) return {0, offsets.back(), 0, offsets.back()};
    const int begin = offsets[index(part)], end = offsets[index(part) + 1];
    if (positions == HaloTable<Memory>::Positions::of_all) return {begin, end, 0, offsets.back()};
    return {begin, end, begin, end - begin};
  }
  void append(const std::vector<int>& items, int message, std::vector<HaloEntry>& entries) const {
    for (int n = begin; n < end; ++n) {
      entries.push_back({items[index(n)], message, n - first, count});
    }
  }
};

}  // namespace

std::vector<int> part_offsets(const std::vector<int>& items, const std::vector<int>& parts) {
  if (!parts.empty()) return parts;
  return {0, static_cast<int>(items.size())};
}

template <class Memory>
HaloTable<Memory>::HaloTable(const HaloPattern& pattern, int own_rank, int part,
                             Positions positions) {
  std::vector<HaloEntry> send, receive;
  for (const auto& peer : pattern.peers) {
    const auto sent =
        PartItems::of<Memory>(part_offsets(peer.send, peer.send_parts), part, positions);
    if (peer.rank == own_rank) {
      for (int n = sent.begin; n < sent.end; ++n) {
        send.push_back({peer.send[index(n)], -1, peer.receive[index(n)], 0});
      }
      continue;
    }
    const auto received =
        PartItems::of<Memory>(part_offsets(peer.receive, peer.receive_parts), part, positions);
    const int message = static_cast<int>(m_items.size());
    sent.append(peer.send, message, send);
    received.append(peer.receive, message, receive);
    m_items.push_back(
        {peer.rank, index(sent.end - sent.begin), index(received.end - received.begin)});
  }
  m_send = list_of<Memory>(label, send);
  m_receive = list_of<Memory>(label, receive);
}

template <class Memory>
HaloTable<Memory> HaloTable<Memory>::renumbered(const std::vector<int>& numbers) const {
  HaloTable table = *this;
  table.m_send = renumber<Memory>(m_send, numbers);
  table.m_receive = renumber<Memory>(m_receive, numbers);
  return table;
}

template <class Memory>
void HaloTable<Memory>::set_bytes(std::size_t item_bytes, std::vector<PeerBytes>& bytes) const {
  bytes = m_items;
  for (PeerBytes& peer : bytes) {
    peer.send *= item_bytes;
    peer.receive *= item_bytes;
  }
}

#define LAMINA_INSTANTIATE(Memory) template class HaloTable<Memory>;
LAMINA_FOR_EACH_MEMORY(LAMINA_INSTANTIATE)
#undef LAMINA_INSTANTIATE

}  // namespace Lamina::Impl
