// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PointImplicitOptions.hpp"

#include <fmt/format.h>

#include <limits>

#include "CommandLine.hpp"
#include "OutputPath.hpp"
#include "Space.hpp"

namespace Lamina::Cli {
namespace {

constexpr int max_int = std::numeric_limits<int>::max();

void declare(CommandLine& line) {
  line.option("--matrix", "FILE.mtx", "Solve with this matrix, a Matrix Market coordinate file");
  line.option("--rhs", "FILE.mtx", "Right-hand side for it, an array file [A times 1]");
  line.option("--generate", "NX NY NZ",
              "Solve a system with a known solution on a mesh of so many vertices [20 20 20]", 3);
  line.option("--block-size", "NB", fmt::format("Rows of a block, 1 to {} [5]", max_block_size));
  line.option("--krylov", "NAME",
              "Sweeps are the preconditioner of: " + list_names(krylov_methods) +
                  " [none: sweeps alone]; pcg for symmetric positive definite matrices");
  line.option("--sweeps", "N",
              "Number of sweeps [10]; with --krylov in each application of the preconditioner [1]");
  line.flag("--until-converged",
            "Sweep until |b - A x|/|b| is small instead; --krylov always iterates so");
  line.option("--tolerance", "X", "how small, with --until-converged, >= 0 and < 1 [1e-5]");
  line.option("--max-iterations", "N",
              "Give up after N sweeps or iterations, with --until-converged [10000]");
  line.option("--check-every", "N",
              "Sweeps or iterations between two looks, with --until-converged [1; pcg: chosen by "
              "the space]");
  line.option("--direction", "NAME",
              "Order of the colours: " + list_names(directions) + " [forward; pcg: symmetric]");
  line.option("--storage", "NAME",
              "Blocks off the diagonal are stored in: " + list_names(storages) + " [float]");
  line.option("--diagonal", "NAME",
              "Diagonal blocks are solved with by: " + list_names(block_inverses) + " [inverse]");
  line.option("--ordering", "NAME",
              "Rows are ordered, then coloured: " + list_names(row_orders) + " [rcm]");
  line.option("--colouring", "NAME",
              "How they are coloured: " + list_names(colourings) + " [greedy]");
  line.option(
      "--space", "NAME",
      "Execution space: " + list_names(space_choices()) + "|auto [auto: the fastest present]");
  line.option("--json", "FILE", "Write the result as JSON");
  line.option("--output", "FILE.mtx", "Write the solution as a Matrix Market array");
  line.flag("--quiet", "Print nothing but errors");
  line.footer("Options --kokkos-* go to Kokkos, see --kokkos-help.");
}

PointImplicitProblem read_problem(const CommandLine& line) {
  PointImplicitProblem problem;
  problem.block_size = line.count("--block-size", problem.block_size, 1, max_block_size);
  for (const auto& [name, path] :
       {std::pair{"--matrix", &problem.matrix}, std::pair{"--rhs", &problem.rhs}}) {
    if (!line.given(name)) continue;
    *path = line.text(name, "");
    if (path->empty()) CommandLine::fail(name, "a file name", "");
  }
  if (line.given("--rhs") && !line.given("--matrix")) {
    CommandLine::fail("--rhs", "--matrix as well", "none");
  }
  if (line.given("--generate") && line.given("--matrix")) {
    CommandLine::fail("--generate", "no --matrix", "both");
  }
  const auto size = line.counts("--generate", {20, 20, 20}, 1);
  problem.num_x = size[0];
  problem.num_y = size[1];
  problem.num_z = size[2];
  if (size[0] > max_int / size[1] || size[0] * size[1] > max_int / size[2]) {
    CommandLine::fail("--generate", "fewer than 2^31 vertices",
                      fmt::format("{} x {} x {}", size[0], size[1], size[2]));
  }
  return problem;
}

void read_krylov(const CommandLine& line, PointImplicitVariant& variant) {
  variant.krylov = line.choice("--krylov", krylov_methods).value_or(variant.krylov);
  const auto direction = line.choice("--direction", directions);
  const bool pcg = variant.krylov == Krylov::pcg;
  variant.direction = direction.value_or(pcg ? SweepDirection::symmetric : SweepDirection::forward);
  if (pcg && variant.direction != SweepDirection::symmetric) {
    CommandLine::fail("--direction", "symmetric with --krylov pcg",
                      std::string(name_of(directions, variant.direction)));
  }
  if (variant.krylov != Krylov::none) {
    variant.num_sweeps = line.count("--sweeps", variant.num_sweeps, 1, max_int - 1);
  }
}

PointImplicitVariant read_variant(const CommandLine& line) {
  PointImplicitVariant variant;
  variant.storage = line.choice("--storage", storages).value_or(variant.storage);
  variant.inverse = line.choice("--diagonal", block_inverses).value_or(variant.inverse);
  variant.order = line.choice("--ordering", row_orders).value_or(variant.order);
  variant.colours = line.choice("--colouring", colourings).value_or(variant.colours);
  read_krylov(line, variant);
  if (line.text("--space", "auto") != "auto") {
    variant.space = line.choice("--space", space_choices()).value_or(nullptr);
  }
  return variant;
}

/// Looks of the host at the residual; 0: the space chooses.
int read_check_every(const CommandLine& line, Krylov krylov) {
  constexpr int most_of_pcg = 1024;
  if (krylov == Krylov::pcg) return line.count("--check-every", 0, 1, most_of_pcg);
  if (krylov == Krylov::gmres && line.given("--check-every")) {
    CommandLine::fail("--check-every", "no --krylov gmres, which looks in every iteration", "both");
  }
  return line.count("--check-every", 1, 1, max_int - 1);
}

StoppingCriteria read_criteria(const CommandLine& line, Krylov krylov) {
  const bool is_krylov = krylov != Krylov::none;
  if (!is_krylov && !line.given("--until-converged")) {
    for (const char* other : {"--tolerance", "--max-iterations", "--check-every"}) {
      if (line.given(other)) CommandLine::fail(other, "--until-converged as well", "none");
    }
    return StoppingCriteria::iterations(line.count("--sweeps", 10, 0, max_int - 1));
  }
  if (!is_krylov && line.given("--sweeps")) {
    CommandLine::fail("--sweeps", "no --until-converged", "both");
  }
  StoppingCriteria criteria;
  criteria.tolerance = line.number("--tolerance", criteria.tolerance, {.below = 1});
  criteria.max_iterations = line.count("--max-iterations", criteria.max_iterations, 0, max_int - 1);
  criteria.check_every = read_check_every(line, krylov);
  return criteria;
}

}  // namespace

std::optional<PointImplicitOptions> parse_point_implicit(
    const std::vector<std::string>& arguments) {
  CommandLine line("lamina point-implicit",
                   "Solve a block-sparse system by multicolour point-implicit sweeps");
  declare(line);
  if (!line.parse(arguments)) return std::nullopt;
  PointImplicitOptions options;
  options.problem = read_problem(line);
  options.variant = read_variant(line);
  options.criteria = read_criteria(line, options.variant.krylov);
  options.quiet = line.given("--quiet");
  options.json = output_path(line, "--json", "");
  options.output = output_path(line, "--output", ".mtx");
  if (!options.json.empty() && !options.output.empty() && same_file(options.json, options.output)) {
    CommandLine::fail("--json", "another file than --output", options.json.string());
  }
  return options;
}

}  // namespace Lamina::Cli
