// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/ranks/MeteredTransport.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace Lamina::Cli {
namespace {

/// Adds the seconds of its life.
class Stopwatch {
 public:
  explicit Stopwatch(double& seconds) : m_seconds(seconds) {}
  ~Stopwatch() { m_seconds += std::chrono::duration<double>(Clock::now() - m_start).count(); }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  using Clock = std::chrono::steady_clock;
  double& m_seconds;
  Clock::time_point m_start = Clock::now();
};

class MeteredChannels final : public Channels {
 public:
  MeteredChannels(std::unique_ptr<Channels> channels, std::shared_ptr<TransportUse> use)
      : m_channels(std::move(channels)), m_use(std::move(use)) {}

  std::byte* const* outgoing() const override { return m_channels->outgoing(); }
  const std::byte* const* incoming() const override { return m_channels->incoming(); }
  MessageFlags raised_flags() const override { return m_channels->raised_flags(); }
  MessageFlags awaited_flags() const override { return m_channels->awaited_flags(); }
  bool has_windows() const override { return m_channels->has_windows(); }
  std::byte* const* peer_windows() const override { return m_channels->peer_windows(); }
  std::byte* const* own_windows() const override { return m_channels->own_windows(); }
  void send(const InstanceRef& space, std::span<const PeerBytes> bytes) override {
    const bool is_handshake = std::all_of(bytes.begin(), bytes.end(), [](const PeerBytes& peer) {
      return peer.send + peer.receive == 0;
    });
    m_use->exchanges += is_handshake ? 0 : 1;
    for (const PeerBytes& peer : bytes) {
      if (peer.send == 0) continue;
      m_use->messages += 1;
      m_use->bytes += static_cast<std::int64_t>(peer.send);
    }
    m_channels->send(space, bytes);
  }
  void receive(const InstanceRef& space) override {
    const Stopwatch watch(m_use->halo_seconds);
    m_channels->receive(space);
  }

 private:
  std::unique_ptr<Channels> m_channels;
  std::shared_ptr<TransportUse> m_use;
};

class MeteredSums final : public RankSums {
 public:
  MeteredSums(std::unique_ptr<RankSums> sums, std::shared_ptr<TransportUse> use)
      : m_sums(std::move(sums)), m_use(std::move(use)) {}

  void sum(const InstanceRef& space, const double* parts, double* sums, int count) override {
    const Stopwatch watch(m_use->sum_seconds);
    m_use->sums += 1;
    m_sums->sum(space, parts, sums, count);
  }

 private:
  std::unique_ptr<RankSums> m_sums;
  std::shared_ptr<TransportUse> m_use;
};

}  // namespace

TransportUse TransportUse::since(const TransportUse& before) const {
  TransportUse use = *this;
  use.exchanges -= before.exchanges;
  use.messages -= before.messages;
  use.bytes -= before.bytes;
  use.sums -= before.sums;
  use.halo_seconds -= before.halo_seconds;
  use.sum_seconds -= before.sum_seconds;
  return use;
}

MeteredTransport::MeteredTransport(std::shared_ptr<const Transport> transport)
    : m_transport(std::move(transport)), m_use(std::make_shared<TransportUse>()) {}

std::unique_ptr<Channels> MeteredTransport::open_channels(std::span<const PeerBytes> peers) const {
  const auto others = std::count_if(peers.begin(), peers.end(), [&](const PeerBytes& peer) {
    return peer.rank != rank() && peer.send + peer.receive > 0;
  });
  m_use->most_peers = std::max(m_use->most_peers, static_cast<int>(others));
  return std::make_unique<MeteredChannels>(m_transport->open_channels(peers), m_use);
}

std::unique_ptr<RankSums> MeteredTransport::open_sums() const {
  return std::make_unique<MeteredSums>(m_transport->open_sums(), m_use);
}

}  // namespace Lamina::Cli
