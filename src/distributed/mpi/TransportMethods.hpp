// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// How messages and parts of sums get from rank to rank, by name.

#include <lamina/core/Concepts.hpp>
#include <lamina/distributed/Transport.hpp>

#include <distributed/mpi/DeviceOfRank.hpp>
#include <distributed/mpi/MpiCommunicator.hpp>
#include <distributed/mpi/MpiHostChannels.hpp>
#include <distributed/mpi/MpiHostSums.hpp>
#include <distributed/mpi/PeerChannels.hpp>
#include <distributed/mpi/PeerSums.hpp>

#if defined(LAMINA_HAVE_NCCL)
#include <distributed/mpi/NcclTransport_Nccl.hpp>
#endif

#include <algorithm>
#include <array>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace Lamina::Impl {

/// In the order in which they are tried.
inline constexpr std::array<std::string_view, 4> transport_names = {"peer", "nccl", "mpi-device",
                                                                    "mpi-host"};

/// What opens the channels and sums of a transport.
class TransportMethod {
 public:
  virtual ~TransportMethod() = default;
  virtual std::unique_ptr<Channels> open_channels(std::span<const PeerBytes> peers) const = 0;
  virtual std::unique_ptr<RankSums> open_sums() const = 0;
};

template <class Memory>
class MpiMethod final : public TransportMethod {
 public:
  MpiMethod(std::shared_ptr<MpiCommunicator> communicator, bool through_host)
      : m_communicator(std::move(communicator)), m_through_host(through_host) {}
  std::unique_ptr<Channels> open_channels(std::span<const PeerBytes> peers) const override {
    return std::make_unique<MpiHostChannels<Memory>>(m_communicator, peers, m_through_host);
  }
  std::unique_ptr<RankSums> open_sums() const override {
    return std::make_unique<MpiHostSums<Memory>>(m_communicator);
  }

 private:
  std::shared_ptr<MpiCommunicator> m_communicator;
  bool m_through_host;
};

template <class Memory>
class PeerMethod final : public TransportMethod {
 public:
  explicit PeerMethod(std::shared_ptr<MpiCommunicator> communicator)
      : m_communicator(std::move(communicator)) {}
  std::unique_ptr<Channels> open_channels(std::span<const PeerBytes> peers) const override {
    return std::make_unique<PeerChannels<Memory>>(m_communicator, peers);
  }
  std::unique_ptr<RankSums> open_sums() const override {
    return std::make_unique<PeerSums<Memory>>(m_communicator);
  }

 private:
  std::shared_ptr<MpiCommunicator> m_communicator;
};

#if defined(LAMINA_HAVE_NCCL)
class NcclMethod final : public TransportMethod {
 public:
  explicit NcclMethod(std::shared_ptr<MpiCommunicator> communicator)
      : m_communicator(std::make_shared<NcclCommunicator>(std::move(communicator))) {}
  std::unique_ptr<Channels> open_channels(std::span<const PeerBytes> peers) const override {
    return std::make_unique<NcclChannels>(m_communicator, peers);
  }
  std::unique_ptr<RankSums> open_sums() const override {
    return std::make_unique<NcclSums>(m_communicator);
  }

 private:
  std::shared_ptr<NcclCommunicator> m_communicator;
};
#endif

/// Finds out, collectively, what can work.
template <class Space>
class TransportMethods {
 public:
  using Memory = typename Space::memory_space;

  TransportMethods(std::shared_ptr<MpiCommunicator> communicator, const Space& space)
      : m_communicator(std::move(communicator)), m_space(space) {}

  /// Why a method cannot work: the same on all ranks. Empty where it may.
  std::string obstacle(std::string_view name) const {
    if (name == "peer") return obstacle_of_peer();
    if (name == "nccl") return obstacle_of_nccl();
    if (name == "mpi-device" && !runs_on_host<Space>) {
      return in_all(mpi_takes_device_addresses()) ? "" : "MPI does not take addresses of devices";
    }
    return {};
  }

  /// A method without an obstacle.
  std::unique_ptr<TransportMethod> make(std::string_view name) const {
    if constexpr (PeerMemory<Memory>::exists) {
      if (name == "peer") return std::make_unique<PeerMethod<Memory>>(m_communicator);
    }
#if defined(LAMINA_HAVE_NCCL)
    if (name == "nccl") return std::make_unique<NcclMethod>(m_communicator);
#endif
    return std::make_unique<MpiMethod<Memory>>(m_communicator, name == "mpi-host");
  }

 private:
  bool in_all(bool mine) const {
    const auto all = m_communicator->gather<char>(mine ? 1 : 0);
    return std::all_of(all.begin(), all.end(), [](char one) { return one != 0; });
  }

  std::string obstacle_of_peer() const {
    if constexpr (!PeerMemory<Memory>::exists) return "this build has none for the device";
    if (m_communicator->size() == 1) return {};
    MPI_Comm of_host = MPI_COMM_NULL;
    m_communicator->check("MPI_Comm_split_type",
                          MPI_Comm_split_type(m_communicator->get(), MPI_COMM_TYPE_SHARED, 0,
                                              MPI_INFO_NULL, &of_host));
    int ranks_of_host = 0;
    MPI_Comm_size(of_host, &ranks_of_host);
    MPI_Comm_free(&of_host);
    if (!in_all(ranks_of_host == m_communicator->size())) return "ranks are on several hosts";
    return runs_on_host<Space> ? "" : obstacle_of_devices();
  }

  std::string obstacle_of_nccl() const {
    if constexpr (runs_on_host<Space>) return "fields are not on a device";
#if defined(LAMINA_HAVE_NCCL)
    return obstacle_of_devices();
#else
    return "this build has no NCCL";
#endif
  }

  /// Ranks that share a device would wait for each other's kernels.
  std::string obstacle_of_devices() const {
    const auto marks = m_communicator->gather(device_of_rank(m_space));
    const std::set<DeviceMark> distinct(marks.begin(), marks.end());
    return distinct.size() == marks.size() ? "" : "ranks share a device";
  }

  std::shared_ptr<MpiCommunicator> m_communicator;
  const Space& m_space;
};

}  // namespace Lamina::Impl
