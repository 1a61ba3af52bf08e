// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Times as Müller et al. (2013) print them, and as measured here, in the order of their tables.

#include <lamina/core/KernelRecord.hpp>

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace Lamina::Paper {

enum Implementation { matrix_explicit, matrix_free, interleaved, num_implementations };
enum Precision { single_precision, double_precision, num_precisions };

inline constexpr std::array<std::string_view, num_implementations> implementation_names{
    "matrix-explicit", "matrix-free", "interleaved"};
inline constexpr std::array<std::string_view, num_precisions> precision_names{"single", "double"};

/// Of several repetitions, in seconds; 0: not measured.
struct Statistic {
  double minimum = 0, median = 0;
};

/// What the tables tell of one implementation in one precision, in seconds, for 256 x 256 x 128.
struct Times {
  Statistic apply, precondition;              ///< one call (tables 3 and 4)
  Statistic iteration;                        ///< table 6
  double setup = 0, transfer = 0, total = 0;  ///< of 100 iterations (table 5); total has all in it
};

/// What one call or iteration moves at least, as the library counts it.
struct Costs {
  KernelCost apply, precondition, iteration;
};

template <class T>
using ByRow = std::array<std::array<T, num_implementations>, num_precisions>;

/// One program on one machine.
struct Column {
  std::string name, layout;
  double copy_gb_per_s = 0;  ///< 0: unknown
  ByRow<Times> times;
  ByRow<Costs> costs;
  ByRow<std::vector<double>> histories;  ///< |r_n| / |r_0| of the 100 iterations
};

constexpr Statistic ms(double value) { return {value * 1e-3, value * 1e-3}; }

/// The C program on one core of a Xeon E5-2620 (2.0 GHz).
inline const Column paper_c{.name = "paper C",
                            .layout = "LayoutRight",
                            .times = {{{{{ms(170.6), ms(205.3), ms(410.8), 0.55, 0, 43.72},
                                         {ms(78.5), ms(252.6), ms(376.3), 0, 0, 37.00},
                                         {ms(129.9), ms(253.1), ms(370.6), 0, 0, 37.39}}},
                                       {{{ms(182.2), ms(249.7), ms(494.6), 0.72, 0, 50.50},
                                         {ms(80.7), ms(350.4), ms(491.5), 0, 0, 49.37},
                                         {ms(132.3), ms(351.3), ms(453.4), 0, 0, 45.78}}}}},
                            .costs = {},
                            .histories = {}};

/// CUDA C on an M2090.
inline const Column paper_cuda{.name = "paper CUDA",
                               .layout = "LayoutLeft",
                               .times = {{{{{ms(6.91), ms(12.50), ms(23.5), 0.15, 0.047, 2.54},
                                            {ms(0.75), ms(2.40), ms(8.1), 0, 0.047, 0.87},
                                            {ms(2.16), ms(3.34), ms(5.6), 0, 0.047, 0.62}}},
                                          {{{ms(10.91), ms(23.20), ms(41.4), 0.16, 0.073, 4.41},
                                            {ms(1.41), ms(3.75), ms(13.9), 0, 0.073, 1.48},
                                            {ms(3.86), ms(4.86), ms(8.8), 0, 0.073, 0.96}}}}},
                               .costs = {},
                               .histories = {}};

/// What was asked for on the command line.
struct Settings {
  int num_x = 256, num_y = 256, num_levels = 128;
  int repetitions = 5;  ///< of which minimum and median are told
  int iterations = 10;  ///< of each solve that is timed for table 6
  std::string json;     ///< empty: none
};
inline constexpr int total_iterations = 100;

/// The sequential C-style program.
Column measure_c(const Settings& settings);

/// Prints tables 3 to 6 and the bandwidths reached; the first of `ours` is the C baseline.
void print_tables(const Settings& settings, const std::vector<Column>& ours);
/// \throws std::runtime_error where the file cannot be written.
void write_json(const Settings& settings, const std::vector<Column>& ours);

}  // namespace Lamina::Paper
