// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/blocks/BlockSparseMatrix.hpp>
#include <lamina/blocks/LocalBlockRows.hpp>

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

/// The same of a matrix that is split over ranks, from the rows of this one. Collective; all ranks
/// get the same. The blocks at the cuts are sent to the ranks that have their counterparts.
/// \param local  the rows of this rank
/// \param order  of the rows of `matrix`
/// \throws InvalidArgument where `matrix` has other numbers of rows and halo columns. On several ranks
///   it is `RankFailure`, on all of them.
template <ExecutionSpace Space, class Matrix>
requires WorksIn<Space, typename Matrix::memory_space> &&
    FieldScalar<typename Matrix::off_diagonal_type>
double asymmetry(const Space& space, const Matrix& matrix, const Transport& transport,
                 const LocalBlockRows& local, VectorOrder order);

}  // namespace Lamina

#include <lamina/blocks/impl/Asymmetry_Impl.hpp>
