// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/device/impl/Backend.hpp>
#include <lamina/distributed/Transport.hpp>

#include <Kokkos_Core.hpp>

#include <distributed/mpi/MpiCommunicator.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <exception>
#include <memory>
#include <utility>
#include <vector>

namespace Lamina::Impl {

/// Memory of each rank that all ranks of the communicator can write. Construction and destruction
/// are collective. It begins with zeros.
template <class Memory>
class PeerMemory {
 public:
  static constexpr bool exists = false;
  PeerMemory(const std::shared_ptr<MpiCommunicator>&, std::size_t) {
    throw TransportError("peer: this build has none for " + std::string(Memory::name()));
  }
  std::byte* of_rank(int) const { return nullptr; }
};

/// On CPU cores: a window of MPI.
template <>
class PeerMemory<Kokkos::HostSpace> {
 public:
  static constexpr bool exists = true;

  PeerMemory(std::shared_ptr<MpiCommunicator> communicator, std::size_t bytes)
      : m_communicator(std::move(communicator)) {
    const auto least = std::max<std::size_t>(bytes, sizeof(double));
    void* own = nullptr;
    m_communicator->check("MPI_Win_allocate_shared",
                          MPI_Win_allocate_shared(static_cast<MPI_Aint>(least), 1, MPI_INFO_NULL,
                                                  m_communicator->get(), &own, &m_window));
    std::memset(own, 0, least);
    for (int rank = 0; rank < m_communicator->size(); ++rank) {
      MPI_Aint size = 0;
      int unit = 0;
      void* begin = nullptr;
      m_communicator->check("MPI_Win_shared_query",
                            MPI_Win_shared_query(m_window, rank, &size, &unit, &begin));
      m_begins.push_back(static_cast<std::byte*>(begin));
    }
    m_communicator->barrier();  // all have their zeros
  }
  ~PeerMemory() {
    if (m_communicator->can_free()) MPI_Win_free(&m_window);
  }
  PeerMemory(const PeerMemory&) = delete;
  PeerMemory& operator=(const PeerMemory&) = delete;

  std::byte* of_rank(int rank) const { return m_begins[static_cast<std::size_t>(rank)]; }

 private:
  std::shared_ptr<MpiCommunicator> m_communicator;
  MPI_Win m_window = MPI_WIN_NULL;
  std::vector<std::byte*> m_begins;
};

}  // namespace Lamina::Impl

#include <distributed/mpi/PeerMemory_Cuda.hpp>
