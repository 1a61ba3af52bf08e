// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/Version.hpp>

#include <Kokkos_Core.hpp>

#include "../../support/WriteJson.hpp"
#include "PaperTables_ShallowWater.hpp"
#include "PaperTables_ShallowWaterPublished.hpp"

namespace Lamina::Paper {
namespace {

using Json = nlohmann::ordered_json;

std::string_view name(Cli::TimeScheme scheme) { return name_of(Cli::time_schemes, scheme); }
std::string_view name(MassSolver solver) { return name_of(Cli::mass_solvers, solver); }

template <class Entries, class Function>
Json list_of(const Entries& entries, const Function& object) {
  Json list = Json::array();
  for (const auto& entry : entries) list.push_back(object(entry));
  return list;
}

Json json_of(const FlowKernels& table, double copy) {
  return {{"title", table.title},
          {"step", Paper::json_of(table.step, table.cost, copy)},
          {"kernels", list_of(table.kernels, [](const KernelRecord& kernel) {
             return Json{{"name", kernel.name},       {"calls", kernel.calls},
                         {"seconds", kernel.seconds}, {"bytes", kernel.bytes},
                         {"flops", kernel.flops},     {"gb_per_s", kernel.gb_per_s()}};
           })}};
}

Json json_of(const FlowColumn& column) {
  const double copy = column.copy_gb_per_s;
  return {{"name", column.name},
          {"device", column.device},
          {"copy_gb_per_s", copy},
          {"time_steps", list_of(column.time_steps,
                                 [](const FlowTimeStep& step) {
                                   return Json{{"scheme", name(step.scheme)},
                                               {"time_step", step.time_step},
                                               {"order", step.order}};
                                 })},
          {"step_parts", list_of(column.step_parts,
                                 [](const FlowStepParts& parts) {
                                   return Json{{"scheme", name(parts.scheme)},
                                               {"mass_solver", name(parts.mass_solver)},
                                               {"iterations", parts.iterations},
                                               {"first_solve", Paper::json_of(parts.first_solve)},
                                               {"second_solve", Paper::json_of(parts.second_solve)},
                                               {"step", Paper::json_of(parts.step)}};
                                 })},
          {"cg", list_of(column.solves,
                         [copy](const FlowCg& cg) {
                           return Json{{"name", cg.name},
                                       {"iterations", cg.iterations},
                                       {"iteration", Paper::json_of(per(cg.iterations, cg.solve),
                                                                    cg.cost, copy)}};
                         })},
          {"steps", list_of(column.kernels,
                            [copy](const FlowKernels& table) { return json_of(table, copy); })},
          {"runs", list_of(column.runs,
                           [](const FlowRun& run) {
                             return Json{{"scheme", name(run.scheme)},
                                         {"mass_solver", name(run.mass_solver)},
                                         {"cfl", run.courant_number},
                                         {"steps", run.steps},
                                         {"seconds", run.seconds},
                                         {"sound", run.sound},
                                         {"newton_iterations", run.newton_iterations},
                                         {"cg_iterations", run.cg_iterations}};
                           })},
          {"accuracy", list_of(column.errors, [](const FlowError& point) {
             return Json{{"scheme", name(point.scheme)},
                         {"newton_tolerance", point.newton_tolerance},
                         {"steps", point.steps},
                         {"seconds", point.seconds},
                         {"error", point.error}};
           })}};
}

Json published() {
  return {{"device", "NVIDIA Tesla M2090"},
          {"time_steps",
           list_of(published_time_steps,
                   [](const PublishedTimeStep& step) {
                     return Json{{"scheme", name(step.scheme)}, {"time_step", step.time_step}};
                   })},
          {"runs", list_of(published_runs, [](const PublishedRun& run) {
             return Json{{"scheme", name(run.scheme)},
                         {"cfl", run.courant_number},
                         {"steps", run.steps},
                         {"seconds", run.seconds},
                         {"newton_iterations", run.newton_iterations},
                         {"cg_iterations", run.cg_iterations}};
           })}};
}

}  // namespace

void write_flow_json(const FlowTableSettings& settings, const std::vector<FlowColumn>& ours) {
  const FlowSizes& sizes = settings.sizes;
  Perf::write_json(
      settings.json,
      {{"paper", "Saunders (2014), tables 3 to 11 and section 7"},
       {"lamina_version", LAMINA_VERSION_STRING},
       {"kokkos_version", KOKKOS_VERSION},
       {"repetitions", settings.repetitions},
       {"sizes",
        {{"convergence", sizes.convergence},
         {"steps", sizes.steps},
         {"cg", sizes.cg},
         {"runs", sizes.runs},
         {"accuracy", sizes.accuracy}}},
       {"published", published()},
       {"columns", list_of(ours, [](const FlowColumn& column) { return json_of(column); })}});
}

}  // namespace Lamina::Paper
