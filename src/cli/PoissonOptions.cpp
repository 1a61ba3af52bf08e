// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PoissonOptions.hpp"

#include <limits>

#include "CommandLine.hpp"
#include "CriteriaOptions.hpp"
#include "OutputPath.hpp"
#include "Space.hpp"

namespace Lamina::Cli {
namespace {

/// Iterations of mixed precision are those of `helmholtz`.
const Choices<Precision> poisson_precisions{{"single", Precision::single_precision},
                                            {"double", Precision::double_precision}};

void declare(CommandLine& line) {
  line.option("--n", "N", "Points a side [1024]");
  line.option("--solver", "NAME", "Solver: " + list_names(poisson_solvers) + " [fused-cg]");
  line.option("--memory", "NAME",
              "How the stencil reads its points: " + list_names(stencil_memories) + " [auto]");
  declare_criteria(line, "1e-6");
  line.option(
      "--space", "NAME",
      "Execution space: " + list_names(space_choices()) + "|auto [auto: the fastest present]");
  line.option("--precision", "NAME", "Precision: " + list_names(poisson_precisions) + " [double]");
  line.option("--layout", "NAME",
              "Contiguous index i (left) or j (right): " + list_names(layouts) + "|auto [auto]");
  line.option("--json", "FILE", "Write the result as JSON");
  line.option("--output", "FILE.nc", "Write solution and error as NetCDF");
  line.flag("--quiet", "Print nothing but errors");
  line.footer("Options --kokkos-* go to Kokkos, see --kokkos-help.");
}

}  // namespace

std::optional<PoissonOptions> parse_poisson(const std::vector<std::string>& arguments) {
  CommandLine line("lamina poisson",
                   "Solve -Laplace u = f on the unit square by conjugate gradients");
  declare(line);
  if (!line.parse(arguments)) return std::nullopt;

  PoissonOptions options;
  PoissonTask& task = options.task;
  task.size = line.count("--n", task.size, 1, std::numeric_limits<int>::max());
  task.variant.solver = line.choice("--solver", poisson_solvers).value_or(task.variant.solver);
  task.variant.memory = line.choice("--memory", stencil_memories).value_or(task.variant.memory);
  task.variant.precision =
      line.choice("--precision", poisson_precisions).value_or(task.variant.precision);
  task.criteria = read_criteria(line, 1e-6);
  require_in_range(task.criteria, task.variant.precision);
  if (line.text("--space", "auto") != "auto")
    options.space = line.choice("--space", space_choices());
  if (line.text("--layout", "auto") != "auto") options.layout = line.choice("--layout", layouts);
  options.quiet = line.given("--quiet");
  options.json = output_path(line, "--json", "");
  task.output = output_path(line, "--output", ".nc");
  if (!options.json.empty() && !task.output.empty() && same_file(options.json, task.output)) {
    CommandLine::fail("--json", "another file than --output", options.json.string());
  }
  return options;
}

}  // namespace Lamina::Cli
