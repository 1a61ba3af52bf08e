// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Exchanges and sums of known values, before a transport is trusted with others.

#include <lamina/distributed/GlobalReduction.hpp>
#include <lamina/distributed/HaloExchange.hpp>
#include <lamina/distributed/impl/TransportCalls.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <string>

namespace Lamina::Impl {

template <class Space>
class TransportTest {
 public:
  TransportTest(const Transport& transport, const Space& space)
      : m_transport(transport), m_space(space) {}

  /// Collective. \throws TransportError, or RankFailure, for wrong values and messages that do not
  /// come.
  TransportReport::Candidate run() const {
    TransportReport::Candidate result;
    result.name = m_transport.name();
    if (m_transport.size() > 1) {
      double seconds = 0;
      for (const int items : {1, 8192, 131072}) {  // 8 B, 64 KB, 1 MB
        seconds = exchange(items);
        if (items == 1) result.exchange_us = 1e6 * seconds;
        result.gb_per_s = 1e-9 * num_peers() * items * sizeof(double) / seconds;
      }
      result.reduction_us = 1e6 * reduce();
    }
    result.usable = true;
    return result;
  }

 private:
  using Memory = typename Space::memory_space;
  using Vector = Kokkos::View<double*, Memory>;
  static constexpr int rounds = 3;

  int num_peers() const { return m_transport.size() > 2 ? 2 : 1; }
  int other(int steps) const {
    return (m_transport.rank() + steps + m_transport.size()) % m_transport.size();
  }
  static double value_of(int rank, int item, int round) {
    return 1e6 * round + 1e3 * rank + item % 997;
  }

  /// Each rank sends all its items to both neighbours in a ring.
  HaloPattern ring(int items) const {
    HaloPattern pattern{items, items, (1 + num_peers()) * items};
    std::array ranks{other(-1), other(1)};
    std::sort(ranks.begin(), ranks.end());
    int begin = items;
    for (int n = 0; n < num_peers(); ++n, begin += items) {
      HaloPattern::Peer peer{ranks[static_cast<std::size_t>(n)], {}, {}};
      peer.send.resize(static_cast<std::size_t>(items));
      peer.receive.resize(static_cast<std::size_t>(items));
      std::iota(peer.send.begin(), peer.send.end(), 0);
      std::iota(peer.receive.begin(), peer.receive.end(), begin);
      pattern.peers.push_back(peer);
    }
    return pattern;
  }

  /// Seconds of the fastest exchange, on the slowest rank.
  double exchange(int items) const {
    const HaloPattern pattern = ring(items);
    const HaloExchange<Memory> halo(m_transport, pattern, sizeof(double));
    const Vector vector("Lamina::TransportTest::vector",
                        static_cast<std::size_t>(pattern.num_local));
    const auto host = Kokkos::create_mirror_view(vector);
    return fastest([&](int round) {
      Kokkos::deep_copy(host, -1.0);
      for (int item = 0; item < items; ++item) {
        host(item) = value_of(m_transport.rank(), item, round);
      }
      Kokkos::deep_copy(m_space, vector, host);
      const double seconds = timed([&] {
        halo.start(m_space, vector);
        halo.finish(m_space);
      });
      Kokkos::deep_copy(m_space, host, vector);
      m_space.fence();
      for (const auto& peer : pattern.peers) {
        for (int item = 0; item < items; ++item) {
          const int local = peer.receive[static_cast<std::size_t>(item)];
          if (host(local) == value_of(peer.rank, item, round)) continue;
          throw TransportError("wrong values from rank " + std::to_string(peer.rank) +
                               " in a message of " + std::to_string(8 * items) + " bytes");
        }
      }
      return seconds;
    });
  }

  double reduce() const {
    const GlobalReduction<Memory> reduction(m_transport);
    constexpr int count = 4;
    const Vector parts("Lamina::TransportTest::parts", count),
        sums("Lamina::TransportTest::sums", count);
    const auto host = Kokkos::create_mirror_view(parts);
    const auto part_of = [](int rank, int n, int round) {
      return 1.0 / (1 + rank + 3 * n + round);
    };
    return fastest([&](int round) {
      for (int n = 0; n < count; ++n) host(n) = part_of(m_transport.rank(), n, round);
      Kokkos::deep_copy(m_space, parts, host);
      const double seconds =
          timed([&] { reduction.sum(m_space, parts.data(), sums.data(), count); });
      Kokkos::deep_copy(m_space, host, sums);
      m_space.fence();
      for (int n = 0; n < count; ++n) {
        double expected = part_of(0, n, round);
        for (int rank = 1; rank < m_transport.size(); ++rank) expected += part_of(rank, n, round);
        if (host(n) != expected) throw TransportError("wrong sums");
      }
      return seconds;
    });
  }

  template <class Work>
  double timed(const Work& work) const {
    m_space.fence();
    const Kokkos::Timer timer;
    work();
    m_space.fence();
    return timer.seconds();
  }

  template <class Round>
  double fastest(const Round& run_round) const {
    double best = std::numeric_limits<double>::infinity();
    for (int round = 0; round < rounds; ++round) {
      // A rank whose messages do not come says so to those that wait for it here.
      run_agreed(m_transport, [&] { best = std::min(best, run_round(round)); });
    }
    const auto all = gather_values(m_transport, best);
    return *std::max_element(all.begin(), all.end());
  }

  const Transport& m_transport;
  const Space& m_space;
};

}  // namespace Lamina::Impl
