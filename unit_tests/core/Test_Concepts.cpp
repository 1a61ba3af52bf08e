// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Contracts of types: this source compiles, or fails with the line of what does not hold.

#include <lamina/core/Concepts.hpp>

#include <type_traits>

namespace {

using namespace Lamina;

using Host = Kokkos::HostSpace;
using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
using Left = Kokkos::View<double**, Kokkos::LayoutLeft, Host>;
using ConstRight = Kokkos::View<const float**, Kokkos::LayoutRight, Host>;

static_assert(ExecutionSpace<Kokkos::DefaultHostExecutionSpace>);
static_assert(!ExecutionSpace<Host> && !ExecutionSpace<int>);
static_assert(MemorySpace<Host>);
static_assert(!MemorySpace<Kokkos::DefaultHostExecutionSpace> && !MemorySpace<double>);
static_assert(WorksIn<Kokkos::DefaultHostExecutionSpace, Host>);
static_assert(!WorksIn<Kokkos::DefaultHostExecutionSpace, int> && !WorksIn<Host, Host>);

static_assert(FieldScalar<float> && FieldScalar<double>);
static_assert(!FieldScalar<long double> && !FieldScalar<int> && !FieldScalar<const double>);
static_assert(FieldLayout<Kokkos::LayoutLeft> && FieldLayout<Kokkos::LayoutRight>);
static_assert(!FieldLayout<Kokkos::LayoutStride>);

static_assert(Field<Left> && Field<ConstRight>);
static_assert(Field<Kokkos::View<double**, Kokkos::LayoutLeft, Host, Unmanaged>>);
static_assert(Field<Kokkos::View<double* [5], Kokkos::LayoutRight, Host>>);
static_assert(!Field<Kokkos::View<double*, Kokkos::LayoutLeft, Host>>);
static_assert(!Field<Kokkos::View<double***, Kokkos::LayoutLeft, Host>>);
static_assert(!Field<Kokkos::View<int**, Kokkos::LayoutLeft, Host>>);
static_assert(!Field<Kokkos::View<double**, Kokkos::LayoutStride, Host>>);
static_assert(!Field<double**>);

static_assert(WritableField<Left> && !WritableField<ConstRight>);

static_assert(FieldOf<Left, double, Host> && FieldOf<ConstRight, float, Host>);
static_assert(!FieldOf<Left, float, Host> && !FieldOf<Left, double, int>);

// What kernels are instantiated for: one type of View, whatever a user holds.
static_assert(std::is_same_v<decltype(Impl::as_field(Left())),
                             Lamina::FieldView<double, Kokkos::LayoutLeft, Host>>);
static_assert(std::is_same_v<decltype(Impl::as_const_field(Left())),
                             Lamina::FieldView<const double, Kokkos::LayoutLeft, Host>>);
static_assert(std::is_same_v<decltype(Impl::as_field(ConstRight())),
                             Lamina::FieldView<const float, Kokkos::LayoutRight, Host>>);

static_assert(Lamina::runs_on_host<Kokkos::DefaultHostExecutionSpace>);
static_assert(Impl::levels_contiguous<Kokkos::LayoutRight> &&
              !Impl::levels_contiguous<Kokkos::LayoutLeft>);

}  // namespace
