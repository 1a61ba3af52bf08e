# SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# cmake -DPROGRAM=[<launcher>;...]<file> -DEXPECTED=<file> -P Run.cmake
# Runs a program and compares its standard output with the text of a file.

execute_process(COMMAND ${PROGRAM} RESULT_VARIABLE status OUTPUT_VARIABLE output)
file(READ ${EXPECTED} expected)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${PROGRAM} ended with ${status}; it printed:\n${output}")
endif()
if(NOT "x${output}" STREQUAL "x${expected}")
  message(FATAL_ERROR "Expected, by ${EXPECTED}:\n${expected}\n${PROGRAM} printed:\n${output}")
endif()
