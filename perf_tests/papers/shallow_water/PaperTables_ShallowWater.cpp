// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Prints tables 3 to 11 and the comparison of section 7 of Saunders (2014) beside the same
// measurements of the library on this machine, and the comparison that the paper leaves for later:
// run time to an accuracy.

#include "PaperTables_ShallowWater.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "../PaperTables_Options.hpp"
#include "PaperTables_ShallowWaterPublished.hpp"

namespace Lamina::Paper {
namespace {

std::vector<FlowPart> part_value(const std::string& option, Perf::OptionValues& values) {
  const std::string name = values.text(option);
  for (const auto& choice : flow_parts) {
    if (choice.name == name) return {choice.value};
  }
  if (name == "all") return FlowTableSettings().parts;
  throw Perf::BadOption(option + ": expected all|" + Cli::list_names(flow_parts) + ", got " + name);
}

Setters<FlowTableSettings> setters() {
  return with_common<FlowTableSettings>(
      {{"--quick",
        [](auto& s, const auto&, auto&) {
          s.quick = true;
          s.sizes = FlowSizes::quick();
        }},
       {"--part", [](auto& s, const auto& o, auto& v) { s.parts = part_value(o, v); }}});
}

/// On the grid of table 3, time steps are the paper's within 5 %; everywhere schemes have their
/// order.
bool sound(const FlowTableSettings& settings, const FlowTimeStep& step,
           const PublishedTimeStep& paper) {
  const double order = step.scheme == Cli::TimeScheme::rk3 ? 3 : 2;
  if (!(std::abs(step.order - order) < 0.2)) return false;
  return settings.quick || std::abs(step.time_step / paper.time_step - 1) < 0.05;
}

bool check(const FlowTableSettings& settings, const std::vector<FlowColumn>& columns) {
  return std::all_of(columns.begin(), columns.end(), [&](const FlowColumn& column) {
    return std::equal(
        column.time_steps.begin(), column.time_steps.end(), published_time_steps.begin(),
        [&](const auto& ours, const auto& paper) { return sound(settings, ours, paper); });
  });
}

int run(const FlowTableSettings& settings) {
  const std::vector<FlowColumn> columns = measure_flows(settings);
  print_flow_tables(settings, columns);
  if (!settings.json.empty()) write_flow_json(settings, columns);
  if (check(settings, columns)) return 0;
  std::fprintf(stderr, "lamina_paper_tables_shallow_water: errors in time are not the paper's\n");
  return 1;
}

void print_usage() {
  std::printf(
      "Usage: lamina_paper_tables_shallow_water [options]\n"
      "  --quick            small grids, for CPU cores, instead of the paper's\n"
      "  --part NAME        all|%s [all]: table 3, tables 4 to 11, section 7,\n"
      "                     run time to an accuracy\n"
      "  --space NAME       one space instead of all that are enabled\n"
      "  --repetitions N    [3]\n"
      "  --tiny             the speed of copies is that of few bytes: for tests\n"
      "  --json FILE\n",
      Cli::list_names(flow_parts).c_str());
}

}  // namespace
}  // namespace Lamina::Paper

int main(int argc, char* argv[]) {
  using namespace Lamina::Paper;
  return Lamina::Perf::run_program("lamina_paper_tables_shallow_water", argc, argv, setters(),
                                   print_usage, run);
}
