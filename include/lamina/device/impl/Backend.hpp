// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// The one file that asks which pass of a compiler this is. Files named for a backend (_Cuda) may ask
// too; all others ask for LAMINA_DEVICE_PASS, if at all.

#include <Kokkos_Macros.hpp>

/// 1 where a compiler translates for a device: no vector types and no intrinsics of a CPU, and
/// functions of the host are declared only.
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define LAMINA_DEVICE_PASS 1
#else
#define LAMINA_DEVICE_PASS 0
#endif

/// The same of CUDA alone, whose instructions a function may then use, and for which architecture.
#if defined(__CUDA_ARCH__)
#define LAMINA_CUDA_PASS 1
#define LAMINA_CUDA_ARCH __CUDA_ARCH__
#else
#define LAMINA_CUDA_PASS 0
#define LAMINA_CUDA_ARCH 0
#endif

/// `#pragma unroll` in front of a loop of a device, all of it without a number; compilers of the host
/// decide for themselves.
#if LAMINA_DEVICE_PASS
#define LAMINA_PRAGMA(text)       _Pragma(#text)
#define LAMINA_DEVICE_UNROLL(...) LAMINA_PRAGMA(unroll __VA_OPT__((__VA_ARGS__)))
#else
#define LAMINA_DEVICE_UNROLL(...)
#endif
