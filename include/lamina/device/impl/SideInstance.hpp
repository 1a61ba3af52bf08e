// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Work beside other work: messages travel while a kernel runs.

#include <lamina/device/impl/Backend.hpp>

#include <Kokkos_Core.hpp>

namespace Lamina::Impl {

/// An instance beside that of a user. Where a backend has none it is the user's own: work is then in
/// the order of the calls. Copies share it.
template <class>
class SideInstance {
 public:
  static constexpr bool is_apart = false;

  /// Makes it for the device of `space`. It may allocate and fence: it belongs to the set-up.
  template <class Space>
  void open(const Space&) const {}
  /// The instance, on which work begins after what is enqueued on `space`. Enqueued.
  template <class Space>
  const Space& after(const Space& space) const {
    return space;
  }
  /// Remembers what is enqueued beside until now, for `wait_for_mark`. Enqueued.
  void mark() const {}
  /// Work that is enqueued on `space` from now on begins after what was last marked, if anything was. Enqueued.
  template <class Space>
  void wait_for_mark(const Space&) const {}
  /// Both: work that is enqueued on `space` from now on begins after all that is enqueued beside it. Enqueued.
  template <class Space>
  void join(const Space&) const {}
};

/// Joins at its end, also where an exception ends what is done beside.
template <class Side, class Space>
class JoinAtEnd {
 public:
  JoinAtEnd(const Side& side, const Space& space) : m_side(side), m_space(space) {}
  JoinAtEnd(const JoinAtEnd&) = delete;
  JoinAtEnd& operator=(const JoinAtEnd&) = delete;
  ~JoinAtEnd() {
    try {
      m_side.join(m_space);
    } catch (...) {  // a device that has failed reports it at the next call
    }
  }

 private:
  const Side& m_side;
  const Space& m_space;
};

}  // namespace Lamina::Impl

#if defined(KOKKOS_ENABLE_CUDA)
#include <lamina/device/impl/cuda/SideInstance_Cuda.hpp>
#endif
