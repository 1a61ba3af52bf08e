# SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Every public header <component>/<Stem>.hpp has its test, unit_tests/<component>/Test_<Stem>.hpp or
# .cpp, and every such file is compiled.
# Arguments: -DSOURCE=<top of the tree>

cmake_minimum_required(VERSION 3.23)

set(PROJECT_SOURCE_DIR ${SOURCE})
include(${SOURCE}/cmake/LaminaHeaders.cmake)
set(headers ${Lamina_HEADERS} ${Lamina_MPI_HEADERS} ${Lamina_PROBLEM_HEADERS})
file(GLOB io_headers RELATIVE ${SOURCE}/include/lamina ${SOURCE}/include/lamina/io/*.hpp)
list(TRANSFORM io_headers REPLACE "[.]hpp$" "")
list(APPEND headers ${io_headers})
list(LENGTH headers count)
if(count LESS 60)
  message(FATAL_ERROR "only ${count} public headers in ${SOURCE}")
endif()

set(tests_folder ${SOURCE}/unit_tests)
foreach(header IN LISTS headers)
  string(REPLACE / /Test_ test ${header})
  set(has_test FALSE)
  if(EXISTS ${tests_folder}/${test}.hpp OR EXISTS ${tests_folder}/${test}.cpp)
    set(has_test TRUE)
  endif()
  if(NOT has_test)
    message(SEND_ERROR "${header}.hpp has no unit_tests/${test}.hpp or .cpp")
  endif()
endforeach()
file(READ ${tests_folder}/CMakeLists.txt listed)
file(READ ${tests_folder}/MpiTests.cmake listed_with_mpi)
string(APPEND listed "${listed_with_mpi}")
file(GLOB tests RELATIVE ${tests_folder} ${tests_folder}/*/Test_*.hpp ${tests_folder}/*/Test_*.cpp)
foreach(test IN LISTS tests)
  get_filename_component(folder ${test} DIRECTORY)
  get_filename_component(name ${test} NAME)
  set(names "${listed}")
  set(wanted ${test})
  if(EXISTS ${tests_folder}/${folder}/CMakeLists.txt)
    file(READ ${tests_folder}/${folder}/CMakeLists.txt names)
    set(wanted ${name})
  endif()
  string(FIND "${names}" ${wanted} place)
  if(place EQUAL -1)
    message(SEND_ERROR "unit_tests/${test} is in no CMakeLists.txt")
  endif()
endforeach()
