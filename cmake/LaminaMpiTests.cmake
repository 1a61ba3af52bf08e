# SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Tests that run a program on several ranks. There may be fewer cores.

# Open MPI: ranks that wait leave the core to others, containers have root only, and no ptrace, and all ranks are on one
# host: what looks for networks takes a quarter of a second at each launch.
set(lamina_mpi_environment
    OMPI_MCA_rmaps_base_oversubscribe=1
    OMPI_MCA_mpi_yield_when_idle=1
    OMPI_MCA_hwloc_base_binding_policy=none
    OMPI_MCA_btl_vader_single_copy_mechanism=none
    OMPI_MCA_pml=ob1
    OMPI_ALLOW_RUN_AS_ROOT=1
    OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    OMP_PROC_BIND=false
)

# lamina_add_mpi_test(NAME TARGET RANKS THREADS ARGUMENT...)
function(lamina_add_mpi_test name target ranks threads)
  add_test(NAME ${name}
           COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${ranks} ${MPIEXEC_PREFLAGS}
                   $<TARGET_FILE:${target}> ${MPIEXEC_POSTFLAGS} ${ARGN}
  )
  set_tests_properties(
    ${name}
    PROPERTIES ENVIRONMENT "${lamina_mpi_environment};OMP_NUM_THREADS=${threads}"
               PROCESSORS ${ranks}
               TIMEOUT 300 # ranks that wait for each other
  )
endfunction()
