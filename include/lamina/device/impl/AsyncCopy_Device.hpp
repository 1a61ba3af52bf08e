// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Copies from device memory to a team's scratch that bypass the registers. A thread starts many
// copies and waits once. Backends without such copies use ordinary ones.

#include <Kokkos_Core.hpp>

#include <cstdint>

#if defined(KOKKOS_ENABLE_CUDA)
#include <lamina/device/impl/Backend.hpp>
#include <lamina/device/impl/cuda/AsyncCopy_Cuda.hpp>
#endif

#define LAMINA_COPIES_ASYNC (LAMINA_CUDA_ARCH >= 800)

namespace Lamina::Impl {

/// The unit of `copy_async_range` in bytes. Source and target have the same offset within a unit.
inline constexpr int async_unit = 16;

/// Starts *to = *from: 4 or 8 bytes.
template <class Value>
KOKKOS_FORCEINLINE_FUNCTION void copy_async(Value* to, const Value* from) {
#if LAMINA_COPIES_ASYNC
  copy_async_cuda<int{sizeof(Value)}>(to, from);
#else
  *to = *from;
#endif
}

/// All threads of a team start to copy `count` values, in whole units.
/// \param to   start of a unit, with space for the values and one more unit
/// \param end  end of the source array; nothing is read beyond it
/// \return the address of the first value in the target
template <class Member, class Value>
KOKKOS_FORCEINLINE_FUNCTION const Value* copy_async_range(const Member& member, char* to,
                                                          const Value* from, int count,
                                                          const Value* end) {
  const auto skew = static_cast<int>(reinterpret_cast<std::uintptr_t>(from) % async_unit);
  const char* const base = reinterpret_cast<const char*>(from) - skew;
  const int bytes = skew + count * static_cast<int>(sizeof(Value)),
            step = member.team_size() * async_unit;
#if LAMINA_COPIES_ASYNC
  const std::int64_t whole = (reinterpret_cast<const char*>(end) - base) / async_unit * async_unit;
  const int last = bytes < whole ? bytes : static_cast<int>(whole);
#pragma unroll 4
  for (int at = member.team_rank() * async_unit; at < last; at += step) {
    copy_async_cuda<async_unit>(to + at, base + at);
  }
  if (last < bytes) {  // the unit that the end of the array cuts off
    constexpr int size = sizeof(Value);
    for (int at = (last > skew ? last : skew) + member.team_rank() * size; at < bytes;
         at += member.team_size() * size) {
      *reinterpret_cast<Value*>(to + at) = *reinterpret_cast<const Value*>(base + at);
    }
  }
#else
  (void)base, (void)bytes, (void)step, (void)end;
  for (int i = member.team_rank(); i < count; i += member.team_size()) {
    reinterpret_cast<Value*>(to + skew)[i] = from[i];
  }
#endif
  return reinterpret_cast<const Value*>(to + skew);
}

/// Closes a group of copies of this thread. The group may be empty.
KOKKOS_FORCEINLINE_FUNCTION void close_copies() {
#if LAMINA_COPIES_ASYNC
  close_copies_cuda();
#endif
}

/// Waits for all groups of this thread but the last `Open` ones. Other threads see them after a
/// barrier.
template <int Open>
KOKKOS_FORCEINLINE_FUNCTION void wait_for_copies() {
#if LAMINA_COPIES_ASYNC
  wait_for_copies_cuda<Open>();
#endif
}

}  // namespace Lamina::Impl

#undef LAMINA_COPIES_ASYNC
