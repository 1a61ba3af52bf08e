# SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Only device/impl and files that are named for a backend ask for one; and which pass of a compiler
# this is, device/impl/Backend.hpp and those files alone.
# Arguments: -DSOURCE=<top of the tree>

set(sources "")
foreach(folder include src unit_tests perf_tests examples)
  file(GLOB_RECURSE found ${SOURCE}/${folder}/*.hpp ${SOURCE}/${folder}/*.cpp)
  list(APPEND sources ${found})
endforeach()
list(LENGTH sources count)
if(count LESS 300)
  message(FATAL_ERROR "only ${count} sources in ${SOURCE}")
endif()
set(wrong "")
foreach(source IN LISTS sources)
  if(source MATCHES "_(Cuda|Hip|Sycl)[.](hpp|cpp)$" OR source MATCHES "/device/impl/Backend[.]hpp$")
    continue()
  endif()
  set(macros "__CUDA_ARCH__|__CUDACC__|__HIP")
  if(NOT source MATCHES "/device/impl/")
    string(APPEND macros "|KOKKOS_ENABLE_(CUDA|HIP|SYCL)")
  endif()
  file(STRINGS ${source} lines REGEX "^ *#.*(${macros})")
  if(lines)
    string(APPEND wrong "${source}: ${lines}\n")
  endif()
endforeach()
if(wrong)
  message(FATAL_ERROR "macros of backends where none may be:\n${wrong}")
endif()
