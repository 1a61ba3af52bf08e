// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/distributed/Transport.hpp>
#include <lamina/distributed/impl/StagedBuffer.hpp>

#include <distributed/SimulatedRanks.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace LaminaTest {

using Bytes = std::vector<std::byte>;

/// What simulated ranks share.
class SimulatedWorld {
 public:
  explicit SimulatedWorld(int num_ranks) : m_ranks(num_ranks), m_size(num_ranks) {}

  SimulatedRanks& ranks() { return m_ranks; }
  int size() const { return m_size; }
  /// Messages of exchanges so far, and their bytes.
  long num_messages() const { return m_num_messages; }
  std::size_t num_bytes() const { return m_num_bytes; }
  /// Sums so far, of all ranks.
  long num_sums() const { return m_num_sums; }
  void count_sum() { ++m_num_sums; }

  /// The n-th collective call of a rank: the contributions of all ranks.
  std::vector<std::vector<Bytes>> collect(const std::string& call, int n, int rank,
                                          std::vector<Bytes> mine) {
    Call& here = m_calls[n];
    if (here.present == 0) here.name = call;
    if (here.name != call) {
      throw Lamina::TransportError("ranks call " + here.name + " and " + call);
    }
    here.contributions.resize(static_cast<std::size_t>(m_size));
    here.contributions[static_cast<std::size_t>(rank)] = std::move(mine);
    ++here.present;
    m_ranks.wait([&] { return here.present == m_size; });
    auto all = here.contributions;
    if (++here.read == m_size) m_calls.erase(n);
    return all;
  }

  void send(int channel, int from, int to, Bytes message) {
    ++m_num_messages;
    m_num_bytes += message.size();
    m_mail[{channel, from, to}].push_back(std::move(message));
  }
  Bytes receive(int channel, int from, int to) {
    auto& mail = m_mail[{channel, from, to}];
    m_ranks.wait([&] { return !mail.empty(); });
    Bytes message = std::move(mail.front());
    mail.erase(mail.begin());
    return message;
  }

 private:
  struct Call {
    std::string name;
    std::vector<std::vector<Bytes>> contributions;
    int present = 0, read = 0;
  };

  SimulatedRanks m_ranks;
  int m_size;
  long m_num_messages = 0, m_num_sums = 0;
  std::size_t m_num_bytes = 0;
  std::map<int, Call> m_calls;
  std::map<std::tuple<int, int, int>, std::vector<Bytes>> m_mail;
};

/// The number of collective calls of a rank so far.
struct SimulatedRank {
  SimulatedWorld& world;
  int rank;
  int num_calls = 0, num_channels = 0;

  std::vector<std::vector<Bytes>> collect(const std::string& call, std::vector<Bytes> mine) {
    return world.collect(call, num_calls++, rank, std::move(mine));
  }
};

template <class Memory>
class SimulatedChannels final : public Lamina::Channels {
 public:
  SimulatedChannels(std::shared_ptr<SimulatedRank> rank, std::span<const Lamina::PeerBytes> peers)
      : m_rank(std::move(rank)),
        m_channel(m_rank->num_channels++),
        m_bytes(peers.begin(), peers.end()),
        m_outgoing(peers, &Lamina::PeerBytes::send),
        m_incoming(peers, &Lamina::PeerBytes::receive) {}

  std::byte* const* outgoing() const override { return m_outgoing.addresses(); }
  const std::byte* const* incoming() const override { return m_incoming.addresses(); }

  void send(const Lamina::InstanceRef& space, std::span<const Lamina::PeerBytes> bytes) override {
    m_bytes.assign(bytes.begin(), bytes.end());
    if constexpr (Buffer::is_staged) {
      m_outgoing.to_host(space, m_bytes);
      Buffer::fence(space);
    }
    for (std::size_t n = 0; n < m_bytes.size(); ++n) {
      auto* const begin = static_cast<std::byte*>(m_outgoing.on_host(n));
      if (m_bytes[n].send == 0) continue;
      m_rank->world.send(m_channel, m_rank->rank, m_bytes[n].rank,
                         Bytes(begin, begin + m_bytes[n].send));
      std::memset(begin, 0xff, m_bytes[n].send);  // NaN: nobody needs it any more
    }
  }
  void receive(const Lamina::InstanceRef& space) override {
    for (std::size_t n = 0; n < m_bytes.size(); ++n) {
      if (m_bytes[n].receive == 0) continue;
      const Bytes message = m_rank->world.receive(m_channel, m_bytes[n].rank, m_rank->rank);
      if (message.size() != m_bytes[n].receive) {
        throw Lamina::TransportError("expected " + std::to_string(m_bytes[n].receive) +
                                     " bytes, got " + std::to_string(message.size()));
      }
      std::memcpy(m_incoming.on_host(n), message.data(), message.size());
    }
    if constexpr (Buffer::is_staged) m_incoming.to_device(space, m_bytes);
  }

 private:
  using Buffer = Lamina::Impl::StagedBuffer<Memory>;

  std::shared_ptr<SimulatedRank> m_rank;
  int m_channel;
  std::vector<Lamina::PeerBytes> m_bytes;
  Buffer m_outgoing, m_incoming;
};

template <class Memory>
class SimulatedSums final : public Lamina::RankSums {
 public:
  explicit SimulatedSums(std::shared_ptr<SimulatedRank> rank) : m_rank(std::move(rank)) {}

  void sum(const Lamina::InstanceRef&, const double* parts, double* sums, int count) override {
    using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
    m_rank->world.count_sum();
    const auto length = static_cast<std::size_t>(count);
    std::vector<double> values(length);
    const Kokkos::View<double*, Kokkos::HostSpace, Unmanaged> host(values.data(), length);
    Kokkos::fence();
    Kokkos::deep_copy(host, Kokkos::View<const double*, Memory, Unmanaged>(parts, length));
    Bytes mine(length * sizeof(double));
    if (count > 0) std::memcpy(mine.data(), values.data(), mine.size());
    const auto all = m_rank->collect("sum", {mine});
    for (std::size_t n = 0; n < length; ++n) {
      for (std::size_t rank = 0; rank < all.size(); ++rank) {
        double part = 0;
        std::memcpy(&part, all[rank][0].data() + n * sizeof(double), sizeof(double));
        values[n] = rank == 0 ? part : values[n] + part;
      }
    }
    Kokkos::deep_copy(Kokkos::View<double*, Memory, Unmanaged>(sums, length), host);
  }

 private:
  std::shared_ptr<SimulatedRank> m_rank;
};

/// One of several ranks in one process and thread. Messages are copies.
template <class Memory>
class SimulatedTransport final : public Lamina::Transport {
 public:
  SimulatedTransport(SimulatedWorld& world, int rank)
      : m_rank(std::make_shared<SimulatedRank>(SimulatedRank{world, rank})) {}

  int rank() const override { return m_rank->rank; }
  int size() const override { return m_rank->world.size(); }
  std::string_view name() const override { return "simulated"; }
  std::string_view memory() const override { return Memory::name(); }
  Lamina::TransportReport report() const override { return {"simulated", {}, {}}; }

  void all_gather(std::span<const std::byte> mine, std::span<std::byte> all) const override {
    auto at = all.begin();
    for (const auto& bytes : m_rank->collect("all_gather", {Bytes(mine.begin(), mine.end())})) {
      at = std::copy(bytes[0].begin(), bytes[0].end(), at);
    }
  }
  std::vector<Bytes> all_to_all(const std::vector<Bytes>& outgoing) const override {
    std::vector<Bytes> incoming;
    for (const auto& lists : m_rank->collect("all_to_all", outgoing)) {
      incoming.push_back(lists[static_cast<std::size_t>(rank())]);
    }
    return incoming;
  }
  void broadcast(std::span<std::byte> bytes, int root) const override {
    const auto all = m_rank->collect("broadcast", {Bytes(bytes.begin(), bytes.end())});
    const Bytes& from = all[static_cast<std::size_t>(root)][0];
    std::copy(from.begin(), from.end(), bytes.begin());
  }
  std::unique_ptr<Lamina::Channels> open_channels(
      std::span<const Lamina::PeerBytes> peers) const override {
    (void)m_rank->collect("open_channels", {});
    return std::make_unique<SimulatedChannels<Memory>>(m_rank, peers);
  }
  std::unique_ptr<Lamina::RankSums> open_sums() const override {
    (void)m_rank->collect("open_sums", {});
    return std::make_unique<SimulatedSums<Memory>>(m_rank);
  }

 private:
  std::shared_ptr<SimulatedRank> m_rank;
};

/// Calls work(transport) on each of so many ranks.
template <class Memory, class Work>
void run_on_ranks(SimulatedWorld& world, const Work& work) {
  world.ranks().run([&](int rank) {
    const SimulatedTransport<Memory> transport(world, rank);
    work(static_cast<const Lamina::Transport&>(transport));
  });
}
template <class Memory, class Work>
void run_on_ranks(int num_ranks, const Work& work) {
  SimulatedWorld world(num_ranks);
  run_on_ranks<Memory>(world, work);
}

}  // namespace LaminaTest
