// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <concepts>
#include <type_traits>

static_assert(KOKKOS_VERSION >= 30401, "Lamina needs Kokkos 3.4.1 or later");
#if !defined(KOKKOS_ENABLE_SERIAL) && !defined(KOKKOS_ENABLE_OPENMP)
#error "Lamina needs a Kokkos with Serial or OpenMP"
#endif

namespace Lamina {

/// A Kokkos execution space, e.g. `Kokkos::OpenMP`. Calls take an *instance* of it as their first
/// argument and enqueue their work there.
template <class T>
concept ExecutionSpace = static_cast<bool>(Kokkos::is_execution_space<T>::value);

/// A Kokkos memory space. An object owns memory in one; each call brings the execution space.
template <class T>
concept MemorySpace = static_cast<bool>(Kokkos::is_memory_space<T>::value);

/// The scalar types of fields.
template <class T>
concept FieldScalar = std::same_as<T, float> || std::same_as<T, double>;

/// A layout in which one index of a field is contiguous. `LayoutLeft` makes neighbouring *columns*
/// contiguous (horizontal fastest). `LayoutRight` makes the levels of one *column* contiguous
/// (vertical fastest). `LayoutStride` has no contiguous index and is refused at compile time.
template <class T>
concept FieldLayout = std::same_as<T, Kokkos::LayoutLeft> || std::same_as<T, Kokkos::LayoutRight>;

/// A three-dimensional field: a rank-2 View over `(column, level)`, owned or unmanaged, padded or
/// not. Owned columns come first, halo columns after them.
template <class V>
concept Field =
    static_cast<bool>(Kokkos::is_view<V>::value) && (static_cast<int>(V::rank) == 2) &&
    FieldScalar<typename V::non_const_value_type>&& FieldLayout<typename V::array_layout>;

/// A field whose values may be written.
template <class V>
concept WritableField = Field<V> && !std::is_const_v<typename V::value_type>;

/// A field of the given scalar, in the given memory space.
template <class V, class Scalar, class Memory>
concept FieldOf = Field<V> && std::same_as<typename V::non_const_value_type, Scalar> &&
    std::same_as<typename V::memory_space, Memory>;

/// `Memory` is the memory space of `Space`: kernels on `Space` work in their own memory only.
template <class Space, class Memory>
concept WorksIn = ExecutionSpace<Space> && std::same_as<typename Space::memory_space, Memory>;

/// Whether kernels of `Space` run on CPU cores, in the memory of the host. Layouts, sizes and algorithms
/// that are fast there differ from those of a device.
template <class Space>
inline constexpr bool runs_on_host =
    Kokkos::SpaceAccessibility<Space, Kokkos::HostSpace>::accessible&&
        std::is_same_v<typename Space::memory_space, Kokkos::HostSpace>;

/// The layout in which sweeps over columns are the fast ones: vectors of CPU cores run along the levels
/// of a column, the threads of a device across columns. Fused solvers bring fields of the other layout
/// there, see `FusedPcg`.
template <class Space>
using SweepLayout =
    std::conditional_t<runs_on_host<Space>, Kokkos::LayoutRight, Kokkos::LayoutLeft>;

/// An unmanaged View of a field. Solvers hand fields to models, operators and preconditioners in
/// this form, so that one instantiation serves all View types that users hold.
template <class Scalar, class Layout, class Memory>
using FieldView = Kokkos::View<Scalar**, Layout, Memory, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

namespace Impl {

/// The return type of a deleted overload that takes what the call itself refuses. A compiler prints
/// this type, and with it what was expected, instead of a list of concepts that do not hold.
template <class Scalar, class Layout, class Memory>
struct ExpectsFieldAndWritableField;
/// Both fields have one layout, `LayoutLeft` or `LayoutRight`.
struct SameLayout;

/// Rewrites any field as its unmanaged twin. `as_const_field` also makes its values read-only.
template <Field V>
auto as_field(const V& v) {
  return FieldView<typename V::value_type, typename V::array_layout, typename V::memory_space>(v);
}
template <Field V>
auto as_const_field(const V& v) {
  return FieldView<typename V::const_value_type, typename V::array_layout,
                   typename V::memory_space>(v);
}

template <class Layout>
inline constexpr bool levels_contiguous = std::is_same_v<Layout, Kokkos::LayoutRight>;

}  // namespace Impl
}  // namespace Lamina
