// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Memory of GPUs of one host by CUDA IPC.

#include <Kokkos_Macros.hpp>

#include <distributed/mpi/PeerMemory.hpp>

#include <string>

#if defined(KOKKOS_ENABLE_CUDA)
namespace Lamina::Impl {

inline void check_cuda(const MpiCommunicator& communicator, const char* call, cudaError_t error) {
  if (error == cudaSuccess) return;
  static_cast<void>(cudaGetLastError());  // clear it: the next call must not see it
  communicator.fail(std::string(call) + ": " + cudaGetErrorString(error));
}

template <>
class PeerMemory<Kokkos::CudaSpace> {
 public:
  static constexpr bool exists = true;

  PeerMemory(std::shared_ptr<MpiCommunicator> communicator, std::size_t bytes)
      : m_communicator(std::move(communicator)),
        m_begins(static_cast<std::size_t>(m_communicator->size())) {
    // Whole pages of the device: others see no more than this, and no page is opened twice. Not an
    // allocation of Kokkos, which may come from a pool: pools have no IPC handles.
    constexpr std::size_t page = std::size_t(2) << 20;
    const std::size_t whole = (std::max<std::size_t>(bytes, 1) + page - 1) / page * page;
    void* own = nullptr;
    Handle mine{};
    mine.error = cudaMalloc(&own, whole);
    if (mine.error == cudaSuccess) mine.error = cudaMemset(own, 0, whole);
    if (mine.error == cudaSuccess) mine.error = cudaDeviceSynchronize();
    if (mine.error == cudaSuccess) mine.error = cudaIpcGetMemHandle(&mine.handle, own);
    m_begins[index(m_communicator->rank())] = static_cast<std::byte*>(own);
    open(mine);
  }
  ~PeerMemory() {
    if (!m_communicator->can_free()) return;  // after an error peers may still write here
    static_cast<void>(cudaDeviceSynchronize());
    m_communicator->barrier();
    for (int rank = 0; rank < m_communicator->size(); ++rank) {
      if (rank != m_communicator->rank()) {
        static_cast<void>(cudaIpcCloseMemHandle(m_begins[index(rank)]));
      }
    }
    m_communicator->barrier();
    static_cast<void>(cudaFree(m_begins[index(m_communicator->rank())]));
  }
  PeerMemory(const PeerMemory&) = delete;
  PeerMemory& operator=(const PeerMemory&) = delete;

  std::byte* of_rank(int rank) const { return m_begins[index(rank)]; }

 private:
  struct Handle {
    cudaIpcMemHandle_t handle;
    cudaError_t error;
  };
  static std::size_t index(int rank) { return static_cast<std::size_t>(rank); }

  /// Opens the memory of the others. All ranks fail where one does.
  void open(const Handle& mine) {
    const auto all = m_communicator->gather(mine);
    for (const Handle& handle : all) {
      check_cuda(*m_communicator, "cudaIpcGetMemHandle", handle.error);
    }
    cudaError_t error = cudaSuccess;
    for (std::size_t rank = 0; rank < all.size(); ++rank) {
      if (rank == index(m_communicator->rank()) || error != cudaSuccess) continue;
      void* begin = nullptr;
      error = cudaIpcOpenMemHandle(&begin, all[rank].handle, cudaIpcMemLazyEnablePeerAccess);
      m_begins[rank] = static_cast<std::byte*>(begin);
    }
    for (const cudaError_t of_rank : m_communicator->gather(error)) {
      check_cuda(*m_communicator, "cudaIpcOpenMemHandle", of_rank);
    }
  }

  std::shared_ptr<MpiCommunicator> m_communicator;
  std::vector<std::byte*> m_begins;
};

}  // namespace Lamina::Impl
#endif
