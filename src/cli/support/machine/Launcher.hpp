// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <optional>
#include <string>

namespace Lamina::Cli {

/// Several processes that a launcher started, as its environment tells.
struct Launch {
  std::string launcher;  ///< e.g. "mpirun (Open MPI)"
  int processes, rank;
};

/// The launch that this process belongs to; none for a process that was started alone. Knows Open
/// MPI, MPICH and its relatives (PMI), and srun of Slurm.
std::optional<Launch> find_launch();

/// Ends where this is one of several processes: each would solve the whole problem, and all would
/// write the same files.
/// \throws InputError on rank 0
/// \return whether this process is to go on
bool require_one_process();

}  // namespace Lamina::Cli
