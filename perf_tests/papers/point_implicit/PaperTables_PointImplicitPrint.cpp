// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <algorithm>
#include <cstdio>

#include "PaperTables_PointImplicit.hpp"
#include "PaperTables_PointImplicitPublished.hpp"
#include "../PaperTables_Text.hpp"

namespace Lamina::Paper {
namespace {

constexpr int column_width = 24;

/// Time, rate and fraction of the copy.
std::string cell_of(const SweepPoint& point, double copy_gb_per_s) {
  if (!point.skipped.empty()) return "(" + point.skipped + ")";
  const Rates rates = rates_of(point.sweep, point.cost, copy_gb_per_s);
  return text("%.4g ms %5.0f GB/s %3.0f %%", point.sweep.minimum * 1e3, rates.gb_per_s,
              100 * rates.fraction_of_copy);
}

void print_heads(const std::vector<SpaceColumn>& ours) {
  for (const SpaceColumn& column : ours) print_cell(column.name, column_width + 4);
  std::printf("\n");
}

/// The matrices of the first space; all spaces have the same.
const std::vector<MatrixPoint>& matrices_of(const std::vector<SpaceColumn>& ours) {
  static const std::vector<MatrixPoint> none;
  return ours.empty() ? none : ours.front().matrices;
}

void print_table_2(const std::vector<SpaceColumn>& ours) {
  std::printf("Table II: matrices\n%*s%8s %9s %6s %3s %8s %5s\n", name_width, "", "n", "nnz",
              "nnz/n", "nc", "largest", "least");
  const auto print = [](const char* name, int rows, std::int64_t blocks, int colours, int largest,
                        int smallest) {
    std::printf("%-*s%8d %9lld %6.2f %3d %8d %5d\n", name_width, name, rows,
                static_cast<long long>(blocks), static_cast<double>(blocks) / rows, colours,
                largest, smallest);
  };
  for (const MatrixPoint& point : matrices_of(ours)) {
    const TestMatrix& paper = test_matrices[point.matrix];
    print("paper", paper.rows, paper.blocks, paper.colours, paper.largest_colour,
          paper.smallest_colour);
    const auto [least, most] =
        std::minmax_element(point.colour_sizes.begin(), point.colour_sizes.end());
    print("here", paper.mesh.num_rows(), point.blocks, static_cast<int>(point.colour_sizes.size()),
          *most, *least);
  }
}

void print_table_of(const std::vector<SpaceColumn>& ours, std::size_t place) {
  const MatrixPoint& point = matrices_of(ours)[place];
  const PublishedSweeps& paper = published_sweeps[point.matrix];
  const TestMatrix& matrix = test_matrices[point.matrix];
  const char* title = point.matrix == 0  ? "Figure 14 (the paper draws it, without numbers)"
                      : point.matrix < 4 ? "Table III"
                                         : "Table IV";
  std::printf("\n%s: one sweep, n = %d in the paper, %d here; ms\n%4s%10s%10s", title, matrix.rows,
              matrix.mesh.num_rows(), "nb", "baseline", "paper");
  print_heads(ours);
  for (std::size_t n = 0; n < point.sweeps.size(); ++n) {
    const auto block_size = static_cast<std::size_t>(point.sweeps[n].block_size);
    std::printf("%4zu", block_size);
    for (const auto* times : {&paper.baseline, &paper.optimized}) {
      print_cell(block_size <= times->size() ? text("%.1f", (*times)[block_size - 1]) : "-", 10);
    }
    for (const SpaceColumn& column : ours) {
      print_cell(cell_of(column.matrices[place].sweeps[n], column.copy_gb_per_s), column_width + 4);
    }
    std::printf("\n");
  }
}

/// One core against the device.
void print_core(const std::vector<SpaceColumn>& ours) {
  std::printf("\nThe last section: nb = %d, n = %d; ms\n", published_core_block_size,
              test_matrices[published_core_matrix].rows);
  std::printf("%-*s%10.1f\n%-*s%10.1f\n", name_width, "paper, one core", published_core_ms,
              name_width, "paper, K40", published_core_gpu_ms);
  for (const SpaceColumn& column : ours) {
    for (const MatrixPoint& point : column.matrices) {
      if (point.matrix != published_core_matrix) continue;
      for (const SweepPoint& sweep : point.sweeps) {
        if (sweep.block_size != published_core_block_size || !sweep.skipped.empty()) continue;
        const double ms = sweep.sweep.minimum * 1e3;
        std::printf("%-*s%10.3g: %.1f times the paper's core, %.1f times its K40\n", name_width,
                    column.name.c_str(), ms, published_core_ms / ms, published_core_gpu_ms / ms);
      }
    }
  }
}

}  // namespace

void print_sweep_tables(const std::vector<SpaceColumn>& ours) {
  std::printf(
      "Zubair et al. (2016): multicolour point-implicit sweeps, the paper's on a K40, baseline "
      "from cuSPARSE and cuBLAS 7.5.\nHere: blocks off the diagonal in single, all else in double "
      "precision; minimum time of a forward sweep,\nits least traffic over that time, and the "
      "fraction of a copy's.\n");
  for (const SpaceColumn& column : ours) {
    std::printf("  %s: %s, copy %.1f GB/s\n", column.name.c_str(), column.device.c_str(),
                column.copy_gb_per_s);
  }
  std::printf("\n");
  print_table_2(ours);
  for (std::size_t place = 0; place < matrices_of(ours).size(); ++place) {
    print_table_of(ours, place);
  }
  print_core(ours);
}

}  // namespace Lamina::Paper
