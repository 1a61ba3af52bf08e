// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/io/NumberFile.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "helmholtz/HelmholtzTask.hpp"
#include "helmholtz/columns/ColumnInput.hpp"
#include "helmholtz/columns/HelmholtzColumns.hpp"
#include "support/options/CommandLine.hpp"
#include "support/options/InputError.hpp"
#include "support/options/NamedVariable.hpp"

namespace Lamina::Cli {
namespace {

/// Of MPAS.
constexpr const char* default_bottom = "maxLevelCell";

/// What `--bottom` gives for each face.
struct BottomValues {
  enum class Kind { levels, interfaces, depths, heights };

  std::vector<double> values;  ///< as in the file
  Kind kind;
  std::string where;  ///< file and variable, for messages
};
using Kind = BottomValues::Kind;

/// `nlvls.out` of FESOM: interfaces from the surface to the bottom of each node.
BottomValues read_fesom_levels(const std::filesystem::path& path, std::size_t num_faces) {
  BottomValues result{
      .values = read_numbers(path), .kind = Kind::interfaces, .where = path.string()};
  if (result.values.size() != num_faces) {
    throw FileError(path, fmt::format("expected {} numbers of interfaces, got {}", num_faces,
                                      result.values.size()));
  }
  return result;
}

/// Some tools rewrite integers as floating-point numbers where values are missing: `maxLevelCell` holds numbers of
/// levels whatever its type is. What points up or down does not.
Kind kind_of(const ColumnInput& file, const std::string& variable) {
  if (variable == default_bottom) return Kind::levels;
  const std::string positive = file.positive_of(variable);
  if (positive.empty() && file.holds_integers(variable)) return Kind::levels;
  return positive == "up" ? Kind::heights : Kind::depths;
}

BottomValues read_values(const HelmholtzProblem& problem, const std::string& argument) {
  const NamedVariable named = named_variable(argument);
  const auto num_faces = static_cast<std::size_t>(problem.num_columns());
  if (named.variable.empty() && named.file.extension() == ".out") {
    return read_fesom_levels(named.file, num_faces);
  }
  const ColumnInput file(named.file, {num_faces, static_cast<std::size_t>(problem.num_levels)});
  const bool is_default = named.variable.empty();
  if (is_default && !file.has(default_bottom)) {
    file.fail(
        fmt::format("expected FILE:VARIABLE, got a file without a variable '{}'", default_bottom));
  }
  const std::string variable = is_default ? default_bottom : named.variable;
  return {.values = file.list(variable, num_faces),
          .kind = kind_of(file, variable),
          .where = fmt::format("{}: variable '{}'", named.file.string(), variable)};
}

[[noreturn]] void refuse(const BottomValues& bottoms, const std::string& expected,
                         std::size_t face) {
  throw InputError(fmt::format("--bottom: {}: expected {}, got {} at ({})", bottoms.where, expected,
                               bottoms.values[face], face));
}

/// Of a face with a number of levels or interfaces; 0: land.
int wet_levels(const BottomValues& bottoms, std::size_t face, int num_levels) {
  const double value = bottoms.values[face];
  if (std::isnan(value)) return 0;
  const bool of_interfaces = bottoms.kind == Kind::interfaces;
  const double most = of_interfaces ? num_levels + 1.0 : num_levels;
  if (!(value >= 0 && value <= most) || value != std::floor(value)) {
    refuse(bottoms,
           fmt::format("a whole number of {} from 0 to {}",
                       of_interfaces ? "interfaces" : "wet levels", most),
           face);
  }
  return static_cast<int>(of_interfaces && value > 0 ? value - 1 : value);
}

/// Below the top, of a face with a depth or height; not above 0: land.
double depth_of(const BottomValues& bottoms, std::size_t face, double deepest) {
  const double value = bottoms.values[face];
  if (std::isnan(value)) return 0;
  const bool is_height = bottoms.kind == Kind::heights;
  const double depth = is_height ? -value : value;
  if (!(depth <= deepest * (1 + 1e-6))) {
    refuse(bottoms,
           is_height ? fmt::format("heights of at least {:g}, the lowest of the levels", -deepest)
                     : fmt::format("depths of at most {:g}, that of the levels", deepest),
           face);
  }
  return depth;
}

/// The lowest wet level of a column whose bottom lies so deep below the top, and what is open of it. A cell of
/// which less than a tenth is open is closed: thin cells would couple too strongly with the one above.
void take_depth(const VerticalGrid& grid, double depth, int& first_wet, double& height) {
  constexpr double least_open = 0.1;
  const auto& interfaces = grid.interfaces();
  const double bottom = interfaces.back() - depth;
  // Interfaces are radii on a sphere: differences of them are no more precise than they are.
  const double rounding = 8 * std::numeric_limits<double>::epsilon() *
                          std::max(std::abs(interfaces.front()), std::abs(interfaces.back()));
  first_wet = grid.num_levels();
  for (int k = grid.num_levels() - 1; k >= 0; --k) {
    const auto level = static_cast<std::size_t>(k);
    const double whole = grid.thicknesses()[level],
                 open = std::min(whole, interfaces[level + 1] - bottom);
    if (open < least_open * whole) return;
    first_wet = k;
    // What lies at an interface but for rounding ends there.
    height = open > (1 - 1e-9) * whole - rounding ? whole : open;
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
  const double deepest = (grid.interfaces().back() - grid.interfaces().front()) * of.radius;
  const bool by_number = read.kind == Kind::levels || read.kind == Kind::interfaces;
  ColumnBottoms bottoms = whole_columns(of.graph.areas.size(), grid);
  bool any_wet = false;
  for (std::size_t c = 0; c < bottoms.first_wet.size(); ++c) {
    const auto face = static_cast<std::size_t>(of.original[c]);
    int& first = bottoms.first_wet[c];
    first = levels;
    if (by_number) {
      first -= wet_levels(read, face, levels);
      if (first < levels) {
        bottoms.height[c] = grid.thicknesses()[static_cast<std::size_t>(first)];
      }
    } else if (const double depth = depth_of(read, face, deepest); depth > 0) {
      take_depth(grid, depth / of.radius, first, bottoms.height[c]);
    }
    any_wet = any_wet || first < levels;
  }
  if (!any_wet)
    throw InputError("--bottom: " + read.where + ": expected a wet cell, got land alone");
  return bottoms;
}

}  // namespace Lamina::Cli
