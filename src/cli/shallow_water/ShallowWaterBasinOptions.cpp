// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "shallow_water/ShallowWaterBasinOptions.hpp"

#include <lamina/io/NetcdfReader.hpp>

#include <filesystem>
#include <limits>

#include "shallow_water/files/ShallowWaterFields.hpp"
#include "support/options/InputError.hpp"

namespace Lamina::Cli {
namespace {

/// `FILE.nc`, or `FILE.nc:VARIABLE`.
struct BottomName {
  std::string path, variable;

  explicit BottomName(const std::string& text) : path(text), variable("bottom") {
    const std::size_t colon = text.rfind(':');
    if (colon == std::string::npos || is_file()) return;
    path = text.substr(0, colon);
    variable = text.substr(colon + 1);
  }
  bool is_file() const { return std::filesystem::path(path).extension() == ".nc"; }
};

}  // namespace

void declare_basin(CommandLine& line) {
  line.option("--bottom", "NAME",
              "Bottom: " + list_names(bottom_shapes) +
                  "|FILE.nc[:VARIABLE], variable bottom if not named [flat]");
  line.option("--sides", "NAME", "South and north: " + list_names(water_sides) + " [periodic]");
  line.option("--coriolis", "F", "Coriolis parameter [0.3]");
  line.option("--beta", "X", "Between walls: it is F + X (y - y0), F in the middle [0]");
}

void read_basin(const CommandLine& line, ShallowWaterProblem& problem) {
  problem.sides = line.choice("--sides", water_sides).value_or(problem.sides);
  problem.bottom = line.text("--bottom", problem.bottom);
  problem.generated_bottom.reset();
  for (const auto& choice : bottom_shapes) {
    if (choice.name == problem.bottom) problem.generated_bottom = choice.value;
  }
  const BottomName name(problem.bottom);
  if (!problem.generated_bottom && (!name.is_file() || name.variable.empty())) {
    CommandLine::fail("--bottom", list_names(bottom_shapes) + "|FILE.nc[:VARIABLE]",
                      problem.bottom);
  }
  const NumberRange any{.lowest = -std::numeric_limits<double>::infinity()};
  problem.coriolis = line.number("--coriolis", problem.coriolis, any);
  if (line.given("--beta") && problem.sides != WaterSides::walls) {
    CommandLine::fail("--beta", "it with --sides walls only", line.text("--beta", ""));
  }
  problem.beta = line.number("--beta", problem.beta, any);
}

std::string bottom_path(const ShallowWaterProblem& problem) {
  return problem.generated_bottom ? std::string() : BottomName(problem.bottom).path;
}

void open_bottom(ShallowWaterProblem& problem) {
  if (problem.generated_bottom) return;
  for_option("--bottom", [&] {
    const auto num_cells = static_cast<std::size_t>(problem.num_cells());
    const BottomName name(problem.bottom);
    problem.bottom_variable = name.variable;
    problem.bottom_file =
        std::make_shared<const NetcdfReader>(name.path, ReadLimits{.num_values = num_cells});
    require_bottom(*problem.bottom_file, problem.bottom_variable, problem.size);
  });
}

}  // namespace Lamina::Cli
