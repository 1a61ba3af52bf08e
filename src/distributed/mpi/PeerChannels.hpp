// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/device/impl/HostSide.hpp>
#include <lamina/distributed/impl/PeerWords_Device.hpp>

#include <distributed/mpi/PeerMemory.hpp>
#include <distributed/mpi/PeerWait.hpp>

#include <array>
#include <span>
#include <string>

namespace Lamina::Impl {

/// Channels of the transport "peer": messages are written to the memory of their reader.
///
/// Each message has two buffers and two flags, for odd and even exchanges. A rank writes a buffer
/// again two exchanges later. In between it has seen the flag of the exchange between, which the
/// reader raises after it has read the buffer. Therefore each peer gets a flag in each exchange,
/// also where there is no message.
///
/// On CPU cores the host raises flags and waits for them. On a device the kernels that pack and
/// unpack do, and nothing blocks the host.
template <class Memory>
class PeerChannels final : public Channels {
 public:
  PeerChannels(std::shared_ptr<MpiCommunicator> communicator, std::span<const PeerBytes> peers)
      : m_bytes(peers.begin(), peers.end()),
        m_memory(communicator, size_of(peers)),
        m_wait(std::move(communicator)) {
    const auto places = exchange_places();
    const auto count = m_bytes.size();
    for (std::size_t parity = 0; parity < 2; ++parity) {
      std::vector<void*> outgoing, incoming, raised;
      for (std::size_t n = 0; n < count; ++n) {
        std::byte* const there = m_memory.of_rank(m_bytes[n].rank);
        outgoing.push_back(there + places[n].messages[parity]);
        raised.push_back(there + places[n].flags[parity]);
        incoming.push_back(own() + m_places[n].messages[parity]);
      }
      m_outgoing[parity] = table(outgoing);
      m_incoming[parity] = table(incoming);
      m_raised[parity] = table(raised);
    }
    m_teams_done = Kokkos::View<unsigned*, Memory>("Lamina::PeerChannels::teams_done", 1);
    Kokkos::fence();
  }

  std::byte* const* outgoing() const override { return addresses(m_outgoing, m_exchanges + 1); }
  const std::byte* const* incoming() const override { return addresses(m_incoming, m_exchanges); }

  MessageFlags raised_flags() const override { return flags(m_exchanges + 1); }
  MessageFlags awaited_flags() const override { return flags(m_exchanges); }

  bool has_windows() const override { return true; }
  std::byte* const* peer_windows() const override { return addresses(m_outgoing, 0); }
  std::byte* const* own_windows() const override { return addresses(m_incoming, 0); }

  void send(const InstanceRef&, std::span<const PeerBytes> bytes) override {
    ++m_exchanges;
    if constexpr (!on_host) {
      require_no_failure();
    } else {
      for (std::size_t n = 0; n < bytes.size(); ++n) {
        store_word(flag_at_peer(n), value_of(m_exchanges, bytes[n].send));
      }
      m_bytes.assign(bytes.begin(), bytes.end());
    }
  }

  void receive(const InstanceRef&) override {
    if constexpr (on_host) {
      for (std::size_t n = 0; n < m_bytes.size(); ++n) {
        std::uint64_t value = 0;
        m_wait.until(
            [&] {
              value = load_word(own_flag(n));
              return value >> 32 == epoch_of(m_exchanges);
            },
            [&] { return missing(n, m_exchanges); });
        require_length(n, value & 0xffff'ffffu);
      }
    } else {
      require_no_failure();
    }
  }

 private:
  static constexpr bool on_host = Kokkos::SpaceAccessibility<Kokkos::HostSpace, Memory>::accessible;
  static constexpr std::size_t line = 128;  // of a cache

  /// Where a rank has what comes from a peer, in bytes from the beginning of its memory.
  struct Place {
    std::array<std::uint64_t, 2> messages, flags;
  };
  static std::size_t lines(std::size_t bytes) { return (bytes + line - 1) / line * line; }
  /// Own flags are contiguous, first those of even exchanges.
  static std::size_t flag_bytes(std::size_t num_peers) {
    return lines(num_peers * sizeof(std::uint64_t));
  }
  static std::size_t size_of(std::span<const PeerBytes> peers) {
    std::size_t bytes = 2 * flag_bytes(peers.size());
    for (const PeerBytes& peer : peers) bytes += 2 * lines(peer.receive);
    return bytes;
  }
  static std::uint64_t epoch_of(std::uint64_t exchange) { return exchange & 0xffff'ffffu; }
  static std::uint64_t value_of(std::uint64_t exchange, std::uint64_t bytes) {
    return epoch_of(exchange) << 32 | bytes;
  }

  std::byte* own() const { return m_memory.of_rank(m_wait.communicator().rank()); }

  /// Computes the own places, and returns those that this rank has at each peer.
  std::vector<Place> exchange_places() {
    const auto size = static_cast<std::size_t>(m_wait.communicator().size());
    std::vector<Place> mine(size), theirs(size), places;
    std::size_t begin = 2 * flag_bytes(m_bytes.size());
    for (std::size_t n = 0; n < m_bytes.size(); ++n) {
      Place place{};
      for (std::size_t parity = 0; parity < 2; ++parity) {
        place.flags[parity] = parity * flag_bytes(m_bytes.size()) + n * sizeof(std::uint64_t);
        place.messages[parity] = begin;
        begin += lines(m_bytes[n].receive);
      }
      m_places.push_back(place);
      mine[static_cast<std::size_t>(m_bytes[n].rank)] = place;
    }
    m_wait.communicator().all_to_all(std::as_bytes(std::span(mine)),
                                     std::as_writable_bytes(std::span(theirs)));
    for (const PeerBytes& peer : m_bytes) {
      places.push_back(theirs[static_cast<std::size_t>(peer.rank)]);
    }
    return places;
  }

  using Table = Kokkos::View<std::uint64_t*, Memory>;
  static Table table(const std::vector<void*>& addresses) {
    const Table table(Kokkos::view_alloc("Lamina::PeerChannels::addresses"), addresses.size());
    const auto host = Kokkos::create_mirror_view(table);
    for (std::size_t n = 0; n < addresses.size(); ++n) {
      host(n) = reinterpret_cast<std::uint64_t>(addresses[n]);
    }
    Kokkos::deep_copy(table, host);
    return table;
  }
  static std::byte* const* addresses(const std::array<Table, 2>& tables, std::uint64_t exchange) {
    return reinterpret_cast<std::byte* const*>(tables[exchange % 2].data());
  }

  std::uint64_t* own_flag(std::size_t n) const {
    return reinterpret_cast<std::uint64_t*>(own() + m_places[n].flags[m_exchanges % 2]);
  }
  std::uint64_t* flag_at_peer(std::size_t n) const {
    return reinterpret_cast<std::uint64_t*>(m_raised[m_exchanges % 2](n));
  }

  MessageFlags flags(std::uint64_t exchange) const {
    if constexpr (on_host) return {};
    MessageFlags flags;
    flags.raised = reinterpret_cast<std::uint64_t* const*>(m_raised[exchange % 2].data());
    flags.awaited =
        reinterpret_cast<std::uint64_t*>(own() + exchange % 2 * flag_bytes(m_bytes.size()));
    flags.count = static_cast<int>(m_bytes.size());
    flags.value = value_of(exchange, 0);
    flags.teams_done = m_teams_done.data();
    flags.failure = m_wait.failure();
    flags.timeout_ns = m_wait.timeout_ns();
    return flags;
  }

  std::string missing(std::size_t n, std::uint64_t exchange) const {
    return "no message from rank " + std::to_string(m_bytes[n].rank) + " in exchange " +
           std::to_string(exchange);
  }
  /// Of kernels: their mark has the exchange and the peer.
  void require_no_failure() const {
    m_wait.require_no_failure(
        [this](std::uint64_t mark) { return missing((mark & 0xffff'ffffu) - 1, mark >> 32); });
  }
  void require_length(std::size_t n, std::size_t bytes) const {
    if (bytes == m_bytes[n].receive) return;
    m_wait.communicator().fail("expected " + std::to_string(m_bytes[n].receive) +
                               " bytes from rank " + std::to_string(m_bytes[n].rank) +
                               " in exchange " + std::to_string(m_exchanges) + ", got " +
                               std::to_string(bytes));
  }

  std::vector<PeerBytes> m_bytes;
  PeerMemory<Memory> m_memory;
  PeerWait<Memory> m_wait;
  std::vector<Place> m_places;                            // of messages to this rank
  std::array<Table, 2> m_outgoing, m_incoming, m_raised;  // by parity
  Kokkos::View<unsigned*, Memory> m_teams_done;
  std::uint64_t m_exchanges = 0;  // so far
};

}  // namespace Lamina::Impl
