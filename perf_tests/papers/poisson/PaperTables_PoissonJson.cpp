// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/Version.hpp>

#include <Kokkos_Core.hpp>

#include "../../support/WriteJson.hpp"
#include "PaperTables_Poisson.hpp"
#include "PaperTables_PoissonPublished.hpp"

namespace Lamina::Paper {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const SquarePoint& point, double copy) {
  Json value{{"n", point.size},
             {"precision", name_of(Cli::poisson_precisions, point.way.precision)},
             {"solver", name_of(Cli::poisson_solvers, point.way.solver)},
             {"memory", name_of(Cli::stencil_memories, point.way.memory)}};
  if (!point.measured()) {
    value["skipped"] = point.skipped;
    return value;
  }
  value.update({{"status", to_string(point.status)},
                {"iterations", point.iterations},
                {"error", {{"l2", point.error.l2}, {"linf", point.error.linf}}},
                {"solve", Paper::json_of(point.solve)},
                {"iteration", Paper::json_of(point.iteration, point.cost, copy)}});
  return value;
}

Json json_of(const SquareColumn& column) {
  Json points = Json::array();
  for (const SquarePoint& point : column.points) {
    points.push_back(json_of(point, column.copy_gb_per_s));
  }
  return {{"name", column.name},
          {"device", column.device},
          {"copy_gb_per_s", column.copy_gb_per_s},
          {"points", points}};
}

Json published() {
  Json solves = Json::array();
  for (const PublishedSolve& solve : published_solves) {
    solves.push_back({{"n", solve.size},
                      {"linf", solve.largest_error},
                      {"iterations", solve.iterations},
                      {"seconds", solve.seconds}});
  }
  return {
      {"device", "NVIDIA Tesla C2070"}, {"solves", solves}, {"fastest_first", published_ranking}};
}

}  // namespace

void write_square_json(const SquareTableSettings& settings, const std::vector<SquareColumn>& ours) {
  Json columns = Json::array();
  for (const SquareColumn& column : ours) columns.push_back(json_of(column));
  Perf::write_json(settings.json, {{"paper", "Wang et al. (2012), table 1, figures 10 and 11"},
                                   {"lamina_version", LAMINA_VERSION_STRING},
                                   {"kokkos_version", KOKKOS_VERSION},
                                   {"repetitions", settings.repetitions},
                                   {"iterations", settings.iterations},
                                   {"published", published()},
                                   {"columns", columns}});
}

}  // namespace Lamina::Paper
