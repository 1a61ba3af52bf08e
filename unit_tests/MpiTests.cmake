# SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Tests over MPI: one executable, which runs on 1 to 4 ranks. There may be fewer cores.

add_executable(
  lamina_tests_mpi
  distributed/MpiMain.cpp
  distributed/Test_BlocksOverRanks.cpp
  distributed/Test_CyclesOverRanks.cpp
  distributed/Test_GridsOverRanks.cpp
  distributed/Test_HelmholtzOverRanks.cpp
  distributed/Test_MpiCommunicator.cpp
  distributed/Test_MpiTransport.cpp
  distributed/Test_MpiTransports.cpp
  distributed/Test_RestartsOverRanks.cpp
)
set_source_files_properties(
  distributed/Test_MpiCommunicator.cpp PROPERTIES INCLUDE_DIRECTORIES ${PROJECT_SOURCE_DIR}/src
)
target_link_libraries(lamina_tests_mpi PRIVATE lamina_test_support Lamina::mpi)
lamina_own_target(lamina_tests_mpi)
lamina_precompile_headers(lamina_tests_mpi REUSE_FROM lamina_test_support)
set_target_properties(lamina_tests_mpi PROPERTIES UNITY_BUILD OFF) # sources have the same names within

foreach(ranks 1 2 3 4)
  lamina_add_mpi_test(mpi.np_${ranks} lamina_tests_mpi ${ranks} 1 --gtest_filter=-MpiThreads.*:MpiAbsent.*)
endforeach()
# The solvers, which take the first transport that works, with the others.
foreach(transport mpi-device mpi-host)
  lamina_add_mpi_test(
    mpi.solvers_${transport} lamina_tests_mpi 3 1 --gtest_filter=*OverRanks*.*
  )
  set_property(
    TEST mpi.solvers_${transport} APPEND PROPERTY ENVIRONMENT LAMINA_TRANSPORT=${transport}
  )
endforeach()
lamina_add_mpi_test(mpi.threads lamina_tests_mpi 1 2 --gtest_filter=MpiThreads.* --single)
lamina_add_mpi_test(mpi.absent lamina_tests_mpi 1 1 --gtest_filter=MpiAbsent.* --no-mpi)
