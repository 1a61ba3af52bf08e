// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "poisson/PoissonJson.hpp"

#include <cstdint>

#include "support/machine/Space.hpp"

namespace Lamina::Cli {
namespace {

Json problem_object(const PoissonTask& task) {
  Json object{{"nx", task.size.nx},
              {"ny", task.size.ny},
              {"unknowns", std::int64_t{task.size.nx} * task.size.ny},
              {"solver", name_of(poisson_solvers, task.variant.solver)},
              {"memory", name_of(stencil_memories, task.variant.memory)}};
  if (task.size.is_square()) object["n"] = task.size.nx;
  if (is_multigrid(task.variant.solver)) {
    object["smoothing"] = task.variant.cycles.smoothing;
    object["full_multigrid"] = task.variant.cycles.full_multigrid;
  }
  add_criteria(object, task.criteria);
  return object;
}

}  // namespace

Json json_report(const PoissonTask& task, const PoissonResult& result, double copy_gb_per_s) {
  Json json = solve_object(
      "poisson", *task.variant.space, name_of(precisions, task.variant.precision),
      name_of(layouts, task.variant.layout), problem_object(task), result, copy_gb_per_s);
  if (!result.levels.empty()) {
    Json& levels = json["multigrid_levels"] = Json::array();
    for (const PoissonLevel& level : result.levels) {
      levels.push_back(
          Json{{"nx", level.size.nx}, {"ny", level.size.ny}, {"seconds", level.seconds}});
    }
  }
  return json;
}

}  // namespace Lamina::Cli
