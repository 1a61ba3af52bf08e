// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "helmholtz/HelmholtzOptions.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "helmholtz/HelmholtzFile.hpp"
#include "helmholtz/HelmholtzLimits.hpp"
#include "helmholtz/columns/ColumnsOptions.hpp"
#include "helmholtz/columns/HelmholtzColumns.hpp"
#include "helmholtz/parts/GridPartition.hpp"
#include "support/machine/Launcher.hpp"
#include "support/machine/Space.hpp"
#include "support/options/CommandLine.hpp"
#include "support/options/CriteriaOptions.hpp"
#include "support/output/OutputPath.hpp"

namespace Lamina::Cli {
namespace {

constexpr int max_int = std::numeric_limits<int>::max();

void declare_problem(CommandLine& line) {
  line.option("--size", "NX NY NZ", "Columns in x and y of a panel, levels [256 256 128]", 3);
  declare_grid(line);
  declare_columns(line);
  line.option(
      "--omega2", "X",
      "Squared length of the horizontal coupling, > 0 [6.71e-4 (256/NX)^2; elsewhere 21 mean "
      "areas of columns]");
  line.option("--lambda2", "X", "Vertical over horizontal coupling, >= 0 [3.32e-2]");
  line.option(
      "--depth", "X",
      "Depth of the shell in units of its radius, > 0 [0.0157; of a plane times the root of "
      "its area]");
  line.option("--edge", "NAME", "Outer edge of the panel: " + list_names(edges) + " [zero-flux]");
  line.option("--rhs", "NAME",
              "Right-hand side: " + list_names(right_hand_sides) +
                  "|FILE.nc, a variable rhs(x, y, level) or rhs(face, level) of cell integrals "
                  "[smooth]");
}

void declare_solve(CommandLine& line, CommandUse use) {
  line.option("--solver", "NAME", choice_text("Solver", solvers, use, "fused-pcg"));
  line.option("--multigrid-levels", "N", "Levels of a multigrid cycle, at most [as many as help]");
  line.option("--smoothing", "N",
              "Smoothing steps of a multigrid cycle before and after a coarser level, 1 to 3 [2]");
  declare_criteria(line, "1e-5");
  declare_space(line, use);
  line.option("--precision", "NAME",
              choice_text("Precision (mixed: iterations in single, solution in double; "
                          "fused-pcg, multigrid-pcg, multigrid)",
                          precisions, use, "double"));
  line.option(
      "--layout", "NAME",
      choice_text("Contiguous columns (left) or levels (right)", layouts, use, "auto", true));
}

void declare_files(CommandLine& line, CommandUse use) {
  declare_json(line);
  if (use == CommandUse::one_solve) {
    line.option("--output", "FILE", "Write solution and right-hand side, .nc or .vtu (ParaView)");
  }
  declare_quiet(line);
}

int size_entry(std::int64_t value) {
  if (value > max_int)
    CommandLine::fail("--size", "fewer than 2^31 columns and levels", std::to_string(value));
  return static_cast<int>(value);
}

void read_panel_size(const CommandLine& line, HelmholtzProblem& problem) {
  if (line.given("--levels")) {
    CommandLine::fail("--levels", "a --grid other than panel", line.text("--levels", ""));
  }
  const auto size = line.counts("--size", {256, 256, 128}, 1);
  problem.num_x = size_entry(size[0]);
  problem.num_y = size_entry(size[1]);
  problem.num_levels = size_entry(size[2]);
  if (problem.num_columns() > max_int) {
    CommandLine::fail("--size", "fewer than 2^31 columns", std::to_string(problem.num_columns()));
  }
}

/// A grid other than a panel, and what does not go with it.
void read_other_grid(const CommandLine& line, HelmholtzProblem& problem) {
  if (line.given("--size")) {
    CommandLine::fail("--size", "--levels with --grid " + problem.grid->name, "--size");
  }
  if (line.choice("--edge", edges) == PanelEdge::dirichlet) {
    CommandLine::fail("--edge", "zero-flux with --grid " + problem.grid->name, "dirichlet");
  }
  if (!problem.grid->on_sphere()) problem.depth *= std::sqrt(problem.grid->area());
  read_levels(line, problem);
}

/// That of the panel is the model problem's. Others have its ratio to the mean area of columns.
double default_omega2(const HelmholtzProblem& problem) {
  if (!problem.grid) return 6.71e-4 * std::pow(256.0 / problem.num_x, 2);
  return 21 * problem.grid->area() / static_cast<double>(problem.num_columns());
}

HelmholtzProblem read_problem(const CommandLine& line) {
  HelmholtzProblem problem;
  problem.grid = read_grid(line);
  problem.grid ? read_other_grid(line, problem) : read_panel_size(line, problem);
  const NumberRange positive{.lowest_allowed = false}, not_negative{};
  problem.parameters.omega2 = line.number("--omega2", default_omega2(problem), positive);
  problem.parameters.lambda2 = line.number("--lambda2", 3.32e-2, not_negative);
  problem.depth = line.number("--depth", problem.depth, positive);
  const double thinnest = problem.interfaces.empty()
                              ? problem.depth / problem.num_levels / problem.num_levels
                              : problem.depth;
  const double bottom = problem.grid && !problem.grid->on_sphere() ? 0 : 1;
  if (bottom + thinnest == bottom) {
    CommandLine::fail("--depth", "levels thicker than rounding",
                      fmt::format("{} for the lowest one", thinnest));
  }
  problem.edge = line.choice("--edge", edges).value_or(problem.edge);
  problem.rhs = line.text("--rhs", problem.rhs);
  if (std::filesystem::path(problem.rhs).extension() == ".nc") return problem;
  for (const auto& choice : right_hand_sides) {
    if (choice.name == problem.rhs) problem.generated_rhs = choice.value;
  }
  if (!problem.generated_rhs) {
    CommandLine::fail("--rhs", list_names(right_hand_sides) + "|FILE.nc", problem.rhs);
  }
  return problem;
}

MultigridParameters read_multigrid(const CommandLine& line, std::optional<Solver> solver) {
  for (const char* name : {"--multigrid-levels", "--smoothing"}) {
    if (line.given(name) && solver && !is_multigrid(*solver)) {
      CommandLine::fail(name, "--solver multigrid-pcg|multigrid",
                        std::string(name_of(solvers, *solver)));
    }
  }
  const MultigridParameters most;
  return {.steps = line.count("--smoothing", most.steps, 1, 3),
          .max_levels = line.count("--multigrid-levels", most.max_levels, 1, max_int)};
}

/// What works over ranks.
void require_over_ranks(const HelmholtzOptions& options) {
  const Solver solver = options.solver.value_or(Solver::fused_pcg);
  if (solver == Solver::csr_pcg || solver == Solver::fused_pcg_stored) {
    CommandLine::fail("--solver", "fused-pcg|pcg|multigrid-pcg|multigrid over several processes",
                      std::string(name_of(solvers, solver)));
  }
  // Bottoms and coefficients have another model, which works in mixed precision.
  if (options.precision == Precision::mixed && !is_multigrid(solver) && !options.problem.columns) {
    CommandLine::fail("--precision",
                      fmt::format("single|double with --solver {} over several processes",
                                  name_of(solvers, solver)),
                      "mixed");
  }
}

/// The precisions of the solves: of a comparison all, unless one was asked for.
std::vector<Precision> precisions_of(const HelmholtzOptions& options, CommandUse use) {
  if (options.precision) return {*options.precision};
  if (use == CommandUse::one_solve) return {Precision::double_precision};
  std::vector<Precision> all;
  for (const auto& choice : precisions) {
    if (offers(options.solver.value_or(Solver::fused_pcg), choice.value))
      all.push_back(choice.value);
  }
  return all;
}

}  // namespace

std::optional<HelmholtzOptions> parse_helmholtz(CommandUse use,
                                                const std::vector<std::string>& arguments) {
  const bool one = use == CommandUse::one_solve;
  CommandLine line(
      one ? "lamina helmholtz" : "lamina compare helmholtz",
      one ? "Solve the anisotropic elliptic equation in a thin spherical shell"
          : "Solve on every space, layout, precision and with every solver, and compare");
  declare_problem(line);
  declare_solve(line, use);
  if (one) declare_rank_grid(line);
  if (one) declare_partition(line);
  declare_files(line, use);
  if (!line.parse(arguments)) return std::nullopt;

  HelmholtzOptions options;
  options.problem = read_problem(line);
  options.criteria = read_criteria(line, 1e-5);
  options.solver = line.choice("--solver", solvers);
  options.multigrid =
      read_multigrid(line, one ? options.solver.value_or(Solver::fused_pcg) : options.solver);
  options.precision = line.choice("--precision", precisions);
  if (options.solver && options.precision && !offers(*options.solver, *options.precision)) {
    CommandLine::fail(
        "--precision",
        fmt::format("single|double with --solver {}", name_of(solvers, *options.solver)),
        std::string(name_of(precisions, *options.precision)));
  }
  // Columns of few wet cells are less work for a process.
  auto bottoms = read_column_bottoms(line, options);
  if (one) {
    options.rank_grid = read_rank_columns(
        line, options.problem,
        bottoms ? wet_levels(*bottoms, options.problem.num_levels) : std::vector<double>());
  }
  if (bottoms) read_columns(line, *std::move(bottoms), options.problem);
  if (find_launch()) require_over_ranks(options);
  for (const Precision precision : precisions_of(options, use)) {
    options.problem.columns ? require_columns_in_range(options.problem, precision)
                            : require_in_range(options.problem, precision);
    require_in_range(options.criteria, precision);
  }
  options.space = choice_or_auto(line, "--space", space_choices(), use);
  options.layout = choice_or_auto(line, "--layout", layouts, use);
  options.quiet = line.given("--quiet");
  open_right_hand_side(options.problem);
  options.json = text_output_path(line, "--json");
  if (one) options.output = output_path(line, "--output", {".nc", ".vtu"});
  const HelmholtzGrid* grid = options.problem.grid.get();
  if (!options.output.empty() && grid != nullptr && grid->polygons.size() == 0) {
    CommandLine::fail("--output", "a --grid whose cells have corners", grid->name);
  }
  const bool reads_rhs = !options.problem.generated_rhs;
  const bool reads_grid = grid != nullptr && !grid->convention.empty();
  std::vector<NamedFile> read{
      {"--rhs", reads_rhs ? options.problem.rhs : std::string()},
      {"--grid", reads_grid ? line.texts("--grid").front() : std::string()},
      {"--partition", one ? partition_path(line) : std::filesystem::path()}};
  for (const NamedFile& file : files_of_columns(line)) read.push_back(file);
  require_different_files({{"--json", options.json}, {"--output", options.output}}, read);
  return options;
}

}  // namespace Lamina::Cli
