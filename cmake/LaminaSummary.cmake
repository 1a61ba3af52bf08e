# SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

set(spaces "")
foreach(space SERIAL OPENMP CUDA HIP)
  if(Kokkos_ENABLE_${space})
    string(APPEND spaces " ${space}")
  endif()
endforeach()
message(STATUS "Lamina ${PROJECT_VERSION}")
message(STATUS "  build type:     ${CMAKE_BUILD_TYPE}")
message(STATUS "  Kokkos:         ${Kokkos_VERSION} (${Kokkos_DIR})")
message(STATUS "  Kokkos Kernels: ${KokkosKernels_VERSION} (${KokkosKernels_DIR})")
message(STATUS "  spaces:        ${spaces}")
if(Lamina_ENABLE_MPI)
  message(STATUS "  MPI:            ${MPI_CXX_VERSION} (${MPIEXEC_EXECUTABLE})")
  message(STATUS "  NCCL:           ${Lamina_NCCL}")
endif()
message(STATUS "  program ${Lamina_ENABLE_PROGRAM}, tests ${Lamina_ENABLE_TESTS}, examples ${Lamina_ENABLE_EXAMPLES}, benchmarks ${Lamina_ENABLE_BENCHMARKS}")
