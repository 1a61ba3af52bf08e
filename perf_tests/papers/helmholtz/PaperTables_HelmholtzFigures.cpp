// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Figures 6 and 7 as tables.

#include <algorithm>
#include <cstdio>

#include "PaperTables_Helmholtz.hpp"
#include "PaperTables_HelmholtzPublished.hpp"
#include "../PaperTables_Text.hpp"

namespace Lamina::Paper {
namespace {

constexpr int number_width = 12, kernel_width = 17;

void print_point_name(const SizePoint& point) {
  print_cell(text("%.2e", point.size.cells()), 10);
  print_cell(text("%d x %d x %d", point.size.num_x, point.size.num_y, point.size.num_levels), 20);
  print_cell(std::string(implementation_names[point.implementation]), 13);
}

/// The paper's form at the sizes of its figures: nothing of the others.
bool has_paper(const SizePoint& point) {
  return point.implementation == interleaved && is_size_of_paper(point.size);
}

// --- Figure 6 ---

void print_paper_iteration(const SizePoint& point) {
  const Range range = paper_gflop_per_s[point.precision];
  const double table = paper_cuda.times[point.precision][interleaved].iteration.minimum;
  print_cell(has_paper(point) ? text("%.0f-%.0f", range.from, range.to) : "-", number_width);
  const bool has_table = has_paper(point) && point.size.cells() == paper_table_size;
  print_cell(has_table ? text("%.2f", table * 1e3) : "-", number_width);
}

void print_iteration(const SizePoint& point, double copy) {
  const double seconds = point.times.iteration.minimum;
  const Rates rates = rates_of(point.times.iteration, point.costs.iteration, copy);
  print_cell(text_or_dash("%.4f", seconds * 1e3), number_width);
  print_cell(text_or_dash("%.4f", seconds * 1e9 / point.size.cells()), number_width);
  print_cell(text_or_dash("%.1f", rates.gflop_per_s), number_width);
  print_cell(text_or_dash("%.1f", rates.gb_per_s), number_width);
  print_cell(text_or_dash("%.2f", rates.fraction_of_copy), number_width);
  print_paper_iteration(point);
}

void print_iteration_heads() {
  std::printf("%10s%20s%13s", "unknowns", "size", "form");
  for (const char* head :
       {"ms/iter.", "ns/unknown", "GFLOP/s", "GB/s", "of copy", "paper GF/s", "paper ms"}) {
    print_cell(head, number_width);
  }
  std::printf("\n");
}

// --- Figure 7 ---

std::string bandwidth_text(const SizePoint& point, const Part& part, double copy) {
  const Rates rates = rates_of(point.times.*part.time, point.costs.*part.cost, copy);
  return rates.gb_per_s > 0 ? text("%.1f (%.2f)", rates.gb_per_s, rates.fraction_of_copy) : "-";
}

void print_kernels(const SizePoint& point, double copy) {
  for (const Part& part : kernel_parts) print_cell(bandwidth_text(point, part, copy), kernel_width);
  const double peak = paper_peak_gb_per_s;
  print_cell(has_paper(point) ? text("%.0f-%.0f", paper_fraction_of_peak.from * peak,
                                     paper_fraction_of_peak.to * peak)
                              : "-",
             kernel_width);
}

void print_kernel_heads() {
  std::printf("%10s%20s%13s", "unknowns", "size", "form");
  for (const char* head : {"preconditioner", "measure", "SpMV, advance", "paper, loads"}) {
    print_cell(head, kernel_width);
  }
  std::printf("\n");
}

// --- Both ---

using PrintPoint = void (*)(const SizePoint& point, double copy);

void print_points(const Column& column, Precision precision, PrintPoint print_rest) {
  std::printf("%s precision\n", precision_names[precision].data());
  for (const SizePoint& point : column.sizes) {
    if (point.precision != precision) continue;
    print_point_name(point);
    if (point.skipped.empty()) {
      print_rest(point, column.copy_gb_per_s);
    } else {
      std::printf("  skipped: %s", point.skipped.c_str());
    }
    std::printf("\n");
  }
}

void print_last_fitting(const Column& column) {
  for (const Precision precision : {single_precision, double_precision}) {
    const auto fits = [&](const SizePoint& point) {
      return point.precision == precision && point.skipped.empty();
    };
    const auto last = std::find_if(column.sizes.rbegin(), column.sizes.rend(), fits);
    if (last == column.sizes.rend()) continue;
    std::printf("largest size measured, %s precision: %d x %d x %d, %.3e unknowns\n",
                precision_names[precision].data(), last->size.num_x, last->size.num_y,
                last->size.num_levels, last->size.cells());
  }
}

void print_column(const Column& column) {
  std::printf("\nFigure 6 on %s, copy %.1f GB/s: an iteration, the start of a solve not counted\n",
              column.name.c_str(), column.copy_gb_per_s);
  print_iteration_heads();
  print_points(column, single_precision, print_iteration);
  print_points(column, double_precision, print_iteration);
  std::printf("\nFigure 7 on %s: GB/s as counted (fraction of copy) of each kernel\n",
              column.name.c_str());
  print_kernel_heads();
  print_points(column, single_precision, print_kernels);
  print_points(column, double_precision, print_kernels);
  print_last_fitting(column);
}

}  // namespace

void print_figures(const std::vector<Column>& ours) {
  std::printf(
      "Figures 6 and 7. Of the paper's curves the text tells only: 2.1e6 to 1.3e8 unknowns, 128 "
      "levels, interleaved form;\nGFLOP/s \"virtually independent of the problem size\", \"about "
      "70-80\" in single and \"40-50\" in double precision, at 47\nflops a cell; DRAM reads at "
      "\"25%% "
      "- 50%%\" of the peak of %.0f GB/s, rising \"slightly with the problem size\". ms: table 6\n",
      paper_peak_gb_per_s);
  for (const Column& column : ours) {
    if (!column.sizes.empty()) print_column(column);
  }
  std::printf("\n");
}

}  // namespace Lamina::Paper
