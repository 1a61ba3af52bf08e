// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/distributed/HaloPattern.hpp>
#include <lamina/distributed/Transport.hpp>
#include <lamina/distributed/impl/HaloKernels.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace Lamina::Impl {

/// Offsets of the parts of a list of items.
std::vector<int> part_offsets(const std::vector<int>& items, const std::vector<int>& parts);

/// The entries of the messages of a part of a pattern, or of all parts.
template <class Memory>
class HaloTable {
 public:
  static constexpr int all_parts = -1;
  /// What positions of entries count from: the first item of the part, or of all parts.
  enum class Positions { of_part, of_all };

  HaloTable(const HaloPattern& pattern, int own_rank, int part, Positions positions);
  /// The same with other local numbers, without entries of halo items that have none (-1).
  HaloTable renumbered(const std::vector<int>& numbers) const;

  HaloEntries sent() const { return entries_of(m_send); }
  HaloEntries received() const { return entries_of(m_receive); }
  /// Bytes of the messages, for items of so many bytes.
  void set_bytes(std::size_t item_bytes, std::vector<PeerBytes>& bytes) const;

 private:
  using Entries = Kokkos::View<const HaloEntry*, Memory>;
  static HaloEntries entries_of(const Entries& entries) {
    return {entries.data(), static_cast<std::int64_t>(entries.extent(0))};
  }

  Entries m_send, m_receive;
  std::vector<PeerBytes> m_items;  // of each message: numbers of items instead of bytes
};

}  // namespace Lamina::Impl
