// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/ranks/RankGrid.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <limits>

#include "support/machine/Launcher.hpp"

namespace Lamina::Cli {
namespace {

const Choices<int> transports{
    {"auto", 0}, {"peer", 1}, {"nccl", 2}, {"mpi-device", 3}, {"mpi-host", 4}};

/// Strips in x of up to 8 ranks: two peers each, and halos are contiguous. More ranks have rectangles
/// that are as square as their number allows, with the longer side of the table in x.
std::array<int, 2> default_shape(int num_ranks) {
  constexpr int most_strips = 8;
  if (num_ranks <= most_strips) return {num_ranks, 1};
  int shorter = 1;
  for (int n = 2; std::int64_t{n} * n <= num_ranks; ++n) {
    if (num_ranks % n == 0) shorter = n;
  }
  return {num_ranks / shorter, shorter};
}

int num_processes() {
  const auto launch = find_launch();
  return launch ? launch->processes : 1;
}

std::string read_transport(const CommandLine& line) {
  return std::string(name_of(transports, line.choice("--transport", transports).value_or(0)));
}

}  // namespace

void declare_rank_grid(CommandLine& line) {
  line.option("--ranks", "PX PY",
              "Rectangles of columns in x and y, one for each process of mpirun or srun "
              "[strips in x up to 8, then nearly square]",
              2);
  declare_transport(line);
}

void declare_transport(CommandLine& line) {
  line.option(
      "--transport", "NAME",
      "Messages between processes: " + list_names(transports) + " [auto: the first that works]");
}

RankGrid read_rank_grid(const CommandLine& line) {
  const int num_ranks = num_processes();
  RankGrid grid{.shape = default_shape(num_ranks)};
  const auto shape = line.counts("--ranks", {grid.shape[0], grid.shape[1]}, 1);
  constexpr std::int64_t max_int = std::numeric_limits<int>::max();
  if (shape[0] > max_int || shape[1] > max_int || shape[0] * shape[1] != num_ranks) {
    CommandLine::fail("--ranks", fmt::format("a product of {}, the number of processes", num_ranks),
                      fmt::format("{} x {}", shape[0], shape[1]));
  }
  grid.shape = {static_cast<int>(shape[0]), static_cast<int>(shape[1])};
  grid.parts = fmt::format("{} x {} rectangles of columns", grid.shape[0], grid.shape[1]);
  grid.transport = read_transport(line);
  return grid;
}

RankGrid read_rank_strips(const CommandLine& line, std::size_t direction,
                          const std::string& parts) {
  RankGrid grid{.parts = parts, .transport = read_transport(line)};
  grid.shape[direction] = num_processes();
  return grid;
}

int lines_of_rank(int lines, const RankGrid& grid) {
  const int num_ranks = grid.shape[0] * grid.shape[1];
  return lines / num_ranks + (lines % num_ranks == 0 ? 0 : 1);
}

}  // namespace Lamina::Cli
