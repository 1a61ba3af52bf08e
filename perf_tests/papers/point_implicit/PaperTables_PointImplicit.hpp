// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Times of sweeps as Zubair et al. (2016) print them, and as measured here, in the order of their
// tables.

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "../../support/BlockSystem.hpp"
#include "../PaperTables_Timing.hpp"

namespace Lamina::Paper {

/// A matrix of the paper's, table II, and the generated mesh closest to it in size.
struct TestMatrix {
  int rows;
  std::int64_t blocks;  ///< off the diagonal
  int colours, largest_colour, smallest_colour;
  Perf::MeshSize mesh;
};
inline constexpr std::array<TestMatrix, 6> test_matrices{
    {{6309, 85768, 10, 1076, 5, {19, 18, 18}},
     {103178, 1370396, 10, 17826, 15, {47, 47, 47}},
     {204983, 2740266, 10, 35218, 42, {59, 59, 59}},
     {394745, 5309536, 10, 67748, 96, {73, 73, 74}},
     {800322, 10823162, 11, 138080, 1, {93, 93, 93}},
     {983633, 13567574, 11, 166800, 3, {100, 100, 98}}}};

/// One sweep with one size of blocks.
struct SweepPoint {
  int block_size = 0;
  std::string skipped{};  ///< why it was not measured; empty: it was
  bool failed = false;    ///< skipped because sweeps did not converge
  Statistic sweep{};
  KernelCost cost{};
};

/// One of `test_matrices`, on one space.
struct MatrixPoint {
  std::size_t matrix = 0;
  std::int64_t blocks = 0;
  std::vector<int> colour_sizes{};
  std::vector<SweepPoint> sweeps{};
};

/// One space.
struct SpaceColumn {
  std::string name, device;
  double copy_gb_per_s = 0;
  std::vector<MatrixPoint> matrices{};
};

/// What was asked for on the command line.
struct SweepTableSettings {
  int smallest = 0, largest = std::numeric_limits<int>::max();  ///< rows of the paper's matrices
  std::vector<int> block_sizes{};                               ///< empty: those of the paper
  int repetitions = 5;  ///< of which minimum and median are told
  std::string space = "all";
  std::string json{};  ///< empty: none
};

/// Figure 14: the ends of its range, where the libraries of the paper jump, and some between.
inline const std::vector<int> figure_block_sizes{1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
                                                 12, 16, 17, 18, 20, 24, 32, 33, 34, 40,
                                                 48, 49, 50, 56, 64, 65, 80, 100};

/// The block sizes that the paper has for a matrix, or those of the settings.
std::vector<int> block_sizes_of(const SweepTableSettings& settings, std::size_t matrix);

/// All spaces that were asked for.
std::vector<SpaceColumn> measure_sweeps(const SweepTableSettings& settings);

/// Prints tables II to IV, figure 14 and the comparison with a CPU core.
void print_sweep_tables(const std::vector<SpaceColumn>& ours);
/// \throws std::runtime_error where the file cannot be written.
void write_sweep_json(const SweepTableSettings& settings, const std::vector<SpaceColumn>& ours);

}  // namespace Lamina::Paper
