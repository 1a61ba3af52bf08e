// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/blocks/BlockSparseMatrix.hpp>

namespace Lamina {

/// The largest |A - A^T| over the largest |A|, by entries: 0 for a symmetric matrix, and for A = 0.
/// Not finite where an entry is not. Conjugate gradients converge, to the wrong solution or not at
/// all, where this is more than rounding; they find a matrix that is not positive definite
/// themselves.
///
/// Reads the matrix twice, without care for speed. Fences `space`.
template <ExecutionSpace Space, class Matrix>
requires WorksIn<Space, typename Matrix::memory_space> &&
    FieldScalar<typename Matrix::off_diagonal_type>
double asymmetry(const Space& space, const Matrix& matrix);

}  // namespace Lamina

#include <lamina/blocks/impl/Asymmetry_Impl.hpp>
