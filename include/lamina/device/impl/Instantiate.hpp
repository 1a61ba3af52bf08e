// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// The list of instantiations that src/ compiles: float and double, both layouts, every enabled
// execution space. Kernels for other host spaces are compiled from the headers.

#include <lamina/device/impl/Backend.hpp>

#include <Kokkos_Core.hpp>

#if defined(KOKKOS_ENABLE_SERIAL)
#define LAMINA_IF_SERIAL(macro, ...) macro(Kokkos::Serial __VA_OPT__(, ) __VA_ARGS__)
#else
#define LAMINA_IF_SERIAL(macro, ...)
#endif
#if defined(KOKKOS_ENABLE_OPENMP)
#define LAMINA_IF_OPENMP(macro, ...) macro(Kokkos::OpenMP __VA_OPT__(, ) __VA_ARGS__)
#else
#define LAMINA_IF_OPENMP(macro, ...)
#endif
#if defined(LAMINA_DEVICE_SPACE)
#define LAMINA_IF_DEVICE(macro, ...) macro(LAMINA_DEVICE_SPACE __VA_OPT__(, ) __VA_ARGS__)
#else
#define LAMINA_IF_DEVICE(macro, ...)
#endif

/// An explicit instantiation of a function; with the prefix `extern` its declaration.
#define LAMINA_FUNCTION(prefix, ...) prefix template __VA_ARGS__;

/// `macro(Space)` for each enabled execution space.
#define LAMINA_FOR_EACH_SPACE(macro) \
  LAMINA_IF_SERIAL(macro)            \
  LAMINA_IF_OPENMP(macro)            \
  LAMINA_IF_DEVICE(macro)

/// `macro(Space, Scalar, Layout)` for each combination on one space.
#define LAMINA_FOR_EACH_FIELD_ON(Space, macro)                                     \
  macro(Space, float, Kokkos::LayoutLeft) macro(Space, float, Kokkos::LayoutRight) \
      macro(Space, double, Kokkos::LayoutLeft) macro(Space, double, Kokkos::LayoutRight)

/// `macro(Space, Scalar, Layout)` for each combination on each enabled space.
#define LAMINA_FOR_EACH_FIELD(macro)                \
  LAMINA_IF_SERIAL(LAMINA_FOR_EACH_FIELD_ON, macro) \
  LAMINA_IF_OPENMP(LAMINA_FOR_EACH_FIELD_ON, macro) \
  LAMINA_IF_DEVICE(LAMINA_FOR_EACH_FIELD_ON, macro)

/// `macro(Space, Layout)` for each enabled space and each layout.
#define LAMINA_FOR_EACH_LAYOUT_ON(Space, macro) \
  macro(Space, Kokkos::LayoutLeft) macro(Space, Kokkos::LayoutRight)
#define LAMINA_FOR_EACH_LAYOUT(macro)                \
  LAMINA_IF_SERIAL(LAMINA_FOR_EACH_LAYOUT_ON, macro) \
  LAMINA_IF_OPENMP(LAMINA_FOR_EACH_LAYOUT_ON, macro) \
  LAMINA_IF_DEVICE(LAMINA_FOR_EACH_LAYOUT_ON, macro)

/// `macro(Memory)` for the memory space of each enabled execution space, once.
#if defined(LAMINA_DEVICE_SPACE)
#define LAMINA_FOR_EACH_MEMORY(macro) macro(Kokkos::HostSpace) macro(LAMINA_DEVICE_MEMORY)
#else
#define LAMINA_FOR_EACH_MEMORY(macro) macro(Kokkos::HostSpace)
#endif

/// `macro(Scalar, Memory)` for each combination.
#if defined(LAMINA_DEVICE_SPACE)
#define LAMINA_FOR_EACH_SCALAR_AND_MEMORY(macro)                   \
  macro(float, Kokkos::HostSpace) macro(double, Kokkos::HostSpace) \
      macro(float, LAMINA_DEVICE_MEMORY) macro(double, LAMINA_DEVICE_MEMORY)
#else
#define LAMINA_FOR_EACH_SCALAR_AND_MEMORY(macro) \
  macro(float, Kokkos::HostSpace) macro(double, Kokkos::HostSpace)
#endif
