# SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# cmake -DPROGRAM=... -DCOMMAND=... -DFILE=... -P HelpText.cmake: the documentation has the help that the program
# prints, but for the execution spaces, which depend on Kokkos.
execute_process(COMMAND ${PROGRAM} ${COMMAND} --help OUTPUT_VARIABLE printed COMMAND_ERROR_IS_FATAL ANY)
file(READ ${FILE} written)
foreach(text printed written)
  string(REGEX REPLACE "Execution space: [a-z|]+" "Execution space:" ${text} "${${text}}")
endforeach()
if(NOT printed STREQUAL written)
  message(FATAL_ERROR "lamina ${COMMAND} --help prints another text than ${FILE} has. To change the file:\n"
                      "  ${PROGRAM} ${COMMAND} --help > ${FILE}"
  )
endif()
