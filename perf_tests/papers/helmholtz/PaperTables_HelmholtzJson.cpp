// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/Version.hpp>

#include <Kokkos_Core.hpp>

#include "../../support/WriteJson.hpp"
#include "PaperTables_Helmholtz.hpp"
#include "PaperTables_HelmholtzPublished.hpp"

namespace Lamina::Paper {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Range& range) { return {range.from, range.to}; }

/// The kernels that were timed.
Json kernels_of(const Times& times, const Costs& costs, double copy) {
  Json kernels = Json::array();
  for (const Part& part : kernel_parts) {
    const Statistic& time = times.*part.time;
    if (time.minimum <= 0) continue;
    Json kernel{{"name", part.name}, {"label", (costs.*part.cost).label}};
    kernel.update(json_of(time, costs.*part.cost, copy));
    kernels.push_back(kernel);
  }
  return kernels;
}

Json row_of(const Column& column, std::size_t precision, std::size_t implementation) {
  const Times& times = column.times[precision][implementation];
  const Costs& costs = column.costs[precision][implementation];
  return {{"precision", precision_names[precision]},
          {"implementation", implementation_names[implementation]},
          {"iteration", json_of(times.iteration, costs.iteration, column.copy_gb_per_s)},
          {"kernels", kernels_of(times, costs, column.copy_gb_per_s)},
          {"setup_seconds", times.setup},
          {"transfer_seconds", times.transfer},
          {"total_seconds", times.total},
          {"residual_history", column.histories[precision][implementation]}};
}

/// Solves to a tolerance, where they were timed.
Json to_tolerance_of(const Column& column) {
  Json rows = Json::array();
  for (std::size_t precision = 0; precision < num_precisions; ++precision) {
    const ToTolerance& of = column.to_tolerance[precision];
    if (of.with_cycles.minimum <= 0) continue;
    rows.push_back({{"precision", precision_names[precision]},
                    {"tolerance", ToTolerance::tolerance},
                    {"seconds_with_lines", of.with_lines.minimum},
                    {"iterations_with_lines", of.iterations_with_lines},
                    {"seconds_with_cycles", of.with_cycles.minimum},
                    {"iterations_with_cycles", of.iterations_with_cycles}});
  }
  return rows;
}

Json json_of(const SizePoint& point, double copy) {
  Json value{{"nx", point.size.num_x},
             {"ny", point.size.num_y},
             {"nz", point.size.num_levels},
             {"unknowns", point.size.cells()},
             {"precision", precision_names[point.precision]},
             {"implementation", implementation_names[point.implementation]}};
  if (!point.skipped.empty()) {
    value["skipped"] = point.skipped;
    return value;
  }
  value["iteration"] = json_of(point.times.iteration, point.costs.iteration, copy);
  value["ns_per_unknown"] = point.times.iteration.minimum * 1e9 / point.size.cells();
  value["kernels"] = kernels_of(point.times, point.costs, copy);
  return value;
}

Json json_of(const Column& column) {
  Json rows = Json::array(), sizes = Json::array();
  for (std::size_t precision = 0; precision < num_precisions; ++precision) {
    for (std::size_t n = 0; n < num_implementations; ++n) {
      if (column.times[precision][n].iteration.minimum <= 0) continue;
      rows.push_back(row_of(column, precision, n));
    }
  }
  for (const SizePoint& point : column.sizes) sizes.push_back(json_of(point, column.copy_gb_per_s));
  return {{"name", column.name},
          {"device", column.device},
          {"layout", column.layout},
          {"copy_gb_per_s", column.copy_gb_per_s},
          {"rows", rows},
          {"to_tolerance", to_tolerance_of(column)},
          {"sizes", sizes}};
}

Json json_of(const Profile& profile) {
  return {{"gflop_per_s", profile.gflop_per_s},
          {"load_gb_per_s", profile.load_gb_per_s},
          {"load_efficiency_percent", profile.load_efficiency},
          {"l1_hit_rate_percent", profile.hit_rate_of_cache}};
}
Json table_7() {
  Json rows = Json::array();
  for (std::size_t precision = 0; precision < num_precisions; ++precision) {
    for (const Implementation n : {matrix_free, interleaved}) {
      rows.push_back(
          {{"precision", precision_names[precision]},
           {"implementation", implementation_names[n]},
           {apply_part.name, json_of(paper_profiles[precision][n].apply)},
           {precondition_part.name, json_of(paper_profiles[precision][n].precondition)}});
    }
  }
  return rows;
}
/// What the text tells of the curves.
Json figures() {
  return {{"unknowns", json_of(paper_sizes)},
          {"flops_per_cell", paper_flops_per_cell},
          {"gflop_per_s",
           {{precision_names[single_precision], json_of(paper_gflop_per_s[single_precision])},
            {precision_names[double_precision], json_of(paper_gflop_per_s[double_precision])}}},
          {"load_fraction_of_peak", json_of(paper_fraction_of_peak)},
          {"peak_gb_per_s", paper_peak_gb_per_s},
          {"multigrid_factor", paper_multigrid_factor}};
}

}  // namespace

void write_json(const Settings& settings, const std::vector<Column>& ours) {
  Json columns = Json::array();
  for (const Column* column : {&paper_c, &paper_cuda}) columns.push_back(json_of(*column));
  for (const Column& column : ours) columns.push_back(json_of(column));
  const Json report{{"paper", "Mueller et al. (2013), tables 3 to 7, figures 6 and 7"},
                    {"lamina_version", LAMINA_VERSION_STRING},
                    {"kokkos_version", KOKKOS_VERSION},
                    {"size", {settings.size.num_x, settings.size.num_y, settings.size.num_levels}},
                    {"repetitions", settings.repetitions},
                    {"iterations", settings.iterations},
                    {"paper_table_7", table_7()},
                    {"paper_figures", figures()},
                    {"columns", columns}};
  Perf::write_json(settings.json, report);
}

}  // namespace Lamina::Paper
