// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <atomic>
#include <limits>
#include <memory>

namespace Lamina::Impl {

/// Copies a number.
struct PublishRow {
  const int* from;
  int* to;

  KOKKOS_FUNCTION void operator()(int) const { *to = *from; }
};

/// The first row with pivots that are not usable. Kernels find it; the host reads it when it is
/// asked. Copies share it.
template <class Memory>
class PivotStatus {
 public:
  PivotStatus() : m_found(allocate()), m_row(allocate()) {}

  /// Enqueues a reset. \return the address at which later kernels take the minimum
  template <class Space>
  int* restart(const Space& space) const {
    Kokkos::deep_copy(space, m_found, none);
    return m_found.data();
  }
  /// Enqueues a kernel that publishes the result. Kernels of sweeps may start early (see
  /// `KernelStart`): they start during this kernel, when everything that was enqueued before it has
  /// ended.
  template <class Space>
  void publish(const Space& space) const {
    Kokkos::parallel_for("Lamina::PointImplicitSolver::publish_pivots",
                         Kokkos::RangePolicy<Space>(space, 0, 1),
                         PublishRow{m_found.data(), m_row.data()});
    *m_known = unread;
  }

  /// -1: there is none. Fences `space` the first time after `publish`.
  template <class Space>
  int first_bad_row(const Space& space) const {
    return read([&](const Host& row) {
      Kokkos::deep_copy(space, row, m_row);
      space.fence();
    });
  }
  /// Fences all instances of all spaces the first time after `publish`.
  int first_bad_row() const {
    return read([&](const Host& row) { Kokkos::deep_copy(row, m_row); });
  }

 private:
  using Row = Kokkos::View<int, Memory>;
  using Host = Kokkos::View<int, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  static constexpr int none = std::numeric_limits<int>::max(), unread = -2;

  static Row allocate() {
    return Row(
        Kokkos::view_alloc("Lamina::PointImplicitSolver::first_bad", Kokkos::WithoutInitializing));
  }
  template <class Copy>
  int read(const Copy& copy) const {
    int row = *m_known;
    if (row != unread) return row;
    copy(Host(&row));
    if (row == none) row = -1;
    *m_known = row;
    return row;
  }

  Row m_found, m_row;
  std::shared_ptr<std::atomic<int>> m_known = std::make_shared<std::atomic<int>>(unread);
};

}  // namespace Lamina::Impl
