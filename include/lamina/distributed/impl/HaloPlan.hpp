// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/distributed/HaloPattern.hpp>
#include <lamina/distributed/Transport.hpp>
#include <lamina/distributed/impl/HaloKernels.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <memory>
#include <vector>

namespace Lamina::Impl {

/// What copies of a `HaloExchange` share: its pattern as tables, its channels, and the exchange in
/// flight.
template <class Memory>
class HaloPlan {
 public:
  static constexpr int all_parts = -1;

  /// Collective.
  HaloPlan(const Transport& transport, const HaloPattern& pattern, std::size_t most_bytes_per_item);

  /// See `HaloExchange::renumbered`.
  HaloPlan(const HaloPlan& given, const std::vector<int>& numbers, int num_local);

  /// Begins an exchange of one part, or of all.
  void begin(const char* function, int part, const HaloFields& fields);
  /// Ends it.
  void end();

  int num_local() const { return m_num_local; }
  const HaloFields& fields() const { return m_fields; }
  HaloEntries sent() const { return entries_of(m_tables[m_current].send); }
  HaloEntries received() const { return entries_of(m_tables[m_current].receive); }
  /// Null where no other rank takes part.
  Channels* channels() const { return m_connection->channels.get(); }
  /// Bytes of the messages of the exchange in flight.
  const std::vector<PeerBytes>& message_bytes() const { return m_bytes; }

 private:
  using Entries = Kokkos::View<const HaloEntry*, Memory>;
  /// The messages of one part, or of all.
  struct Table {
    Entries send, receive;
    std::vector<PeerBytes> items;  // of each message: numbers of items instead of bytes
  };
  /// What renumbered plans share.
  struct Connection {
    std::unique_ptr<Channels> channels;
    const HaloPlan* in_flight = nullptr;  // which of them has begun an exchange
  };
  static HaloEntries entries_of(const Entries& entries) {
    return {entries.data(), static_cast<std::int64_t>(entries.extent(0))};
  }
  Table make_table(const HaloPattern& pattern, int own_rank, int part) const;

  int m_num_local, m_num_parts;
  std::size_t m_most_bytes;
  std::vector<Table> m_tables;  // of all parts together, then of each, where there are several
  std::shared_ptr<Connection> m_connection = std::make_shared<Connection>();

  std::size_t m_current = 0;  // table
  HaloFields m_fields;
  std::vector<PeerBytes> m_bytes;
};

}  // namespace Lamina::Impl
