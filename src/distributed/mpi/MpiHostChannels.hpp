// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/distributed/Transport.hpp>
#include <lamina/distributed/impl/StagedBuffer.hpp>

#include <distributed/mpi/MpiCommunicator.hpp>

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace Lamina::Impl {

/// Channels of the transports "mpi-host" and "mpi-device", which give MPI addresses of host memory
/// and of `Memory`. Where fields are on a device, messages are sent in `receive`: the host enqueues
/// work that needs no halo first, and waits for the packed messages then.
template <class Memory>
class MpiHostChannels final : public Channels {
 public:
  MpiHostChannels(std::shared_ptr<MpiCommunicator> communicator, std::span<const PeerBytes> peers,
                  bool through_host);
  ~MpiHostChannels() override;
  MpiHostChannels(const MpiHostChannels&) = delete;
  MpiHostChannels& operator=(const MpiHostChannels&) = delete;

  std::byte* const* outgoing() const override { return m_outgoing.addresses(); }
  const std::byte* const* incoming() const override { return m_incoming.addresses(); }
  void send(const InstanceRef& space, std::span<const PeerBytes> bytes) override;
  void receive(const InstanceRef& space) override;

 private:
  void post();
  void* message(const StagedBuffer<Memory>& buffer, std::size_t peer) const {
    return m_through_host ? buffer.on_host(peer) : buffer.in_memory(peer);
  }
  std::string name_missing() const;
  void require_lengths() const;

  std::shared_ptr<MpiCommunicator> m_communicator;
  int m_tag;
  bool m_through_host;
  std::vector<PeerBytes> m_bytes;  // of the exchange in flight
  StagedBuffer<Memory> m_outgoing, m_incoming;
  MpiRequests m_requests;  // receives, then sends
  long m_exchanges = 0;    // so far
};

template <class Memory>
MpiHostChannels<Memory>::MpiHostChannels(std::shared_ptr<MpiCommunicator> communicator,
                                         std::span<const PeerBytes> peers, bool through_host)
    : m_communicator(std::move(communicator)),
      m_tag(m_communicator->next_tag()),
      m_through_host(through_host),
      m_bytes(peers.begin(), peers.end()),
      m_outgoing(peers, &PeerBytes::send),
      m_incoming(peers, &PeerBytes::receive),
      m_requests(2 * peers.size()) {}

template <class Memory>
MpiHostChannels<Memory>::~MpiHostChannels() {
  if (!m_requests.pending()) return;
  // After an error MPI may still read or write the buffers: they stay.
  static_cast<void>(new StagedBuffer<Memory>(m_outgoing));
  static_cast<void>(new StagedBuffer<Memory>(m_incoming));
}

template <class Memory>
void MpiHostChannels<Memory>::send(const InstanceRef& space, std::span<const PeerBytes> bytes) {
  m_bytes.assign(bytes.begin(), bytes.end());
  ++m_exchanges;
  if constexpr (StagedBuffer<Memory>::is_staged) {
    if (m_through_host) m_outgoing.to_host(space, m_bytes);
  } else {
    post();
  }
}

template <class Memory>
void MpiHostChannels<Memory>::post() {
  const std::size_t count = m_bytes.size();
  for (std::size_t n = 0; n < count; ++n) {
    if (m_bytes[n].receive == 0) continue;
    m_communicator->check(
        "MPI_Irecv",
        MPI_Irecv(message(m_incoming, n), m_communicator->count(m_bytes[n].receive), MPI_BYTE,
                  m_bytes[n].rank, m_tag, m_communicator->get(), &m_requests.requests[n]));
  }
  for (std::size_t n = 0; n < count; ++n) {
    if (m_bytes[n].send == 0) continue;
    m_communicator->check(
        "MPI_Isend",
        MPI_Isend(message(m_outgoing, n), m_communicator->count(m_bytes[n].send), MPI_BYTE,
                  m_bytes[n].rank, m_tag, m_communicator->get(), &m_requests.requests[count + n]));
  }
}

template <class Memory>
void MpiHostChannels<Memory>::receive(const InstanceRef& space) {
  if constexpr (StagedBuffer<Memory>::is_staged) {
    StagedBuffer<Memory>::fence(space);
    post();
  }
  m_communicator->wait_at_most(m_requests, [this] { return name_missing(); });
  require_lengths();
  if constexpr (StagedBuffer<Memory>::is_staged) {
    if (m_through_host) m_incoming.to_device(space, m_bytes);
  }
}

template <class Memory>
std::string MpiHostChannels<Memory>::name_missing() const {
  const std::string exchange = " in exchange " + std::to_string(m_exchanges);
  const std::size_t count = m_bytes.size();
  for (std::size_t n = 0; n < 2 * count; ++n) {
    if (m_requests.requests[n] == MPI_REQUEST_NULL) continue;
    int done = 0;
    MPI_Request_get_status(m_requests.requests[n], &done, MPI_STATUS_IGNORE);
    if (done != 0) continue;
    const std::string rank = std::to_string(m_bytes[n % count].rank);
    return n < count ? "no message from rank " + rank + exchange
                     : "rank " + rank + " took no message" + exchange;
  }
  return "messages are late" + exchange;
}

template <class Memory>
void MpiHostChannels<Memory>::require_lengths() const {
  for (std::size_t n = 0; n < m_bytes.size(); ++n) {
    if (m_bytes[n].receive == 0) continue;
    int bytes = 0;
    m_communicator->check("MPI_Get_count",
                          MPI_Get_count(&m_requests.statuses[n], MPI_BYTE, &bytes));
    if (static_cast<std::size_t>(bytes) == m_bytes[n].receive) continue;
    m_communicator->fail("expected " + std::to_string(m_bytes[n].receive) + " bytes from rank " +
                         std::to_string(m_bytes[n].rank) + " in exchange " +
                         std::to_string(m_exchanges) + ", got " + std::to_string(bytes));
  }
}

}  // namespace Lamina::Impl
