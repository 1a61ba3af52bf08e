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

/// Whether this process writes and prints: it was started alone, or is rank 0 of a launch.
bool is_first_process();

}  // namespace Lamina::Cli
