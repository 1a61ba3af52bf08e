// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/core/Require.hpp>
#include <lamina/grids/CubedSpherePanel.hpp>
#include <lamina/grids/LocalColumns.hpp>
#include <lamina/grids/VerticalGrid.hpp>
#include <lamina/problems/impl/RightHandSideKernels.hpp>

namespace Lamina {

/// Reproducible right-hand sides f of the model problem on a panel.
enum class RightHandSide {
  constant,  ///< f = 1: the solution is u = 1
  smooth,    ///< f = 1 + sin(pi X) cos(pi Y/2) cos(pi Z) + X Y/2 with X, Y in (-1, 1), Z in (0, 1)
  rough,     ///< value number num_levels * column + level of the generator splitmix64, scaled to
             ///< [-1, 1): a white spectrum
};

namespace Impl {

/// Tables of f, and of areas and volumes. Fences.
/// \param local  the columns of the field; null: those of the panel
template <MemorySpace Memory>
SourceTables<Memory> source_tables(RightHandSide rhs, const CubedSpherePanel& panel,
                                   const VerticalGrid& grid, const LocalColumns* local);

template <class Space, class Rhs>
void fill_rhs(const Space& space, RightHandSide rhs, const CubedSpherePanel& panel,
              const VerticalGrid& grid, const LocalColumns* local, const Rhs& b) {
  const int num_columns =
      local == nullptr ? panel.num_columns() : static_cast<int>(local->graph.areas.size());
  require_field("fill_rhs", "b", b, num_columns, grid.num_levels());
  const auto tables = source_tables<typename Rhs::memory_space>(rhs, panel, grid, local);
  RightHandSideKernels<Space, typename Rhs::value_type, typename Rhs::array_layout>::fill(
      space, tables, as_field(b));
  space.fence();  // before the tables are destroyed
}

}  // namespace Impl

/// b = |T_ij| V_k f_ijk, the integral of f over each cell of the panel: the right-hand side of the
/// discrete system. It does not depend on the layout. On devices smooth values may differ from
/// those of the host by rounding. Allocates tables with a value for each column, in the memory of b
/// and on the host, and fences all instances of all spaces.
/// \param b  (num_columns, num_levels), fields of `panel` with the levels of `grid`
/// \throws InvalidArgument for b of other extents
/// Source: Müller et al. (2013), section 2 (areas and volumes).
template <ExecutionSpace Space, WritableField Rhs>
requires WorksIn<Space, typename Rhs::memory_space>
void fill_rhs(const Space& space, RightHandSide rhs, const CubedSpherePanel& panel,
              const VerticalGrid& grid, const Rhs& b) {
  Impl::fill_rhs(space, rhs, panel, grid, nullptr, b);
}

/// The same on the columns that one rank has of the panel. Owned columns hold the bits that they hold
/// on one process, halo columns 0.
/// \param local  of `panel.local`
/// \param b      (columns of `local`, num_levels)
template <ExecutionSpace Space, WritableField Rhs>
requires WorksIn<Space, typename Rhs::memory_space>
void fill_rhs(const Space& space, RightHandSide rhs, const CubedSpherePanel& panel,
              const VerticalGrid& grid, const LocalColumns& local, const Rhs& b) {
  Impl::fill_rhs(space, rhs, panel, grid, &local, b);
}

}  // namespace Lamina
