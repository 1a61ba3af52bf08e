# SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# The program and the examples use what users may use: public headers and names alone. Only the list
# of the enabled spaces comes from within the library.
# Arguments: -DSOURCE=<top of the tree>

set(sources "")
foreach(folder src/cli examples unit_tests/consumer)
  file(GLOB_RECURSE found ${SOURCE}/${folder}/*.hpp ${SOURCE}/${folder}/*.cpp)
  list(APPEND sources ${found})
endforeach()
list(LENGTH sources count)
if(count LESS 100)
  message(FATAL_ERROR "only ${count} sources in ${SOURCE}")
endif()
set(wrong "")
foreach(source IN LISTS sources)
  file(STRINGS ${source} lines REGEX "Impl::|#include <lamina/[a-z_]+/impl/")
  list(FILTER lines EXCLUDE REGEX "#include <lamina/device/impl/Instantiate.hpp>")
  if(lines)
    string(APPEND wrong "${source}: ${lines}\n")
  endif()
endforeach()
if(wrong)
  message(FATAL_ERROR "names that are not public where users' code stands:\n${wrong}")
endif()
