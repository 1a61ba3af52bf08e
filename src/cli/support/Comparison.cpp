// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/Comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "support/machine/MemoryNeed.hpp"

namespace Lamina::Cli {
namespace {

using Copies = std::map<const Space*, std::vector<CopyMeasurement>>;

/// A line of the table.
struct Row {
  std::string variant, skipped;  ///< `skipped`: why; empty where it ran
  ComparedResult compared{};
  double copy_gb_per_s = 0;
};

Row run(const ComparedSolve& solve, double copy_gb_per_s, Progress& progress) {
  progress.show("  " + solve.variant);
  Row row{.variant = solve.variant, .skipped = solve.obstacle(), .copy_gb_per_s = copy_gb_per_s};
  if (interrupted()) row.skipped = interruption_name();
  if (!row.skipped.empty()) return row;
  try {
    row.compared = solve.run(progress, "  " + solve.variant + "  ", copy_gb_per_s);
  } catch (const InputError& error) {  // input that does not suit this variant
    row.skipped = error.what();
  }
  return row;
}

void print_row(const Row& row, double slowest) {
  print("  {}", row.variant);
  if (!row.skipped.empty()) {
    print("  skipped: {}\n", row.skipped);
    return;
  }
  const SolveResult& result = row.compared.result;
  const double seconds = result.solve_seconds / std::max(1, result.report.iterations);
  const bool none = result.report.iterations == 0;
  const double rate = result.bytes_per_iteration / seconds * 1e-9;
  const bool on_chip = result.bytes_per_iteration == 0;  // nothing is moved that a copy would move
  print(" {:>6}  {:>10}  {:>10}  {:>7}  {:>7}  {:>7.1f}x{}\n", result.report.iterations,
        duration_text(result.solve_seconds), none ? "-" : duration_text(seconds),
        on_chip || none ? "-" : fmt::format("{:.1f}", rate),
        on_chip || none ? "-" : fmt::format("{:.2f}", rate / row.copy_gb_per_s),
        slowest / result.solve_seconds,
        result.report.succeeded() ? "" : fmt::format("  {}", to_string(result.report.status)));
}

void print_table(const Comparison& comparison, const std::vector<Row>& rows) {
  double slowest = 0;
  for (const Row& row : rows) slowest = std::max(slowest, row.compared.result.solve_seconds);
  print("\n  {} {:>6}  {:>10}  {:>10}  {:>7}  {:>7}  {:>8}\n", comparison.columns,
        comparison.iteration, "solve", fmt::format("per {}", comparison.iteration), "GB/s",
        "of copy", "speed-up");
  for (const Row& row : rows) print_row(row, slowest);
  print(
      "\n  GB/s: what the kernels count, over the time of the solve; speed-up of it over "
      "the slowest one\n");
}

Copies measure_copies(const std::vector<ComparedSolve>& solves) {
  Copies copies;
  for (const ComparedSolve& solve : solves) {
    if (!copies.contains(solve.space))
      copies[solve.space] = solve.space->copy_bandwidth(copied_bytes(*solve.space));
  }
  return copies;
}

Json json_list(const std::vector<Row>& rows) {
  Json list = Json::array();
  for (const Row& row : rows) {
    if (row.skipped.empty()) list.push_back(row.compared.json);
  }
  return list;
}

}  // namespace

int run_comparison(const Comparison& comparison, const SolveOptions& options) {
  for (const ComparedSolve& solve : comparison.solves) require_copies_fit(*solve.space);
  if (!options.quiet) comparison.print_problem();
  catch_signals();
  Progress progress(!options.quiet);
  progress.show("measuring copy bandwidth");
  const Copies copies = measure_copies(comparison.solves);
  std::vector<Row> rows;
  for (const ComparedSolve& solve : comparison.solves) {
    rows.push_back(run(solve, best_gb_per_s(copies.at(solve.space)), progress));
  }
  progress.clear();

  const auto ran = [](const Row& row) { return row.skipped.empty(); };
  if (!interrupted() && std::none_of(rows.begin(), rows.end(), ran)) {
    throw InputError(comparison.size_option + ": " + rows.front().skipped);
  }
  if (!options.json.empty()) write_json(options.json, json_list(rows));
  if (!options.quiet) {
    print_table(comparison, rows);
    for (const auto& [space, copy] : copies) {
      print("\n  {}: {}\n", space->name, space->describe());
      print_copy(copy);
    }
    print_file("--json", options.json.string());
  }
  const bool all_succeeded = std::all_of(rows.begin(), rows.end(), [&](const Row& row) {
    return !ran(row) || row.compared.result.report.succeeded();
  });
  return all_succeeded ? success : not_converged;
}

}  // namespace Lamina::Cli
