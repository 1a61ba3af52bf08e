// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Words in memory that ranks of one host share: flags of messages, and parts of sums that are their
// own flag. A word has 8 bytes and is written at once.

#include <lamina/device/impl/Backend.hpp>
#include <lamina/distributed/Transport.hpp>
#include <lamina/distributed/impl/Tuning.hpp>

#include <Kokkos_Core.hpp>

#include <atomic>
#include <cstdint>

namespace Lamina::Impl {

/// What was written before is visible to all devices and hosts before what is written next.
KOKKOS_FORCEINLINE_FUNCTION void fence_for_peers() {
#if LAMINA_CUDA_PASS
  __threadfence_system();
#elif !LAMINA_DEVICE_PASS
  std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
}

/// On a device words have no order to what is beside them: see `fence_for_peers`. On the host a word
/// is visible after what was written before it, and what is read after it is as new.
KOKKOS_FORCEINLINE_FUNCTION void store_word(std::uint64_t* word, std::uint64_t value) {
#if LAMINA_CUDA_PASS
  asm volatile("st.relaxed.sys.global.u64 [%0], %1;" ::"l"(word), "l"(value) : "memory");
#elif LAMINA_DEVICE_PASS
  *static_cast<volatile std::uint64_t*>(word) = value;
#else
  std::atomic_ref<std::uint64_t>(*word).store(value, std::memory_order_release);
#endif
}

KOKKOS_FORCEINLINE_FUNCTION std::uint64_t load_word(std::uint64_t* word) {
#if LAMINA_CUDA_PASS
  std::uint64_t value;
  asm volatile("ld.relaxed.sys.global.u64 %0, [%1];" : "=l"(value) : "l"(word) : "memory");
  return value;
#elif LAMINA_DEVICE_PASS
  return *static_cast<volatile std::uint64_t*>(word);
#else
  return std::atomic_ref<std::uint64_t>(*word).load(std::memory_order_acquire);
#endif
}

/// Nanoseconds of the device. 0 where a device has no such clock: waits have no limit there.
KOKKOS_FORCEINLINE_FUNCTION std::uint64_t device_nanoseconds() {
#if LAMINA_CUDA_PASS
  std::uint64_t time;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
  return time;
#else
  return 0;
#endif
}

/// Waits until is_there(). \return false where that took too long, or another wait has failed
template <class IsThere>
KOKKOS_FORCEINLINE_FUNCTION bool wait_on_device(std::uint64_t* failure, std::uint64_t timeout_ns,
                                                std::uint64_t mark, const IsThere& is_there) {
  const std::uint64_t start = device_nanoseconds();
  while (true) {
    for (int n = 0; n < WaitTuning::device_looks; ++n) {
      if (is_there()) return true;
    }
    if (load_word(failure) != 0) return false;
    if (device_nanoseconds() - start > timeout_ns) {
      store_word(failure, mark);
      return false;
    }
  }
}

/// All threads of a team wait for the messages of all peers.
template <class Team>
KOKKOS_FORCEINLINE_FUNCTION void await_flags(const Team& team, const MessageFlags& flags) {
  for (int n = team.team_rank(); n < flags.count; n += team.team_size()) {
    // Without a number of bytes, a value is the number of the exchange in its upper half.
    wait_on_device(flags.failure, flags.timeout_ns, flags.value | static_cast<unsigned>(n + 1),
                   [&] { return load_word(flags.awaited + n) == flags.value; });
    fence_for_peers();
  }
  team.team_barrier();
}

/// The last of `num_teams` teams that call it tells all peers that messages are complete.
template <class Team>
KOKKOS_FORCEINLINE_FUNCTION void raise_flags(const Team& team, const MessageFlags& flags,
                                             int num_teams) {
  team.team_barrier();
  if (team.team_rank() != 0) return;
  fence_for_peers();
  const unsigned others = Kokkos::atomic_fetch_add(flags.teams_done, 1u);
  if (others + 1 != static_cast<unsigned>(num_teams)) return;
  *flags.teams_done = 0;
  fence_for_peers();
  for (int n = 0; n < flags.count; ++n) store_word(flags.raised[n], flags.value);
}

}  // namespace Lamina::Impl
