// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Matrices for the solvers of Kokkos Kernels. This header is empty where Kokkos Kernels has no
// block matrices, which LAMINA_HAS_BSR_MATRIX tells.

#include <lamina/core/KernelsVersion.hpp>

#if defined(LAMINA_HAS_BSR_MATRIX)

#include <lamina/blocks/BlockSparseMatrix.hpp>

#include <KokkosSparse_BsrMatrix.hpp>

#include <cstddef>

namespace Lamina {

/// A block matrix of Kokkos Kernels for `Space`. Blocks are row-major, and diagonal blocks are
/// among the others.
template <class Value, ExecutionSpace Space>
using BsrMatrix = KokkosSparse::Experimental::BsrMatrix<
    Value, int, Kokkos::Device<Space, typename Space::memory_space>, void, std::size_t>;

/// A copy of D + O in the scalar type `Value`. The columns of a row ascend where those of O ascend.
/// Allocates, and fences `space`.
template <class Value, ExecutionSpace Space, class Matrix>
requires WorksIn<Space, typename Matrix::memory_space> &&
    FieldScalar<typename Matrix::off_diagonal_type>
        BsrMatrix<Value, Space> bsr_matrix(const Space& space, const Matrix& matrix);

}  // namespace Lamina

#include <lamina/blocks/impl/BsrMatrix_Impl.hpp>

#endif
