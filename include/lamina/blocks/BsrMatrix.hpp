// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// The way to the solvers of Kokkos Kernels. This header is empty where it has no block matrices:
// LAMINA_HAS_BSR_MATRIX says so.

#include <lamina/core/KernelsVersion.hpp>

#if defined(LAMINA_HAS_BSR_MATRIX)

#include <lamina/blocks/BlockSparseMatrix.hpp>

#include <KokkosSparse_BsrMatrix.hpp>

#include <cstddef>

namespace Lamina {

/// A block matrix of Kokkos Kernels that it works with on `Space`: blocks are row-major, and the
/// diagonal ones are among the others.
template <class Value, ExecutionSpace Space>
using BsrMatrix = KokkosSparse::Experimental::BsrMatrix<
    Value, int, Kokkos::Device<Space, typename Space::memory_space>, void, std::size_t>;

/// A copy of D + O in the scalar type `Value`. The columns of a row ascend where those of O do.
/// Allocates, and fences `space`.
template <class Value, ExecutionSpace Space, class Matrix>
requires WorksIn<Space, typename Matrix::memory_space> &&
    FieldScalar<typename Matrix::off_diagonal_type>
        BsrMatrix<Value, Space> bsr_matrix(const Space& space, const Matrix& matrix);

}  // namespace Lamina

#include <lamina/blocks/impl/BsrMatrix_Impl.hpp>

#endif
