// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <nlohmann/json.hpp>

#include <cstdio>
#include <fstream>
#include <functional>
#include <stdexcept>

#include "PaperTables_Helmholtz.hpp"

namespace Lamina::Paper {
namespace {

/// One row of a table: which times it shows.
struct Row {
  const char* name;
  Implementation implementation;
  std::function<Statistic(const Times&)> times;
};

const std::vector<Row> explicit_rows{{"SpMV", matrix_explicit, &Times::apply},
                                     {"preconditioner", matrix_explicit, &Times::precondition}};
const std::vector<Row> free_rows{{"SpMV", matrix_free, &Times::apply},
                                 {"preconditioner", matrix_free, &Times::precondition},
                                 {"interlvd. SpMV", interleaved, &Times::apply},
                                 {"interlvd. prec.", interleaved, &Times::precondition}};
const std::vector<Row> iteration_rows{{"matrix-explicit", matrix_explicit, &Times::iteration},
                                      {"matrix-free", matrix_free, &Times::iteration},
                                      {"interleaved", interleaved, &Times::iteration}};

constexpr int name_width = 18, cell_width = 24;

void print_cell(const std::string& text) { std::printf("%*s", cell_width, text.c_str()); }
void print_heads(const char* title, const std::vector<const Column*>& columns) {
  std::printf("\n%s\n%*s", title, name_width, "");
  for (const Column* column : columns) print_cell(column->name);
  std::printf("\n");
}
template <class... Values>
std::string text(const char* format, Values... values) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, format, values...);
  return buffer;
}

/// Times in milliseconds; the paper's are one number, ours minimum and median. The speed-up is over
/// the C program on the same machine.
void print_table(const char* title, const std::vector<const Column*>& columns,
                 const std::vector<Row>& rows) {
  print_heads(title, columns);
  for (int precision = 0; precision < num_precisions; ++precision) {
    std::printf("%s precision\n", precision_names[precision].data());
    for (const Row& row : rows) {
      std::printf("  %-*s", name_width - 2, row.name);
      double baseline = 0;
      for (const Column* column : columns) {
        const Statistic time = row.times(column->times[precision][row.implementation]);
        const bool is_paper = column == &paper_c || column == &paper_cuda;
        const bool is_baseline = column == &paper_c || (!is_paper && column == columns[2]);
        if (is_baseline) baseline = time.minimum;
        std::string cell = time.minimum > 0 ? text("%.2f", time.minimum * 1e3) : "-";
        if (!is_paper && time.minimum > 0) cell += text(" (%.2f)", time.median * 1e3);
        cell +=
            is_baseline || time.minimum <= 0 ? "       " : text("%6.1fx", baseline / time.minimum);
        print_cell(cell);
      }
      std::printf("\n");
    }
  }
}

void print_totals(const std::vector<const Column*>& columns) {
  print_heads("Table 5: 100 iterations, seconds: total (of it set-up + transfer)", columns);
  for (int precision = 0; precision < num_precisions; ++precision) {
    std::printf("%s precision\n", precision_names[precision].data());
    for (int n = 0; n < num_implementations; ++n) {
      std::printf("  %-*s", name_width - 2, implementation_names[n].data());
      for (const Column* column : columns) {
        const Times& times = column->times[precision][n];
        print_cell(text("%.3f (%.3f + %.3f)", times.total, times.setup, times.transfer));
      }
      std::printf("\n");
    }
  }
}

/// GB/s of what the library counts at least, and its fraction of the copy.
void print_bandwidths(const std::vector<const Column*>& columns) {
  print_heads("Bandwidth: GB/s of the fields read and written at least (fraction of copy)",
              columns);
  std::printf("%-*s", name_width, "copy");
  for (const Column* column : columns) print_cell(text("%.1f (1.00)", column->copy_gb_per_s));
  std::printf("\n");
  struct Part {
    const char* name;
    Statistic Times::*time;
    KernelCost Costs::*cost;
  };
  const Part parts[] = {{"SpMV", &Times::apply, &Costs::apply},
                        {"preconditioner", &Times::precondition, &Costs::precondition},
                        {"iteration", &Times::iteration, &Costs::iteration}};
  for (int precision = 0; precision < num_precisions; ++precision) {
    for (int n = 0; n < num_implementations; ++n) {
      std::printf("%s precision, %s\n", precision_names[precision].data(),
                  implementation_names[n].data());
      for (const Part& part : parts) {
        std::printf("  %-*s", name_width - 2, part.name);
        for (const Column* column : columns) {
          const double seconds = (column->times[precision][n].*part.time).minimum;
          const double speed = (column->costs[precision][n].*part.cost).bytes * 1e-9 / seconds;
          const double copy = column->copy_gb_per_s;
          print_cell(seconds > 0 && copy > 0 ? text("%.1f (%.2f)", speed, speed / copy) : "-");
        }
        std::printf("\n");
      }
    }
  }
}

using Json = nlohmann::ordered_json;

Json json_of(const Statistic& statistic) {
  return {{"minimum", statistic.minimum}, {"median", statistic.median}};
}
Json json_of(const Column& column) {
  Json rows = Json::array();
  for (int precision = 0; precision < num_precisions; ++precision) {
    for (int n = 0; n < num_implementations; ++n) {
      const Times& times = column.times[precision][n];
      const Costs& costs = column.costs[precision][n];
      rows.push_back({{"precision", precision_names[precision]},
                      {"implementation", implementation_names[n]},
                      {"apply_seconds", json_of(times.apply)},
                      {"precondition_seconds", json_of(times.precondition)},
                      {"iteration_seconds", json_of(times.iteration)},
                      {"setup_seconds", times.setup},
                      {"transfer_seconds", times.transfer},
                      {"total_seconds", times.total},
                      {"apply_bytes", costs.apply.bytes},
                      {"precondition_bytes", costs.precondition.bytes},
                      {"iteration_bytes", costs.iteration.bytes},
                      {"residual_history", column.histories[precision][n]}});
    }
  }
  return {{"name", column.name},
          {"layout", column.layout},
          {"copy_gb_per_s", column.copy_gb_per_s},
          {"rows", rows}};
}

}  // namespace

void print_tables(const Settings& settings, const std::vector<Column>& ours) {
  std::vector<const Column*> our_columns, all{&paper_c, &paper_cuda};
  for (const Column& column : ours) our_columns.push_back(&column);
  all.insert(all.end(), our_columns.begin(), our_columns.end());

  std::printf(
      "Mueller et al. (2013): 256 x 256 x 128; C: one core of a Xeon E5-2620, CUDA: M2090\n"
      "Here: %d x %d x %d; milliseconds, minimum (median) of %d repetitions, and the speed-up "
      "over the C program\n",
      settings.num_x, settings.num_y, settings.num_levels, settings.repetitions);
  print_table("Table 3: matrix-explicit kernels, ms per call", all, explicit_rows);
  print_table("Table 4: matrix-free kernels, ms per call", all, free_rows);
  print_totals(all);
  print_table("Table 6: ms per iteration", all, iteration_rows);
  print_bandwidths(our_columns);
  std::printf("\n");
}

void write_json(const Settings& settings, const std::vector<Column>& ours) {
  Json columns = Json::array();
  for (const Column* column : {&paper_c, &paper_cuda}) columns.push_back(json_of(*column));
  for (const Column& column : ours) columns.push_back(json_of(column));
  const Json report{{"paper", "Mueller et al. (2013), tables 3 to 6"},
                    {"size", {settings.num_x, settings.num_y, settings.num_levels}},
                    {"repetitions", settings.repetitions},
                    {"iterations", settings.iterations},
                    {"columns", columns}};
  std::ofstream file(settings.json);
  file << report.dump(2) << '\n';
  file.close();
  if (!file) throw std::runtime_error("--json: " + settings.json + " cannot be written");
}

}  // namespace Lamina::Paper
