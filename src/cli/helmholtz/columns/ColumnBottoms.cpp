// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "helmholtz/HelmholtzTask.hpp"
#include "helmholtz/columns/ColumnInput.hpp"
#include "helmholtz/columns/HelmholtzColumns.hpp"
#include "helmholtz/columns/NamedVariable.hpp"
#include "support/options/CommandLine.hpp"
#include "support/options/InputError.hpp"

namespace Lamina::Cli {
namespace {

/// What `--bottom` gives for each face.
struct BottomValues {
  std::vector<double> values;
  bool are_depths;
  std::string where;  ///< file and variable, for messages
};

/// `nlvls.out` of FESOM: interfaces from the surface to the bottom of each node.
BottomValues read_fesom_levels(const std::filesystem::path& path, std::size_t num_faces) {
  BottomValues result{.values = read_numbers(path), .are_depths = false, .where = path.string()};
  if (result.values.size() != num_faces) {
    throw FileError(path, fmt::format("expected {} numbers of interfaces, got {}", num_faces,
                                      result.values.size()));
  }
  for (double& value : result.values) value = value > 0 ? value - 1 : value;
  return result;
}

BottomValues read_values(const HelmholtzProblem& problem, const std::string& argument) {
  const NamedVariable named = named_variable(argument);
  const auto num_faces = static_cast<std::size_t>(problem.num_columns());
  if (named.variable.empty() && named.file.extension() == ".out") {
    return read_fesom_levels(named.file, num_faces);
  }
  const ColumnInput file(named.file, {num_faces, static_cast<std::size_t>(problem.num_levels)});
  const bool is_default = named.variable.empty();
  if (is_default && !file.has("maxLevelCell")) {
    file.fail("expected FILE:VARIABLE, got a file without a variable 'maxLevelCell'");
  }
  const std::string variable = is_default ? "maxLevelCell" : named.variable;
  return {.values = file.list(variable, num_faces),
          .are_depths = !file.holds_integers(variable),
          .where = fmt::format("{}: variable '{}'", named.file.string(), variable)};
}

[[noreturn]] void refuse(const BottomValues& bottoms, const std::string& expected,
                         std::size_t face) {
  throw InputError(fmt::format("--bottom: {}: expected {}, got {} at ({})", bottoms.where, expected,
                               bottoms.values[face], face));
}

/// The lowest wet level of a column whose bottom lies so deep below the top, and what is open of it. A cell of
/// which less than a tenth is open is closed: thin cells would couple too strongly with the one above.
void take_depth(const VerticalGrid& grid, double depth, int& first_wet, double& height) {
  constexpr double least_open = 0.1;
  const auto& interfaces = grid.interfaces();
  const double bottom = interfaces.back() - depth;
  first_wet = grid.num_levels();
  for (int k = grid.num_levels() - 1; k >= 0; --k) {
    const auto level = static_cast<std::size_t>(k);
    const double whole = grid.thicknesses()[level],
                 open = std::min(whole, interfaces[level + 1] - bottom);
    if (open < least_open * whole) return;
    first_wet = k;
    // What lies at an interface but for rounding ends there.
    height = open > (1 - 1e-9) * whole ? whole : open;
  }
}

}  // namespace

ColumnBottoms whole_columns(std::size_t num_columns, const VerticalGrid& grid) {
  return {.first_wet = std::vector<int>(num_columns, 0),
          .height = std::vector<double>(num_columns, grid.thicknesses().front())};
}

ColumnBottoms read_bottoms(const HelmholtzProblem& problem, const std::string& argument) {
  const BottomValues read = for_option("--bottom", [&] { return read_values(problem, argument); });
  const HelmholtzGrid& of = *problem.grid;
  const VerticalGrid grid = problem.vertical();
  const int levels = grid.num_levels();
  const double depth = (grid.interfaces().back() - grid.interfaces().front()) * of.radius;
  ColumnBottoms bottoms = whole_columns(of.graph.areas.size(), grid);
  bool any_wet = false;
  for (std::size_t c = 0; c < bottoms.first_wet.size(); ++c) {
    const auto face = static_cast<std::size_t>(of.original[c]);
    const double value = read.values[face];
    if (read.are_depths) {
      // A missing depth is one of land.
      if (!std::isnan(value) && !(value <= depth * (1 + 1e-6))) {
        refuse(read, fmt::format("depths of at most {:g}, that of the levels", depth), face);
      }
      if (std::isnan(value) || value <= 0) bottoms.first_wet[c] = levels;
      if (value > 0) {
        take_depth(grid, value / of.radius, bottoms.first_wet[c], bottoms.height[c]);
      }
    } else {
      if (!(value >= 0 && value <= levels)) {
        refuse(read, fmt::format("0 to {} wet levels", levels), face);
      }
      bottoms.first_wet[c] = levels - static_cast<int>(value);
      if (value > 0) {
        bottoms.height[c] = grid.thicknesses()[static_cast<std::size_t>(bottoms.first_wet[c])];
      }
    }
    any_wet = any_wet || bottoms.first_wet[c] < levels;
  }
  if (!any_wet)
    throw InputError("--bottom: " + read.where + ": expected a wet cell, got land alone");
  return bottoms;
}

}  // namespace Lamina::Cli
