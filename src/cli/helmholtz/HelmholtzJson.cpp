// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "helmholtz/HelmholtzJson.hpp"

#include "support/machine/Space.hpp"

namespace Lamina::Cli {
namespace {

Json problem_object(const HelmholtzTask& task) {
  const HelmholtzProblem& problem = task.problem;
  Json object{{"nx", problem.num_x},
              {"ny", problem.num_y},
              {"nz", problem.num_levels},
              {"unknowns", problem.num_unknowns()},
              {"omega2", problem.parameters.omega2},
              {"lambda2", problem.parameters.lambda2},
              {"depth", problem.depth},
              {"edge", name_of(edges, problem.edge)},
              {"rhs", problem.rhs},
              {"solver", name_of(solvers, task.variant.solver)}};
  add_criteria(object, task.criteria);
  return object;
}

}  // namespace

Json json_report(const HelmholtzTask& task, const HelmholtzResult& result, double copy_gb_per_s) {
  Json json = solve_object(
      "helmholtz", *task.variant.space, name_of(precisions, task.variant.precision),
      name_of(layouts, task.variant.layout), problem_object(task), result, copy_gb_per_s);
  json["true_relative_residual_preconditioned"] = result.true_relative_residual_preconditioned;
  json["rounding_error"] = result.rounding_error;
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
