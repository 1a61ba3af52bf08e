// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/columns/ProfileCoefficients.hpp>
#include <lamina/grids/LocalColumns.hpp>
#include <lamina/grids/VerticalGrid.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "support/options/Choices.hpp"

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

/// The class of the library that holds the coefficients: `ProfileCoefficients`, `PartialCellCoefficients` or
/// `StoredCoefficients`. The first two read no value of a cell.
enum class ColumnsClass { profiles, partial_cells, stored };
inline const Choices<ColumnsClass> columns_classes{{"profiles", ColumnsClass::profiles},
                                                   {"partial-cells", ColumnsClass::partial_cells},
                                                   {"stored", ColumnsClass::stored}};

/// Values of cells at column * num_levels + level, edges of them likewise.
///
///   row of a wet cell: mass u + sum of vertical (u - u above or below) + sum of horizontal (u - u of neighbours)
///
/// All is 0 in dry cells and at their faces.
struct StoredTerms {
  std::vector<double> mass{};      ///< of cells
  std::vector<double> vertical{};  ///< between a cell and the one above it
  std::vector<double>
      horizontal{};  ///< of the edges of its columns, also with those of other ranks
};

/// What `ProfileCoefficients` are made of, and `PartialCellCoefficients`. Levels are from the top down where there
/// are bottoms, otherwise from the bottom up. Columns are those of a process, with its halo.
struct ProfileTerms {
  ColumnProfiles profiles{};
  std::vector<double> edge_factors{};  ///< of the couplings of its edges; empty: 1
  // With bottoms:
  std::vector<int> wet{};                    ///< levels of each column
  std::vector<double> heights{}, volumes{};  ///< open parts of the lowest wet cells
  std::vector<double> thicknesses{};         ///< of whole levels
};

/// The columns of an equation that is more than the model problem: bottoms, land, and coefficients that vary. A
/// process has the coefficients of its own columns.
struct HelmholtzColumns {
  int num_levels = 0;
  ColumnBottoms bottoms{};  ///< of all columns
  int rank = 0;             ///< that has the following
  ColumnsClass kind = ColumnsClass::stored;
  StoredTerms stored{};
  ProfileTerms profiled{};
  double num_edges = 0;       ///< of its columns, also with those of other ranks
  bool has_massless = false;  ///< whether some wet cell of its columns has no mass
  std::string bottom_name{}, coefficient_name{};  ///< as on the command line, without folders

  std::size_t file_fingerprint = 0;  ///< of what all processes read of the file of coefficients

  std::int64_t num_wet_columns = 0, num_wet_cells = 0, num_partial_cells = 0;  // of all columns
  bool project = false;  ///< a right-hand side may have a part that no solution gives

  bool is_wet(std::size_t column, int level) const { return level >= bottoms.first_wet[column]; }
};

/// Refuses what the memory of the host cannot hold, which all processes on it share: call it before the functions
/// below.
/// \param of_file  values that each process reads of the file of coefficients
/// \throws InputError
void require_columns_memory(const HelmholtzProblem& problem, ColumnsClass kind, double of_file = 0);

/// Columns that end at the lowest level.
ColumnBottoms whole_columns(std::size_t num_columns, const VerticalGrid& grid);

/// Reads `--bottom FILE[:VARIABLE]`, before Kokkos starts. \throws InputError
ColumnBottoms read_bottoms(const HelmholtzProblem& problem, const std::string& argument);

/// The wet levels of each column, which partitions have as weights.
std::vector<double> wet_levels(const ColumnBottoms& bottoms, int num_levels);

/// The couplings of a problem with bottoms and, where the name is not empty, the coefficients of a file, which is
/// read before Kokkos starts. Of several processes each reads what its columns have.
/// \throws InputError
HelmholtzColumns make_columns(const HelmholtzProblem& problem, ColumnBottoms bottoms,
                              const std::string& coefficients);

/// The volumes of the cells of a process, 0: dry, at column * num_levels + level.
/// \param local  null: all columns
std::vector<double> cell_volumes(const HelmholtzProblem& problem, const LocalColumns* local);

/// The columns of a process with couplings that have the factors of edges; edges of factor 0 are left out. None where
/// there are no factors, or stored coefficients have them.
/// \param local  null: all columns
std::optional<LocalColumns> scaled_columns(const HelmholtzProblem& problem,
                                           const LocalColumns* local);

/// Coefficients are those of the rank that the launcher told. \throws InputError where MPI tells another one
void require_rank_of(const HelmholtzColumns& columns, int rank);

}  // namespace Lamina::Cli
