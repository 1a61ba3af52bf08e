// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Prints the tables 3 to 7 and the figures 6 and 7 of Müller et al. (2013) beside the same
// measurements of the library and of a sequential C-style program on this machine.

#include "PaperTables_Helmholtz.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <string>

#include "../PaperTables_Options.hpp"

namespace Lamina::Paper {
namespace {

/// All programs must have made the same iterates: in double precision their residual histories
/// differ by rounding, in single precision each must have converged about as far.
bool check(const std::vector<Column>& columns) {
  const auto& expected = columns.front().histories[double_precision][matrix_free];
  double worst = 0;
  bool sound = true;
  for (const Column& column : columns) {
    for (std::size_t n = 0; n < num_implementations; ++n) {
      if (column.times[double_precision][n].iteration.minimum <= 0) continue;  // it has none
      worst = std::max(worst,
                       Perf::largest_difference(column.histories[double_precision][n], expected));
      const auto& single = column.histories[single_precision][n];
      sound = sound && single.size() == expected.size() && std::isfinite(single.back()) &&
              single.back() < 10 * expected.back() + 1e-5;
    }
  }
  std::printf(
      "Residual after %d iterations %.2e; histories of all programs in double precision agree "
      "to %.1e\n",
      total_iterations, expected.back(), worst);
  return sound && worst <= 1e-9;
}

bool all_sizes_solved(const std::vector<Column>& columns) {
  return std::all_of(columns.begin(), columns.end(), [](const Column& column) {
    return std::none_of(column.sizes.begin(), column.sizes.end(),
                        [](const SizePoint& point) { return point.failed; });
  });
}

/// It moves what Serial moves, and copies no faster than one core.
void count_like(const std::vector<Column>& library, Column& c) {
  c.costs = library.front().costs;
  for (const Column& column : library) {
    if (column.name == "Serial") c.copy_gb_per_s = column.copy_gb_per_s;
  }
}

int run(const Settings& settings) {
  std::vector<Column> columns;
  if (settings.with_c) columns.push_back(measure_c(settings));
  const std::vector<Column> library = measure_library(settings);
  if (settings.with_c) count_like(library, columns.front());
  columns.insert(columns.end(), library.begin(), library.end());

  print_tables(settings, columns);
  if (settings.with_sizes) print_figures(columns);
  if (!settings.json.empty()) write_json(settings, columns);
  return check(columns) && all_sizes_solved(columns) ? 0 : 1;
}

// --- Options ---

/// Smaller problems are solved exactly, or nearly, before the 100 iterations are done.
constexpr int smallest_extent = 16;
constexpr int most = std::numeric_limits<int>::max();

void set_size(Settings& settings, const std::string& option, Perf::OptionValues& values) {
  auto& size = settings.size;
  for (int* extent : {&size.num_x, &size.num_y, &size.num_levels}) {
    *extent = values.number(option, smallest_extent, most);
  }
}
void set_sizes(Settings& settings, const std::string& option, Perf::OptionValues& values) {
  constexpr std::int64_t most_unknowns = std::int64_t(1) << 62;
  settings.first_size = static_cast<double>(values.number<std::int64_t>(option, 1, most_unknowns));
  settings.last_size = static_cast<double>(values.number<std::int64_t>(option, 1, most_unknowns));
}

Perf::Setters<Settings> setters() {
  return with_common<Settings>(
      {{"--size", set_size},
       {"--sizes", set_sizes},
       {"--without-c", [](auto& s, const auto&, auto&) { s.with_c = false; }},
       {"--without-sizes", [](auto& s, const auto&, auto&) { s.with_sizes = false; }},
       {"--iterations",
        [](auto& s, const auto& o, auto& v) { s.iterations = v.number(o, 1, most); }}});
}

void print_usage() {
  std::printf(
      "Usage: lamina_paper_tables [options]\n"
      "  --size NX NY NZ     of tables 3 to 7 [256 256 128, the paper's]; extents from 16 on\n"
      "  --sizes FIRST LAST  of figures 6 and 7: unknowns, doubled from FIRST to LAST [2097152 to "
      "the memory of a\n"
      "                      device, or to 134217728 on the host], with NZ levels\n"
      "  --without-sizes     no figures\n"
      "  --without-c         no sequential C program, which takes minutes\n"
      "  --space NAME        one space instead of all that are enabled\n"
      "  --repetitions N     [5]\n"
      "  --tiny              the speed of copies is that of few bytes: for tests\n"
      "  --iterations N      of each solve that is timed [10]\n"
      "  --json FILE\n");
}

}  // namespace
}  // namespace Lamina::Paper

int main(int argc, char* argv[]) {
  using namespace Lamina::Paper;
  return Lamina::Perf::run_program("lamina_paper_tables", argc, argv, setters(), print_usage, run);
}
