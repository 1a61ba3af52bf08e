// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

namespace Lamina::Impl {

/// The indices below `count`.
template <class Space>
Kokkos::RangePolicy<Space> range_of(const Space& space, int count) {
  using Policy = Kokkos::RangePolicy<Space>;
  return Policy(space, 0, static_cast<typename Policy::member_type>(count));
}

}  // namespace Lamina::Impl
