// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// New values for a plan.

#include <lamina/blocks/PointImplicitSolver.hpp>
#include <lamina/blocks/impl/BlockKernels.hpp>
#include <lamina/core/ProfilingRegion.hpp>
#include <lamina/core/Require.hpp>

namespace Lamina {

template <class Matrix>
template <ExecutionSpace Space>
requires WorksIn<Space, typename Matrix::memory_space>
void PointImplicitSolver<Matrix>::update(const Space& space, const Matrix& matrix) {
  const Impl::ProfilingRegion region("Lamina::PointImplicitSolver::update");
  constexpr const char* name = "PointImplicitSolver::update";
  Impl::BlockUpdate values = Impl::in_place(m_matrix.block_rows());
  if (m_copied && m_slices.exist()) {  // the kernels below copy, too
    values = m_matrix.update_from(name, space, matrix);
  } else {
    Impl::update_coloured(name, space, m_matrix, m_copied, matrix);
  }
  prepare_diagonal(space, {values.from.diagonal, values.from.rows, values.to.diagonal});
  if constexpr (!runs_on_host<Space>) {
    if (m_slices.exist()) {
      m_slices.fill(space, m_matrix.block_rows(), values, m_factors.data());
    }
  }
  m_pivot_status.publish(space);
}

template <class Matrix>
template <class Space>
void PointImplicitSolver<Matrix>::prepare_diagonal(
    const Space& space, const Impl::DiagonalBlocks<scalar_type>& diagonal) {
  const Impl::PreparedBlocks<scalar_type> blocks{m_inverse,        m_matrix.block_size(),
                                                 m_num_slots,      m_factors.data(),
                                                 m_scratch.data(), m_pivots.data()};
  Impl::FactorKernels<Space, scalar_type>::prepare(space, m_matrix.num_rows(), diagonal, blocks,
                                                   m_pivot_status.restart(space));
}

template <class Matrix>
KernelCost PointImplicitSolver<Matrix>::update_cost() const {
  const double rows = m_matrix.num_rows(), blocks = static_cast<double>(m_matrix.num_blocks()),
               size = m_matrix.block_size(), block = size * size * double{sizeof(scalar_type)},
               prepared = m_inverse == BlockInverse::inverse ? 8.0 / 3 : 2.0 / 3;
  double bytes = 2 * rows * block;  // diagonal blocks, and their factors or inverses
  if (m_copied) bytes += m_matrix.off_diagonal_bytes() + 4 * blocks + rows * (block + 20);
  if (m_slices.exist()) bytes += m_matrix.off_diagonal_bytes() + 8 * blocks + 2 * rows * block;
  if (m_copied || m_slices.exist()) bytes += m_matrix.off_diagonal_bytes();
  if (m_copied && !m_slices.exist()) bytes += rows * block;
  return {"Lamina::PointImplicitSolver::update", bytes, prepared * rows * size * size * size};
}

}  // namespace Lamina
