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
set_target_properties(lamina_tests_mpi PROPERTIES UNITY_BUILD OFF) # sources have the same names within

# Open MPI: ranks that wait leave the core to others, containers have root only, and no ptrace.
set(lamina_mpi_environment
    OMPI_MCA_rmaps_base_oversubscribe=1
    OMPI_MCA_mpi_yield_when_idle=1
    OMPI_MCA_hwloc_base_binding_policy=none
    OMPI_MCA_btl_vader_single_copy_mechanism=none
    OMPI_ALLOW_RUN_AS_ROOT=1
    OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    OMP_PROC_BIND=false
)

# lamina_add_mpi_test(NAME RANKS THREADS ARGUMENT...)
function(lamina_add_mpi_test name ranks threads)
  add_test(NAME mpi.${name}
           COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${ranks} ${MPIEXEC_PREFLAGS}
                   $<TARGET_FILE:lamina_tests_mpi> ${MPIEXEC_POSTFLAGS} ${ARGN}
  )
  set_tests_properties(
    mpi.${name}
    PROPERTIES ENVIRONMENT "${lamina_mpi_environment};OMP_NUM_THREADS=${threads}"
               PROCESSORS ${ranks}
               TIMEOUT 300 # ranks that wait for each other
  )
endfunction()

foreach(ranks 1 2 3 4)
  lamina_add_mpi_test(np_${ranks} ${ranks} 1 --gtest_filter=-MpiThreads.*:MpiAbsent.*)
endforeach()
# The solvers, which take the first transport that works, with the others.
foreach(transport mpi-device mpi-host)
  lamina_add_mpi_test(solvers_${transport} 3 1 --gtest_filter=*OverRanks*.*)
  set_property(
    TEST mpi.solvers_${transport} APPEND PROPERTY ENVIRONMENT LAMINA_TRANSPORT=${transport}
  )
endforeach()
lamina_add_mpi_test(threads 1 2 --gtest_filter=MpiThreads.* --single)
lamina_add_mpi_test(absent 1 1 --gtest_filter=MpiAbsent.* --no-mpi)
