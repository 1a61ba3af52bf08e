// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/distributed/HaloPattern.hpp>
#include <lamina/distributed/Transport.hpp>
#include <lamina/distributed/impl/HaloKernels.hpp>
#include <lamina/distributed/impl/HaloTable.hpp>
#include <lamina/distributed/impl/HaloWindow.hpp>

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
  static constexpr int all_parts = HaloTable<Memory>::all_parts;

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
  HaloEntries sent() const { return m_tables[m_current].sent(); }
  HaloEntries received() const { return m_tables[m_current].received(); }
  /// Null where no other rank takes part.
  Channels* channels() const { return m_connection->channels.get(); }
  /// Bytes of the messages of the exchange in flight.
  const std::vector<PeerBytes>& message_bytes() const { return m_bytes; }
  /// Null where the pattern is one part, it is renumbered, or the transport has none.
  HaloWindow<Memory>* window() const { return m_window.get(); }

 private:
  /// What renumbered plans share.
  struct Connection {
    std::unique_ptr<Channels> channels;
    const HaloPlan* in_flight = nullptr;  // which of them has begun an exchange
  };

  int m_num_local, m_num_parts;
  std::size_t m_most_bytes;
  // Of all parts together, then of each, where there are several
  std::vector<HaloTable<Memory>> m_tables;
  std::shared_ptr<Connection> m_connection = std::make_shared<Connection>();
  std::shared_ptr<HaloWindow<Memory>> m_window;

  std::size_t m_current = 0;  // table
  HaloFields m_fields;
  std::vector<PeerBytes> m_bytes;
};

}  // namespace Lamina::Impl
