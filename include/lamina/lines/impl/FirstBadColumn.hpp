// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <limits>
#include <string>

namespace Lamina::Impl {

/// Not a private type of `FirstBadColumn`, because nvcc refuses kernels of private types.
struct ForgetColumn {
  int* first;
  int none;

  KOKKOS_FUNCTION void operator()(int) const { *first = none; }
};

/// The first column in which a kernel met a pivot that is not usable. Kernels write only when they
/// meet one: good systems pay nothing. Copies share it.
template <class Memory>
class FirstBadColumn {
 public:
  static constexpr int none = std::numeric_limits<int>::max();

  FirstBadColumn() = default;
  explicit FirstBadColumn(const std::string& label) : m_first(label, 1) {
    Kokkos::deep_copy(m_first, none);
  }

  KOKKOS_INLINE_FUNCTION void note(int column) const {
    Kokkos::atomic_fetch_min(m_first.data(), column);
  }

  /// Forgets the column. Enqueued on `space`.
  template <class Space>
  void reset(const char* label, const Space& space) const {
    Kokkos::parallel_for(label, Kokkos::RangePolicy<Space>(space, 0, 1),
                         ForgetColumn{m_first.data(), none});
  }

  /// That column, or -1. Fences `space`.
  template <class Space>
  int get(const Space& space) const {
    int first = none;
    Kokkos::deep_copy(
        space,
        Kokkos::View<int*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(&first, 1),
        m_first);
    space.fence();
    return first == none ? -1 : first;
  }

 private:
  Kokkos::View<int*, Memory> m_first;
};

}  // namespace Lamina::Impl
