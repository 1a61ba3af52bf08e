// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "shallow_water/ShallowWaterOptions.hpp"

#include <lamina/problems/Vortex.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include "shallow_water/ShallowWaterBasinOptions.hpp"
#include "shallow_water/files/ShallowWaterCheckpoint.hpp"
#include "support/machine/Space.hpp"
#include "support/options/CommandLine.hpp"
#include "support/options/GridSize.hpp"
#include "support/output/OutputPath.hpp"

namespace Lamina::Cli {
namespace {

constexpr int max_int = std::numeric_limits<int>::max();
constexpr int max_iterations = 1000000;  // of a solve in each step

void declare_problem(CommandLine& line, CommandUse use) {
  line.option("--n", "N", "Cells a side of the unit square [256]");
  line.option("--size", "NX NY", "Cells in x and y of a rectangle of 1 x NY/NX instead", 2);
  line.option("--initial", "NAME",
              "Initial state: " + list_names(initial_states) +
                  "|FILE.nc, variables height, u and v [vortex]");
  line.option("--velocity", "U V",
              "Uniform flow: of the depression [0.2 0.2, between walls 0.2 0], added to the vortex "
              "[0 0]",
              2);
  declare_basin(line);
  line.option("--cfl", "X", "Time step over cell width, > 0; less where --until asks for it [0.1]");
  line.option("--dt", "X", "Time step instead, > 0");
  line.option("--until", "T", "Time to reach, >= 0 [0.1]");
  line.option("--scheme", "NAME", choice_text("Time stepping", time_schemes, use, "rk3"));
}

void declare_systems(CommandLine& line) {
  line.option(
      "--mass-solver", "NAME",
      "Velocity mass matrix of leapfrog and rk3: " + list_names(mass_solvers) + " [direct]");
  line.option("--mass-tolerance", "X", "|r|/|r0| of its CG, >= 0 and < 1 [1e-4]");
  line.option("--newton-tolerance", "X", "Semi-implicit: |R|/|R0|, >= 0 and < 1 [1e-4]");
  line.option("--newton-iterations", "N", "Exactly N Newton iterations a step instead");
  line.option("--cg-tolerance", "X", "Semi-implicit: |r|/|r0| of CG, >= 0 and < 1 [1e-4]");
  line.option("--cg-iterations", "N",
              "Exactly N iterations of CG in each solve instead, those of --mass-solver cg too");
  line.option("--cg-preconditioner", "NAME",
              "Semi-implicit: of CG: " + list_names(cg_preconditioners) + " [none]");
  line.option("--phi-star", "NAME",
              "Semi-implicit: height of the linear system: " + list_names(reference_heights) +
                  " [current]");
}

void declare_run(CommandLine& line, CommandUse use) {
  declare_space(line, use);
  line.option("--precision", "NAME",
              choice_text("Precision", shallow_water_precisions, use, "double"));
  line.option("--diagnostics-every", "N",
              use == CommandUse::one_solve
                  ? "Check the state every N steps [20]; where given, tell of its sums too"
                  : "Check the state every N steps [20]");
  if (use == CommandUse::one_solve) declare_transport(line);
  declare_json(line);
  if (use == CommandUse::one_solve) {
    line.option("--output", "FILE.nc", "Write first and last state as NetCDF");
    line.option("--output-every", "N", "and that of every N steps");
    line.option("--checkpoint", "FILE.nc", "Write the last state for --restart");
    line.option("--checkpoint-every", "N", "and before it that of every N steps, one at a time");
    line.option("--restart", "FILE.nc",
                "Go on from a checkpoint; options not given are those of its run");
  }
  declare_quiet(line);
}

void declare(CommandLine& line, CommandUse use) {
  declare_problem(line, use);
  declare_systems(line);
  declare_run(line, use);
}

void refuse_both(const CommandLine& line, const char* option, const char* other) {
  if (line.given(option) && line.given(other)) {
    CommandLine::fail(option, std::string("no ") + other, "both");
  }
}

/// Refuses an option that would be ignored without `needed`.
void require_use(const CommandLine& line, const char* option, bool used, const char* needed) {
  if (line.given(option) && !used) {
    CommandLine::fail(option, std::string("it with ") + needed + " only", line.text(option, ""));
  }
}

// --- Problem ---

void read_initial(const CommandLine& line, ShallowWaterProblem& problem) {
  problem.initial = line.text("--initial", problem.initial);
  for (const auto& choice : initial_states) {
    if (choice.name == problem.initial) problem.generated_initial = choice.value;
  }
  const bool is_file = std::filesystem::path(problem.initial).extension() == ".nc";
  if (!problem.generated_initial && !is_file) {
    CommandLine::fail("--initial", list_names(initial_states) + "|FILE.nc", problem.initial);
  }
  if (is_file && line.given("--velocity")) {
    CommandLine::fail("--velocity", "no --initial FILE.nc", "both");
  }
  if (problem.generated_initial && !Vortex::fits(problem.size)) {
    CommandLine::fail("--size", "NY >= 2/5 NX for --initial " + problem.initial,
                      fmt::format("{} {}", problem.size.nx, problem.size.ny));
  }
  const double flow = problem.generated_initial == InitialState::depression ? 0.2 : 0;
  const bool walls = problem.sides == WaterSides::walls;
  const double lowest = -std::numeric_limits<double>::infinity();
  const auto velocity = line.numbers("--velocity", {flow, walls ? 0 : flow}, {.lowest = lowest});
  if (walls && velocity[1] != 0) {
    CommandLine::fail("--velocity", "V = 0 with --sides walls", fmt::format("{}", velocity[1]));
  }
  problem.velocity = {velocity[0], velocity[1]};
}

/// Opens the file of the initial state, if there is one, and checks its shape.
void open_initial(ShallowWaterProblem& problem) {
  if (problem.generated_initial) return;
  for_option("--initial", [&] {
    const auto num_cells = static_cast<std::size_t>(problem.num_cells());
    problem.initial_file =
        std::make_shared<const NetcdfReader>(problem.initial, ReadLimits{.num_values = num_cells});
    require_unchanged(problem.initial);
    require_state(*problem.initial_file, StateLevel::now, problem.size);
  });
}

void require_countable(const std::string& option, double count, double step) {
  if (count <= max_int) return;
  CommandLine::fail(option, fmt::format("at most {} steps to --until", max_int),
                    fmt::format("time steps of {}", step));
}

/// Steps that end at `until`: those asked for, or as many as fit when they shrink a little.
/// \param leaps  a step of leapfrog may be among them
void read_time(const CommandLine& line, bool leaps, ShallowWaterProblem& problem) {
  refuse_both(line, "--dt", "--cfl");
  const NumberRange positive{.lowest_allowed = false};
  problem.until = line.number("--until", problem.until, {});
  constexpr double rounding = 1e-9;  // of the number of steps, or of the time
  if (line.given("--dt")) {
    problem.time_step = line.number("--dt", 0, positive);
    const double count = std::round(problem.until / problem.time_step);
    require_countable("--dt", count, problem.time_step);
    if (std::abs(count * problem.time_step - problem.until) > rounding * problem.until) {
      CommandLine::fail("--dt", fmt::format("a step that divides --until {}", problem.until),
                        line.text("--dt", ""));
    }
    problem.num_steps = static_cast<int>(count);
    const double longest = problem.longest_viscous_step(leaps);
    if (problem.time_step > longest * (1 + rounding)) {
      CommandLine::fail(
          "--dt", fmt::format("at most {:g} for --viscosity {:g}", longest, problem.viscosity),
          line.text("--dt", ""));
    }
    return;
  }
  const double of_waves = line.number("--cfl", 0.1, positive) / problem.size.nx,
               of_viscosity = problem.longest_viscous_step(leaps),
               longest = std::min(of_waves, of_viscosity);
  const double count = problem.until > 0 ? std::ceil(problem.until / longest * (1 - rounding)) : 0;
  require_countable(of_viscosity < of_waves ? "--viscosity" : "--cfl", count, longest);
  problem.num_steps = static_cast<int>(count);
  problem.time_step = count > 0 ? problem.until / count : longest;
}

// --- Schemes ---

/// Which schemes the options are for: of a comparison all, unless one was asked for.
struct Schemes {
  bool explicit_one, semi_implicit, leapfrog;

  Schemes(const std::optional<TimeScheme>& scheme, CommandUse use) {
    const bool all = use == CommandUse::comparison && !scheme;
    const TimeScheme one = scheme.value_or(TimeScheme::rk3);
    explicit_one = all || one != TimeScheme::semi_implicit;
    semi_implicit = all || one == TimeScheme::semi_implicit;
    leapfrog = all || one == TimeScheme::leapfrog;
  }
};

void require_uses(const CommandLine& line, const Schemes& schemes, bool mass_by_cg) {
  require_use(line, "--mass-solver", schemes.explicit_one, "--scheme leapfrog|rk3");
  require_use(line, "--mass-tolerance", mass_by_cg, "--mass-solver cg");
  for (const char* option : {"--newton-tolerance", "--newton-iterations", "--cg-tolerance",
                             "--cg-preconditioner", "--phi-star"}) {
    require_use(line, option, schemes.semi_implicit, "--scheme semi-implicit");
  }
  require_use(line, "--cg-iterations", schemes.semi_implicit || mass_by_cg,
              "--scheme semi-implicit or --mass-solver cg");
  refuse_both(line, "--cg-iterations", "--cg-tolerance");
  refuse_both(line, "--cg-iterations", "--mass-tolerance");
  refuse_both(line, "--newton-iterations", "--newton-tolerance");
}

ShallowWaterSystems read_systems(const CommandLine& line, const Schemes& schemes) {
  ShallowWaterSystems systems;
  const NumberRange tolerances{.below = 1};
  systems.mass_solver = line.choice("--mass-solver", mass_solvers).value_or(systems.mass_solver);
  systems.phi_star = line.choice("--phi-star", reference_heights).value_or(systems.phi_star);
  systems.cg_preconditioner =
      line.choice("--cg-preconditioner", cg_preconditioners).value_or(systems.cg_preconditioner);
  require_uses(line, schemes, schemes.explicit_one && systems.mass_solver == MassSolver::cg);
  systems.mass_tolerance = line.number("--mass-tolerance", systems.mass_tolerance, tolerances);
  systems.newton_tolerance =
      line.number("--newton-tolerance", systems.newton_tolerance, tolerances);
  systems.cg_tolerance = line.number("--cg-tolerance", systems.cg_tolerance, tolerances);
  systems.newton_iterations = line.count("--newton-iterations", 0, 1, max_iterations);
  systems.cg_iterations = line.count("--cg-iterations", 0, 1, max_iterations);
  return systems;
}

// --- Files ---

/// No file may be written twice, and none that is read may be replaced, but a checkpoint by its
/// next.
void require_files_apart(const ShallowWaterOptions& options) {
  const NamedFile json{"--json", options.json}, output{"--output", options.output},
      checkpoint{"--checkpoint", options.checkpoint};
  const bool from_file = options.restart.empty() && !options.problem.generated_initial;
  const auto bottom = options.restart.empty() ? bottom_path(options.problem) : std::string();
  require_different_files(
      {json, output, checkpoint},
      {{"--initial", from_file ? options.problem.initial : std::string()}, {"--bottom", bottom}});
  require_different_files({json, output}, {{"--restart", options.restart}});
}

void read_run(const CommandLine& line, CommandUse use, ShallowWaterOptions& options) {
  options.space = choice_or_auto(line, "--space", space_choices(), use);
  options.quiet = line.given("--quiet");
  if (line.given("--diagnostics-every")) {
    options.diagnostics_every = line.count("--diagnostics-every", 0, 1, max_int);
  }
  options.json = text_output_path(line, "--json");
  if (use == CommandUse::comparison) return;
  options.rank_grid = read_rank_strips(line, 1, "strips of lines");
  require_use(line, "--output-every", line.given("--output"), "--output FILE.nc");
  require_use(line, "--checkpoint-every", line.given("--checkpoint"), "--checkpoint FILE.nc");
  options.output_every = line.count("--output-every", 0, 1, max_int);
  options.checkpoint_every = line.count("--checkpoint-every", 0, 1, max_int);
  options.output = output_path(line, "--output", {".nc"});
  options.checkpoint = output_path(line, "--checkpoint", {".nc"});
  require_files_apart(options);
}

ShallowWaterOptions read_options(const CommandLine& line, CommandUse use) {
  ShallowWaterOptions options;
  options.problem.size = read_size(line, options.problem.size, "cells");
  options.size_option = size_option(line);
  options.scheme = line.choice("--scheme", time_schemes);
  options.precision = line.choice("--precision", shallow_water_precisions);
  read_basin(line, options.problem);
  read_initial(line, options.problem);
  read_time(line, Schemes(options.scheme, use).leapfrog, options.problem);
  options.systems = read_systems(line, Schemes(options.scheme, use));
  if (options.problem.sides == WaterSides::walls && options.systems.mass_solver == MassSolver::cg) {
    CommandLine::fail("--mass-solver", "direct with --sides walls", "cg");
  }
  read_run(line, use, options);
  return options;
}

// --- Restart ---

bool same_value(const std::string& left, const std::string& right) {
  const auto a = parse_number<double>(left), b = parse_number<double>(right);
  return left == right || (a && b && *a == *b);
}

/// The size may be given as well, if it is that of the checkpoint.
void require_same_size(const CommandLine& line, const Rectangle& size) {
  if (!line.given("--n") && !line.given("--size")) return;
  const Rectangle given = read_size(line, size, "cells");
  if (given == size) return;
  const bool by_n = line.given("--n");
  CommandLine::fail(by_n ? "--n" : "--size",
                    fmt::format("{} as in {}",
                                by_n && size.is_square() ? std::to_string(size.nx)
                                : by_n                   ? size_text(size)
                                                         : fmt::format("{} {}", size.nx, size.ny),
                                line.text("--restart", "")),
                    by_n ? line.text("--n", "") : fmt::format("{} {}", given.nx, given.ny));
}

/// Adds what the checkpoint says to options that were not given. Of those that were, only the time
/// to reach may differ.
std::vector<std::string> completed(const CommandLine& line, std::vector<std::string> arguments,
                                   const Checkpoint& checkpoint, const Rectangle& size) {
  for (const char* option : {"--initial", "--velocity", "--bottom", "--sides", "--beta", "--cfl"}) {
    refuse_both(line, option, "--restart");
  }
  require_same_size(line, size);
  const bool size_given = line.given("--n") || line.given("--size");
  for (const auto& [name, values] : checkpoint.options) {
    if (size_given && (name == "n" || name == "size")) continue;
    const std::string option = "--" + name;
    if (!line.given(option)) {
      arguments.push_back(option);
      arguments.insert(arguments.end(), values.begin(), values.end());
    } else if (option != "--until" && !same_value(line.text(option, ""), values.front())) {
      CommandLine::fail(option,
                        fmt::format("{} as in {}", values.front(), line.text("--restart", "")),
                        line.text(option, ""));
    }
  }
  return arguments;
}

void require_restart(const ShallowWaterOptions& options, const Checkpoint& checkpoint) {
  const ShallowWaterProblem& problem = options.problem;
  if (checkpoint.step > problem.num_steps) {
    CommandLine::fail("--until",
                      fmt::format("the time of {} or a later one, {}", options.restart.string(),
                                  problem.time_step * checkpoint.step),
                      fmt::format("{}", problem.until));
  }
  for_option("--restart", [&] {
    require_state(*options.restart_file, StateLevel::now, problem.size);
    if (problem.has_bottom()) require_bottom(*options.restart_file, "bottom", problem.size);
    if (checkpoint.has_previous) {
      require_state(*options.restart_file, StateLevel::previous, problem.size);
    }
  });
}

ShallowWaterOptions read_options_of_run(const std::vector<std::string>& arguments) {
  CommandLine line("lamina shallow-water", "");
  declare(line, CommandUse::one_solve);
  line.parse(arguments);
  return read_options(line, CommandUse::one_solve);
}

/// The options of the run that wrote the checkpoint, which make sense by themselves, unless it is
/// damaged.
ShallowWaterOptions options_of(const Checkpoint& checkpoint, const NetcdfReader& file) {
  std::vector<std::string> arguments;
  for (const auto& [name, values] : checkpoint.options) {
    arguments.push_back("--" + name);
    arguments.insert(arguments.end(), values.begin(), values.end());
  }
  try {
    return read_options_of_run(arguments);
  } catch (const InputError& error) {
    throw InputError("--restart: " + file.path().string() + ": " + error.what());
  }
}

/// Of a command line that is completed by what the checkpoint says.
ShallowWaterOptions read_restart(const CommandLine& given,
                                 const std::vector<std::string>& arguments) {
  const std::filesystem::path path = given.text("--restart", "");
  const auto file = for_option("--restart", [&] { return open_checkpoint(path); });
  const Checkpoint checkpoint = for_option("--restart", [&] { return read_checkpoint(*file); });
  const Rectangle size = options_of(checkpoint, *file).problem.size;
  ShallowWaterOptions options = read_options_of_run(completed(given, arguments, checkpoint, size));
  options.restart = path;
  options.restart_file = file;
  require_files_apart(options);
  require_restart(options, checkpoint);
  return options;
}

}  // namespace

std::optional<ShallowWaterOptions> parse_shallow_water(CommandUse use,
                                                       const std::vector<std::string>& arguments) {
  const bool one = use == CommandUse::one_solve;
  CommandLine line(one ? "lamina shallow-water" : "lamina compare shallow-water",
                   one ? "Integrate the nonlinear shallow water equations on a rectangle"
                       : "Integrate on every space, in every precision and by every scheme, and "
                         "compare");
  declare(line, use);
  if (!line.parse(arguments)) return std::nullopt;
  if (one && line.given("--restart")) return read_restart(line, arguments);
  ShallowWaterOptions options = read_options(line, use);
  open_initial(options.problem);
  open_bottom(options.problem);
  return options;
}

}  // namespace Lamina::Cli
