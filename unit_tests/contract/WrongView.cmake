# SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# cmake -DCOMPILE=<command with its options, by |> -DFOLDER=<for files> -P WrongView.cmake
# A call with a wrong View, or a solver over a wrong operator, ends in one message: it says what was
# expected.

string(REPLACE "|" ";" compile "${COMPILE}")
set(source ${CMAKE_CURRENT_LIST_DIR}/WrongView.cpp)

# What all calls include is read once.
set(header ${FOLDER}/WrongView.hpp)
file(STRINGS ${source} includes REGEX "^#include")
list(JOIN includes "\n" includes)
file(WRITE ${header} "${includes}\n")
execute_process(
  COMMAND ${compile} -x c++-header ${header} -o ${header}.gch RESULT_VARIABLE status
  ERROR_VARIABLE output
)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "What the calls include does not compile:\n${output}")
endif()
list(APPEND compile -fsyntax-only -include ${header})

execute_process(COMMAND ${compile} ${source} RESULT_VARIABLE status ERROR_VARIABLE output)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "The right calls do not compile:\n${output}")
endif()

set(longest 12) # lines
function(expect_one_message wrong message)
  execute_process(
    COMMAND ${compile} -DWRONG=${wrong} ${source} RESULT_VARIABLE status ERROR_VARIABLE output
  )
  string(REGEX MATCHALL "\n" lines "${output}")
  list(LENGTH lines num_lines)
  string(REGEX MATCHALL "error:" errors "${output}")
  list(LENGTH errors num_errors)
  if(status EQUAL 0 OR num_errors GREATER 1 OR num_lines GREATER longest
     OR NOT output MATCHES "error:${message}"
  )
    message(SEND_ERROR "Call ${wrong} ends in ${num_lines} lines:\n${output}")
  endif()
endfunction()

foreach(call "1|HelmholtzOperator|apply|float" "2|HelmholtzOperator|apply|LayoutStride"
             "3|FusedPcg|solve|double[*]," "4|FusedPcg|solve|const double"
             "5|Pcg|solve|LayoutRight" "6|PointImplicitSolver|sweep|LayoutLeft"
)
  string(REPLACE "|" ";" call "${call}")
  list(POP_FRONT call wrong class function got)
  expect_one_message(
    ${wrong} "[^\n]*ExpectsFieldAndWritableField[^\n]*${class}[^\n]*::${function}[(][^\n]*${got}"
  )
endforeach()
foreach(wrong 7 8 9)
  expect_one_message(${wrong} "[^\n]*expected an operator with scalar_type")
endforeach()
