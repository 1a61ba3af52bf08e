// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "point_implicit/PointImplicitOptions.hpp"

#include <lamina/io/MatrixMarketFile.hpp>

#include <fmt/format.h>

#include <limits>

#include "support/Interruption.hpp"
#include "support/machine/Space.hpp"
#include "support/options/CommandLine.hpp"
#include "support/options/InputError.hpp"
#include "support/output/OutputPath.hpp"

namespace Lamina::Cli {
namespace {

constexpr int max_int = std::numeric_limits<int>::max();

void declare_problem(CommandLine& line) {
  line.option("--matrix", "FILE.mtx", "Solve with this matrix, a Matrix Market coordinate file");
  line.option("--rhs", "FILE.mtx", "Right-hand side for it, an array or coordinates [A times 1]");
  line.option("--mesh", "FILE.msh",
              "Solve a system with a known solution on the volume elements of a mesh of Gmsh");
  line.option("--generate", "NX NY NZ", "The same on a box of so many vertices [20 20 20]", 3);
  line.option(
      "--block-size", "NB",
      fmt::format("Rows of a block, 1 to {} [what % ISTL_STRUCT of the matrix says, else 5]",
                  max_block_size));
}

void declare_krylov(CommandLine& line) {
  line.option(
      "--krylov", "NAME",
      "Sweeps are the preconditioner of: " + list_names(krylov_methods) +
          " [none: sweeps alone]; pcg for symmetric positive definite matrices, gmres for all");
}

void declare_solve(CommandLine& line, CommandUse use) {
  const bool one = use == CommandUse::one_solve;
  if (one) declare_krylov(line);
  line.option("--sweeps", "N",
              one ? "Number of sweeps [10]; with --krylov in each application of the "
                    "preconditioner [1]"
                  : "Number of sweeps [10]");
  line.flag("--until-converged",
            one ? "Sweep until |b - A x|/|b| is small instead; --krylov always iterates so"
                : "Sweep until |b - A x|/|b| is small instead");
  line.option("--tolerance", "X", "how small, with --until-converged, >= 0 and < 1 [1e-5]");
  line.option("--max-iterations", "N",
              "Give up after N sweeps or iterations, with --until-converged [10000]");
  line.option("--check-every", "N",
              "Sweeps or iterations between two looks, with --until-converged [1; with --krylov "
              "chosen by the space]");
  line.option("--direction", "NAME",
              choice_text("Order of the colours", directions, use, "forward; pcg: symmetric") +
                  (use == CommandUse::comparison ? ", but forward with --sweeps" : ""));
  line.option("--storage", "NAME",
              choice_text("Sweeps read blocks off the diagonal in", storages, use, "float"));
  line.option("--diagonal", "NAME",
              choice_text("Diagonal blocks are solved with by", block_inverses, use, "inverse"));
  line.option("--ordering", "NAME",
              "Rows are ordered, then coloured: " + list_names(row_orders) + " [rcm]");
  line.option("--colouring", "NAME",
              "How they are coloured: " + list_names(colourings) +
                  "|FILE.txt, the colour of one row a line, 0 the first [greedy]");
  declare_space(line, use);
}

void declare_files(CommandLine& line, CommandUse use) {
  declare_json(line);
  if (use == CommandUse::one_solve) {
    line.option("--output", "FILE",
                "Write the solution: FILE.mtx Matrix Market, FILE.nc NetCDF with points, FILE.vtu "
                "with points and cells for ParaView");
  }
  declare_quiet(line);
}

/// Of the option, else of the matrix where its file states one.
int read_block_size(const CommandLine& line, const PointImplicitProblem& problem) {
  int size = problem.block_size;
  if (!line.given("--block-size") && !problem.matrix.empty()) {
    for_option("--matrix", [&] { size = find_block_size(problem.matrix).value_or(size); });
    if (size > max_block_size) {
      CommandLine::fail("--matrix", fmt::format("blocks of 1 to {} rows", max_block_size),
                        std::to_string(size));
    }
  }
  return line.count("--block-size", size, 1, max_block_size);
}

PointImplicitProblem read_problem(const CommandLine& line) {
  PointImplicitProblem problem;
  for (const auto& [name, path] :
       {std::pair{"--matrix", &problem.matrix}, std::pair{"--rhs", &problem.rhs},
        std::pair{"--mesh", &problem.mesh}}) {
    if (!line.given(name)) continue;
    *path = line.text(name, "");
    if (path->empty()) CommandLine::fail(name, "a file name", "");
  }
  if (line.given("--rhs") && !line.given("--matrix")) {
    CommandLine::fail("--rhs", "--matrix as well", "none");
  }
  for (const auto& [name, other] :
       {std::pair{"--generate", "--matrix"}, std::pair{"--generate", "--mesh"},
        std::pair{"--mesh", "--matrix"}}) {
    if (line.given(name) && line.given(other)) {
      CommandLine::fail(name, std::string("no ") + other, "both");
    }
  }
  problem.block_size = read_block_size(line, problem);
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

void read_colouring(const CommandLine& line, PointImplicitOptions& options) {
  if (!line.given("--colouring")) return;
  const std::string got = line.text("--colouring", "");
  if (std::filesystem::path(got).extension() == ".txt") {
    options.problem.colours = got;
    return;
  }
  for (const auto& choice : colourings) {
    if (choice.name == got) {
      options.colours = choice.value;
      return;
    }
  }
  CommandLine::fail("--colouring", list_names(colourings) + "|FILE.txt", got);
}

void read_krylov(const CommandLine& line, PointImplicitOptions& options) {
  options.krylov = line.choice("--krylov", krylov_methods).value_or(options.krylov);
  if (options.krylov == Krylov::pcg && options.direction &&
      options.direction != SweepDirection::symmetric) {
    CommandLine::fail("--direction", "symmetric with --krylov pcg",
                      std::string(name_of(directions, *options.direction)));
  }
  if (options.krylov != Krylov::none) {
    // Each row is rounded by a scale of its own: symmetric matrices do not stay so.
    if (options.storage == Storage::half_precision) {
      CommandLine::fail("--storage", "float|double with --krylov", "half");
    }
    options.num_sweeps = line.count("--sweeps", options.num_sweeps, 1, max_int - 1);
  }
}

void read_variant(const CommandLine& line, CommandUse use, PointImplicitOptions& options) {
  options.storage = line.choice("--storage", storages);
  options.inverse = line.choice("--diagonal", block_inverses);
  options.order = line.choice("--ordering", row_orders).value_or(options.order);
  read_colouring(line, options);
  options.direction = line.choice("--direction", directions);
  if (use == CommandUse::one_solve) read_krylov(line, options);
  options.space = choice_or_auto(line, "--space", space_choices(), use);
}

void read_ranks(const CommandLine& line, PointImplicitOptions& options) {
  options.rank_grid = read_rank_strips(line, 0, "parts of block rows");
  options.rank_grid.partitioner = options.order == RowOrder::rcm ? "rcm" : "blocks";
}

/// Looks of the host at the residual; 0: the space chooses.
int read_check_every(const CommandLine& line, Krylov krylov) {
  constexpr int most_of_krylov = 1024;
  if (krylov != Krylov::none) return line.count("--check-every", 0, 1, most_of_krylov);
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
    CommandUse use, const std::vector<std::string>& arguments) {
  const bool one = use == CommandUse::one_solve;
  CommandLine line(
      one ? "lamina point-implicit" : "lamina compare point-implicit",
      one ? "Solve a block-sparse system by multicolour point-implicit sweeps"
          : "Sweep on every space, with every storage, diagonal and direction, and compare");
  declare_problem(line);
  declare_solve(line, use);
  if (one) declare_transport(line);
  declare_files(line, use);
  if (!line.parse(arguments)) return std::nullopt;
  PointImplicitOptions options;
  options.problem = read_problem(line);
  read_variant(line, use, options);
  if (one) read_ranks(line, options);
  options.criteria = read_criteria(line, options.krylov);
  options.criteria.stop_requested = interrupted;
  options.quiet = line.given("--quiet");
  options.json = text_output_path(line, "--json");
  if (one) options.output = output_path(line, "--output", {".mtx", ".nc", ".vtu"});
  if (options.output.extension() == ".vtu" && !options.problem.generated()) {
    CommandLine::fail("--output", "a name that ends in .mtx or .nc where points have no places",
                      options.output.string());
  }
  require_different_files({{"--json", options.json}, {"--output", options.output}},
                          {{"--matrix", options.problem.matrix},
                           {"--rhs", options.problem.rhs},
                           {"--mesh", options.problem.mesh},
                           {"--colouring", options.problem.colours}});
  return options;
}

}  // namespace Lamina::Cli
