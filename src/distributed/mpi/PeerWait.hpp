// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/device/impl/HostSide.hpp>
#include <lamina/distributed/impl/Tuning.hpp>

#include <Kokkos_Core.hpp>

#include <distributed/mpi/MpiCommunicator.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <thread>
#include <utility>

namespace Lamina::Impl {

/// How ranks of the transport "peer" wait for each other: the host, or kernels, which leave a word
/// where the host finds out that one has waited for too long.
template <class Memory>
class PeerWait {
 public:
  explicit PeerWait(std::shared_ptr<MpiCommunicator> communicator)
      : m_communicator(std::move(communicator)), m_failure("Lamina::PeerWait::failure", 1) {}

  MpiCommunicator& communicator() const { return *m_communicator; }
  std::uint64_t* failure() const { return m_failure.data(); }
  std::uint64_t timeout_ns() const {
    constexpr double longest = 1e18;
    return static_cast<std::uint64_t>(std::min(1e9 * m_communicator->timeout_seconds(), longest));
  }

  /// Of the host. Gives up with missing() + " for 60 s".
  template <class IsThere, class Missing>
  void until(const IsThere& is_there, const Missing& missing) const {
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    while (true) {
      for (int n = 0; n < WaitTuning::host_looks; ++n) {
        if (is_there()) return;
      }
      const double waited = std::chrono::duration<double>(Clock::now() - start).count();
      if (waited > m_communicator->timeout_seconds()) m_communicator->give_up(missing());
      if (waited > WaitTuning::host_patience) std::this_thread::yield();
    }
  }

  /// Gives up with missing(mark) + " for 60 s" where a kernel has left a mark.
  template <class Missing>
  void require_no_failure(const Missing& missing) const {
    const std::uint64_t mark = *static_cast<volatile std::uint64_t*>(m_failure.data());
    if (mark != 0) m_communicator->give_up(missing(mark));
  }

 private:
  std::shared_ptr<MpiCommunicator> m_communicator;
  Kokkos::View<std::uint64_t*, typename HostSideOf<Memory>::type> m_failure;
};

}  // namespace Lamina::Impl
