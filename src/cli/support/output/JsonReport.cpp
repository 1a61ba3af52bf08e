// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/output/JsonReport.hpp"

#include <lamina/Version.hpp>
#include <lamina/io/PendingFile.hpp>

#include <string>
#include <string_view>
#include <vector>

#include "support/machine/KokkosSession.hpp"
#include "support/machine/Space.hpp"
#include "support/options/InputError.hpp"
#include "support/output/OutputPath.hpp"

namespace Lamina::Cli {

namespace {

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
    if (!kernel.path.empty()) list.back()["path"] = kernel.path;
    if (!kernel.reason.empty()) list.back()["reason"] = kernel.reason;
  }
  return list;
}

}  // namespace

void add_criteria(Json& problem, const StoppingCriteria& criteria) {
  const bool to_rhs = criteria.relative_to == Reference::rhs;
  problem.update({{"tolerance", criteria.tolerance},
                  {"tolerance_relative_to", to_rhs ? "rhs" : "initial_residual"},
                  {"max_iterations", criteria.max_iterations}});
}

Json head_object(const char* command, const Space& space, std::string_view precision,
                 std::string_view layout, const Json& problem, SolveStatus status) {
  return {{"command", command},
          {"lamina_version", LAMINA_VERSION_STRING},
          {"kokkos_version", kokkos_version()},
          {"space", space.name},
          {"device", space.describe()},
          {"precision", precision},
          {"layout", layout},
          {"problem", problem},
          {"status", to_string(status)}};
}

void add_tail(Json& json, const SolveResult& result, double copy_gb_per_s) {
  if (result.error) json["error"] = {{"l2", result.error->l2}, {"linf", result.error->linf}};
  json.update({{"seconds", {{"setup", result.setup_seconds}, {"solve", result.solve_seconds}}},
               {"kernels", kernel_list(result.kernels, copy_gb_per_s)},
               {"copy_gb_per_s", copy_gb_per_s},
               {"ranks", 1}});
}

Json solve_object(const char* command, const Space& space, std::string_view precision,
                  std::string_view layout, const Json& problem, const SolveResult& result,
                  double copy_gb_per_s) {
  const SolveReport& report = result.report;
  Json json = head_object(command, space, precision, layout, problem, report.status);
  json.update({{"converged", report.converged()},
               {"iterations", report.iterations},
               {"relative_residual", report.relative_residual()},
               {"true_relative_residual", result.true_relative_residual},
               {"residual_history", report.residual_history}});
  if (report.restarts > 0) json["restarts"] = report.restarts;
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
