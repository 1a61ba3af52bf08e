// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Prints tables II to IV and figure 14 of Zubair et al. (2016), and their comparison with a CPU
// core, beside the same measurements of the library on this machine.

#include "PaperTables_PointImplicit.hpp"

#include <algorithm>
#include <cstdio>
#include <limits>

#include "../PaperTables_Options.hpp"

namespace Lamina::Paper {
namespace {

constexpr int most = std::numeric_limits<int>::max();

Setters<SweepTableSettings> setters() {
  return with_common<SweepTableSettings>({{"--rows",
                                           [](auto& s, const auto& o, auto& v) {
                                             s.smallest = v.number(o, 0, most);
                                             s.largest = v.number(o, 0, most);
                                           }},
                                          {"--block-sizes", [](auto& s, const auto& o, auto& v) {
                                             s.block_sizes = v.numbers(o, 1, max_block_size);
                                           }}});
}

bool all_converged(const std::vector<SpaceColumn>& columns) {
  for (const SpaceColumn& column : columns) {
    for (const MatrixPoint& point : column.matrices) {
      if (std::any_of(point.sweeps.begin(), point.sweeps.end(),
                      [](const SweepPoint& sweep) { return sweep.failed; })) {
        return false;
      }
    }
  }
  return true;
}

int run(const SweepTableSettings& settings) {
  const std::vector<SpaceColumn> columns = measure_sweeps(settings);
  print_sweep_tables(columns);
  if (!settings.json.empty()) write_sweep_json(settings, columns);
  return all_converged(columns) ? 0 : 1;
}

void print_usage() {
  std::printf(
      "Usage: lamina_paper_tables_point_implicit [options]\n"
      "  --rows FIRST LAST      those of the paper's matrices, 6309 to 983633, with so many rows "
      "[all]\n"
      "  --block-sizes N,N,...  for all of them [the paper's: 1 to 100, 1 to 10, 1 to 6]\n"
      "  --space NAME           one space instead of all that are enabled\n"
      "  --repetitions N        [5]\n"
      "  --tiny                 the speed of copies is that of few bytes: for tests\n"
      "  --json FILE\n");
}

}  // namespace
}  // namespace Lamina::Paper

int main(int argc, char* argv[]) {
  using namespace Lamina::Paper;
  return Lamina::Perf::run_program("lamina_paper_tables_point_implicit", argc, argv, setters(),
                                   print_usage, run);
}
