// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/JsonReport.hpp"

#include <lamina/Version.hpp>
#include <lamina/io/PendingFile.hpp>

#include <string>
#include <string_view>

#include "support/InputError.hpp"
#include "support/KokkosSession.hpp"
#include "support/OutputPath.hpp"
#include "support/Space.hpp"

namespace Lamina::Cli {
namespace {

using Json = nlohmann::ordered_json;

const char* reference_name(const StoppingCriteria& criteria) {
  return criteria.relative_to == Reference::rhs ? "rhs" : "initial_residual";
}

Json problem_object(const HelmholtzTask& task) {
  const HelmholtzProblem& problem = task.problem;
  return {{"nx", problem.num_x},
          {"ny", problem.num_y},
          {"nz", problem.num_levels},
          {"unknowns", problem.num_unknowns()},
          {"omega2", problem.parameters.omega2},
          {"lambda2", problem.parameters.lambda2},
          {"depth", problem.depth},
          {"edge", name_of(edges, problem.edge)},
          {"rhs", problem.rhs},
          {"solver", name_of(solvers, task.variant.solver)},
          {"tolerance", task.criteria.tolerance},
          {"tolerance_relative_to", reference_name(task.criteria)},
          {"max_iterations", task.criteria.max_iterations}};
}

Json problem_object(const PointImplicitTask& task, const PointImplicitResult& result) {
  const PointImplicitProblem& problem = task.problem;
  const PointImplicitVariant& variant = task.variant;
  Json object;
  if (problem.on_box()) {
    object = {{"nx", problem.num_x}, {"ny", problem.num_y}, {"nz", problem.num_z}};
  } else if (problem.generated()) {
    object = {{"mesh", problem.mesh.string()}};
  } else {
    object = {{"matrix", problem.matrix.string()}, {"rhs", problem.rhs.string()}};
  }
  object.update({{"block_size", problem.block_size},
                 {"rows", result.num_rows},
                 {"blocks", result.num_blocks},
                 {"unknowns", std::int64_t{result.num_rows} * problem.block_size},
                 {"colours", result.colour_sizes},
                 {"storage", name_of(storages, variant.storage)},
                 {"diagonal", name_of(block_inverses, variant.inverse)},
                 {"ordering", name_of(row_orders, variant.order)},
                 {"colouring", colouring_of(problem, variant.colours)},
                 {"direction", name_of(directions, variant.direction)},
                 {"krylov", name_of(krylov_methods, variant.krylov)}});
  if (variant.krylov != Krylov::none) object["sweeps"] = variant.num_sweeps;
  if (result.asymmetry) object["asymmetry"] = *result.asymmetry;
  if (result.first_bad_row >= 0) object["first_bad_row"] = result.first_bad_row;
  if (task.criteria.fixed_count) {
    object["sweeps"] = task.criteria.max_iterations;
  } else {
    object["tolerance"] = task.criteria.tolerance;
    object["tolerance_relative_to"] = reference_name(task.criteria);
    object["max_iterations"] = task.criteria.max_iterations;
  }
  return object;
}

Json problem_object(const PoissonTask& task) {
  return {{"n", task.size},
          {"unknowns", std::int64_t{task.size} * task.size},
          {"solver", name_of(poisson_solvers, task.variant.solver)},
          {"memory", name_of(stencil_memories, task.variant.memory)},
          {"tolerance", task.criteria.tolerance},
          {"tolerance_relative_to", reference_name(task.criteria)},
          {"max_iterations", task.criteria.max_iterations}};
}

Json kernel_list(const std::vector<KernelRecord>& kernels, double copy_gb_per_s) {
  Json list = Json::array();
  for (const KernelRecord& kernel : kernels) {
    list.push_back({{"name", kernel.name},
                    {"calls", kernel.calls},
                    {"seconds", kernel.seconds},
                    {"bytes", kernel.bytes},
                    {"flops", kernel.flops},
                    {"gb_per_s", kernel.gb_per_s()},
                    {"fraction_of_copy", kernel.gb_per_s() / copy_gb_per_s}});
  }
  return list;
}

/// What reports of all commands begin with; `precision`, `layout` and `problem` are those of the
/// task.
template <class Task>
Json head_object(const char* command, const Task& task, std::string_view precision,
                 std::string_view layout, const Json& problem, SolveStatus status) {
  return {{"command", command},
          {"lamina_version", LAMINA_VERSION_STRING},
          {"kokkos_version", kokkos_version()},
          {"space", task.variant.space->name},
          {"device", task.variant.space->describe()},
          {"precision", precision},
          {"layout", layout},
          {"problem", problem},
          {"status", to_string(status)}};
}

/// What they end with.
template <class Result>
void add_tail(Json& json, const Result& result, double copy_gb_per_s) {
  if (result.error) json["error"] = {{"l2", result.error->l2}, {"linf", result.error->linf}};
  json.update({{"seconds", {{"setup", result.setup_seconds}, {"solve", result.solve_seconds}}},
               {"kernels", kernel_list(result.kernels, copy_gb_per_s)},
               {"copy_gb_per_s", copy_gb_per_s},
               {"ranks", 1}});
}

template <class Task, class Result>
Json solve_object(const char* command, const Task& task, std::string_view precision,
                  std::string_view layout, const Json& problem, const Result& result,
                  double copy_gb_per_s) {
  const SolveReport& report = result.report;
  Json json = head_object(command, task, precision, layout, problem, report.status);
  json.update({{"converged", report.converged()},
               {"iterations", report.iterations},
               {"relative_residual", report.relative_residual()},
               {"true_relative_residual", result.true_relative_residual},
               {"residual_history", report.residual_history}});
  add_tail(json, result, copy_gb_per_s);
  return json;
}

// --- Shallow water ---

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
  Json object{{"n", problem.size},
              {"unknowns", 3 * problem.num_cells()},
              {"scheme", name_of(time_schemes, task.variant.scheme)},
              {"initial", problem.initial}};
  if (problem.generated_initial) object["velocity"] = problem.velocity;
  object.update({{"coriolis", problem.coriolis},
                 {"time_step", problem.time_step},
                 {"cfl", problem.time_step * problem.size},
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

Json json_report(const HelmholtzTask& task, const HelmholtzResult& result, double copy_gb_per_s) {
  Json json = solve_object("helmholtz", task, name_of(precisions, task.variant.precision),
                           name_of(layouts, task.variant.layout), problem_object(task), result,
                           copy_gb_per_s);
  json["true_relative_residual_preconditioned"] = result.true_relative_residual_preconditioned;
  json["rounding_error"] = result.rounding_error;
  return json;
}

Json json_report(const PointImplicitTask& task, const PointImplicitResult& result,
                 double copy_gb_per_s) {
  return solve_object("point-implicit", task, "double", "right", problem_object(task, result),
                      result, copy_gb_per_s);
}

Json json_report(const PoissonTask& task, const PoissonResult& result, double copy_gb_per_s) {
  return solve_object("poisson", task, name_of(precisions, task.variant.precision),
                      name_of(layouts, task.variant.layout), problem_object(task), result,
                      copy_gb_per_s);
}

Json json_report(const ShallowWaterTask& task, const ShallowWaterResult& result,
                 double copy_gb_per_s) {
  Json json = head_object("shallow-water", task, name_of(precisions, task.variant.precision),
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

void write_json(const std::filesystem::path& path, const Json& value) {
  // A terminal may be behind a descriptor: it sees no character that ASCII does not show.
  const bool in_ascii = named_descriptor(path).has_value();
  const std::string text = value.dump(2, ' ', in_ascii, Json::error_handler_t::replace) + '\n';
  for_option("--json", [&] { write_text(path, text); });
}

}  // namespace Lamina::Cli
