// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/distributed/impl/HaloWindow.hpp>

#include <cstdint>
#include <string>

namespace Lamina::Impl {
namespace {

/// A list of the memory of a space, on the host.
template <class Memory, class Value>
auto on_host(const Value* values, std::size_t count) {
  const Kokkos::View<const Value*, Memory, Kokkos::MemoryTraits<Kokkos::Unmanaged>> list(values,
                                                                                         count);
  return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), list);
}

}  // namespace

template <class Memory>
HaloWindow<Memory>::HaloWindow(const HaloPattern& pattern, int own_rank,
                               std::size_t most_bytes_per_item)
    : m_most_bytes(most_bytes_per_item),
      m_all(pattern, own_rank, HaloTable<Memory>::all_parts, HaloTable<Memory>::Positions::of_all) {
  for (int part = 0; part < pattern.num_parts; ++part) {
    m_parts.emplace_back(pattern, own_rank, part, HaloTable<Memory>::Positions::of_all);
  }
}

template <class Memory>
void HaloWindow<Memory>::require_parts(const char* function, int num_parts,
                                       std::size_t item_bytes) const {
  LAMINA_REQUIRE(static_cast<int>(m_parts.size()) == num_parts, function,
                 "ranks: expected a pattern of " + std::to_string(num_parts) + " parts, got " +
                     std::to_string(m_parts.size()));
  LAMINA_REQUIRE(item_bytes <= m_most_bytes, function,
                 "ranks: expected room for " + std::to_string(item_bytes) +
                     " bytes per item, got " + std::to_string(m_most_bytes));
}

template <class Memory>
auto HaloWindow<Memory>::places(const HaloEntries& entries, std::byte* const* windows,
                                std::size_t item_bytes) const -> std::vector<Place> {
  std::vector<PeerBytes> messages;
  m_all.set_bytes(0, messages);
  const auto list = on_host<Memory>(entries.entries, static_cast<std::size_t>(entries.count));
  // Elements of Views are no pointers.
  const auto begins =
      on_host<Memory>(reinterpret_cast<const std::uint64_t*>(windows), messages.size());
  std::vector<Place> places;
  for (std::size_t n = 0; n < list.extent(0); ++n) {
    const HaloEntry& entry = list(n);
    if (entry.peer < 0) continue;
    places.emplace_back(entry.item, begins(static_cast<std::size_t>(entry.peer)) +
                                        static_cast<std::size_t>(entry.position) * item_bytes);
  }
  return places;
}

#define LAMINA_INSTANTIATE(Memory) template class HaloWindow<Memory>;
LAMINA_FOR_EACH_MEMORY(LAMINA_INSTANTIATE)
#undef LAMINA_INSTANTIATE

}  // namespace Lamina::Impl
