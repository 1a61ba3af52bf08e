// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <algorithm>
#include <cstdio>
#include <string_view>

#include "PaperTables_Poisson.hpp"
#include "PaperTables_PoissonPublished.hpp"
#include "../PaperTables_Text.hpp"

namespace Lamina::Paper {
namespace {

constexpr int count_width = 10, error_width = 12, path_width = 30;

std::string name_of_way(const SquareWay& way) {
  return std::string(name_of(Cli::poisson_solvers, way.solver)) + ", " +
         std::string(name_of(Cli::stencil_memories, way.memory));
}

using Points = std::vector<const SquarePoint*>;

/// Those that were measured, the fastest first.
template <class Condition>
Points fastest_first(const SquareColumn& column, const Condition& condition) {
  Points points;
  for (const SquarePoint& point : column.points) {
    if (point.measured() && point.succeeded() && condition(point)) points.push_back(&point);
  }
  std::sort(points.begin(), points.end(), [](const SquarePoint* left, const SquarePoint* right) {
    return left->solve.minimum < right->solve.minimum;
  });
  return points;
}

const SquarePoint* point_of(const SquareColumn& column, int size, const SquareWay& way) {
  for (const SquarePoint& point : column.points) {
    if (point.size == size && point.way.precision == way.precision &&
        point.way.solver == way.solver && point.way.memory == way.memory) {
      return &point;
    }
  }
  return nullptr;
}

// --- Table 1 ---

void print_solve(const SquarePoint* point) {
  const bool has = point != nullptr && point->measured();
  print_cell(has ? text("%.4e", point->error.linf) : "-", error_width);
  print_cell(has ? std::to_string(point->iterations) : "-", count_width);
  print_cell(has ? text("%.4g", point->solve.minimum) : "-", count_width);
}

void print_published(const PublishedSolve* paper) {
  print_cell(paper != nullptr ? text("%.4e", paper->largest_error) : "-", error_width);
  print_cell(paper != nullptr ? std::to_string(paper->iterations) : "-", count_width);
  print_cell(paper != nullptr ? text("%.4g", paper->seconds) : "-", count_width);
}

/// The paper's solve, the same here, and the fastest of all.
void print_table_1(const SquareColumn& column, Cli::Precision precision) {
  std::printf(
      "\nTable 1 on %s, %s precision: largest error, iterations, seconds. Paper: Tesla C2070, "
      "double precision\n%6s%10s%*s%*s%*s\n%16s",
      column.name.c_str(), name_of(Cli::poisson_precisions, precision).data(), "N", "DOF",
      error_width + 2 * count_width, "paper, cg, global", error_width + 2 * count_width,
      "cg, global", error_width + 2 * count_width, "fastest here", "");
  for (int group = 0; group < 3; ++group) {
    print_cell("L_inf", error_width);
    print_cell("#iter", count_width);
    print_cell("s", count_width);
  }
  std::printf("\n");
  for (const int size : column.sizes) {
    std::printf("%6d%10lld", size, static_cast<long long>(size) * size);
    print_published(published_solve(size));
    print_solve(point_of(column, size, {precision, Cli::PoissonSolver::cg, StencilMemory::global}));
    const Points points = fastest_first(column, [&](const SquarePoint& point) {
      return point.size == size && point.way.precision == precision;
    });
    print_solve(points.empty() ? nullptr : points.front());
    std::printf("  %s\n", points.empty() ? "" : name_of_way(points.front()->way).c_str());
  }
}

// --- Figures 10 and 11 ---

/// What a figure shows of a solve, here and in the paper.
struct Figure {
  std::string (*cell)(const SquarePoint& point, double copy_gb_per_s);
  double (*paper)(const PublishedSolve& solve);
};

std::string solve_text(const SquarePoint& point, double) {
  return text("%.4g s, %d iter.", point.solve.minimum, point.iterations);
}
std::string iteration_text(const SquarePoint& point, double copy_gb_per_s) {
  const Rates rates = rates_of(point.iteration, point.cost, copy_gb_per_s);
  return text("%.3g ms %5.0f GB/s %3.0f %%", point.iteration.minimum * 1e3, rates.gb_per_s,
              100 * rates.fraction_of_copy);
}
constexpr Figure figure_10{solve_text, [](const PublishedSolve& solve) { return solve.seconds; }};
constexpr Figure figure_11{iteration_text, [](const PublishedSolve& solve) {
                             return 1e3 * solve.seconds / solve.iterations;
                           }};

std::string cell_of(const Figure& figure, const SquarePoint& point, double copy_gb_per_s) {
  if (!point.measured()) return "(skipped)";
  if (!point.succeeded()) return '(' + std::string(to_string(point.status)) + ')';
  return figure.cell(point, copy_gb_per_s);
}

/// The paper has plain conjugate gradients in double precision through global memory.
std::string cell_of_paper(const Figure& figure, const SquareWay& way, int size) {
  const PublishedSolve* const paper = published_solve(size);
  const bool is_there = paper != nullptr && way.solver == Cli::PoissonSolver::cg &&
                        way.precision == Cli::Precision::double_precision;
  return is_there ? text("%.4g", figure.paper(*paper)) : "-";
}

void print_heads(const SquareWay& way, const std::vector<StencilMemory>& memories) {
  std::printf("%s, %s precision\n%6s", name_of(Cli::poisson_solvers, way.solver).data(),
              name_of(Cli::poisson_precisions, way.precision).data(), "N");
  for (const char* head : {"MB/iter.", "paper"}) print_cell(head, count_width);
  for (const StencilMemory memory : memories) {
    print_cell(std::string(name_of(Cli::stencil_memories, memory)), path_width);
  }
  std::printf("\n");
}

/// One line a size, one column a memory.
void print_paths(const Figure& figure, const SquareColumn& column,
                 const std::vector<StencilMemory>& memories, SquareWay way) {
  print_heads(way, memories);
  for (const int size : column.sizes) {
    double bytes = 0;
    std::string cells;
    for (const StencilMemory memory : memories) {
      way.memory = memory;
      const SquarePoint& point = *point_of(column, size, way);
      bytes = std::max(bytes, point.cost.bytes);
      cells += text("%*s", path_width, cell_of(figure, point, column.copy_gb_per_s).c_str());
    }
    std::printf("%6d", size);
    print_cell(text_or_dash("%.4g", bytes * 1e-6), count_width);
    print_cell(cell_of_paper(figure, way, size), count_width);
    std::printf("%s\n", cells.c_str());
  }
}

void print_figure(const Figure& figure, const SquareTableSettings& settings,
                  const SquareColumn& column) {
  const auto memories = Cli::selected(settings.memory, Cli::stencil_memories);
  for (const auto precision : Cli::selected(settings.precision, Cli::poisson_precisions)) {
    for (const auto solver : Cli::selected(settings.solver, Cli::poisson_solvers)) {
      print_paths(figure, column, memories, {precision, solver, {}});
    }
  }
}

void print_figures(const SquareTableSettings& settings, const SquareColumn& column) {
  if (settings.iterations == 0) {
    std::printf("\nFigure 10 on %s: a solve, seconds; paper: global memory (table 1)\n",
                column.name.c_str());
    print_figure(figure_10, settings, column);
  }
  std::printf(
      "\nFigure 11 on %s: an iteration, the mean of a solve; GB/s as counted, percent of copy; "
      "paper: table 1, ms\n",
      column.name.c_str());
  print_figure(figure_11, settings, column);
}

// --- Ranking ---

/// The memories at the largest size, each with its time over that of the fastest.
void print_ranking(const SquareTableSettings& settings, const SquareColumn& column) {
  const int size = *std::max_element(column.sizes.begin(), column.sizes.end());
  std::printf("\nMemories at N = %d, the fastest first (the paper: %s)\n", size, published_ranking);
  for (const auto precision : Cli::selected(settings.precision, Cli::poisson_precisions)) {
    for (const auto solver : Cli::selected(settings.solver, Cli::poisson_solvers)) {
      const Points points = fastest_first(column, [&](const SquarePoint& point) {
        return point.size == size && point.way.precision == precision && point.way.solver == solver;
      });
      std::printf("  %s, %s precision:", name_of(Cli::poisson_solvers, solver).data(),
                  name_of(Cli::poisson_precisions, precision).data());
      for (const SquarePoint* point : points) {
        std::printf(" %s %.2f", name_of(Cli::stencil_memories, point->way.memory).data(),
                    point->solve.minimum / points.front()->solve.minimum);
      }
      std::printf("\n");
    }
  }
}

void print_skipped(const SquareColumn& column) {
  for (const SquarePoint& point : column.points) {
    if (point.measured()) continue;
    std::printf(
        "  skipped: N = %d, %s, %s precision: %s\n", point.size, name_of_way(point.way).c_str(),
        name_of(Cli::poisson_precisions, point.way.precision).data(), point.skipped.c_str());
  }
}

}  // namespace

void print_square_tables(const SquareTableSettings& settings,
                         const std::vector<SquareColumn>& ours) {
  std::printf(
      "Wang et al. (2012): conjugate gradients for the Poisson equation on a square, the paper's "
      "on a C2070 with cuBLAS.\nOf its figures the text tells: all memories about 10 times as fast "
      "as one core, global memory in single precision the fastest.\n");
  for (const SquareColumn& column : ours) {
    std::printf("  %s: %s, copy %.1f GB/s\n", column.name.c_str(), column.device.c_str(),
                column.copy_gb_per_s);
  }
  for (const SquareColumn& column : ours) {
    if (settings.iterations == 0) {
      for (const auto precision : Cli::selected(settings.precision, Cli::poisson_precisions)) {
        print_table_1(column, precision);
      }
    }
    print_figures(settings, column);
    print_ranking(settings, column);
    print_skipped(column);
  }
}

}  // namespace Lamina::Paper
