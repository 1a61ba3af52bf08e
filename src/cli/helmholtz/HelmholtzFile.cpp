// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "helmholtz/HelmholtzFile.hpp"

#include <lamina/io/ColumnVtuFile.hpp>
#include <lamina/io/UgridFile.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>

#include "helmholtz/columns/HelmholtzColumns.hpp"
#include "support/machine/Space.hpp"
#include "support/options/CriteriaOptions.hpp"
#include "support/options/InputError.hpp"
#include "support/output/FileOrigin.hpp"

namespace Lamina::Cli {
namespace {

/// The right-hand side without the folders of its file, which mean nothing elsewhere.
std::string rhs_name(const HelmholtzProblem& problem) {
  return problem.generated_rhs ? problem.rhs
                               : std::filesystem::path(problem.rhs).filename().string();
}

/// The options of a multigrid cycle, with a blank in front.
std::string multigrid_text(const HelmholtzVariant& variant) {
  if (!is_multigrid(variant.solver)) return "";
  const MultigridParameters& multigrid = variant.multigrid;
  std::string text = fmt::format(" --smoothing {}", multigrid.steps);
  if (multigrid.max_levels != MultigridParameters().max_levels) {
    text += fmt::format(" --multigrid-levels {}", multigrid.max_levels);
  }
  return text;
}

/// The options of bottoms and coefficients, with a blank in front.
std::string columns_text(const HelmholtzProblem& problem) {
  std::string text;
  if (!problem.columns) return text;
  const HelmholtzColumns& columns = *problem.columns;
  if (!columns.bottom_name.empty()) text += " --bottom " + columns.bottom_name;
  if (!columns.coefficient_name.empty()) text += " --coefficients " + columns.coefficient_name;
  if (columns.project) text += " --project";
  return text;
}

/// The command that repeats the solve.
std::string command_text(const HelmholtzTask& task) {
  const HelmholtzProblem& problem = task.problem;
  const std::string grid =
      problem.grid
          ? fmt::format("--grid {} --levels {}{}", problem.grid->name,
                        problem.levels_file.empty() ? std::to_string(problem.num_levels)
                                                    : problem.levels_file,
                        columns_text(problem))
          : fmt::format("--size {} {} {}", problem.num_x, problem.num_y, problem.num_levels);
  const std::string depth =
      problem.levels_file.empty() ? fmt::format(" --depth {}", problem.depth) : "";
  return fmt::format(
      "lamina helmholtz {} --omega2 {} --lambda2 {}{} --edge {} --rhs {} --solver {}{} {} "
      "--space {} --precision {} --layout {}",
      grid, problem.parameters.omega2, problem.parameters.lambda2, depth,
      name_of(edges, problem.edge), rhs_name(problem), name_of(solvers, task.variant.solver),
      multigrid_text(task.variant), criteria_text(task.criteria), task.variant.space->name,
      name_of(precisions, task.variant.precision), name_of(layouts, task.variant.layout));
}

std::vector<FileAttribute> attributes_of(const HelmholtzTask& task, const HelmholtzResult& result) {
  const HelmholtzProblem& problem = task.problem;
  const std::string where = !problem.grid ? "in a thin spherical shell, one cubed-sphere panel"
                            : problem.grid->on_sphere() ? "in a thin spherical shell"
                                                        : "above a plane";
  auto attributes = origin_attributes("Anisotropic elliptic equation " + where, command_text(task));
  const std::vector<FileAttribute> own{
      {"comment",
       "-omega2 (Lap_2d + lambda2 r^-2 d/dr(r^2 d/dr)) u + u = f; solution holds the cell "
       "averages of u, rhs the cell integrals of f"},
      {"omega2", problem.parameters.omega2},
      {"lambda2", problem.parameters.lambda2},
      {"depth", problem.depth},
      {"edge", std::string(name_of(edges, problem.edge))},
      {"right_hand_side", rhs_name(problem)},
      {"solver", std::string(name_of(solvers, task.variant.solver))},
      {"precision", std::string(name_of(precisions, task.variant.precision))},
  };
  for (const auto& more : {own, outcome_attributes(result)}) {
    attributes.insert(attributes.end(), more.begin(), more.end());
  }
  return attributes;
}

constexpr const char *solution_name = "solution u, average over each cell",
                     *rhs_long_name = "right-hand side f, integral over each cell",
                     *mean = "area: mean level: mean", *sum = "area: sum level: sum";

template <class Scalar>
std::vector<ColumnField<Scalar>> fields_of(const ColumnValues<Scalar>& solution,
                                           const ColumnValues<Scalar>& rhs) {
  return {{"solution", solution_name, mean, solution}, {"rhs", rhs_long_name, sum, rhs}};
}

/// What a file has on a grid with bottoms: nothing in dry cells, and volumes.
template <class Scalar>
std::vector<ColumnField<Scalar>> fields_of(const HelmholtzColumns& columns, const CellSizes& sizes,
                                           const std::vector<int>& places,
                                           const ColumnValues<Scalar>& solution,
                                           const ColumnValues<Scalar>& rhs) {
  const auto in_wet_cells = [&](const ColumnValues<Scalar>& values_of) {
    return ColumnValues<Scalar>([values_of, &columns, &places](int number, Scalar* values) {
      values_of(number, values);
      const auto column = static_cast<std::size_t>(places[static_cast<std::size_t>(number)]);
      std::fill_n(values, columns.bottoms.first_wet[column],
                  std::numeric_limits<Scalar>::quiet_NaN());
    });
  };
  const ColumnValues<Scalar> volumes = [&columns, &sizes, &places](int number, Scalar* values) {
    const auto column = static_cast<std::size_t>(places[static_cast<std::size_t>(number)]);
    for (int k = 0; k < columns.num_levels; ++k) {
      values[k] = static_cast<Scalar>(sizes.volume(column, k));
    }
  };
  auto fields = fields_of(in_wet_cells(solution), in_wet_cells(rhs));
  for (auto& field : fields) field.has_missing = true;
  fields.push_back({"volume", "volume of each cell, 0 where it is dry", sum, volumes});
  return fields;
}

/// The columns of slabs, which are asked for in order.
template <class Scalar>
ColumnValues<Scalar> columns_of(const PanelSlab<Scalar>& slab, const HelmholtzProblem& problem) {
  const auto size = static_cast<std::size_t>(problem.num_levels);
  const auto values =
      std::make_shared<std::vector<Scalar>>(static_cast<std::size_t>(problem.num_y) * size);
  return [slab, values, size, num_y = problem.num_y](int column, Scalar* to) {
    if (column % num_y == 0) slab(column / num_y, values->data());
    std::copy_n(values->data() + static_cast<std::size_t>(column % num_y) * size, size, to);
  };
}

}  // namespace

template <class Scalar>
void write_helmholtz_file(const HelmholtzTask& task, const HelmholtzResult& result,
                          const VerticalGrid& grid, const PanelSlab<Scalar>& solution,
                          const PanelSlab<Scalar>& rhs) {
  const CubedSpherePanel panel = task.problem.panel();
  const std::vector<PanelVariable<Scalar>> variables{{"solution", solution_name, mean, solution},
                                                     {"rhs", rhs_long_name, sum, rhs}};
  for_option("--output", [&] {
    if (task.output.extension() == ".vtu") {
      return write_column_vtu_file(
          task.output, panel_polygons(panel), grid,
          fields_of(columns_of(solution, task.problem), columns_of(rhs, task.problem)));
    }
    write_panel_file(task.output, panel, grid, attributes_of(task, result), variables);
  });
}

template <class Scalar>
void write_helmholtz_columns(const HelmholtzTask& task, const HelmholtzResult& result,
                             const ColumnValues<Scalar>& solution,
                             const ColumnValues<Scalar>& rhs) {
  const HelmholtzGrid& grid = *task.problem.grid;
  const VerticalGrid vertical = task.problem.vertical();
  const std::vector<int> places = places_of(grid);
  std::optional<CellSizes> sizes;
  if (task.problem.columns) sizes.emplace(task.problem, task.problem.columns->bottoms);
  const auto fields = sizes ? fields_of(*task.problem.columns, *sizes, places, solution, rhs)
                            : fields_of(solution, rhs);
  for_option("--output", [&] {
    if (task.output.extension() == ".vtu") {
      return write_column_vtu_file(task.output, grid.polygons, vertical, fields);
    }
    UgridMesh mesh{
        .polygons = grid.polygons, .centres = grid.graph.centres, .areas = grid.graph.areas};
    for (std::size_t c = 0; c < mesh.areas.size(); ++c) {
      const auto number = static_cast<std::size_t>(grid.original[c]);
      mesh.areas[number] = grid.graph.areas[c];
      mesh.centres.points[number] = grid.graph.centres.points[c];
    }
    write_ugrid_file(task.output, mesh, vertical, attributes_of(task, result), fields);
  });
}

std::vector<int> places_of(const HelmholtzGrid& grid, const LocalColumns* local) {
  std::vector<int> places(grid.original.size(), -1);
  const std::size_t num_columns =
      local == nullptr ? places.size() : static_cast<std::size_t>(local->halo.num_owned);
  for (std::size_t n = 0; n < num_columns; ++n) {
    const auto column = local == nullptr ? n : static_cast<std::size_t>(local->columns[n]);
    places[static_cast<std::size_t>(grid.original[column])] = static_cast<int>(n);
  }
  return places;
}

void open_right_hand_side(HelmholtzProblem& problem) {
  if (problem.generated_rhs) return;
  for_option("--rhs", [&] {
    if (problem.grid) {
      problem.rhs_on_faces = std::make_shared<const UgridFieldReader>(
          problem.rhs, "rhs", static_cast<int>(problem.num_columns()), problem.num_levels,
          problem.columns ? NetcdfReader::Missing::as_nan : NetcdfReader::Missing::refused);
    } else {
      problem.rhs_file = std::make_shared<const PanelReader>(problem.rhs, "rhs", problem.panel(),
                                                             problem.num_levels);
    }
  });
}

void read_right_hand_side_columns(const HelmholtzProblem& problem,
                                  const ColumnValues<const double>& take) {
  const HelmholtzColumns* columns = problem.columns.get();
  if (columns == nullptr) return for_option("--rhs", [&] { problem.rhs_on_faces->read(take); });
  const std::vector<int> places = places_of(*problem.grid);
  std::vector<double> wet(static_cast<std::size_t>(problem.num_levels));
  for_option("--rhs", [&] {
    problem.rhs_on_faces->read([&](int number, const double* values) {
      const auto column = static_cast<std::size_t>(places[static_cast<std::size_t>(number)]);
      for (std::size_t k = 0; k < wet.size(); ++k) {
        const bool is_wet = columns->is_wet(column, static_cast<int>(k));
        if (is_wet && !std::isfinite(values[k])) {
          throw FileError(problem.rhs, fmt::format("variable 'rhs': expected a finite value at "
                                                   "({}, {}), got none",
                                                   number, k));
        }
        wet[k] = is_wet ? values[k] : 0;
      }
      take(number, wet.data());
    });
  });
}

void read_right_hand_side_slabs(const HelmholtzProblem& problem, const PanelBlock& block,
                                const PanelSlab<const double>& slab) {
  for_option("--rhs", [&] { problem.rhs_file->read(block, slab); });
}

#define LAMINA_HELMHOLTZ_FILE(Scalar)                                                         \
  template void write_helmholtz_file<Scalar>(const HelmholtzTask&, const HelmholtzResult&,    \
                                             const VerticalGrid&, const PanelSlab<Scalar>&,   \
                                             const PanelSlab<Scalar>&);                       \
  template void write_helmholtz_columns<Scalar>(const HelmholtzTask&, const HelmholtzResult&, \
                                                const ColumnValues<Scalar>&,                  \
                                                const ColumnValues<Scalar>&);
LAMINA_HELMHOLTZ_FILE(float)
LAMINA_HELMHOLTZ_FILE(double)

}  // namespace Lamina::Cli
