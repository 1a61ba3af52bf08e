# SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Sets Lamina_NCCL where the transport nccl is built: with CUDA, MPI and NCCL.

set(Lamina_NCCL OFF)
if(Lamina_ENABLE_NCCL AND Kokkos_ENABLE_CUDA)
  find_path(Lamina_NCCL_INCLUDE_DIR nccl.h HINTS ${CUDAToolkit_INCLUDE_DIRS} /usr/local/cuda/include)
  find_library(
    Lamina_NCCL_LIBRARY
    NAMES nccl libnccl.so.2 # a package of Python has no link without a number
    HINTS ${CUDAToolkit_LIBRARY_DIR} /usr/local/cuda/lib64 /usr/local/cuda/lib
  )
  if(Lamina_NCCL_INCLUDE_DIR AND Lamina_NCCL_LIBRARY)
    set(Lamina_NCCL ON)
  endif()
endif()
if(NOT Lamina_NCCL AND NOT Lamina_ENABLE_NCCL STREQUAL AUTO AND Lamina_ENABLE_NCCL)
  message(FATAL_ERROR "Lamina_ENABLE_NCCL: expected Kokkos with CUDA, nccl.h and libnccl, found not all")
endif()
