// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// The GMRES of Kokkos Kernels, where that has one.

#include <lamina/blocks/BsrMatrix.hpp>

#if defined(LAMINA_HAS_BSR_MATRIX)

#include <KokkosKernels_Handle.hpp>
#include <KokkosSparse_gmres.hpp>

#include <blocks/KernelsVector.hpp>

#include <cstddef>

namespace LaminaTest {

struct KernelsSolve {
  int iterations;
  double relative_residual;
  Values x;
};

/// A x = rhs from zero. No preconditioner: a null pointer.
template <class BsrMatrix>
KernelsSolve kernels_gmres(BsrMatrix a, const Values& rhs, int restart, double tolerance,
                           KokkosSparse::Experimental::Preconditioner<BsrMatrix>* preconditioner) {
  KokkosKernels::Experimental::KokkosKernelsHandle<std::size_t, int, double, TEST_SPACE, Memory,
                                                   Memory>
      handle;
  handle.create_gmres_handle(restart, tolerance, 3);
  KernelsVector b = kernels_vector(rhs), x("LaminaTest::x", rhs.size());
  KokkosSparse::Experimental::gmres(&handle, a, b, x, preconditioner);
  const auto* solved = handle.get_gmres_handle();
  const KernelsSolve result{solved->get_num_iters(), solved->get_end_rel_res(), values_of(x)};
  handle.destroy_gmres_handle();
  return result;
}

}  // namespace LaminaTest

#endif
