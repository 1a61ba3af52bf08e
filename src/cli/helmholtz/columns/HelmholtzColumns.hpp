// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/grids/LocalColumns.hpp>
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

/// The sizes of cells above bottoms, of columns in the order of the grid.
class CellSizes {
 public:
  /// The bottoms must live as long.
  CellSizes(const HelmholtzProblem& problem, const ColumnBottoms& bottoms);

  const VerticalGrid& grid() const { return m_grid; }
  double height(std::size_t column, int level) const;  ///< of a wet cell
  /// Above a unit area, of the upper part of a level.
  double volume_of(int level, double height) const;
  double volume(std::size_t column, int level) const;  ///< 0: dry

 private:
  VerticalGrid m_grid;
  const ColumnGraph& m_graph;
  const ColumnBottoms& m_bottoms;
};

/// The columns of an equation that is more than the model problem: bottoms, land, and coefficients that vary. A
/// process has the coefficients of its own columns: cells at column * num_levels + level, edges of them likewise.
///
///   row of a wet cell: mass u + sum of vertical (u - u above or below) + sum of horizontal (u - u of neighbours)
///
/// All is 0 in dry cells and at their faces.
struct HelmholtzColumns {
  int num_levels = 0;
  ColumnBottoms bottoms{};         ///< of all columns
  int rank = 0;                    ///< that has the following
  std::vector<double> volumes{};   ///< of cells; 0: dry
  std::vector<double> mass{};      ///< of cells
  std::vector<double> vertical{};  ///< between a cell and the one above it
  std::vector<double>
      horizontal{};  ///< of the edges of its columns, also with those of other ranks
  std::string bottom_name{}, coefficient_name{};  ///< as on the command line, without folders

  std::size_t file_fingerprint = 0;  ///< of all values of the file of coefficients

  std::int64_t num_wet_columns = 0, num_wet_cells = 0, num_partial_cells = 0;  // of all columns
  bool project = false;  ///< a right-hand side may have a part that no solution gives

  std::size_t cell(std::size_t own_column, int level) const {
    return own_column * static_cast<std::size_t>(num_levels) + static_cast<std::size_t>(level);
  }
  double num_edges() const {
    return static_cast<double>(horizontal.size()) / static_cast<double>(num_levels);
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

/// The wet levels of each column, which partitions have as weights.
std::vector<double> wet_levels(const ColumnBottoms& bottoms, int num_levels);

/// The couplings of a problem with bottoms and, where the name is not empty, the coefficients of a file, which is
/// read before Kokkos starts. Of several processes each reads it, and keeps what its columns have.
/// \throws InputError
HelmholtzColumns make_columns(const HelmholtzProblem& problem, ColumnBottoms bottoms,
                              const std::string& coefficients);

}  // namespace Lamina::Cli
