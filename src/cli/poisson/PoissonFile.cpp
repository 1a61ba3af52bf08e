// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "poisson/PoissonFile.hpp"

#include <lamina/io/NetcdfFile.hpp>
#include <lamina/io/PendingFile.hpp>

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "poisson/PoissonText.hpp"
#include "support/machine/Space.hpp"
#include "support/options/CriteriaOptions.hpp"
#include "support/options/GridSize.hpp"
#include "support/options/InputError.hpp"
#include "support/output/FileOrigin.hpp"

namespace Lamina::Cli {
namespace {

std::size_t length(int extent) { return static_cast<std::size_t>(extent); }

/// The options of multigrid, with a blank in front.
std::string cycles_text(const PoissonVariant& variant) {
  if (!is_multigrid(variant.solver)) return "";
  return fmt::format(" --smoothing {}{}", variant.cycles.smoothing,
                     variant.cycles.full_multigrid ? " --full-multigrid" : "");
}

/// The command that repeats the solve.
std::string command_text(const PoissonTask& task) {
  const PoissonVariant& variant = task.variant;
  return fmt::format(
      "lamina poisson {} --solver {}{} --memory {} {} --space {} --precision {} --layout {}",
      size_text(task.size), name_of(poisson_solvers, variant.solver), cycles_text(variant),
      name_of(stencil_memories, variant.memory), criteria_text(task.criteria), variant.space->name,
      name_of(precisions, variant.precision), name_of(layouts, variant.layout));
}

void write_coordinate(NetcdfFile& file, const char* name, const char* axis, int dimension,
                      const std::vector<double>& values) {
  const int variable = file.add_variable<double>(name, {dimension});
  file.add_attribute(variable, "long_name", std::string(name) + " of points");
  file.add_attribute(variable, "axis", std::string(axis));
  file.add_attribute(variable, "units", std::string("1"));
  file.write(variable, {0}, {values.size()}, values.data());
}

int add_field(NetcdfFile& file, const char* name, const char* text,
              const std::vector<int>& dimensions) {
  const int variable = file.add_variable<double>(name, dimensions);
  file.add_attribute(variable, "long_name", std::string(text));
  file.add_attribute(variable, "units", std::string("1"));
  return variable;
}

/// n points in one direction of a grid with nx points in x, and their part of the exact solution.
struct Direction {
  std::vector<double> points, sin2;

  Direction(int n, int nx) {
    const double pi = 3.14159265358979323846;
    for (int i = 0; i < n; ++i) {
      points.push_back((i + 1.0) / (nx + 1.0));
      sin2.push_back(std::pow(std::sin(pi * (i + 1.0) / (n + 1.0)), 2));
    }
  }
};

void write_values(NetcdfFile& file, const PoissonTask& task,
                  const std::function<void(int, double*)>& line) {
  const auto [nx, ny] = task.size;
  const Direction along_x(nx, nx), along_y(ny, nx);
  std::vector<double> values(length(ny));
  const int x = file.add_dimension("x", length(nx)), y = file.add_dimension("y", length(ny));
  write_coordinate(file, "x", "X", x, along_x.points);
  write_coordinate(file, "y", "Y", y, along_y.points);
  const int solution = add_field(file, "solution", "solution u", {x, y});
  const int error = add_field(file, "error", "u minus the exact solution", {x, y});
  for (int i = 0; i < nx; ++i) {
    line(i, values.data());
    file.write(solution, {length(i), 0}, {1, length(ny)}, values.data());
    for (int j = 0; j < ny; ++j) {
      values[length(j)] -= along_x.sin2[length(i)] * along_y.sin2[length(j)];
    }
    file.write(error, {length(i), 0}, {1, length(ny)}, values.data());
  }
}

void write_attributes(NetcdfFile& file, const PoissonTask& task, const SolveResult& result) {
  const auto text = [&](const char* name, std::string_view value) {
    file.add_attribute(NetcdfFile::global, name, std::string(value));
  };
  file.add_attributes(origin_attributes(equation_text(task), command_text(task)));
  text("solver", name_of(poisson_solvers, task.variant.solver));
  text("precision", name_of(precisions, task.variant.precision));
  file.add_attributes(outcome_attributes(result));
}

}  // namespace

void write_poisson_file(const PoissonTask& task, const SolveResult& result,
                        const std::function<void(int, double*)>& line) {
  for_option("--output", [&] {
    PendingFile pending(task.output);
    NetcdfFile file = NetcdfFile::create(pending.temporary(), task.output);
    write_attributes(file, task, result);
    write_values(file, task, line);
    file.close();
    pending.commit();
  });
}

}  // namespace Lamina::Cli
