// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/helmholtz/CsrHelmholtz.hpp>
#include <lamina/lines/LineSolver.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include "../support/PanelCase.hpp"

namespace Lamina::Perf {

/// Entries of the matrix of a panel with zero flux through its edge: 7 a row, less the neighbours
/// that are missing on the six faces.
inline double matrix_entries(const PanelSize& size) {
  const double x = size.num_x, y = size.num_y, z = size.num_levels;
  return 7 * x * y * z - 2 * (x * y + y * z + z * x);
}
/// cuSPARSE is fastest with 32-bit offsets, and its tridiagonal solvers take no others.
inline bool has_32_bit_indices(const PanelSize& size) {
  return matrix_entries(size) <= std::numeric_limits<int>::max();
}

/// The model problem as the libraries get it.
template <class Scalar>
struct VendorProblem {
  template <class T>
  using Array = Kokkos::View<T*, Kokkos::CudaSpace>;

  int num_rows() const { return num_columns * num_levels; }
  /// The extent along which neighbours in memory lie.
  int fastest_extent() const { return levels_contiguous ? num_levels : num_columns; }

  int num_columns = 0, num_levels = 0;
  bool levels_contiguous = false;
  Array<int> offsets, columns;           ///< CSR, the entries of a row in the order of columns
  Array<Scalar> values;                  ///< CSR
  Array<Scalar> lower, diagonal, upper;  ///< of the blocks of the columns
  Array<Scalar> rhs;                     ///< the smooth one
  Array<Scalar> preconditioned;          ///< the rhs after Lamina's `LineSolver`, to compare with
};

/// Copies a matrix to one with 32-bit offsets, and sorts the (at most 7) entries of each row.
template <class Matrix, class Problem>
struct CopySortedRows {
  using Offset = typename Matrix::size_type;

  KOKKOS_FUNCTION void operator()(int row) const {
    const Offset begin = from.graph.row_map(row), end = from.graph.row_map(row + 1);
    offsets(row + 1) = static_cast<int>(end);
    for (Offset entry = begin; entry < end; ++entry) {
      const int column = from.graph.entries(entry);
      Offset place = entry;
      for (; place > begin && columns(place - 1) > column; --place) {
        columns(place) = columns(place - 1);
        values(place) = values(place - 1);
      }
      columns(place) = column;
      values(place) = from.values(entry);
    }
  }

  Matrix from;
  decltype(Problem::offsets) offsets;
  decltype(Problem::columns) columns;
  decltype(Problem::values) values;
};

template <class Scalar, class Matrix>
void copy_matrix(const Kokkos::Cuda& space, const Matrix& matrix, VendorProblem<Scalar>& problem) {
  const auto num_entries = static_cast<std::size_t>(matrix.nnz());
  using Indices = decltype(problem.offsets);
  problem.offsets =
      Indices("Lamina::Perf::offsets", static_cast<std::size_t>(matrix.numRows()) + 1);
  problem.columns = Indices("Lamina::Perf::columns", num_entries);
  problem.values = decltype(problem.values)("Lamina::Perf::values", num_entries);
  using Copy = CopySortedRows<Matrix, VendorProblem<Scalar>>;
  Kokkos::parallel_for("Lamina::Perf::copy_sorted_rows",
                       Kokkos::RangePolicy<Kokkos::Cuda>(space, 0, matrix.numRows()),
                       Copy{matrix, problem.offsets, problem.columns, problem.values});
}

/// A contiguous field as an array of its own, moved on by `shift` entries; zeros before.
template <class Field>
auto copy_of(const Kokkos::Cuda& space, const std::string& label, const Field& field,
             std::size_t shift = 0) {
  using Scalar = typename Field::non_const_value_type;
  const std::size_t size = field.extent(0) * field.extent(1);
  const Kokkos::View<Scalar*, Kokkos::CudaSpace> copy(label, size);
  const Kokkos::View<const Scalar*, Kokkos::CudaSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>
      source(field.data(), size - shift);
  Kokkos::deep_copy(space, Kokkos::subview(copy, std::pair(shift, size)), source);
  return copy;
}

template <class Case>
VendorProblem<typename Case::Scalar> make_vendor_problem(const Case& c) {
  using Scalar = typename Case::Scalar;
  using Matrix = CsrHelmholtz<Scalar, typename Case::Layout, Kokkos::Cuda>;
  const Matrix matrix(c.space, c.mesh, c.grid, c.parameters);
  const LineSolver<typename Matrix::tridiagonal_type> lines(c.space, matrix.tridiagonal());
  const auto rhs = c.right_hand_side();
  const auto preconditioned = c.make_field("Lamina::Perf::preconditioned");
  lines.solve(c.space, rhs, preconditioned);

  VendorProblem<Scalar> problem;
  problem.num_columns = matrix.num_columns();
  problem.num_levels = matrix.num_levels();
  problem.levels_contiguous = std::is_same_v<typename Case::Layout, Kokkos::LayoutRight>;
  copy_matrix(c.space, matrix.matrix(), problem);
  // Coupling to the level above. That of the last level is 0, so that the couplings to the levels
  // below are the same array, one level further on.
  const auto& coupling = matrix.tridiagonal().off_diagonal;
  const int next_level = problem.levels_contiguous ? 1 : problem.num_columns;
  problem.diagonal = copy_of(c.space, "Lamina::Perf::diagonal", matrix.tridiagonal().diagonal);
  problem.upper = copy_of(c.space, "Lamina::Perf::upper", coupling);
  problem.lower =
      copy_of(c.space, "Lamina::Perf::lower", coupling, static_cast<std::size_t>(next_level));
  problem.rhs = copy_of(c.space, "Lamina::Perf::rhs", rhs);
  problem.preconditioned = copy_of(c.space, "Lamina::Perf::preconditioned", preconditioned);
  c.space.fence();  // the sources end here, and other streams go on
  return problem;
}

}  // namespace Lamina::Perf
