# SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# lamina_own_target(TARGET [WARNING...]): what Lamina's own targets are compiled with; never reaches a user of the
# library.
function(lamina_own_target target)
  target_compile_features(${target} PRIVATE cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  target_compile_options(${target} PRIVATE -Wall -Wextra ${ARGN})
  if(Lamina_WARNINGS_AS_ERRORS)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()

# lamina_precompile_headers(TARGET [HEADER...]), or (TARGET REUSE_FROM OTHER): sources of the target begin with Kokkos
# and these headers, read once for all of them, or with what another target of the same flags has read. In unity builds
# alone, which shall be short: clang-tidy, which takes the commands of others, cannot read what GCC has precompiled, and
# compilers of devices have no unity builds.
function(lamina_precompile_headers target)
  if(NOT CMAKE_UNITY_BUILD)
    return()
  endif()
  if("${ARGV1}" STREQUAL REUSE_FROM)
    target_precompile_headers(${target} REUSE_FROM ${ARGV2})
  else()
    target_precompile_headers(${target} PRIVATE <Kokkos_Core.hpp> ${ARGN})
  endif()
endfunction()

# Of the build type Sanitizers (preset asan), for sources whose loops are short: without optimisation they take half
# the time to compile, and a sixth less again where accesses are checked by calls. Reports tell functions, not lines.
set(lamina_quick_sanitizers $<$<CONFIG:Sanitizers>:-O0> $<$<CONFIG:Sanitizers>:-g0>)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  list(APPEND lamina_quick_sanitizers
       $<$<CONFIG:Sanitizers>:--param=asan-instrumentation-with-call-threshold=0>
  )
endif()
