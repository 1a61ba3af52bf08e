// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// LAMINA_FOR_EACH_SPACE and its kin without Kokkos::Serial where OpenMP is enabled, which does with
// one thread what Serial does. Benchmarks would take twice the time to compile.

#include <lamina/device/impl/Instantiate.hpp>

#if defined(KOKKOS_ENABLE_OPENMP)
#undef LAMINA_IF_SERIAL
#define LAMINA_IF_SERIAL(macro, ...)
#endif
