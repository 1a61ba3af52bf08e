// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Lists between host and device, and blocks in another order.

#include <lamina/blocks/impl/BlockKernels.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace Lamina::Impl {

template <class Value>
using HostValues = Kokkos::View<Value*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

/// Fences `space`.
template <class Space, class Memory, class Value>
std::vector<Value> to_host(const Space& space, const Kokkos::View<const Value*, Memory>& view) {
  std::vector<Value> values(view.extent(0));
  Kokkos::deep_copy(space, HostValues<Value>(values.data(), values.size()), view);
  space.fence();
  return values;
}
/// Fences all instances of all spaces.
template <class Memory, class Value>
std::vector<Value> to_host(const Kokkos::View<const Value*, Memory>& view) {
  std::vector<Value> values(view.extent(0));
  Kokkos::deep_copy(HostValues<Value>(values.data(), values.size()), view);
  return values;
}

template <class Memory, class Value>
Kokkos::View<Value*, Memory> allocate_list(const std::string& name, std::size_t size) {
  return Kokkos::View<Value*, Memory>(
      Kokkos::view_alloc("Lamina::BlockSparseMatrix::" + name, Kokkos::WithoutInitializing), size);
}
/// Fences `space`.
template <class Memory, class Space, class Value>
Kokkos::View<const Value*, Memory> to_memory(const Space& space, const std::string& name,
                                             const std::vector<Value>& values) {
  const auto view = allocate_list<Memory, Value>(name, values.size());
  Kokkos::deep_copy(space, view, HostValues<const Value>(values.data(), values.size()));
  space.fence();  // `values` may be destroyed
  return view;
}
/// Fences all instances of all spaces.
template <class Memory, class Value>
Kokkos::View<const Value*, Memory> to_memory(const std::string& name,
                                             const std::vector<Value>& values) {
  const auto view = allocate_list<Memory, Value>(name, values.size());
  Kokkos::deep_copy(view, HostValues<const Value>(values.data(), values.size()));
  return view;
}

/// Blocks sources[0], sources[1], ... of `from`, converted to `To`.
template <class To, class Space, class From>
auto gathered(const std::string& name, const Space& space, const std::vector<std::int64_t>& sources,
              const From& from) {
  using Memory = typename From::memory_space;
  using Value = typename From::non_const_value_type;
  Kokkos::View<To***, Kokkos::LayoutLeft, Memory> to(
      Kokkos::view_alloc("Lamina::BlockSparseMatrix::" + name, Kokkos::WithoutInitializing),
      from.extent(0), from.extent(1), sources.size());
  const auto places = to_memory<Memory>(space, "sources", sources);
  GatherKernels<Space, Value, To>::gather(space, static_cast<std::int64_t>(sources.size()),
                                          static_cast<int>(from.extent(0) * from.extent(1)),
                                          places.data(), from.data(), to.data());
  space.fence();  // `places` is freed
  return to;
}

/// Rows old_rows[0], old_rows[1], ... of scales.
template <class Space, class Scales>
auto gathered_scales(const Space& space, const std::vector<std::int64_t>& old_rows,
                     const Scales& from) {
  using Memory = typename Scales::memory_space;
  Kokkos::View<float**, Kokkos::LayoutRight, Memory> to(
      Kokkos::view_alloc("Lamina::BlockSparseMatrix::row_scales", Kokkos::WithoutInitializing),
      from.extent(0), from.extent(1));
  const auto places = to_memory<Memory>(space, "old_rows", old_rows);
  GatherKernels<Space, float, float>::gather(space, static_cast<std::int64_t>(old_rows.size()),
                                             static_cast<int>(from.extent(1)), places.data(),
                                             from.data(), to.data());
  space.fence();  // `places` is freed
  return to;
}

}  // namespace Lamina::Impl
