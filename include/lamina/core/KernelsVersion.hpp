// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <KokkosKernels_config.h>

#if defined(KOKKOSKERNELS_VERSION) && KOKKOSKERNELS_VERSION >= 40000
/// Defined where Kokkos Kernels has block matrices and GMRES: from version 4.0 on.
#define LAMINA_HAS_BSR_MATRIX
#endif
