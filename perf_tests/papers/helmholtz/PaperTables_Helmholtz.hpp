// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Times as Müller et al. (2013) print them, and as measured here, in the order of their tables and
// figures.

#include <lamina/core/KernelRecord.hpp>

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../../support/PanelSize.hpp"
#include "../PaperTables_Timing.hpp"

namespace Lamina::Paper {

/// "interleaved" is the paper's form, `FusedPcgStored` here; "recomputed" is `FusedPcg`, which the
/// paper does not have.
enum Implementation { matrix_explicit, matrix_free, interleaved, recomputed, num_implementations };
enum Precision { single_precision, double_precision, num_precisions };

inline constexpr std::array<std::string_view, num_implementations> implementation_names{
    "matrix-explicit", "matrix-free", "interleaved", "recomputed"};
inline constexpr std::array<std::string_view, num_precisions> precision_names{"single", "double"};

/// What the tables tell of one implementation in one precision, in seconds.
struct Times {
  Statistic apply, precondition;              ///< one call (tables 3 and 4)
  Statistic iteration;                        ///< table 6
  double setup = 0, transfer = 0, total = 0;  ///< of 100 iterations (table 5); total has all in it
  Statistic measure{};                        ///< one call; a sweep of "recomputed" alone
};

/// What one call or iteration moves at least and computes, as the library counts it.
struct Costs {
  KernelCost apply, precondition, measure, iteration;
};

/// What is timed and counted.
struct Part {
  using TimeMember = Statistic Times::*;
  using CostMember = KernelCost Costs::*;

  const char* name;
  TimeMember time;
  CostMember cost;
};
inline constexpr Part apply_part{"SpMV", &Times::apply, &Costs::apply};
inline constexpr Part precondition_part{"preconditioner", &Times::precondition,
                                        &Costs::precondition};
inline constexpr Part measure_part{"measure", &Times::measure, &Costs::measure};
inline constexpr Part iteration_part{"iteration", &Times::iteration, &Costs::iteration};
inline constexpr std::array kernel_parts{precondition_part, measure_part, apply_part};

template <class T>
using ByRow = std::array<std::array<T, num_implementations>, num_precisions>;

/// The fused form at one of the sizes of figures 6 and 7.
struct SizePoint {
  Perf::PanelSize size;
  Precision precision = double_precision;
  Implementation implementation = interleaved;
  std::string skipped;  ///< why it was not measured; empty: it was
  bool failed = false;  ///< skipped because a solve went wrong
  Times times;
  Costs costs;
};

/// Solves to a residual of 1e-5 with their set-up, in seconds.
struct ToTolerance {
  static constexpr double tolerance = 1e-5;
  Statistic with_lines, with_cycles;
  int iterations_with_lines = 0, iterations_with_cycles = 0;
};

/// One program on one machine.
struct Column {
  std::string name, layout;
  std::string device;
  bool is_baseline = false;  ///< speed-ups of the columns after it are over this one
  double copy_gb_per_s = 0;  ///< 0: unknown
  ByRow<Times> times{};
  ByRow<Costs> costs{};
  ByRow<std::vector<double>> histories{};  ///< |r_n| / |r_0| of the 100 iterations
  std::vector<SizePoint> sizes{};
  std::array<ToTolerance, num_precisions> to_tolerance{};
};

/// What was asked for on the command line.
struct Settings {
  Perf::PanelSize size;
  int repetitions = 5;  ///< of which minimum and median are told
  int iterations = 10;  ///< of each solve that is timed for table 6
  bool with_c = true, with_sizes = true;
  double first_size = 0x1p21;  ///< unknowns, figures 6 and 7
  double last_size = 0;        ///< 0: on a device what its memory holds, else 2^27 as in the paper
  std::string space = "all";   ///< which to measure
  std::string json;            ///< empty: none
};
inline constexpr int total_iterations = 100;

/// The sequential C-style program.
Column measure_c(const Settings& settings);
/// The library on each enabled space that was asked for.
std::vector<Column> measure_library(const Settings& settings);

/// Prints tables 3 to 7 and the bandwidths reached.
void print_tables(const Settings& settings, const std::vector<Column>& ours);
/// Prints figures 6 and 7 as tables.
void print_figures(const std::vector<Column>& ours);
/// \throws std::runtime_error where the file cannot be written.
void write_json(const Settings& settings, const std::vector<Column>& ours);

}  // namespace Lamina::Paper
