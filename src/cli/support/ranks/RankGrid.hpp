// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <array>
#include <string>

#include "support/options/CommandLine.hpp"

namespace Lamina::Cli {

class Ranks;

/// How the cells (i, j) of a plane are split over ranks, and how these exchange messages.
struct RankGrid {
  const Ranks* ranks = nullptr;    ///< null: one process
  std::array<int, 2> shape{1, 1};  ///< rectangles in x and y
  std::string transport = "auto";  ///< as `TransportOptions::name`
};

/// The options `--ranks` and `--transport`.
void declare_rank_grid(CommandLine& line);

/// Takes the number of processes from the launch: they need not be connected yet.
/// \throws InputError
RankGrid read_rank_grid(const CommandLine& line);

}  // namespace Lamina::Cli
