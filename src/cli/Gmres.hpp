// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/blocks/BsrMatrix.hpp>

#if defined(LAMINA_HAS_BSR_MATRIX)

#include <lamina/core/SolveReport.hpp>
#include <lamina/core/StoppingCriteria.hpp>

#include <KokkosSparse_Preconditioner.hpp>

namespace Lamina::Cli {

/// Right-preconditioned GMRES of Kokkos Kernels from x = 0, restarted. Norms and the history are
/// those of the recursive residual; the test is |b - A x| <= tolerance |b|, as recomputed when the
/// recursive one has passed it. Ends as `stagnated` where a whole cycle did not reduce the residual
/// by 1e-4 of it, or no direction is left. Runs on the default instance of `Space`, and fences it.
template <ExecutionSpace Space>
SolveReport solve_gmres(
    const BsrMatrix<double, Space>& matrix,
    KokkosSparse::Experimental::Preconditioner<BsrMatrix<double, Space>>& preconditioner,
    const Kokkos::View<double*, Kokkos::Device<Space, typename Space::memory_space>>& b,
    const Kokkos::View<double*, Kokkos::Device<Space, typename Space::memory_space>>& x,
    const StoppingCriteria& criteria);

}  // namespace Lamina::Cli

#endif
