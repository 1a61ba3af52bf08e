// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "poisson/PoissonOptions.hpp"

#include <fmt/format.h>

#include "support/machine/Launcher.hpp"
#include "support/machine/Space.hpp"
#include "support/options/CommandLine.hpp"
#include "support/options/CriteriaOptions.hpp"
#include "support/options/GridSize.hpp"
#include "support/output/OutputPath.hpp"

namespace Lamina::Cli {
namespace {

void declare(CommandLine& line, CommandUse use) {
  line.option("--n", "N", "Points a side of the unit square [1024]");
  line.option("--size", "NX NY", "Points in x and y of a rectangle instead", 2);
  line.option("--solver", "NAME", choice_text("Solver", poisson_solvers, use, "fused-cg"));
  line.option("--smoothing", "N",
              "Smoothing steps of a multigrid cycle before and after a coarser level, 1 to 3 [2]");
  line.flag("--full-multigrid", "Begin with a pass of full multigrid, with multigrid solvers");
  line.option("--memory", "NAME",
              choice_text("How the stencil reads its points", stencil_memories, use, "auto"));
  declare_criteria(line, "1e-6");
  declare_space(line, use);
  line.option("--precision", "NAME", choice_text("Precision", poisson_precisions, use, "double"));
  line.option("--layout", "NAME",
              choice_text("Contiguous index i (left) or j (right)", layouts, CommandUse::one_solve,
                          "auto", true));
  if (use == CommandUse::one_solve) declare_transport(line);
  declare_json(line);
  if (use == CommandUse::one_solve) {
    line.option("--output", "FILE.nc", "Write solution and error as NetCDF");
  }
  declare_quiet(line);
}

/// Options of multigrid, and those that it does not take.
/// \param solver  none: all
PoissonCycles read_cycles(const CommandLine& line, std::optional<PoissonSolver> solver) {
  const bool any = !solver.has_value();
  for (const char* name : {"--smoothing", "--full-multigrid"}) {
    if (line.given(name) && !any && !is_multigrid(*solver)) {
      CommandLine::fail(name, "--solver multigrid|multigrid-cg",
                        std::string(name_of(poisson_solvers, *solver)));
    }
  }
  if (!any && is_multigrid(*solver) && line.text("--memory", "auto") != "auto") {
    CommandLine::fail("--memory",
                      fmt::format("auto with --solver {}", name_of(poisson_solvers, *solver)),
                      line.text("--memory", "auto"));
  }
  return {.smoothing = line.count("--smoothing", PoissonCycles().smoothing, 1, 3),
          .full_multigrid = line.given("--full-multigrid")};
}

/// What works over ranks.
void require_over_ranks(const PoissonOptions& options) {
  const auto memory = options.memory.value_or(PoissonVariant{}.memory);
  if (memory == StencilMemory::texture1d || memory == StencilMemory::texture2d) {
    CommandLine::fail("--memory", "global|shared|auto over several processes",
                      std::string(name_of(stencil_memories, memory)));
  }
}

std::vector<Precision> precisions_of(const PoissonOptions& options, CommandUse use) {
  if (use == CommandUse::comparison) return selected(options.precision, poisson_precisions);
  return {options.precision.value_or(PoissonVariant{}.precision)};
}

}  // namespace

std::optional<PoissonOptions> parse_poisson(CommandUse use,
                                            const std::vector<std::string>& arguments) {
  const bool one = use == CommandUse::one_solve;
  CommandLine line(
      one ? "lamina poisson" : "lamina compare poisson",
      one ? "Solve -Laplace u = f on the unit square by conjugate gradients or multigrid"
          : "Solve on every space, in every precision, through every memory and with "
            "every solver, and compare");
  declare(line, use);
  if (!line.parse(arguments)) return std::nullopt;

  PoissonOptions options;
  options.size = read_size(line, options.size, "points");
  options.size_option = size_option(line);
  options.solver = line.choice("--solver", poisson_solvers);
  options.memory = line.choice("--memory", stencil_memories);
  options.cycles =
      read_cycles(line, one ? options.solver.value_or(PoissonVariant{}.solver) : options.solver);
  options.precision = line.choice("--precision", poisson_precisions);
  if (one) options.rank_grid = read_rank_strips(line, 0, "strips of columns");
  if (find_launch()) require_over_ranks(options);
  options.criteria = read_criteria(line, 1e-6);
  for (const Precision precision : precisions_of(options, use)) {
    require_in_range(options.criteria, precision);
  }
  options.space = choice_or_auto(line, "--space", space_choices(), use);
  options.layout =
      choice_or_auto(line, "--layout", layouts, CommandUse::one_solve).value_or(options.layout);
  options.quiet = line.given("--quiet");
  options.json = text_output_path(line, "--json");
  if (one) options.output = output_path(line, "--output", {".nc"});
  require_different_files({{"--json", options.json}, {"--output", options.output}}, {});
  return options;
}

}  // namespace Lamina::Cli
