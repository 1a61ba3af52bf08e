// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Contracts of macros: this source compiles, or fails with the line of what does not hold.

#include <lamina/core/KernelsVersion.hpp>

#include <Kokkos_Core.hpp>

// Releases of Kokkos Kernels bear the version of the Kokkos that they need.
#if defined(LAMINA_HAS_BSR_MATRIX)
static_assert(KOKKOS_VERSION >= 40000, "block matrices of a Kokkos Kernels that has none");
#if !__has_include(<KokkosSparse_BsrMatrix.hpp>) || !__has_include(<KokkosSparse_gmres.hpp>)
#error "LAMINA_HAS_BSR_MATRIX promises block matrices and GMRES"
#endif
#else
static_assert(KOKKOS_VERSION < 40000, "a Kokkos Kernels whose block matrices are not seen");
#endif
