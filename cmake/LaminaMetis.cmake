# SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Sets Lamina_METIS where columns can be split by METIS.

set(Lamina_METIS OFF)
if(Lamina_ENABLE_METIS)
  find_path(Lamina_METIS_INCLUDE_DIR metis.h)
  find_library(Lamina_METIS_LIBRARY metis)
  if(Lamina_METIS_INCLUDE_DIR AND Lamina_METIS_LIBRARY)
    set(Lamina_METIS ON)
  endif()
endif()
if(NOT Lamina_METIS AND NOT Lamina_ENABLE_METIS STREQUAL AUTO AND Lamina_ENABLE_METIS)
  message(FATAL_ERROR "Lamina_ENABLE_METIS: expected metis.h and libmetis, found not both")
endif()
