// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <string>
#include <vector>

// Tables that the host fills, for kernels. Each value is set once. An empty list allocates nothing: on a
// device an allocation and a copy take some 10 microseconds each.

namespace Lamina::Impl {

/// A table on the host whose values are not set yet.
template <class Data, class... Extents>
Kokkos::View<Data, Kokkos::LayoutLeft, Kokkos::HostSpace> host_table(const std::string& label,
                                                                     Extents... extents) {
  return Kokkos::View<Data, Kokkos::LayoutLeft, Kokkos::HostSpace>(
      Kokkos::view_alloc(label, Kokkos::WithoutInitializing), extents...);
}

/// The table in the memory of kernels. In that of the host it is the same one.
template <class Memory, class Table>
auto copy_in(const Table& table) {
  using Copy = decltype(Kokkos::create_mirror_view_and_copy(Memory(), table));
  const bool is_empty_list = static_cast<int>(Table::rank) == 1 && table.size() == 0;
  return is_empty_list ? Copy() : Copy(Kokkos::create_mirror_view_and_copy(Memory(), table));
}

/// Values of the host as a list for kernels.
template <class Memory, class Value>
Kokkos::View<const Value*, Memory> list_of(const std::string& label,
                                           const std::vector<Value>& values) {
  if (values.empty()) return {};
  const Kokkos::View<Value*, Memory> view(Kokkos::view_alloc(label, Kokkos::WithoutInitializing),
                                          values.size());
  Kokkos::deep_copy(
      view, Kokkos::View<const Value*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
                values.data(), values.size()));
  return view;
}

}  // namespace Lamina::Impl
