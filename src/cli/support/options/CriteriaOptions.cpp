// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/options/CriteriaOptions.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "support/Interruption.hpp"

namespace Lamina::Cli {
namespace {

constexpr int max_iteration_count =
    std::numeric_limits<int>::max() - 1;  // solvers count one further
constexpr int max_check_every = 1024;     // of all solvers

}  // namespace

void declare_criteria(CommandLine& line, const std::string& tolerance) {
  line.option("--tolerance", "X",
              fmt::format("Stop when |r|/|b| <= X, >= 0 and < 1 [{}]", tolerance));
  line.option("--max-iterations", "N", "Give up after N iterations [10000]");
  line.option("--iterations", "N", "Run exactly N iterations instead");
  line.option("--check-every", "N",
              "Look at the residual every N iterations [chosen by the space]");
}

StoppingCriteria read_criteria(const CommandLine& line, double tolerance) {
  StoppingCriteria criteria;
  if (line.given("--iterations")) {
    for (const char* other : {"--tolerance", "--max-iterations"}) {
      if (line.given(other)) CommandLine::fail("--iterations", std::string("no ") + other, "both");
    }
    criteria = StoppingCriteria::iterations(line.count("--iterations", 0, 0, max_iteration_count));
  } else {
    criteria.tolerance = line.number("--tolerance", tolerance, {.below = 1});
    criteria.max_iterations = line.count("--max-iterations", 10000, 0, max_iteration_count);
  }
  criteria.check_every = line.count("--check-every", 0, 1, max_check_every);
  criteria.stop_requested = interrupted;
  return criteria;
}

std::string criteria_text(const StoppingCriteria& criteria) {
  if (criteria.fixed_count) return fmt::format("--iterations {}", criteria.max_iterations);
  return fmt::format("--tolerance {} --max-iterations {}", criteria.tolerance,
                     criteria.max_iterations);
}

void require_in_range(const StoppingCriteria& criteria, Precision precision) {
  if (criteria.tolerance == 0) return;
  // Residuals are fields of the precision, and compared by their squares in double precision.
  const double lowest = precision == Precision::double_precision
                            ? std::sqrt(std::numeric_limits<double>::min())
                            : static_cast<double>(std::numeric_limits<float>::min());
  if (criteria.tolerance < lowest) {
    CommandLine::fail("--tolerance",
                      fmt::format("0 or a number from {:.1e} in {} precision", lowest,
                                  name_of(precisions, precision)),
                      fmt::format("{}", criteria.tolerance));
  }
}

}  // namespace Lamina::Cli
