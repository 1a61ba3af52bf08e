// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "shallow_water/ShallowWaterBasinOptions.hpp"

#include <lamina/io/NetcdfReader.hpp>

#include <limits>
#include <string>

#include "shallow_water/files/ShallowWaterCheckpoint.hpp"
#include "shallow_water/files/ShallowWaterFields.hpp"
#include "support/options/InputError.hpp"
#include "support/options/NamedVariable.hpp"

namespace Lamina::Cli {
namespace {

/// `FILE.nc`, or `FILE.nc:VARIABLE`.
NamedVariable bottom_name(const std::string& text) {
  NamedVariable named = named_variable(text);
  if (named.variable.empty()) named.variable = "bottom";
  return named;
}
bool is_file(const std::string& text) {
  return !text.ends_with(':') && bottom_name(text).file.extension() == ".nc";
}

}  // namespace

void declare_basin(CommandLine& line) {
  line.option("--bottom", "NAME",
              "Bottom: " + list_names(bottom_shapes) +
                  "|FILE.nc[:VARIABLE], variable bottom if not named [flat]");
  line.option("--sides", "NAME", "South and north: " + list_names(water_sides) + " [periodic]");
  line.option("--coriolis", "F", "Coriolis parameter [0.3]");
  line.option("--beta", "X", "Between walls: it is F + X (y - y0), F in the middle [0]");
  line.option("--viscosity", "NU", "Viscosity: NU Laplace of the velocities, >= 0 [0]");
}

void read_basin(const CommandLine& line, ShallowWaterProblem& problem) {
  problem.sides = line.choice("--sides", water_sides).value_or(problem.sides);
  problem.bottom = line.text("--bottom", problem.bottom);
  problem.generated_bottom.reset();
  for (const auto& choice : bottom_shapes) {
    if (choice.name == problem.bottom) problem.generated_bottom = choice.value;
  }
  if (!problem.generated_bottom && !is_file(problem.bottom)) {
    CommandLine::fail("--bottom", list_names(bottom_shapes) + "|FILE.nc[:VARIABLE]",
                      problem.bottom);
  }
  const NumberRange any{.lowest = -std::numeric_limits<double>::infinity()};
  problem.coriolis = line.number("--coriolis", problem.coriolis, any);
  if (line.given("--beta") && problem.sides != WaterSides::walls) {
    CommandLine::fail("--beta", "it with --sides walls only", line.text("--beta", ""));
  }
  problem.beta = line.number("--beta", problem.beta, any);
  problem.viscosity = line.number("--viscosity", problem.viscosity, {});
}

std::string bottom_path(const ShallowWaterProblem& problem) {
  return problem.generated_bottom ? std::string() : bottom_name(problem.bottom).file.string();
}

void open_bottom(ShallowWaterProblem& problem) {
  if (problem.generated_bottom) return;
  for_option("--bottom", [&] {
    const auto num_cells = static_cast<std::size_t>(problem.num_cells());
    const NamedVariable named = bottom_name(problem.bottom);
    problem.bottom_variable = named.variable;
    problem.bottom_file =
        std::make_shared<const NetcdfReader>(named.file, ReadLimits{.num_values = num_cells});
    require_unchanged(named.file);
    require_bottom(*problem.bottom_file, problem.bottom_variable, problem.size);
  });
}

}  // namespace Lamina::Cli
