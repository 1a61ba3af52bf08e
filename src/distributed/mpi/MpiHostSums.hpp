// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/distributed/GlobalReduction.hpp>
#include <lamina/distributed/impl/StagedBuffer.hpp>

#include <Kokkos_Core.hpp>

#include <distributed/mpi/MpiCommunicator.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace Lamina::Impl {

/// Sums of the transports "mpi-host" and "mpi-device": every rank gets all parts and adds them
/// itself.
template <class Memory>
class MpiHostSums final : public RankSums {
 public:
  explicit MpiHostSums(std::shared_ptr<MpiCommunicator> communicator)
      : m_communicator(std::move(communicator)),
        m_mine("Lamina::MpiTransport::parts", most_values),
        m_sums("Lamina::MpiTransport::sums", most_values) {}
  ~MpiHostSums() override {
    if (!m_request.pending()) return;
    // After an error MPI may still read or write these: they stay.
    static_cast<void>(new std::vector<double>(std::move(m_all)));
    static_cast<void>(new Row(m_mine));
  }
  MpiHostSums(const MpiHostSums&) = delete;
  MpiHostSums& operator=(const MpiHostSums&) = delete;

  void sum(const InstanceRef& space, const double* parts, double* sums, int count) override {
    require_no_failure();
    const auto length = static_cast<std::size_t>(count);
    if constexpr (is_staged) {
      const auto& instance = space.as<Space>();
      Kokkos::deep_copy(instance, head(m_mine, length), Input(parts, length));
      instance.fence();
      gather(count);
      add(m_sums.data(), count);
      Kokkos::deep_copy(instance, Output(sums, length), head(m_sums, length));
    } else {
      for (int n = 0; n < count; ++n) m_mine(static_cast<std::size_t>(n)) = parts[n];
      gather(count);
      add(sums, count);
    }
  }

 private:
  static constexpr bool is_staged = StagedBuffer<Memory>::is_staged;
  static constexpr std::size_t most_values = GlobalReduction<Memory>::max_values;
  using Space = typename Memory::execution_space;
  using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
  using Input = Kokkos::View<const double*, Memory, Unmanaged>;
  using Output = Kokkos::View<double*, Memory, Unmanaged>;
  using Row = Kokkos::View<double*, typename StagedBuffer<Memory>::HostMemory>;

  static auto head(const Row& row, std::size_t length) {
    return Kokkos::subview(row, Kokkos::make_pair(std::size_t(0), length));
  }

  /// MPI may still read and write what a sum needs.
  void require_no_failure() const {
    if (!m_request.pending()) return;
    m_communicator->fail("expected no sum after sum " + std::to_string(m_sums_so_far) +
                         ", whose parts have not come");
  }

  void gather(int count) {
    ++m_sums_so_far;
    const auto length =
        static_cast<std::size_t>(count) * static_cast<std::size_t>(m_communicator->size());
    if (m_all.size() < length) m_all.resize(length);
    m_communicator->check(
        "MPI_Iallgather",
        MPI_Iallgather(m_mine.data(), count, MPI_DOUBLE, m_all.data(), count, MPI_DOUBLE,
                       m_communicator->get(), &m_request.requests[0]));
    m_communicator->wait_at_most(m_request, [this] {
      return "no parts of other ranks in sum " + std::to_string(m_sums_so_far);
    });
  }

  void add(double* sums, int count) const {
    for (int n = 0; n < count; ++n) {
      const double* part = m_all.data() + n;
      double sum = *part;
      for (int rank = 1; rank < m_communicator->size(); ++rank) sum += *(part += count);
      sums[n] = sum;
    }
  }

  std::shared_ptr<MpiCommunicator> m_communicator;
  std::vector<double> m_all;  // (rank, value), of the longest sum so far
  Row m_mine, m_sums;
  MpiRequests m_request{1};
  long m_sums_so_far = 0;  // with this one
};

}  // namespace Lamina::Impl
