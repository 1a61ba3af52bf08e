// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "shallow_water/ShallowWaterBasin.hpp"

#include <cmath>
#include <cstddef>
#include <vector>

#include "support/options/InputError.hpp"

namespace Lamina::Cli {
namespace {

/// A mountain of height 0.3 in the middle, which falls to 1/e of it at a distance of 0.1.
void put_mountain(const Rectangle& size, const LineRange& lines, const ConstFieldLine& bottom) {
  const auto [nx, ny] = size;
  std::vector<double> values(static_cast<std::size_t>(nx));
  for (int j = lines.first; j < lines.first + lines.count; ++j) {
    const double y = (j + 0.5 - 0.5 * ny) / nx;
    for (int i = 0; i < nx; ++i) {
      const double x = (i + 0.5) / nx - 0.5;
      values[static_cast<std::size_t>(i)] = 0.3 * std::exp(-(x * x + y * y) / (0.1 * 0.1));
    }
    bottom(j, values.data());
  }
}

}  // namespace

void put_bottom(const ShallowWaterTask& task, const LineRange& lines, double largest,
                const ConstFieldLine& bottom) {
  const ShallowWaterProblem& problem = task.problem;
  if (task.restart_file) {
    for_option("--restart", [&] {
      read_bottom(*task.restart_file, "bottom", problem.size, lines, largest, bottom);
    });
  } else if (problem.bottom_file) {
    for_option("--bottom", [&] {
      read_bottom(*problem.bottom_file, problem.bottom_variable, problem.size, lines, largest,
                  bottom);
    });
  } else {
    put_mountain(problem.size, lines, bottom);
  }
}

void put_coriolis(const ShallowWaterProblem& problem, const LineRange& lines,
                  const ConstFieldLine& coriolis) {
  for (int j = lines.first; j < lines.first + lines.count; ++j) {
    const std::vector<double> values(static_cast<std::size_t>(problem.size.nx),
                                     problem.coriolis_at(j));
    coriolis(j, values.data());
  }
}

}  // namespace Lamina::Cli
