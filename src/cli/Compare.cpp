// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <map>

#include "Commands.hpp"
#include "ExitStatus.hpp"
#include "HelmholtzOptions.hpp"
#include "HelmholtzText.hpp"
#include "InputError.hpp"
#include "JsonReport.hpp"
#include "MemoryNeed.hpp"
#include "Progress.hpp"
#include "Space.hpp"
#include "Text.hpp"

namespace Lamina::Cli {
namespace {

/// One line of the table.
struct Row {
  HelmholtzTask task;
  HelmholtzResult result;
  std::string skipped;  ///< why; empty where it ran
  double copy_gb_per_s = 0;

  double seconds_per_iteration() const {
    return result.solve_seconds / std::max(1, result.report.iterations);
  }
};

/// The values to run through: the one that was asked for, or all.
template <class Value>
std::vector<Value> selected(const std::optional<Value>& wanted, const Choices<Value>& choices) {
  if (wanted) return {*wanted};
  std::vector<Value> all;
  for (const auto& choice : choices) all.push_back(choice.value);
  return all;
}

std::vector<Row> rows_of(const HelmholtzOptions& options) {
  std::vector<Row> rows;
  for (const Space* space : selected(options.space, space_choices())) {
    for (const Precision precision : selected(options.precision, precisions)) {
      for (const Layout layout : selected(options.layout, layouts)) {
        for (const Solver solver : selected(options.solver, solvers)) {
          if (!offers(solver, precision)) continue;
          Row row;
          row.task.problem = options.problem;
          row.task.variant = {space, layout, precision, solver};
          row.task.criteria = options.criteria;
          rows.push_back(row);
        }
      }
    }
  }
  return rows;
}

std::string variant_text(const HelmholtzVariant& variant) {
  return fmt::format("  {:<7} {:<9} {:<6} {:<10}", variant.space->name,
                     name_of(precisions, variant.precision), name_of(layouts, variant.layout),
                     name_of(solvers, variant.solver));
}

void run(Row& row, Progress& progress) {
  const std::string title = variant_text(row.task.variant);
  progress.show(title);
  row.skipped = size_obstacle(row.task.problem, row.task.variant, false);
  if (!row.skipped.empty()) return;
  row.task.criteria.on_check = progress.on_check(title + "  ");
  row.result = row.task.variant.space->solve_helmholtz(row.task);
}

void print_row(const Row& row, double slowest) {
  fmt::print("{}", variant_text(row.task.variant));
  if (!row.skipped.empty()) {
    fmt::print("  skipped: {}\n", row.skipped);
    return;
  }
  const double seconds = row.seconds_per_iteration();
  const double rate = row.result.bytes_per_iteration / seconds * 1e-9;
  const SolveReport& report = row.result.report;
  fmt::print(" {:>6}  {:>10}  {:>10}  {:>7.1f}  {:>7.2f}  {:>7.1f}x{}\n", report.iterations,
             duration_text(row.result.solve_seconds), duration_text(seconds), rate,
             rate / row.copy_gb_per_s, slowest / row.result.solve_seconds,
             report.succeeded() ? "" : fmt::format("  {}", to_string(report.status)));
}

void print_table(const std::vector<Row>& rows) {
  double slowest = 0;
  for (const Row& row : rows) slowest = std::max(slowest, row.result.solve_seconds);
  fmt::print("  {:<7} {:<9} {:<6} {:<10} {:>6}  {:>10}  {:>10}  {:>7}  {:>7}  {:>8}\n", "space",
             "precision", "layout", "solver", "iter.", "solve", "per iter.", "GB/s", "of copy",
             "speed-up");
  for (const Row& row : rows) print_row(row, slowest);
  fmt::print(
      "\n  GB/s: what the kernels count, over the time of an iteration; speed-up of the solve over "
      "the "
      "slowest one\n");
}

nlohmann::ordered_json json_list(const std::vector<Row>& rows) {
  auto list = nlohmann::ordered_json::array();
  for (const Row& row : rows) {
    if (row.skipped.empty()) list.push_back(json_report(row.task, row.result, row.copy_gb_per_s));
  }
  return list;
}

int compare_helmholtz(const std::vector<std::string>& own, const std::vector<std::string>& kokkos) {
  const auto options = parse_helmholtz(HelmholtzUse::comparison, own);
  if (!options) return success;
  const KokkosSession session(kokkos);
  std::vector<Row> rows = rows_of(*options);
  for (const Row& row : rows) require_copies_fit(*row.task.variant.space);
  if (!options->quiet) print_problem(options->problem, options->criteria);

  Progress progress(!options->quiet);
  progress.show("measuring copy bandwidth");
  std::map<const Space*, std::vector<CopyMeasurement>> copies;
  for (const Row& row : rows) {
    const Space* space = row.task.variant.space;
    if (!copies.contains(space)) copies[space] = space->copy_bandwidth();
  }
  for (Row& row : rows) {
    row.copy_gb_per_s = best_gb_per_s(copies[row.task.variant.space]);
    run(row, progress);
  }
  progress.clear();
  const bool any_ran =
      std::any_of(rows.begin(), rows.end(), [](const Row& row) { return row.skipped.empty(); });
  if (!any_ran) throw InputError("--size: " + rows.front().skipped);
  if (!options->json.empty()) write_json(options->json, json_list(rows));
  if (!options->quiet) {
    fmt::print("\n");
    print_table(rows);
    for (const auto& [space, copy] : copies) {
      fmt::print("\n  {}: {}\n", space->name, space->describe());
      print_copy(copy);
    }
    print_file("--json", options->json.string());
  }
  const bool all_succeeded = std::all_of(rows.begin(), rows.end(), [](const Row& row) {
    return !row.skipped.empty() || row.result.report.succeeded();
  });
  return all_succeeded ? success : not_converged;
}

}  // namespace

int compare_command(const Arguments& arguments) {
  const std::string command = arguments.own.empty() ? "nothing" : arguments.own.front();
  if (command == "--help" || command == "-h") {
    std::cout
        << "Usage: lamina compare helmholtz [OPTIONS]\n\n"
           "Run every space, layout, precision and solver; see lamina compare helmholtz --help\n";
    return success;
  }
  if (command != "helmholtz")
    throw InputError("expected a command to compare (helmholtz), got " + command);
  return compare_helmholtz({arguments.own.begin() + 1, arguments.own.end()}, arguments.kokkos);
}

}  // namespace Lamina::Cli
