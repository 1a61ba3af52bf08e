// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <typeinfo>
#include <vector>

namespace Lamina {

/// Thrown where communication fails: an error of MPI, a message that does not come in time, or
/// ranks that do not do the same.
class TransportError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Thrown where another rank does not come in time. Then nothing can be agreed on with it any more.
class TransportTimeout : public TransportError {
 public:
  using TransportError::TransportError;
};

/// Thrown on all ranks where one of several has failed, see `Transport::agree`. The message is
/// "rank 3: " and that of the exception there.
class RankFailure : public std::runtime_error {
 public:
  RankFailure(int rank, const std::string& message);
  int rank() const { return m_rank; }  ///< the lowest rank that has failed

 private:
  int m_rank;
};

/// An execution-space instance whose type the callee knows, or has no need of. It does not outlive
/// the instance.
class InstanceRef {
 public:
  template <ExecutionSpace Space>
  explicit InstanceRef(const Space& space) : m_instance(&space), m_type(&typeid(Space)) {}

  /// The instance. \throws TransportError where it is one of another space.
  template <ExecutionSpace Space>
  const Space& as() const {
    if (*m_type != typeid(Space)) {
      throw TransportError("InstanceRef::as: expected an instance of another execution space");
    }
    return *static_cast<const Space*>(m_instance);
  }

 private:
  const void* m_instance;
  const std::type_info* m_type;
};

/// Bytes of the messages to and from a peer.
struct PeerBytes {
  int rank;                   ///< of the peer
  std::size_t send, receive;  ///< 0: no message
};

/// Flags by which kernels of different ranks tell each other that a message is complete. All
/// addresses are in the memory space of the transport, but for `failure`.
struct MessageFlags {
  std::uint64_t* const* raised = nullptr;  ///< to pack: for each peer its flag for this rank
  std::uint64_t* awaited = nullptr;        ///< to unpack: the own flags, one for each peer
  int count = 0;                           ///< of peers; 0: kernels neither raise nor await
  std::uint64_t value = 0;                 ///< of the exchange: its number times 2^32
  unsigned* teams_done = nullptr;          ///< of the kernel that raises; 0 between kernels
  std::uint64_t* failure = nullptr;        ///< in pinned memory; not 0: nobody waits any more
  std::uint64_t timeout_ns = 0;            ///< then `failure` becomes value + 1 + index of the peer
};

/// The messages of one `HaloExchange` of one rank: at most one in flight to each peer, and one from
/// each. Buffers belong to the channels. Addresses of buffers, and the arrays of these addresses,
/// are in the memory space of the transport; messages begin at multiples of 8 bytes.
class Channels {
 public:
  virtual ~Channels() = default;
  /// For each peer where the next message to it must be written, before `send`.
  virtual std::byte* const* outgoing() const = 0;
  /// For each peer where the message from it is, after `receive`.
  virtual const std::byte* const* incoming() const = 0;
  /// What the kernel that packs must raise at its end. It runs without items, too.
  virtual MessageFlags raised_flags() const { return {}; }
  /// What the kernel that unpacks must wait for. It runs without items, too.
  virtual MessageFlags awaited_flags() const { return {}; }
  /// Whether kernels may write to the memory of peers themselves: the same on all ranks. Then these
  /// channels serve no exchanges: messages would share that memory. A kernel that has written raises
  /// flags, and `send` is called after it.
  virtual bool has_windows() const { return false; }
  /// For each peer memory there that kernels of this rank may write, with room for the longest
  /// message to it.
  virtual std::byte* const* peer_windows() const { return nullptr; }
  /// For each peer the memory of this rank that it writes in this way.
  virtual std::byte* const* own_windows() const { return nullptr; }
  /// Sends what the work that is enqueued on `space` writes to the buffers. Enqueued.
  /// \param bytes  of each peer, in the order of `open_channels`; at most as many as stated there
  virtual void send(const InstanceRef& space, std::span<const PeerBytes> bytes) = 0;
  /// Work that is enqueued on `space` from now on sees the messages of all peers. Buffers of
  /// `outgoing` may be written again. May block the host.
  virtual void receive(const InstanceRef& space) = 0;
};

/// Sums over all ranks of a transport.
class RankSums {
 public:
  virtual ~RankSums() = default;
  /// sums[n] = parts[n] of rank 0 + parts[n] of rank 1 + ..., n < count, added in this order.
  /// `parts` may be `sums`. Both are in the memory space of the transport. May block the host.
  virtual void sum(const InstanceRef& space, const double* parts, double* sums, int count) = 0;
};

/// What a transport found out about itself.
struct TransportReport {
  /// A way to exchange messages, and whether it can be used here.
  struct Candidate {
    std::string name;         ///< as of `Transport::name`
    bool usable = false;      ///< it was tested, and all values were right
    std::string reason;       ///< why not
    double exchange_us = 0;   ///< time of an exchange of 8 bytes with each of two peers
    double reduction_us = 0;  ///< time of a sum of four values
    double gb_per_s = 0;      ///< of the largest exchange of the test, bytes sent by one rank
  };
  std::string name;                   ///< the candidate in use
  std::vector<Candidate> candidates;  ///< in the order of trial; none without a test
  std::string library;                ///< version of the library below, on one line
};

/// How the ranks of a computation communicate. `make_transport` makes one over a communicator of
/// MPI, `make_loopback_transport` one for a single process.
///
/// \par Calls
/// All functions but `rank`, `size`, `name`, `memory` and `report` are collective: all ranks call
/// them in the same order. Calls of one transport, and of what was made with it, come from one host
/// thread at a time. The collective calls on the host are for the set-up: they copy, allocate, and
/// wait for the others. Those of MPI throw `TransportTimeout` where these do not come in time, see
/// `TransportOptions`. Ranks that fail between them end in `agree`, so that nobody waits.
///
/// \par Lifetime
/// Channels and sums may outlive the transport that opened them. Their destruction is collective.
/// It has no limit of time: a rank that catches `TransportTimeout` while they live waits there for
/// the one that did not come. Such a program ends by MPI_Abort.
class Transport {
 public:
  virtual ~Transport() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// "none" (one process), "peer", "nccl", "mpi-device", "mpi-host"
  virtual std::string_view name() const = 0;
  /// The name of the memory space that channels and sums work in, e.g. "Host".
  virtual std::string_view memory() const = 0;
  virtual TransportReport report() const = 0;

  /// Collects as many bytes from each rank: all = bytes of rank 0, then of rank 1, ...
  /// \param all  of size() * mine.size() bytes
  virtual void all_gather(std::span<const std::byte> mine, std::span<std::byte> all) const = 0;
  /// outgoing[r] goes to rank r. Returns what came from each rank. Lengths are free.
  virtual std::vector<std::vector<std::byte>> all_to_all(
      const std::vector<std::vector<std::byte>>& outgoing) const = 0;
  /// The bytes of rank `root` replace those of all others.
  virtual void broadcast(std::span<std::byte> bytes, int root) const = 0;

  /// Channels to other ranks. Each rank names its own peers, and each of these must name it.
  /// \param peers  with the most bytes of a message
  virtual std::unique_ptr<Channels> open_channels(std::span<const PeerBytes> peers) const = 0;
  virtual std::unique_ptr<RankSums> open_sums() const = 0;

  /// The end of a phase that may fail on some ranks only. Returns where `failure` is null on all
  /// ranks. Otherwise all ranks throw: `RankFailure` with the message of the lowest rank that
  /// failed, and the failure itself where there is one rank only.
  void agree(const std::exception_ptr& failure) const;
};

/// The transport of a single process. Its `HaloExchange` copies within the process: items may be
/// halo items of their own rank, as in a periodic domain.
std::shared_ptr<const Transport> make_loopback_transport();

}  // namespace Lamina
