// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// The transport "nccl": all is enqueued on the instance of the caller.

#include <lamina/device/impl/OverlappedTeams_Device.hpp>
#include <lamina/distributed/GlobalReduction.hpp>
#include <lamina/distributed/impl/StagedBuffer.hpp>

#include <distributed/mpi/MpiCommunicator.hpp>
#include <nccl.h>

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace Lamina::Impl {

/// A communicator of NCCL over the ranks of one of MPI. There is one for each transport.
class NcclCommunicator {
 public:
  /// Collective.
  explicit NcclCommunicator(std::shared_ptr<MpiCommunicator> communicator)
      : m_communicator(std::move(communicator)) {
    Start mine{};
    if (m_communicator->rank() == 0) mine.result = ncclGetUniqueId(&mine.id);
    const Start start = m_communicator->gather(mine)[0];
    check("ncclGetUniqueId", start.result);
    const ncclResult_t result =
        ncclCommInitRank(&m_nccl, m_communicator->size(), start.id, m_communicator->rank());
    for (const ncclResult_t of_rank : m_communicator->gather(result)) {
      check("ncclCommInitRank", of_rank);
    }
  }
  ~NcclCommunicator() {
    if (m_nccl == nullptr) return;
    static_cast<void>(m_communicator->can_free() ? ncclCommDestroy(m_nccl) : ncclCommAbort(m_nccl));
  }
  NcclCommunicator(const NcclCommunicator&) = delete;
  NcclCommunicator& operator=(const NcclCommunicator&) = delete;

  ncclComm_t get() const { return m_nccl; }
  int size() const { return m_communicator->size(); }

  void check(const char* call, ncclResult_t result) const {
    if (result == ncclSuccess) return;
    m_communicator->fail(std::string(call) + ": " + ncclGetErrorString(result));
  }
  /// Errors of what was enqueued before.
  void check_earlier() const {
    ncclResult_t result = ncclSuccess;
    check("ncclCommGetAsyncError", ncclCommGetAsyncError(m_nccl, &result));
    check("ncclCommGetAsyncError", result);
  }

  /// "2.28.3"
  static std::string version() {
    int number = 0;
    if (ncclGetVersion(&number) != ncclSuccess) return {};
    return std::to_string(number / 10000) + "." + std::to_string(number / 100 % 100) + "." +
           std::to_string(number % 100);
  }

 private:
  struct Start {
    ncclUniqueId id;
    ncclResult_t result;
  };

  std::shared_ptr<MpiCommunicator> m_communicator;
  ncclComm_t m_nccl = nullptr;
};

/// All messages of an exchange in one group.
class NcclChannels final : public Channels {
 public:
  NcclChannels(std::shared_ptr<NcclCommunicator> communicator, std::span<const PeerBytes> peers)
      : m_communicator(std::move(communicator)),
        m_outgoing(peers, &PeerBytes::send),
        m_incoming(peers, &PeerBytes::receive) {}

  std::byte* const* outgoing() const override { return m_outgoing.addresses(); }
  const std::byte* const* incoming() const override { return m_incoming.addresses(); }

  void send(const InstanceRef& space, std::span<const PeerBytes> bytes) override {
    m_communicator->check_earlier();
    const cudaStream_t stream = space.as<Kokkos::Cuda>().cuda_stream();
    m_communicator->check("ncclGroupStart", ncclGroupStart());
    for (std::size_t n = 0; n < bytes.size(); ++n) {
      if (bytes[n].receive > 0) {
        m_communicator->check(
            "ncclRecv", ncclRecv(m_incoming.in_memory(n), bytes[n].receive, ncclChar, bytes[n].rank,
                                 m_communicator->get(), stream));
      }
      if (bytes[n].send > 0) {
        m_communicator->check("ncclSend", ncclSend(m_outgoing.in_memory(n), bytes[n].send, ncclChar,
                                                   bytes[n].rank, m_communicator->get(), stream));
      }
    }
    m_communicator->check("ncclGroupEnd", ncclGroupEnd());
  }
  void receive(const InstanceRef&) override {}  // in the order of the instance

 private:
  std::shared_ptr<NcclCommunicator> m_communicator;
  StagedBuffer<Kokkos::CudaSpace> m_outgoing, m_incoming;
};

/// sums[n] = the parts of all ranks in their order
struct AddRows {
  const double* rows;  // (rank, row_length)
  double* sums;
  int num_ranks, row_length, count;

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    for (int n = team.team_rank(); n < count; n += team.team_size()) {
      double sum = rows[n];
      for (int rank = 1; rank < num_ranks; ++rank) sum += rows[rank * row_length + n];
      sums[n] = sum;
    }
  }
};

/// Every rank gets all parts and adds them itself.
class NcclSums final : public RankSums {
 public:
  explicit NcclSums(std::shared_ptr<NcclCommunicator> communicator)
      : m_communicator(std::move(communicator)),
        m_rows("Lamina::NcclSums::rows",
               row_length * static_cast<std::size_t>(m_communicator->size())) {
    Kokkos::fence();
  }

  void sum(const InstanceRef& instance, const double* parts, double* sums, int count) override {
    if (count == 0) return;
    const auto& space = instance.as<Kokkos::Cuda>();
    m_communicator->check_earlier();
    m_communicator->check("ncclAllGather",
                          ncclAllGather(parts, m_rows.data(), static_cast<std::size_t>(count),
                                        ncclDouble, m_communicator->get(), space.cuda_stream()));
    launch_teams<warp_lanes, 1>(
        "Lamina::GlobalReduction::sum", space, 1, warp_lanes, 0,
        WaitingKernel<AddRows>{{m_rows.data(), sums, m_communicator->size(), count, count}},
        KernelStart::in_turn);
  }

 private:
  static constexpr std::size_t row_length = GlobalReduction<Kokkos::CudaSpace>::max_values;

  std::shared_ptr<NcclCommunicator> m_communicator;
  Kokkos::View<double*, Kokkos::CudaSpace> m_rows;
};

}  // namespace Lamina::Impl
