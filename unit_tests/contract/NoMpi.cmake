# SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# The library refers to nothing of MPI. Its part for MPI does, which shows that the search finds it.
# Arguments: -DNM=<nm> -DLIBRARY=<liblamina> [-DMPI_LIBRARY=<liblamina_mpi>]

function(find_mpi_symbols library result)
  set(dynamic "")
  if(library MATCHES "[.](so|dylib)")
    set(dynamic -D)
  endif()
  execute_process(
    COMMAND ${NM} ${dynamic} ${library} RESULT_VARIABLE status OUTPUT_VARIABLE symbols
    ERROR_VARIABLE error
  )
  if(NOT status EQUAL 0 OR symbols STREQUAL "")
    message(FATAL_ERROR "nm ${library}: ${error}")
  endif()
  string(REGEX MATCHALL "[^\n]* (P?MPI_|ompi_|MPIR_)[^\n]*" found "${symbols}")
  set(${result} "${found}" PARENT_SCOPE)
endfunction()

find_mpi_symbols(${LIBRARY} symbols)
if(symbols)
  message(FATAL_ERROR "${LIBRARY} refers to MPI: ${symbols}")
endif()
if(MPI_LIBRARY)
  find_mpi_symbols(${MPI_LIBRARY} symbols)
  if(NOT symbols)
    message(FATAL_ERROR "no symbol of MPI was found in ${MPI_LIBRARY}")
  endif()
endif()
