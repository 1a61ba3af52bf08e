// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/grids/LocalColumns.hpp>
#include <lamina/grids/VerticalGrid.hpp>
#include <lamina/io/ColumnField.hpp>
#include <lamina/io/PanelFile.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "helmholtz/HelmholtzSource.hpp"
#include "helmholtz/HelmholtzTask.hpp"
#include "support/options/InputError.hpp"
#include "support/ranks/Ranks.hpp"

namespace Lamina::Cli {

/// Writes `solution` (cell averages) and `rhs` (cell integrals) to the output file of the task,
/// with problem, solver and result as attributes: NetCDF, or VTK without attributes. On a panel.
template <class Scalar>
void write_helmholtz_file(const HelmholtzTask& task, const HelmholtzResult& result,
                          const VerticalGrid& grid, const PanelSlab<Scalar>& solution,
                          const PanelSlab<Scalar>& rhs);

/// The same on another grid, of columns in the order of its file or generator.
template <class Scalar>
void write_helmholtz_columns(const HelmholtzTask& task, const HelmholtzResult& result,
                             const ColumnValues<Scalar>& solution, const ColumnValues<Scalar>& rhs);

/// The column of a field for each number of the grid's file or generator, -1 for those that it does not
/// have as own ones.
/// \param local  the columns of a rank; null: the field has all of the grid
std::vector<int> places_of(const HelmholtzGrid& grid, const LocalColumns* local = nullptr);

/// The same of host fields (column, level), whose columns are in the order of the grid.
template <class Scalar, class HostField>
void write_helmholtz_file(const HelmholtzTask& task, const HelmholtzResult& result,
                          const HostField& solution, const HostField& rhs) {
  const std::vector<int> places = places_of(*task.problem.grid);
  const auto place = [&](int number) { return places[static_cast<std::size_t>(number)]; };
  write_helmholtz_columns<Scalar>(task, result, column_values(solution, place),
                                  column_values(rhs, place));
}

/// Opens and checks the file of the right-hand side, if there is one, without reading its values.
/// Before Kokkos starts: see `NetcdfReader`.
/// \throws InputError
void open_right_hand_side(HelmholtzProblem& problem);

/// Brings values of the file to the precision of a field.
template <class Scalar>
class RhsRounding {
 public:
  explicit RhsRounding(const HelmholtzProblem& problem) : m_problem(problem) {}

  /// \throws InputError where the value is too large
  Scalar operator()(double value) {
    const double size = std::abs(value);
    if (size > std::numeric_limits<Scalar>::max()) {
      throw InputError(
          fmt::format("--rhs: {}: expected values within the range of the precision, got {}",
                      m_problem.rhs, value));
    }
    m_largest = std::max(m_largest, size);
    return static_cast<Scalar>(value);
  }
  /// The largest magnitude, before it was rounded.
  double largest() const { return m_largest; }

 private:
  const HelmholtzProblem& m_problem;
  double m_largest = 0;
};

/// Refuses values that are so small that even the largest one loses digits in single precision.
/// Collective.
/// \param largest  magnitude of this rank's values in the file
/// \throws InputError
template <class Scalar>
void require_normal_rhs(const Ranks* ranks, const HelmholtzProblem& problem, double largest) {
  if constexpr (std::is_same_v<Scalar, double>) return;
  const double of_all = largest_of_all(ranks, largest);
  constexpr double least = std::numeric_limits<Scalar>::min();
  if (of_all == 0 || of_all >= least) return;
  run_agreed(ranks, [&] {
    throw InputError(fmt::format(
        "--rhs: {}: expected a largest value of at least {:.1e} in single precision, got {}",
        problem.rhs, least, of_all));
  });
}

/// The values of a block in slabs of one x. \throws InputError
void read_right_hand_side_slabs(const HelmholtzProblem& problem, const PanelBlock& block,
                                const PanelSlab<const double>& slab);

/// Reads the right-hand side of a block into a host field (column, level), whose columns begin with
/// those of the block by ascending i and j.
/// \return the largest magnitude that was read
template <class HostField>
double read_right_hand_side(const HelmholtzProblem& problem, const PanelBlock& block,
                            const HostField& field) {
  RhsRounding<typename HostField::value_type> rounded(problem);
  std::size_t column = 0;
  read_right_hand_side_slabs(problem, block, [&](int, const double* values) {
    for (int j = 0; j < block.num_y; ++j, ++column) {
      for (std::size_t k = 0; k < field.extent(1); ++k) {
        field(column, k) = rounded(*values++);
      }
    }
  });
  return rounded.largest();
}

/// The values of all columns of a grid other than a panel, by their number in its file or of its
/// generator. \throws InputError
void read_right_hand_side_columns(const HelmholtzProblem& problem,
                                  const ColumnValues<const double>& take);

/// Reads the right-hand side on such a grid into the own columns of a host field (column, level).
/// \param local  as of `places_of`
/// \return the largest magnitude that was read
template <class HostField>
double read_right_hand_side(const HelmholtzProblem& problem, const HostField& field,
                            const LocalColumns* local = nullptr) {
  RhsRounding<typename HostField::value_type> rounded(problem);
  const std::vector<int> places = places_of(*problem.grid, local);
  read_right_hand_side_columns(problem, [&](int number, const double* values) {
    const int column = places[static_cast<std::size_t>(number)];
    if (column < 0) return;
    for (std::size_t k = 0; k < field.extent(1); ++k) {
      field(static_cast<std::size_t>(column), k) = rounded(values[k]);
    }
  });
  return rounded.largest();
}

/// Fills the own columns of a host field (column, level) of such a grid with the generated right-hand
/// side.
template <class HostField>
void generate_right_hand_side(const HelmholtzProblem& problem, const HostField& field,
                              const LocalColumns* local = nullptr) {
  const HelmholtzSource source(problem);
  const auto num_columns =
      local == nullptr ? field.extent(0) : static_cast<std::size_t>(local->halo.num_owned);
  for (std::size_t n = 0; n < num_columns; ++n) {
    const auto column =
        static_cast<int>(local == nullptr ? static_cast<std::int64_t>(n) : local->columns[n]);
    for (int k = 0; k < problem.num_levels; ++k) {
      field(n, k) = static_cast<typename HostField::value_type>(source.integral(column, k));
    }
  }
}

}  // namespace Lamina::Cli
