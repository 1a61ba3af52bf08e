// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/distributed/Transport.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace Lamina::Cli {

/// What the exchanges and sums of a rank were since its transport was made.
struct TransportUse {
  std::int64_t exchanges = 0, messages = 0, bytes = 0, sums = 0;  ///< messages and bytes sent
  int most_peers = 0;       ///< other ranks that an exchange is with
  double halo_seconds = 0;  ///< in which the host waited for messages; kernels may wait, too
  double sum_seconds = 0;   ///< the same for sums

  /// Since an earlier use. `most_peers` stays.
  TransportUse since(const TransportUse& before) const;
};

/// Does what another transport does, and counts it. That takes two looks at a clock for an exchange
/// or a sum.
class MeteredTransport final : public Transport {
 public:
  explicit MeteredTransport(std::shared_ptr<const Transport> transport);

  TransportUse use() const { return *m_use; }

  int rank() const override { return m_transport->rank(); }
  int size() const override { return m_transport->size(); }
  std::string_view name() const override { return m_transport->name(); }
  std::string_view memory() const override { return m_transport->memory(); }
  TransportReport report() const override { return m_transport->report(); }
  void all_gather(std::span<const std::byte> mine, std::span<std::byte> all) const override {
    m_transport->all_gather(mine, all);
  }
  std::vector<std::vector<std::byte>> all_to_all(
      const std::vector<std::vector<std::byte>>& outgoing) const override {
    return m_transport->all_to_all(outgoing);
  }
  void broadcast(std::span<std::byte> bytes, int root) const override {
    m_transport->broadcast(bytes, root);
  }
  std::unique_ptr<Channels> open_channels(std::span<const PeerBytes> peers) const override;
  std::unique_ptr<RankSums> open_sums() const override;

 private:
  std::shared_ptr<const Transport> m_transport;
  std::shared_ptr<TransportUse> m_use;  // of channels and sums, which may outlive the transport
};

}  // namespace Lamina::Cli
