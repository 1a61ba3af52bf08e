// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/blocks/BlockSparseMatrix.hpp>

#include <vector>

namespace Lamina {

/// A block system over any graph, with a known solution. It is the same on every machine up to the
/// last bits, in which sin, cos and contracted products differ. p and q are components, g is the id
/// of a row, d the number of rows that it is coupled with, nb the block size:
///
///   O_ij(p, q) = (float)(sin(0.1 ((7 g_i + 13 g_j) mod 101) + 0.7 p + 1.3 q) 0.8 / (d_i nb))
///   D_i(p, q)  = delta_pq (1 + 0.01 (3 g_i mod 17))
///                + 0.25/nb cos(0.3 (g_i mod 29) + 0.5 p + 0.9 q)
///   x_i(p)     = sin(0.05 (g_i mod 127) + 0.4 p) + 0.5
///
/// O is rounded to float whatever its storage, so that x solves A x = b with b = `apply(x)`. The
/// user may round it further, by `rounded_to_half`. The diagonal blocks dominate the matrix: on a
/// Freudenthal mesh a sweep reduces the residual by a factor of 13 to 20 for single rows, 25 to 45
/// for blocks of 5, and hundreds for blocks of 20.
template <MemorySpace Memory>
class ClosedFormSystem {
 public:
  /// Allocates, and fences all instances of all spaces.
  /// \param ids  of the rows, >= 0, such as lattice ids
  /// \throws InvalidArgument for ids that do not fit the graph, and a block size out of range.
  ClosedFormSystem(const BlockGraph& graph, const std::vector<int>& ids, int block_size);

  /// Allocates and fills the matrix. Fences `space`.
  template <FieldScalar OffDiagonal, ExecutionSpace Space>
  requires WorksIn<Space, Memory> BlockSparseMatrix<double, OffDiagonal, Memory> matrix(
      const Space& space)
  const;

  /// The solution x. Enqueued on `space`: no allocation, no fence.
  /// \param x  (rows, block_size)
  template <ExecutionSpace Space, BlockField<double, Memory> Solution>
  requires WorksIn<Space, Memory> && WritableField<Solution>
  void fill_solution(const Space& space, const Solution& x) const;

 private:
  int m_block_size;
  Kokkos::View<const std::int64_t*, Memory> m_offsets;
  Kokkos::View<const int*, Memory> m_columns, m_ids, m_row_of_block;
  // sin and cos of the formulas, by remainder, then as a column-major block
  Kokkos::View<const double*, Memory> m_off_diagonal_table, m_diagonal_table, m_solution_table;
};

}  // namespace Lamina

#include <lamina/problems/impl/ClosedFormSystem_Impl.hpp>
