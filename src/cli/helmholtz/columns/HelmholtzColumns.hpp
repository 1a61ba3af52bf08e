// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/grids/VerticalGrid.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace Lamina::Cli {

struct HelmholtzProblem;

/// Where columns end, in the order of the grid.
struct ColumnBottoms {
  std::vector<int> first_wet;  ///< the lowest wet level of each column; the number of levels: land
  std::vector<double> height;  ///< open height of that cell
};

/// The columns of an equation that is more than the model problem: bottoms, land, and coefficients that vary. Cells
/// are at column * num_levels + level, edges likewise.
///
///   row of a wet cell: mass u + sum of vertical (u - u above or below) + sum of horizontal (u - u of neighbours)
///
/// All is 0 in dry cells and at their faces.
struct HelmholtzColumns {
  int num_levels = 0;
  ColumnBottoms bottoms{};
  std::vector<double> volumes{};                  ///< of cells; 0: dry
  std::vector<double> mass{};                     ///< of cells
  std::vector<double> vertical{};                 ///< between a cell and the one above it
  std::vector<double> horizontal{};               ///< of the edges of the grid
  std::string bottom_name{}, coefficient_name{};  ///< as on the command line, without folders

  std::int64_t num_wet_columns = 0, num_wet_cells = 0, num_partial_cells = 0;
  bool project = false;  ///< a right-hand side may have a part that no solution gives

  std::size_t cell(std::size_t column, int level) const {
    return column * static_cast<std::size_t>(num_levels) + static_cast<std::size_t>(level);
  }
  bool is_wet(std::size_t column, int level) const { return level >= bottoms.first_wet[column]; }
};

/// Refuses what the memory of the host cannot hold: call it before the functions below.
/// \param of_file  values of the file of coefficients
/// \throws InputError
void require_columns_memory(const HelmholtzProblem& problem, double of_file = 0);

/// Columns that end at the lowest level.
ColumnBottoms whole_columns(std::size_t num_columns, const VerticalGrid& grid);

/// Reads `--bottom FILE[:VARIABLE]`, before Kokkos starts. \throws InputError
ColumnBottoms read_bottoms(const HelmholtzProblem& problem, const std::string& argument);

/// The couplings of a problem with bottoms and, where the name is not empty, the coefficients of a file, which is
/// read before Kokkos starts. \throws InputError
HelmholtzColumns make_columns(const HelmholtzProblem& problem, ColumnBottoms bottoms,
                              const std::string& coefficients);

}  // namespace Lamina::Cli
