// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <array>
#include <cstddef>
#include <string>

#include "support/options/CommandLine.hpp"

namespace Lamina::Cli {

class Ranks;

/// How a problem is split over ranks, and how these exchange messages.
struct RankGrid {
  const Ranks* ranks = nullptr;    ///< null: one process
  std::array<int, 2> shape{1, 1};  ///< parts in x and y
  std::string parts{};             ///< as it is printed: "3 x 1 rectangles of columns"
  std::string partitioner{};       ///< of block rows, which have no shape: its name
  std::string transport = "auto";  ///< as `TransportOptions::name`
};

/// The options `--ranks` and `--transport`.
void declare_rank_grid(CommandLine& line);
/// `--transport` alone, of problems that are split in one way only.
void declare_transport(CommandLine& line);

// Both take the number of processes from the launch: they need not be connected yet.

/// Cells (i, j) of a plane in rectangles.
/// \throws InputError
RankGrid read_rank_grid(const CommandLine& line);
/// Consecutive lines, or rows, in one direction: 0 x, 1 y.
/// \param parts  what they are called
/// \throws InputError
RankGrid read_rank_strips(const CommandLine& line, std::size_t direction, const std::string& parts);

/// The most of so many lines in strips that a rank has.
int lines_of_rank(int lines, const RankGrid& grid);

}  // namespace Lamina::Cli
