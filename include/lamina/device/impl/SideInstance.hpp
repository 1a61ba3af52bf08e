// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Work beside other work: messages travel while a kernel runs.

#include <lamina/device/impl/Backend.hpp>

#include <Kokkos_Core.hpp>

namespace Lamina::Impl {

/// An instance beside that of a user. Where a backend has none it is the user's own: work is then in
/// the order of the calls.
template <class>
class SideInstance {
 public:
  /// The instance, on which work begins after what is enqueued on `space`. Enqueued.
  template <class Space>
  const Space& after(const Space& space) const {
    return space;
  }
  /// Work that is enqueued on `space` from now on begins after what is enqueued beside it. Enqueued.
  template <class Space>
  void join(const Space&) const {}
};

}  // namespace Lamina::Impl

#if defined(KOKKOS_ENABLE_CUDA)
#include <lamina/device/impl/cuda/SideInstance_Cuda.hpp>
#endif
