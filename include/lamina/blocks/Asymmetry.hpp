// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/blocks/BlockSparseMatrix.hpp>

namespace Lamina {

/// The largest entry of |A - A^T| over the largest entry of |A|. It is 0 for a symmetric matrix and
/// for A = 0, and not finite where an entry is not.
///
/// Where it is more than rounding, conjugate gradients converge to a wrong solution, or not at all.
/// They find by themselves that a matrix is not positive definite.
///
/// Reads the matrix twice. It is not tuned for speed. Fences `space`.
template <ExecutionSpace Space, class Matrix>
requires WorksIn<Space, typename Matrix::memory_space> &&
    FieldScalar<typename Matrix::off_diagonal_type>
double asymmetry(const Space& space, const Matrix& matrix);

}  // namespace Lamina

#include <lamina/blocks/impl/Asymmetry_Impl.hpp>
