// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tables 3 to 7.

#include <cstdio>

#include "../PaperTables_Text.hpp"
#include "PaperTables_Helmholtz.hpp"
#include "PaperTables_HelmholtzPublished.hpp"

namespace Lamina::Paper {
namespace {

using Columns = std::vector<const Column*>;

/// One row of a table: which part of which implementation it shows, and over which implementation of
/// the baseline it tells the speed-up.
struct Row {
  const char* name;
  Part part;
  Implementation implementation, baseline = implementation;
};

const std::vector<Row> explicit_rows{{"SpMV", apply_part, matrix_explicit},
                                     {"preconditioner", precondition_part, matrix_explicit}};
const std::vector<Row> free_rows{{"SpMV", apply_part, matrix_free},
                                 {"preconditioner", precondition_part, matrix_free},
                                 {"interlvd. SpMV", apply_part, interleaved},
                                 {"interlvd. prec.", precondition_part, interleaved},
                                 {"recomp. advance", apply_part, recomputed},
                                 {"recomp. measure", measure_part, recomputed},
                                 {"recomp. prec.", precondition_part, recomputed}};
const std::vector<Row> iteration_rows{{"matrix-explicit", iteration_part, matrix_explicit},
                                      {"matrix-free", iteration_part, matrix_free},
                                      {"interleaved", iteration_part, interleaved},
                                      {"recomputed", iteration_part, recomputed, interleaved}};

bool is_of_paper(const Column& column) { return &column == &paper_c || &column == &paper_cuda; }

void print_heads(const char* title, const Columns& columns) {
  std::printf("\n%s\n%*s", title, name_width, "");
  for (const Column* column : columns) print_cell(column->name);
  std::printf("\n");
}

Statistic time_of_row(const Column& column, int precision, Implementation n, const Part& part) {
  return column.times[static_cast<std::size_t>(precision)][n].*part.time;
}

// --- Tables 3, 4 and 6 ---

/// The speed-up is over the last baseline before the column; none on the baseline itself.
std::string speed_up(const Statistic& time, const Column* column, const Column* baseline,
                     int precision, const Row& row) {
  if (baseline == nullptr || baseline == column || time.minimum <= 0) return "       ";
  const double slow = time_of_row(*baseline, precision, row.baseline, row.part).minimum;
  return slow > 0 ? text("%6.1fx", slow / time.minimum) : "       ";
}

void print_row(const Columns& columns, int precision, const Row& row) {
  std::printf("  %-*s", name_width - 2, row.name);
  const Column* baseline = nullptr;
  for (const Column* column : columns) {
    if (column->is_baseline) baseline = column;
    const bool compares = baseline && is_of_paper(*baseline) == is_of_paper(*column);
    const Statistic time = time_of_row(*column, precision, row.implementation, row.part);
    std::string cell = text_or_dash("%.3f", time.minimum * 1e3);
    if (!is_of_paper(*column) && time.minimum > 0) cell += text(" (%.3f)", time.median * 1e3);
    print_cell(cell + speed_up(time, column, compares ? baseline : nullptr, precision, row));
  }
  std::printf("\n");
}

/// Times in milliseconds; the paper's are one number, ours minimum and median.
void print_table(const char* title, const Columns& columns, const std::vector<Row>& rows) {
  print_heads(title, columns);
  for (int precision = 0; precision < num_precisions; ++precision) {
    std::printf("%s precision\n", precision_names[static_cast<std::size_t>(precision)].data());
    for (const Row& row : rows) print_row(columns, precision, row);
  }
}

// --- Table 5 ---

void print_totals(const Columns& columns) {
  print_heads("Table 5: 100 iterations, seconds: total (of it set-up + transfer)", columns);
  for (std::size_t precision = 0; precision < num_precisions; ++precision) {
    std::printf("%s precision\n", precision_names[precision].data());
    for (std::size_t n = 0; n < num_implementations; ++n) {
      std::printf("  %-*s", name_width - 2, implementation_names[n].data());
      for (const Column* column : columns) {
        const Times& times = column->times[precision][n];
        print_cell(times.total > 0
                       ? text("%.4f (%.4f + %.4f)", times.total, times.setup, times.transfer)
                       : "-");
      }
      std::printf("\n");
    }
  }
}

// --- Table 7 ---

std::string rates_cell(const Column& column, std::size_t precision, Implementation n,
                       const Part& part) {
  const Rates rates = rates_of(column.times[precision][n].*part.time,
                               column.costs[precision][n].*part.cost, column.copy_gb_per_s);
  if (rates.gb_per_s <= 0) return "-";
  return text("%.1f %8.1f", rates.gflop_per_s, rates.gb_per_s) +
         (rates.fraction_of_copy > 0 ? text(" (%.2f)", rates.fraction_of_copy) : "");
}

Profile profile_of(std::size_t precision, const Row& row) {
  const KernelProfiles& profiles = paper_profiles[precision][row.implementation];
  return row.part.time == &Times::apply ? profiles.apply : profiles.precondition;
}
std::string profile_cell(const Profile& profile) {
  if (profile.gflop_per_s <= 0) return "-";
  return text("%.1f %6.2f %5.1f%% %4.1f%%", profile.gflop_per_s, profile.load_gb_per_s,
              profile.load_efficiency, profile.hit_rate_of_cache);
}

void print_rates_row(const Columns& columns, std::size_t precision, const Row& row) {
  std::printf("  %-*s", name_width - 2, row.name);
  print_cell(row.part.time == &Times::measure ? "-" : profile_cell(profile_of(precision, row)), 30);
  for (const Column* column : columns) {
    print_cell(rates_cell(*column, precision, row.implementation, row.part));
  }
  std::printf("\n");
}

/// The profiler's load efficiency and hit rate are the paper's alone.
void print_rates(const Columns& columns) {
  std::printf(
      "\nTable 7: matrix-free kernels. Paper: GFLOP/s, GB/s loaded from memory, load efficiency, "
      "L1 "
      "hit rate, by its\nprofiler. Here: GFLOP/s and GB/s as counted (each field read and written "
      "once), fraction of copy\n%*s",
      name_width, "");
  print_cell(paper_cuda.name, 30);
  for (const Column* column : columns) print_cell(column->name);
  std::printf("\n");
  for (std::size_t precision = 0; precision < num_precisions; ++precision) {
    std::printf("%s precision\n", precision_names[precision].data());
    for (const Row& row : free_rows) print_rates_row(columns, precision, row);
  }
}

/// What the other tables leave: the assembled matrix, and whole iterations.
void print_bandwidths(const Columns& columns) {
  print_heads("Likewise: GFLOP/s and GB/s as counted (fraction of copy)", columns);
  std::printf("%-*s", name_width, "copy");
  for (const Column* column : columns) print_cell(text("%.1f (1.00)", column->copy_gb_per_s));
  std::printf("\n");
  std::vector<Row> rows{{"csr SpMV", apply_part, matrix_explicit},
                        {"csr prec.", precondition_part, matrix_explicit}};
  rows.insert(rows.end(), iteration_rows.begin(), iteration_rows.end());
  for (std::size_t precision = 0; precision < num_precisions; ++precision) {
    std::printf("%s precision\n", precision_names[precision].data());
    for (const Row& row : rows) {
      std::printf("  %-*s", name_width - 2, row.name);
      for (const Column* column : columns) {
        print_cell(rates_cell(*column, precision, row.implementation, row.part));
      }
      std::printf("\n");
    }
  }
}

// --- Section 7.4.1, of multigrid ---

void print_to_tolerance(const Columns& columns) {
  print_heads("To a residual of 1e-5 with set-up, ms (iterations)", columns);
  const auto solve = [](const Statistic& time, int iterations) {
    return time.minimum > 0 ? text("%.2f (%d)", time.minimum * 1e3, iterations) : std::string("-");
  };
  const auto print = [&](const char* name, std::size_t precision, const auto& text_of) {
    std::printf("  %-*s", name_width - 2, name);
    for (const Column* column : columns) print_cell(text_of(column->to_tolerance[precision]));
    std::printf("\n");
  };
  for (std::size_t precision = 0; precision < num_precisions; ++precision) {
    std::printf("%s precision\n", precision_names[precision].data());
    print("lines", precision,
          [&](const ToTolerance& of) { return solve(of.with_lines, of.iterations_with_lines); });
    print("multigrid cycles", precision,
          [&](const ToTolerance& of) { return solve(of.with_cycles, of.iterations_with_cycles); });
    print("faster by", precision, [](const ToTolerance& of) {
      if (of.with_cycles.minimum <= 0) return std::string("-");
      return text("%.1fx", of.with_lines.minimum / of.with_cycles.minimum);
    });
  }
  std::printf("  the paper, on its CPU: around %.0fx\n", paper_multigrid_factor);
}

}  // namespace

void print_tables(const Settings& settings, const std::vector<Column>& ours) {
  Columns our_columns, all{&paper_c, &paper_cuda};
  for (const Column& column : ours) our_columns.push_back(&column);
  all.insert(all.end(), our_columns.begin(), our_columns.end());

  std::printf(
      "Mueller et al. (2013): 256 x 256 x 128; C: one core of a Xeon E5-2620, CUDA: M2090\n"
      "Here: %d x %d x %d; milliseconds, minimum (median) of %d repetitions, and the speed-up "
      "over the C program\non the same machine; recomputed: over its interleaved iteration\n",
      settings.size.num_x, settings.size.num_y, settings.size.num_levels, settings.repetitions);
  for (const Column& column : ours) {
    std::printf("%s: %s\n", column.name.c_str(), column.device.c_str());
  }
  print_table("Table 3: matrix-explicit kernels, ms per call", all, explicit_rows);
  print_table("Table 4: matrix-free kernels, ms per call", all, free_rows);
  print_totals(all);
  print_table("Table 6: ms per iteration", all, iteration_rows);
  print_to_tolerance(our_columns);
  print_rates(our_columns);
  print_bandwidths(our_columns);
  std::printf("\n");
}

}  // namespace Lamina::Paper
