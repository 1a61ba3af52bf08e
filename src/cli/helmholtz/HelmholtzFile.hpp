// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/grids/CubedSpherePanel.hpp>
#include <lamina/grids/VerticalGrid.hpp>
#include <lamina/io/PanelFile.hpp>

#include <cmath>
#include <cstddef>
#include <limits>
#include <string>

#include "helmholtz/HelmholtzTask.hpp"
#include "support/options/InputError.hpp"

namespace Lamina::Cli {

/// Writes `solution` (cell averages) and `rhs` (cell integrals) to the output file of the task,
/// with problem, solver and result as attributes.
template <class Scalar>
void write_helmholtz_file(const HelmholtzTask& task, const HelmholtzResult& result,
                          const CubedSpherePanel& panel, const VerticalGrid& grid,
                          const PanelSlab<Scalar>& solution, const PanelSlab<Scalar>& rhs);

/// Opens and checks the file of the right-hand side, if there is one, without reading its values.
/// Before Kokkos starts: see `NetcdfReader`.
/// \throws InputError
void open_right_hand_side(HelmholtzProblem& problem);

/// The values of a block in slabs of one x. \throws InputError
void read_right_hand_side_slabs(const HelmholtzProblem& problem, const PanelBlock& block,
                                const PanelSlab<const double>& slab);

/// Reads the right-hand side of a block into a host field (column, level), whose columns begin with
/// those of the block by ascending i and j.
template <class HostField>
void read_right_hand_side(const HelmholtzProblem& problem, const PanelBlock& block,
                          const HostField& field) {
  using Scalar = typename HostField::value_type;
  std::size_t column = 0;
  read_right_hand_side_slabs(problem, block, [&](int, const double* values) {
    for (int j = 0; j < block.num_y; ++j, ++column) {
      for (std::size_t k = 0; k < field.extent(1); ++k) {
        const double value = *values++;
        if (std::abs(value) > std::numeric_limits<Scalar>::max()) {
          throw InputError("--rhs: " + problem.rhs +
                           ": expected values within the range of the "
                           "precision, got " +
                           std::to_string(value));
        }
        field(column, k) = static_cast<Scalar>(value);
      }
    }
  });
}

}  // namespace Lamina::Cli
