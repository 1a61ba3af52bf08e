// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Launcher.hpp"

#include <charconv>
#include <cstdlib>
#include <string_view>

namespace Lamina::Cli {
namespace {

/// A whole number in the environment.
std::optional<int> number_of(const char* variable) {
  const char* const text = std::getenv(variable);
  if (text == nullptr) return std::nullopt;
  const std::string_view view(text);
  int number = 0;
  const auto [end, error] = std::from_chars(view.data(), view.data() + view.size(), number);
  if (error != std::errc() || end != view.data() + view.size()) return std::nullopt;
  return number;
}

struct Variables {
  const char *launcher, *processes, *rank;
};
// A job of Slurm sets SLURM_NTASKS for processes that srun did not start, too.
constexpr Variables known[] = {
    {"mpirun (Open MPI)", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
    {"mpiexec (PMI)", "PMI_SIZE", "PMI_RANK"},
    {"srun", "SLURM_STEP_NUM_TASKS", "SLURM_PROCID"}};

}  // namespace

std::optional<Launch> find_launch() {
  for (const Variables& variables : known) {
    const auto processes = number_of(variables.processes), rank = number_of(variables.rank);
    if (processes && rank && *processes > 1) return Launch{variables.launcher, *processes, *rank};
  }
  return std::nullopt;
}

bool is_first_process() {
  const auto launch = find_launch();
  return !launch || launch->rank == 0;
}

}  // namespace Lamina::Cli
