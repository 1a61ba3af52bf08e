// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Solves of the Poisson equation as Wang et al. (2012) tell of them, and as measured here. Which
// memories and solvers there are, and their names, is what the program `lamina poisson` has.

#include <lamina/core/SolveReport.hpp>
#include <lamina/problems/PoissonProblem.hpp>

#include <optional>
#include <string>
#include <vector>

#include <poisson/PoissonTask.hpp>
#include "../PaperTables_Timing.hpp"

namespace Lamina::Paper {

/// One way to solve.
struct SquareWay {
  Cli::Precision precision;
  Cli::PoissonSolver solver;
  StencilMemory memory;
};

/// Points on one side of the square, solved in one way.
struct SquarePoint {
  int size;
  SquareWay way;
  std::string skipped{};  ///< why it was not measured; empty: it was
  SolveStatus status{};
  int iterations = 0;
  PoissonError error{};
  Statistic solve{}, iteration{};
  KernelCost cost{};  ///< of an iteration

  bool measured() const { return skipped.empty(); }
  bool succeeded() const {
    return status == SolveStatus::converged || status == SolveStatus::completed;
  }
};

/// One space.
struct SquareColumn {
  std::string name, device;
  double copy_gb_per_s = 0;
  std::vector<int> sizes{};
  std::vector<SquarePoint> points{};
};

/// What was asked for on the command line.
struct SquareTableSettings {
  std::vector<int> sizes{};  ///< empty: those of the paper, on the host up to 512
  std::optional<Cli::Precision> precision{};
  std::optional<Cli::PoissonSolver> solver{};
  std::optional<StencilMemory> memory{};
  int iterations = 0;   ///< exactly so many; 0: to the tolerance of the paper
  int repetitions = 3;  ///< of which minimum and median are told
  std::string space = "all";
  std::string json{};  ///< empty: none
};

/// All spaces that were asked for.
std::vector<SquareColumn> measure_squares(const SquareTableSettings& settings);

/// Prints table 1, and figures 10 and 11 as tables.
void print_square_tables(const SquareTableSettings& settings,
                         const std::vector<SquareColumn>& ours);
/// \throws std::runtime_error where the file cannot be written.
void write_square_json(const SquareTableSettings& settings, const std::vector<SquareColumn>& ours);

}  // namespace Lamina::Paper
