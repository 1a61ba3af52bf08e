// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "shallow_water/ShallowWaterJson.hpp"

#include <vector>

namespace Lamina::Cli {
namespace {

void add_systems(Json& object, const ShallowWaterTask& task) {
  const ShallowWaterSystems& systems = task.systems;
  const auto add_cg = [&](const char* tolerance_name, double tolerance) {
    if (systems.cg_iterations > 0) {
      object["cg_iterations"] = systems.cg_iterations;
    } else {
      object[tolerance_name] = tolerance;
    }
  };
  if (task.variant.scheme == TimeScheme::semi_implicit) {
    object["phi_star"] = name_of(reference_heights, systems.phi_star);
    object["cg_preconditioner"] = name_of(cg_preconditioners, systems.cg_preconditioner);
    if (systems.newton_iterations > 0) {
      object["newton_iterations"] = systems.newton_iterations;
    } else {
      object["newton_tolerance"] = systems.newton_tolerance;
    }
    add_cg("cg_tolerance", systems.cg_tolerance);
  } else {
    object["mass_solver"] = name_of(mass_solvers, systems.mass_solver);
    if (systems.mass_solver == MassSolver::cg) add_cg("mass_tolerance", systems.mass_tolerance);
  }
}

Json problem_object(const ShallowWaterTask& task) {
  const ShallowWaterProblem& problem = task.problem;
  Json object{{"nx", problem.size.nx},
              {"ny", problem.size.ny},
              {"unknowns", 3 * problem.num_cells()},
              {"scheme", name_of(time_schemes, task.variant.scheme)},
              {"initial", problem.initial}};
  if (problem.size.is_square()) object["n"] = problem.size.nx;
  if (problem.generated_initial) object["velocity"] = problem.velocity;
  object["sides"] = name_of(water_sides, problem.sides);
  object["bottom"] = problem.bottom;
  if (problem.sides == WaterSides::walls) object["beta"] = problem.beta;
  if (problem.viscosity != 0) object["viscosity"] = problem.viscosity;
  object.update({{"coriolis", problem.coriolis},
                 {"time_step", problem.time_step},
                 {"cfl", problem.time_step * problem.size.nx},
                 {"until", problem.until}});
  if (!task.restart.empty()) object["restart"] = task.restart.string();
  add_systems(object, task);
  return object;
}

Json diagnostics_object(const StateDiagnostics& start, const StateDiagnostics& end) {
  const auto both = [&](double StateDiagnostics::*member) {
    return Json{{"start", start.*member}, {"end", end.*member}};
  };
  return {{"mass", both(&StateDiagnostics::mass)},
          {"energy", both(&StateDiagnostics::energy)},
          {"potential_enstrophy", both(&StateDiagnostics::potential_enstrophy)},
          {"circulation", both(&StateDiagnostics::circulation)}};
}

Json series_list(const std::vector<StateDiagnostics>& series) {
  Json list = Json::array();
  for (const StateDiagnostics& entry : series) {
    list.push_back({{"step", entry.step},
                    {"time", entry.time},
                    {"mass", entry.mass},
                    {"energy", entry.energy},
                    {"potential_enstrophy", entry.potential_enstrophy},
                    {"circulation", entry.circulation},
                    {"courant_number", entry.courant_number}});
  }
  return list;
}

/// Iterations of all steps together, where there are some.
void add_iterations(Json& json, const ShallowWaterTask& task, const ShallowWaterResult& result) {
  if (task.variant.scheme == TimeScheme::semi_implicit) {
    json["newton_iterations"] = result.newton_iterations;
    json["cg_iterations"] = result.cg_iterations;
  } else if (task.systems.mass_solver == MassSolver::cg) {
    json["mass_iterations"] = result.mass_iterations;
  } else {
    return;
  }
  json["unconverged_steps"] = result.unconverged_steps;
}

}  // namespace

Json json_report(const ShallowWaterTask& task, const ShallowWaterResult& result,
                 double copy_gb_per_s) {
  Json json =
      head_object("shallow-water", *task.variant.space, name_of(precisions, task.variant.precision),
                  "left", problem_object(task), result.report.status);
  json.update({{"first_step", result.first_step},
               {"steps", result.report.iterations},
               {"time", (result.first_step + result.report.iterations) * task.problem.time_step}});
  add_iterations(json, task, result);
  if (result.bad_cell) {
    const auto& [step, time, fault] = *result.bad_cell;
    json["breakdown"] = {{"step", step}, {"time", time}, {"i", fault.i}, {"j", fault.j}};
  }
  json["diagnostics"] = diagnostics_object(result.start, result.end);
  if (task.with_series) json["series"] = series_list(result.series);
  add_tail(json, result, copy_gb_per_s);
  return json;
}

}  // namespace Lamina::Cli
