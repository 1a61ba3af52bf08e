// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// What src/ compiles of the kernels of columns, which any coefficients can have: for `StoredCoefficients` in the
// layout of the faster sweeps, and for `ProfileCoefficients` with no bottoms and with partial cells. Fused sweeps
// are on fields of that layout, where `FusedPcg` brings them.

#include <lamina/columns/ProfileCoefficients.hpp>
#include <lamina/columns/StoredCoefficients.hpp>
#include <lamina/columns/impl/ColumnKernels.hpp>
#include <lamina/device/impl/Instantiate.hpp>
#include <lamina/sweeps/impl/MixedSweeps.hpp>

namespace Lamina {

namespace Impl {

template <class Space, class Scalar>
using CompiledStored = StoredCoefficients<Scalar, typename Space::memory_space, SweepLayout<Space>>;
template <class Space, class Scalar>
using CompiledProfiles = ProfileCoefficients<Scalar, typename Space::memory_space>;
template <class Space, class Scalar>
using CompiledPartialCells = PartialCellCoefficients<Scalar, typename Space::memory_space>;

}  // namespace Impl

// `prefix` is extern, or nothing: then they are instantiated. Class is one of the above.
// NOLINTBEGIN(bugprone-macro-parentheses): arguments are types and names
#define LAMINA_SWEEP_COLUMNS(prefix, Class, Space, Scalar, ...)                   \
  prefix template void run_sweep(const char*, const Space&,                       \
                                 const ColumnSystem<Impl::Class<Space, Scalar>>&, \
                                 const __VA_ARGS__&, const SweepScratch<Space::memory_space>&);
#define LAMINA_SOLVE_COLUMNS(prefix, Class, Space, Scalar, Layout)                \
  prefix template void Impl::solve_column_lines(                                  \
      const char*, const Space&, const ColumnSystem<Impl::Class<Space, Scalar>>&, \
      const FieldView<const Scalar, Layout, Space::memory_space>&,                \
      const FieldView<Scalar, Layout, Space::memory_space>&,                      \
      const Impl::LineWorkspace<Scalar, Space::memory_space>&);

#define LAMINA_OPERATE_ON_COLUMNS(prefix, Class, Space, Scalar, Layout) \
  LAMINA_SWEEP_COLUMNS(prefix, Class, Space, Scalar,                    \
                       ApplySweep<Scalar, Layout, Space::memory_space>) \
  LAMINA_SOLVE_COLUMNS(prefix, Class, Space, Scalar, Layout)
#define LAMINA_FUSE_COLUMNS(prefix, Class, Space, Scalar)                                    \
  LAMINA_OPERATE_ON_COLUMNS(prefix, Class, Space, Scalar, Kokkos::LayoutLeft)                \
  LAMINA_OPERATE_ON_COLUMNS(prefix, Class, Space, Scalar, Kokkos::LayoutRight)               \
  LAMINA_SWEEP_COLUMNS(prefix, Class, Space, Scalar,                                         \
                       ResidualSweep<Scalar, SweepLayout<Space>, Space::memory_space>)       \
  LAMINA_SWEEP_COLUMNS(prefix, Class, Space, Scalar,                                         \
                       MeasureSweep<Scalar, SweepLayout<Space>, Space::memory_space>)        \
  LAMINA_SWEEP_COLUMNS(prefix, Class, Space, Scalar,                                         \
                       AdvanceSweep<Scalar, SweepLayout<Space>, Space::memory_space, false>) \
  LAMINA_SWEEP_COLUMNS(prefix, Class, Space, Scalar,                                         \
                       AdvanceSweep<Scalar, SweepLayout<Space>, Space::memory_space, true>)  \
  prefix template void Impl::solve_fused_lines(                                              \
      const char*, const Space&, const ColumnSystem<Impl::Class<Space, Scalar>>&,            \
      const FusedStep<Space::memory_space>&, const Impl::TeamParts<Space::memory_space>&,    \
      const FieldView<const Scalar, SweepLayout<Space>, Space::memory_space>&,               \
      const FieldView<Scalar, SweepLayout<Space>, Space::memory_space>&,                     \
      const Impl::LineWorkspace<Scalar, Space::memory_space>&);
#define LAMINA_COLUMNS(Space, prefix, Class)                                                 \
  LAMINA_FUSE_COLUMNS(prefix, Class, Space, float)                                           \
  LAMINA_FUSE_COLUMNS(prefix, Class, Space, double)                                          \
  LAMINA_SWEEP_COLUMNS(prefix, Class, Space, float,                                          \
                       Impl::AdvanceAndUpdateSweep<SweepLayout<Space>, Space::memory_space>) \
  LAMINA_SWEEP_COLUMNS(prefix, Class, Space, double,                                         \
                       Impl::RoundedResidualSweep<SweepLayout<Space>, Space::memory_space>)
// NOLINTEND(bugprone-macro-parentheses)
/// All kernels of a class on each enabled space.
#define LAMINA_FOR_EACH_SPACE_OF_COLUMNS(macro, prefix, Class) \
  LAMINA_IF_SERIAL(macro, prefix, Class)                       \
  LAMINA_IF_OPENMP(macro, prefix, Class)                       \
  LAMINA_IF_DEVICE(macro, prefix, Class)

LAMINA_FOR_EACH_SPACE_OF_COLUMNS(LAMINA_COLUMNS, extern, CompiledStored)
LAMINA_FOR_EACH_SPACE_OF_COLUMNS(LAMINA_COLUMNS, extern, CompiledProfiles)
LAMINA_FOR_EACH_SPACE_OF_COLUMNS(LAMINA_COLUMNS, extern, CompiledPartialCells)

}  // namespace Lamina
