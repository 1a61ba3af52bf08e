// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "helmholtz/HelmholtzJson.hpp"

#include "helmholtz/columns/HelmholtzColumns.hpp"
#include "helmholtz/parts/GridPartition.hpp"
#include "support/machine/Space.hpp"

namespace Lamina::Cli {
namespace {

Json grid_object(const HelmholtzProblem& problem) {
  if (!problem.grid) {
    return {{"grid", "panel"}, {"nx", problem.num_x}, {"ny", problem.num_y}};
  }
  const HelmholtzGrid& grid = *problem.grid;
  const GridQuality& quality = grid.quality;
  Json object{
      {"grid", grid.name},
      {"columns", problem.num_columns()},
      {"neighbours", {{"least", grid.min_neighbours}, {"most", grid.max_neighbours}}},
      {"skewness", {{"largest", quality.largest_skewness}, {"mean", quality.mean_skewness}}}};
  if (!grid.convention.empty()) {
    object["convention"] = grid.convention;
    object["radius"] = grid.radius;
    object["edges_left_out"] = grid.num_left_out;
  }
  return object;
}

Json problem_object(const HelmholtzTask& task) {
  const HelmholtzProblem& problem = task.problem;
  Json object = grid_object(problem);
  object.update(
      Json{{"nz", problem.num_levels},
           {"unknowns", problem.columns ? problem.columns->num_wet_cells : problem.num_unknowns()},
           {"omega2", problem.parameters.omega2},
           {"lambda2", problem.parameters.lambda2},
           {"depth", problem.depth},
           {"edge", name_of(edges, problem.edge)},
           {"rhs", problem.rhs},
           {"solver", name_of(solvers, task.variant.solver)}});
  if (is_multigrid(task.variant.solver)) {
    object["smoothing"] = task.variant.multigrid.steps;
    const int most = task.variant.multigrid.max_levels;
    object["max_multigrid_levels"] =
        most == MultigridParameters().max_levels ? Json() : Json(most);  // null: as many as help
  }
  if (!problem.levels_file.empty()) {
    const auto [lowest, highest] = problem.heights();
    object["levels_file"] = problem.levels_file;
    object["heights"] = Json{{"lowest", lowest}, {"highest", highest}};
  }
  if (problem.columns) {
    const HelmholtzColumns& columns = *problem.columns;
    object["wet"] = Json{{"columns", columns.num_wet_columns},
                         {"cells", columns.num_wet_cells},
                         {"partial_cells", columns.num_partial_cells}};
    object["bottom"] = columns.bottom_name;
    object["coefficients"] = columns.coefficient_name;
    object["coefficients_as"] = name_of(columns_classes, columns.kind);
  }
  add_criteria(object, task.criteria);
  return object;
}

}  // namespace

Json json_report(const HelmholtzTask& task, const HelmholtzResult& result, double copy_gb_per_s) {
  Json json = solve_object(
      "helmholtz", *task.variant.space, name_of(precisions, task.variant.precision),
      name_of(layouts, task.variant.layout), problem_object(task), result, copy_gb_per_s);
  json["true_relative_residual_preconditioned"] = result.true_relative_residual_preconditioned;
  json["rounding_error"] = result.rounding_error ? Json(*result.rounding_error) : Json();
  if (result.ranks && task.problem.partition) {
    json["decomposition"]["cut_edges"] = task.problem.partition->quality.cut_edges;
  }
  if (result.parts) {
    json["parts"] = Json{{"components", result.parts->components},
                         {"singular", result.parts->singular},
                         {"rhs_defect", result.parts->rhs_defect}};
  }
  if (result.cycle_precision) {
    json["cycle_precision"] = name_of(precisions, *result.cycle_precision);
  }
  if (!result.levels.empty()) {
    Json& levels = json["multigrid_levels"] = Json::array();
    for (const MultigridLevel& level : result.levels) {
      levels.push_back(Json{
          {"columns", level.columns}, {"couplings", level.couplings}, {"seconds", level.seconds}});
    }
  }
  return json;
}

}  // namespace Lamina::Cli
