// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <mpi.h>

#include "Program.hpp"

namespace Lamina::Perf {

/// `run_program` between the first call of MPI and the last.
template <class Settings, class Run>
int run_mpi_program(const char* name, int argc, char* argv[], const Setters<Settings>& setters,
                    void (*print_usage)(), const Run& run) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  const int status = run_program(name, argc, argv, setters, print_usage, run);
  if (status == 1) MPI_Abort(MPI_COMM_WORLD, status);  // others may wait
  MPI_Finalize();
  return status;
}

}  // namespace Lamina::Perf
