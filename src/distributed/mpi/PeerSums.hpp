// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/device/impl/OverlappedTeams_Device.hpp>
#include <lamina/distributed/GlobalReduction.hpp>
#include <lamina/distributed/impl/PeerWords_Device.hpp>
#include <lamina/distributed/impl/Tuning.hpp>

#include <distributed/mpi/PeerMemory.hpp>
#include <distributed/mpi/PeerWait.hpp>

#include <algorithm>
#include <string>

namespace Lamina::Impl {

/// The slots in which a rank finds the parts of all ranks. A part is two words, each with half of
/// the bits and the number of the sum: a part is its own flag, and no fence is needed.
struct PeerSlots {
  /// Of a rank at a time: all ranks have slots for all. GMRES with a restart of 60 needs 127.
  static constexpr int most_parts = 128;
  static constexpr int words_of_rank = 2 * most_parts;

  /// Words of one sum, of all ranks.
  KOKKOS_FUNCTION static int words(int num_ranks) { return words_of_rank * num_ranks; }
  /// Sums of even and odd numbers have their own: a rank is one sum ahead of another at most.
  KOKKOS_FUNCTION static std::uint64_t* of(std::uint64_t* slots, int num_ranks,
                                           std::uint64_t number, int rank, int n) {
    return slots + (number % 2) * static_cast<std::uint64_t>(words(num_ranks)) +
           words_of_rank * rank + 2 * n;
  }

  KOKKOS_FUNCTION static void store(std::uint64_t* slot, double part, std::uint64_t number) {
    std::uint64_t bits;
    memcpy(&bits, &part, sizeof bits);
    const std::uint64_t epoch = number << 32;
    store_word(slot, epoch | (bits & 0xffff'ffffu));
    store_word(slot + 1, epoch | bits >> 32);
  }
  /// \return whether the part is there
  KOKKOS_FUNCTION static bool load(std::uint64_t* slot, double& part, std::uint64_t number) {
    const std::uint64_t low = load_word(slot), high = load_word(slot + 1);
    const std::uint64_t epoch = number & 0xffff'ffffu;
    if (low >> 32 != epoch || high >> 32 != epoch) return false;
    const std::uint64_t bits = high << 32 | (low & 0xffff'ffffu);
    memcpy(&part, &bits, sizeof part);
    return true;
  }
};

/// The sum of a device: one team stores the own parts in the slots of all ranks, waits for theirs
/// and adds them up.
struct PeerSumKernel {
  std::uint64_t* const* slots;  // of each rank
  int rank, num_ranks, count;
  std::uint64_t number;
  const double* parts;
  double* sums;
  std::uint64_t* failure;
  std::uint64_t timeout_ns;

  static constexpr int scratch_values = 1024;

  KOKKOS_FUNCTION static double not_a_number() {
    const double zero = 0;
    return zero / zero;
  }
  /// Entries that are added up together.
  KOKKOS_FUNCTION int at_once() const {
    const int fit = scratch_values / num_ranks;
    return fit < 1 ? 1 : fit < count ? fit : count;
  }

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    for (int n = team.team_rank(); n < num_ranks * count; n += team.team_size()) {
      const int other = n / count, entry = n % count;
      PeerSlots::store(PeerSlots::of(slots[other], num_ranks, number, rank, entry), parts[entry],
                       number);
    }
    for (int first = 0; first < count; first += at_once()) {
      const int left = count - first;
      add_up(team, first, left < at_once() ? left : at_once());
    }
  }

  /// Waits for `length` entries of all ranks, and adds them up.
  template <class Team>
  KOKKOS_FUNCTION void add_up(const Team& team, int first, int length) const {
    auto* const all = static_cast<double*>(team.scratch());
    for (int n = team.team_rank(); n < num_ranks * length; n += team.team_size()) {
      const int other = n / length, entry = first + n % length;
      auto* const slot = PeerSlots::of(slots[rank], num_ranks, number, other, entry);
      double part = 0;
      const bool came = wait_on_device(failure, timeout_ns, number << 32 | 1,
                                       [&] { return PeerSlots::load(slot, part, number); });
      // Solvers end on NaN, with which no sum continues.
      all[n] = came ? part : not_a_number();
    }
    team.team_barrier();  // all parts are stored, which sums may replace
    for (int n = team.team_rank(); n < length; n += team.team_size()) {
      double sum = all[n];
      for (int other = 1; other < num_ranks; ++other) sum += all[other * length + n];
      sums[first + n] = sum;
    }
    team.team_barrier();
  }
};

/// Sums of the transport "peer". Every rank gets all parts and adds them itself. On a device
/// nothing blocks the host.
template <class Memory>
class PeerSums final : public RankSums {
 public:
  explicit PeerSums(std::shared_ptr<MpiCommunicator> communicator)
      : m_rank(communicator->rank()),
        m_size(communicator->size()),
        m_memory(communicator, 2 * words() * sizeof(std::uint64_t)),
        m_wait(std::move(communicator)),
        m_slots("Lamina::PeerSums::slots", static_cast<std::size_t>(m_size)) {
    const auto host = Kokkos::create_mirror_view(m_slots);
    for (int rank = 0; rank < m_size; ++rank) {
      host(rank) = reinterpret_cast<std::uint64_t>(m_memory.of_rank(rank));
    }
    Kokkos::deep_copy(m_slots, host);
    Kokkos::fence();
  }

  void sum(const InstanceRef& space, const double* parts, double* sums, int count) override {
    constexpr int most = PeerSlots::most_parts;
    for (int n = 0; n < count; n += most) {
      sum_at_once(space, parts + n, sums + n, std::min(most, count - n));
    }
  }

 private:
  using Space = typename Memory::execution_space;
  static constexpr bool on_host = Kokkos::SpaceAccessibility<Kokkos::HostSpace, Memory>::accessible;

  /// \param count  not more than there are slots
  void sum_at_once(const InstanceRef& space, const double* parts, double* sums, int count) {
    ++m_sums_so_far;
    if constexpr (on_host) {
      sum_on_host(parts, sums, count);
    } else {
      m_wait.require_no_failure([](std::uint64_t mark) { return missing(mark >> 32); });
      const PeerSumKernel kernel{slots(), m_rank,           m_size,
                                 count,   m_sums_so_far,    parts,
                                 sums,    m_wait.failure(), m_wait.timeout_ns()};
      const auto scratch = static_cast<std::size_t>(m_size * kernel.at_once());
      constexpr int threads = PeerKernelTuning::sum_threads;
      launch_teams<threads, 1>("Lamina::GlobalReduction::sum", space.as<Space>(), 1, threads,
                               scratch * sizeof(double), WaitingKernel<PeerSumKernel>{kernel});
    }
  }

  std::size_t words() const { return static_cast<std::size_t>(PeerSlots::words(m_size)); }
  std::uint64_t* const* slots() const {
    return reinterpret_cast<std::uint64_t* const*>(m_slots.data());
  }
  static std::string missing(std::uint64_t number) {
    return "no parts of other ranks in sum " + std::to_string(number);
  }

  void sum_on_host(const double* parts, double* sums, int count) const {
    for (int other = 0; other < m_size; ++other) {
      for (int n = 0; n < count; ++n) {
        PeerSlots::store(PeerSlots::of(slots()[other], m_size, m_sums_so_far, m_rank, n), parts[n],
                         m_sums_so_far);
      }
    }
    for (int other = 0; other < m_size; ++other) {
      for (int n = 0; n < count; ++n) {
        auto* const slot = PeerSlots::of(slots()[m_rank], m_size, m_sums_so_far, other, n);
        double part = 0;
        m_wait.until([&] { return PeerSlots::load(slot, part, m_sums_so_far); },
                     [this] { return missing(m_sums_so_far); });
        sums[n] = other == 0 ? part : sums[n] + part;
      }
    }
  }

  int m_rank, m_size;
  PeerMemory<Memory> m_memory;
  PeerWait<Memory> m_wait;
  Kokkos::View<std::uint64_t*, Memory> m_slots;  // addresses of those of each rank
  std::uint64_t m_sums_so_far = 0;               // with this one; long ones count as several
};

}  // namespace Lamina::Impl
