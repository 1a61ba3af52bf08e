// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PoissonOptions.hpp"

#include <limits>

#include "CommandLine.hpp"
#include "CommandUse.hpp"
#include "CriteriaOptions.hpp"
#include "OutputPath.hpp"
#include "Space.hpp"

namespace Lamina::Cli {
namespace {

/// Iterations of mixed precision are those of `helmholtz`.
const Choices<Precision> poisson_precisions{{"single", Precision::single_precision},
                                            {"double", Precision::double_precision}};

void declare(CommandLine& line) {
  const CommandUse use = CommandUse::one_solve;
  line.option("--n", "N", "Points a side [1024]");
  line.option("--solver", "NAME", choice_text("Solver", poisson_solvers, use, "fused-cg"));
  line.option("--memory", "NAME",
              choice_text("How the stencil reads its points", stencil_memories, use, "auto"));
  declare_criteria(line, "1e-6");
  line.option(
      "--space", "NAME",
      choice_text("Execution space", space_choices(), use, "auto: the fastest present", true));
  line.option("--precision", "NAME", choice_text("Precision", poisson_precisions, use, "double"));
  line.option("--layout", "NAME",
              choice_text("Contiguous index i (left) or j (right)", layouts, use, "auto", true));
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
  options.space = choice_or_auto(line, "--space", space_choices(), CommandUse::one_solve);
  options.layout = choice_or_auto(line, "--layout", layouts, CommandUse::one_solve);
  options.quiet = line.given("--quiet");
  options.json = output_path(line, "--json", {});
  task.output = output_path(line, "--output", {".nc"});
  require_different_files(options.json, task.output);
  return options;
}

}  // namespace Lamina::Cli
