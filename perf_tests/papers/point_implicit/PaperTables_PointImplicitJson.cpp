// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/Version.hpp>

#include <Kokkos_Core.hpp>

#include "../../support/WriteJson.hpp"
#include "PaperTables_PointImplicit.hpp"
#include "PaperTables_PointImplicitPublished.hpp"

namespace Lamina::Paper {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const SweepPoint& point, double copy) {
  Json value{{"block_size", point.block_size}};
  if (!point.skipped.empty()) {
    value["skipped"] = point.skipped;
    return value;
  }
  value.update(Paper::json_of(point.sweep, point.cost, copy));
  return value;
}

Json json_of(const MatrixPoint& point, double copy) {
  const Perf::MeshSize& mesh = test_matrices[point.matrix].mesh;
  Json sweeps = Json::array();
  for (const SweepPoint& sweep : point.sweeps) sweeps.push_back(json_of(sweep, copy));
  return {{"mesh", {mesh.num_x, mesh.num_y, mesh.num_z}},
          {"rows", mesh.num_rows()},
          {"blocks", point.blocks},
          {"colours", point.colour_sizes},
          {"paper_rows", test_matrices[point.matrix].rows},
          {"sweeps", sweeps}};
}

Json json_of(const SpaceColumn& column) {
  Json matrices = Json::array();
  for (const MatrixPoint& point : column.matrices) {
    matrices.push_back(json_of(point, column.copy_gb_per_s));
  }
  return {{"name", column.name},
          {"device", column.device},
          {"copy_gb_per_s", column.copy_gb_per_s},
          {"matrices", matrices}};
}

Json published() {
  Json matrices = Json::array();
  for (std::size_t n = 0; n < test_matrices.size(); ++n) {
    const TestMatrix& matrix = test_matrices[n];
    matrices.push_back({{"rows", matrix.rows},
                        {"blocks", matrix.blocks},
                        {"colours", matrix.colours},
                        {"largest_colour", matrix.largest_colour},
                        {"smallest_colour", matrix.smallest_colour},
                        {"baseline_ms", published_sweeps[n].baseline},
                        {"optimized_ms", published_sweeps[n].optimized}});
  }
  return {{"matrices", matrices},
          {"one_core",
           {{"rows", test_matrices[published_core_matrix].rows},
            {"block_size", published_core_block_size},
            {"core_ms", published_core_ms},
            {"gpu_ms", published_core_gpu_ms}}}};
}

}  // namespace

void write_sweep_json(const SweepTableSettings& settings, const std::vector<SpaceColumn>& ours) {
  Json columns = Json::array();
  for (const SpaceColumn& column : ours) columns.push_back(json_of(column));
  Perf::write_json(settings.json, {{"paper", "Zubair et al. (2016), tables II to IV, figure 14"},
                                   {"lamina_version", LAMINA_VERSION_STRING},
                                   {"kokkos_version", KOKKOS_VERSION},
                                   {"repetitions", settings.repetitions},
                                   {"published", published()},
                                   {"columns", columns}});
}

}  // namespace Lamina::Paper
