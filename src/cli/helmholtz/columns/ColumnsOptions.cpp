// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "helmholtz/columns/ColumnsOptions.hpp"

#include <lamina/columns/ColumnNullSpace.hpp>
#include <lamina/io/NumberFile.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "helmholtz/HelmholtzOptions.hpp"
#include "helmholtz/columns/ColumnInput.hpp"
#include "helmholtz/columns/HelmholtzColumns.hpp"
#include "support/options/CommandLine.hpp"
#include "support/options/NamedVariable.hpp"

namespace Lamina::Cli {
namespace {

/// Heights of interfaces in a file: numbers of a text, or a variable.
std::vector<double> read_interfaces(const HelmholtzProblem& problem, const std::string& argument) {
  const NamedVariable named = named_variable(argument);
  if (named.variable.empty()) return read_numbers(named.file);
  const ColumnInput file(named.file, {static_cast<std::size_t>(problem.num_columns()), 1});
  std::vector<double> heights = file.list(named.variable, 0);
  if (file.positive_of(named.variable) == "down") {
    for (double& height : heights) height = -height;
  }
  return heights;
}

/// Radii of a sphere, heights of a plane.
std::vector<double> interfaces_of(const HelmholtzProblem& problem, const std::string& argument) {
  const auto fail = [&](const std::string& expected, const std::string& got) {
    CommandLine::fail("--levels", expected + " in " + without_folders(argument), got);
  };
  std::vector<double> heights =
      for_option("--levels", [&] { return read_interfaces(problem, argument); });
  if (heights.size() < 2) {
    fail("heights of 2 interfaces or more", std::to_string(heights.size()));
  }
  if (heights.front() > heights.back()) std::reverse(heights.begin(), heights.end());
  const bool sphere = problem.grid->on_sphere();
  std::vector<double> interfaces;
  interfaces.reserve(heights.size());
  for (const double height : heights) {
    interfaces.push_back(sphere ? 1 + height / problem.grid->radius : height);
  }
  for (std::size_t k = 0; k < interfaces.size(); ++k) {
    const bool rises = k == 0 || interfaces[k] > interfaces[k - 1];
    if (rises && std::isfinite(interfaces[k]) && (!sphere || interfaces[k] > 0)) continue;
    fail(sphere ? "heights that rise or fall, all above the centre of the sphere"
                : "heights that rise or fall",
         k == 0 ? fmt::format("{:g}", heights[0])
                : fmt::format("{:g} beside {:g}", heights[k], heights[k - 1]));
  }
  return interfaces;
}

/// A file of such a name is ./64.
bool is_number_of_levels(const std::string& argument) {
  return argument.find_first_not_of("-0123456789") == std::string::npos;
}

void require_variant(const HelmholtzOptions& options, const char* option) {
  if (!options.problem.grid) CommandLine::fail(option, "a --grid other than panel", "panel");
  if (options.solver && !takes_columns(*options.solver)) {
    CommandLine::fail("--solver",
                      fmt::format("fused-pcg|pcg|multigrid-pcg|multigrid with {}", option),
                      std::string(name_of(solvers, *options.solver)));
  }
}

/// What `ColumnNullSpace` takes.
void require_size(const HelmholtzProblem& problem, const char* option) {
  constexpr int most_neighbours = ColumnNullSpace<Kokkos::HostSpace>::max_neighbours;
  const int neighbours = problem.grid->max_neighbours;
  if (neighbours > most_neighbours) {
    CommandLine::fail(
        "--grid", fmt::format("at most {} neighbours of a column with {}", most_neighbours, option),
        std::to_string(neighbours));
  }
  if (problem.num_unknowns() > std::numeric_limits<int>::max()) {
    CommandLine::fail("--levels", fmt::format("fewer than 2^31 cells with {}", option),
                      std::to_string(problem.num_unknowns()));
  }
}

/// The least and the largest of the values above 0.
struct ValueRange {
  double least = std::numeric_limits<double>::infinity(), most = 0;

  ValueRange() = default;
  explicit ValueRange(const std::vector<double>& values) {
    for (const double value : values) add(value);
  }
  void add(double value) {
    if (value == 0) return;
    least = std::min(least, value);
    most = std::isnan(value) ? value : std::max(most, value);
  }
  bool empty() const { return most == 0; }
  ValueRange operator*(const ValueRange& range) const {
    ValueRange product;
    if (empty() || range.empty()) return product;
    product.least = least * range.least;
    product.most = most * range.most;
    return product;
  }
};

/// What an option makes of values.
struct Blame {
  const char *option, *what;
};

class RangeCheck {
 public:
  explicit RangeCheck(Precision precision)
      : m_precision(precision),
        m_least(precision == Precision::double_precision ? std::numeric_limits<double>::min()
                                                         : std::numeric_limits<float>::min()),
        m_most(precision == Precision::double_precision
                   ? 1e-3 * std::numeric_limits<double>::max()
                   : 1e-3 * static_cast<double>(std::numeric_limits<float>::max())) {}

  void require(const ValueRange& range, const Blame& blame) const {
    if (range.empty()) return;
    for (const double value : {range.least, range.most}) {
      if (value >= m_least && value <= m_most) continue;
      CommandLine::fail(blame.option,
                        fmt::format("{} within the range of {} precision", blame.what,
                                    name_of(precisions, m_precision)),
                        fmt::format("{:g}", value));
    }
  }
  /// Of factors, of what they are multiplied with, and of the product.
  void require_product(const ValueRange& a, const ValueRange& b, const Blame& blame) const {
    for (const ValueRange& range : {a, b, a * b}) require(range, blame);
  }

 private:
  Precision m_precision;
  double m_least, m_most;
};

/// Of whole cells, and of those that bottoms cut.
ValueRange volumes_of(const HelmholtzProblem& problem) {
  const VerticalGrid grid = problem.vertical();
  ValueRange levels;
  for (int k = 0; k < grid.num_levels(); ++k) levels.add(grid.volume(k));
  return ValueRange(problem.grid->graph.areas) * levels;
}
ValueRange couplings_of(const HelmholtzProblem& problem) {
  ValueRange couplings;
  for (const auto& edge : problem.grid->graph.edges) couplings.add(edge.length / edge.distance);
  return couplings;
}

}  // namespace

void declare_columns(CommandLine& line) {
  line.option("--bottom", "FILE:VAR",
              "Wet levels of each column, or its depth: NetCDF, or nlvls.out of FESOM "
              "[maxLevelCell of MPAS where VAR is left out]");
  line.option("--coefficients", "FILE.nc",
              "Factors of the terms: variables mass, vertical, horizontal and surface");
  line.flag("--project", "Take out of a right-hand side what has no solution, and solve");
}

void read_levels(const CommandLine& line, HelmholtzProblem& problem) {
  const std::string argument = line.text("--levels", std::to_string(problem.num_levels));
  if (is_number_of_levels(argument)) {
    problem.num_levels =
        line.count("--levels", problem.num_levels, 1, std::numeric_limits<int>::max());
    return;
  }
  if (line.given("--depth")) CommandLine::fail("--depth", "--levels N", "a file of levels");
  problem.interfaces = interfaces_of(problem, argument);
  problem.levels_file = without_folders(argument);
  problem.num_levels = static_cast<int>(problem.interfaces.size()) - 1;
  problem.depth = problem.interfaces.back() - problem.interfaces.front();
}

std::optional<ColumnBottoms> read_column_bottoms(const CommandLine& line,
                                                 const HelmholtzOptions& options) {
  const HelmholtzProblem& problem = options.problem;
  const bool has_bottoms = line.given("--bottom"), has_coefficients = line.given("--coefficients");
  for (const char* option : {"--bottom", "--coefficients"}) {
    if (line.given(option)) require_variant(options, option);
  }
  if (!has_bottoms && !has_coefficients) {
    if (line.given("--project")) {
      CommandLine::fail("--project", "--bottom or --coefficients", "neither");
    }
    return std::nullopt;
  }
  const char* option = has_bottoms ? "--bottom" : "--coefficients";
  require_size(problem, option);
  require_columns_memory(problem, ColumnsClass::partial_cells);
  return has_bottoms ? read_bottoms(problem, line.text("--bottom", ""))
                     : whole_columns(problem.grid->graph.areas.size(), problem.vertical());
}

void read_columns(const CommandLine& line, ColumnBottoms bottoms, HelmholtzProblem& problem) {
  const std::string bottom = line.text("--bottom", ""),
                    coefficients = line.text("--coefficients", "");
  HelmholtzColumns columns = make_columns(problem, std::move(bottoms), coefficients);
  columns.bottom_name = without_folders(bottom);
  columns.coefficient_name = std::filesystem::path(coefficients).filename().string();
  columns.project = line.given("--project");
  problem.columns = std::make_shared<const HelmholtzColumns>(std::move(columns));
}

bool takes_columns(Solver solver) {
  return solver == Solver::fused_pcg || solver == Solver::pcg || is_multigrid(solver);
}

std::vector<NamedFile> files_of_columns(const CommandLine& line) {
  std::vector<NamedFile> files;
  for (const char* option : {"--levels", "--bottom", "--coefficients"}) {
    const std::string argument = line.text(option, "");
    const bool is_file =
        line.given(option) && (option != std::string("--levels") || !is_number_of_levels(argument));
    if (is_file) files.push_back({option, named_variable(argument).file});
  }
  return files;
}

void require_columns_in_range(const HelmholtzProblem& problem, Precision precision) {
  const HelmholtzColumns& columns = *problem.columns;
  // Without coefficients what is out of range comes from an option.
  const auto blamed = [&](const char* option) {
    return columns.coefficient_name.empty() ? option : "--coefficients";
  };
  const char* of_volumes = problem.levels_file.empty() ? "--depth" : "--levels";
  const Blame mass{blamed(of_volumes), "mass terms"},
      horizontal{blamed("--omega2"), "horizontal couplings"},
      vertical{blamed("--lambda2"), "vertical couplings"};
  const RangeCheck check(precision);
  check.require(volumes_of(problem), {of_volumes, "volumes of cells"});
  if (columns.kind == ColumnsClass::stored) {
    const StoredTerms& stored = columns.stored;
    check.require(ValueRange(stored.mass), mass);
    check.require(ValueRange(stored.horizontal), horizontal);
    check.require(ValueRange(stored.vertical), vertical);
    return;
  }
  const ProfileTerms& profiled = columns.profiled;
  const ColumnProfiles& profiles = profiled.profiles;
  check.require_product(ValueRange(profiles.mass_factors), ValueRange(profiles.mass), mass);
  ValueRange couplings = couplings_of(problem);
  if (!profiled.edge_factors.empty()) couplings = couplings * ValueRange(profiled.edge_factors);
  check.require_product(couplings, ValueRange(profiles.horizontal), horizontal);
  check.require_product(ValueRange(profiles.vertical_factors), ValueRange(profiles.vertical),
                        vertical);
}

}  // namespace Lamina::Cli
