// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/device/impl/Warp_Device.hpp>

#include <Kokkos_Core.hpp>

namespace Lamina {

// Device level: threads that work together inside a kernel of the user's own. A group is one
// thread, the vector lanes of one thread of a team, or a whole team. All of its threads make the
// same calls. After a `barrier` or a `for_each` all of them see what any of them wrote before.

/// A group of one thread.
struct SerialGroup {
  /// Calls f(0), f(1), ... f(count - 1), in any order.
  template <class Function>
  KOKKOS_FORCEINLINE_FUNCTION void for_each(int count, const Function& f) const {
    for (int i = 0; i < count; ++i) f(i);
  }
  KOKKOS_FORCEINLINE_FUNCTION void barrier() const {}
};

/// The vector lanes of one thread of a team.
template <class Member>
struct VectorGroup {
  const Member& member;

  template <class Function>
  KOKKOS_FORCEINLINE_FUNCTION void for_each(int count, const Function& f) const {
    Kokkos::parallel_for(Kokkos::ThreadVectorRange(member, count), f);
    Impl::end_lane_loop();
  }
  KOKKOS_FORCEINLINE_FUNCTION void barrier() const {
    for_each(0, [](int) {});  // a loop over lanes ends with a barrier
  }
};

/// All threads of a team, with all their lanes.
template <class Member>
struct TeamGroup {
  const Member& member;

  template <class Function>
  KOKKOS_FORCEINLINE_FUNCTION void for_each(int count, const Function& f) const {
    Kokkos::parallel_for(Kokkos::TeamVectorRange(member, count), f);
    member.team_barrier();
  }
  KOKKOS_FORCEINLINE_FUNCTION void barrier() const { member.team_barrier(); }
};

}  // namespace Lamina
