// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// What src/ compiles of the cycles of columns: of values in their layout, on CPU cores also of the coefficients of
// `CompiledColumns.hpp`.

#include <lamina/columns/impl/CompiledColumns.hpp>
#include <lamina/multigrid/impl/ColumnCycle.hpp>

#include <type_traits>

namespace Lamina {

namespace Impl {

template <class Scalar, class Memory>
using CycleWorkspace = std::conditional_t<cycles_in_packs<Memory>, LineTables<Scalar, Memory>,
                                          LineWorkspace<Scalar, Memory>>;
/// Coarser levels, on a device also the finest one; fields of a cycle have their layout.
template <class Space, class Scalar>
using CycleStored = StoredCoefficients<Scalar, typename Space::memory_space, Kokkos::LayoutRight>;

}  // namespace Impl

// NOLINTBEGIN(bugprone-macro-parentheses): arguments are types and names
#define LAMINA_CYCLE_COLUMNS(prefix, Class, Space, Scalar)                        \
  prefix template void Impl::form_residual(                                       \
      const char*, const Space&, const ColumnSystem<Impl::Class<Space, Scalar>>&, \
      const Impl::CycleGuard<Space::memory_space>&,                               \
      const Impl::CycleWorkspace<Scalar, Space::memory_space>&,                   \
      const Impl::WetCells<Kokkos::LayoutRight, Space::memory_space>&,            \
      const FieldView<const Scalar, Kokkos::LayoutRight, Space::memory_space>&,   \
      const FieldView<const Scalar, Kokkos::LayoutRight, Space::memory_space>&,   \
      const FieldView<Scalar, Kokkos::LayoutRight, Space::memory_space>&);        \
  prefix template void Impl::smooth_columns(                                      \
      const char*, const Space&, const ColumnSystem<Impl::Class<Space, Scalar>>&, \
      const Impl::CycleGuard<Space::memory_space>&,                               \
      const Impl::ColumnStep<Scalar, Kokkos::LayoutRight, Space::memory_space>&,  \
      const Impl::CycleWorkspace<Scalar, Space::memory_space>&);
#define LAMINA_COLUMN_CYCLE(Space, prefix, Class)   \
  LAMINA_CYCLE_COLUMNS(prefix, Class, Space, float) \
  LAMINA_CYCLE_COLUMNS(prefix, Class, Space, double)
#define LAMINA_COLUMN_CYCLES(prefix)                                  \
  LAMINA_IF_SERIAL(LAMINA_COLUMN_CYCLE, prefix, CycleStored)          \
  LAMINA_IF_SERIAL(LAMINA_COLUMN_CYCLE, prefix, CompiledProfiles)     \
  LAMINA_IF_SERIAL(LAMINA_COLUMN_CYCLE, prefix, CompiledPartialCells) \
  LAMINA_IF_OPENMP(LAMINA_COLUMN_CYCLE, prefix, CycleStored)          \
  LAMINA_IF_OPENMP(LAMINA_COLUMN_CYCLE, prefix, CompiledProfiles)     \
  LAMINA_IF_OPENMP(LAMINA_COLUMN_CYCLE, prefix, CompiledPartialCells) \
  LAMINA_IF_DEVICE(LAMINA_COLUMN_CYCLE, prefix, CycleStored)
LAMINA_COLUMN_CYCLES(extern)

// What depends on no coefficients.
#define LAMINA_CYCLE_TRANSFER(prefix, Space, Scalar, function, Table)          \
  prefix template void Impl::function(                                         \
      const char*, const Space&, const Impl::CycleGuard<Space::memory_space>&, \
      const Impl::Table<Scalar, Space::memory_space>&,                         \
      const Impl::WetCells<Kokkos::LayoutRight, Space::memory_space>&,         \
      const FieldView<Scalar, Kokkos::LayoutRight, Space::memory_space>&,      \
      const FieldView<Scalar, Kokkos::LayoutRight, Space::memory_space>&);
#define LAMINA_CYCLE_ITEMS(prefix, Space, Scalar)                              \
  LAMINA_CYCLE_TRANSFER(prefix, Space, Scalar, restrict_wet, CycleRestriction) \
  LAMINA_CYCLE_TRANSFER(prefix, Space, Scalar, prolong_wet, CycleProlongation)
#define LAMINA_EXTERN_CYCLE_ITEMS(Space)   \
  LAMINA_CYCLE_ITEMS(extern, Space, float) \
  LAMINA_CYCLE_ITEMS(extern, Space, double)
LAMINA_FOR_EACH_SPACE(LAMINA_EXTERN_CYCLE_ITEMS)
#undef LAMINA_EXTERN_CYCLE_ITEMS

// On CPU cores.
#define LAMINA_CYCLE_ENERGY(Space, prefix, Scalar)                                               \
  prefix template void Impl::sum_energy(                                                         \
      const Space&, const Impl::CycleGuard<Space::memory_space>&, Impl::FieldRows<const Scalar>, \
      Impl::FieldRows<const Scalar>, double*);
#define LAMINA_CYCLE_ENERGIES(prefix)                   \
  LAMINA_IF_SERIAL(LAMINA_CYCLE_ENERGY, prefix, float)  \
  LAMINA_IF_SERIAL(LAMINA_CYCLE_ENERGY, prefix, double) \
  LAMINA_IF_OPENMP(LAMINA_CYCLE_ENERGY, prefix, float)  \
  LAMINA_IF_OPENMP(LAMINA_CYCLE_ENERGY, prefix, double)
LAMINA_CYCLE_ENERGIES(extern)

// Between fields of a device and those of its cycle.
#define LAMINA_PACK_TURN(prefix, Space, Scalar, Layout)                         \
  prefix template void Impl::turn_in(                                           \
      const char*, const Space&, const Impl::CycleGuard<Space::memory_space>&,  \
      const FieldView<const Scalar, Layout, Space::memory_space>&,              \
      const FieldView<Scalar, Kokkos::LayoutRight, Space::memory_space>&,       \
      const Kokkos::View<int*, Space::memory_space>&);                          \
  prefix template void Impl::turn_out(                                          \
      const char*, const Space&, const Impl::CycleGuard<Space::memory_space>&,  \
      const FieldView<const Scalar, Kokkos::LayoutRight, Space::memory_space>&, \
      const FieldView<Scalar, Layout, Space::memory_space>&,                    \
      const Kokkos::View<int*, Space::memory_space>&,                           \
      const Impl::TurnEnergy<Scalar, Space::memory_space>&);
#define LAMINA_PACK_TURNS(Space, prefix)                      \
  LAMINA_PACK_TURN(prefix, Space, float, Kokkos::LayoutLeft)  \
  LAMINA_PACK_TURN(prefix, Space, float, Kokkos::LayoutRight) \
  LAMINA_PACK_TURN(prefix, Space, double, Kokkos::LayoutLeft) \
  LAMINA_PACK_TURN(prefix, Space, double, Kokkos::LayoutRight)
LAMINA_IF_DEVICE(LAMINA_PACK_TURNS, extern)
// NOLINTEND(bugprone-macro-parentheses)

}  // namespace Lamina
