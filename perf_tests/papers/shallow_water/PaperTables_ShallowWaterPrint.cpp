// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <cmath>
#include <cstdio>
#include <string>

#include "PaperTables_ShallowWater.hpp"
#include "PaperTables_ShallowWaterPublished.hpp"
#include "../PaperTables_Text.hpp"

namespace Lamina::Paper {
namespace {

constexpr int number_width = 12;

std::string name_of_scheme(Cli::TimeScheme scheme) {
  return std::string(name_of(Cli::time_schemes, scheme));
}
std::string name_of_way(Cli::TimeScheme scheme, MassSolver solver) {
  if (scheme == Cli::TimeScheme::semi_implicit) return name_of_scheme(scheme);
  return name_of_scheme(scheme) + ", " + std::string(name_of(Cli::mass_solvers, solver));
}

void print_heads(const std::vector<const char*>& heads) {
  std::printf("%-*s", name_width, "");
  for (const char* head : heads) print_cell(head, number_width);
  std::printf("\n");
}
void print_name(const std::string& name) { std::printf("%-*s", name_width, name.c_str()); }
void print_number(const char* format, double value) {
  print_cell(text_or_dash(format, value), number_width);
}

void print_table_3(const FlowTableSettings& settings, const FlowColumn& column) {
  const int n = settings.sizes.convergence;
  std::printf(
      "\nTable 3 on %s: time step with an error of the height in time of 2^-25 at t = 0.03, "
      "%d x %d cells%s\n",
      column.name.c_str(), n, n, n == FlowSizes().convergence ? "" : "; paper: 512 x 512");
  print_heads({"paper", "here", "here/paper", "order"});
  for (std::size_t k = 0; k < column.time_steps.size(); ++k) {
    const FlowTimeStep& ours = column.time_steps[k];
    const double paper = published_time_steps[k].time_step;
    print_name(name_of_scheme(ours.scheme));
    print_number("%.3g", paper);
    print_number("%.3g", ours.time_step);
    print_number("%.3f", ours.time_step / paper);
    print_number("%.2f", ours.order);
    std::printf("\n");
  }
}

void print_parts(const PublishedStepParts& paper) {
  print_name(name_of_scheme(paper.scheme) + ", paper");
  const double solves = paper.first_solve + paper.second_solve;
  for (const double value :
       {double(paper.iterations), paper.first_solve, paper.second_solve, paper.rest,
        solves + paper.rest, 100 * solves / (solves + paper.rest)}) {
    print_number("%.4g", value);
  }
  std::printf("\n");
}

void print_parts(const FlowStepParts& parts) {
  print_name(name_of_way(parts.scheme, parts.mass_solver));
  const double first = parts.first_solve.minimum, second = parts.second_solve.minimum,
               step = parts.step.minimum;
  print_number("%.4g", parts.iterations);
  for (const double seconds : {first, second, step - first - second, step}) {
    print_number("%.4g", 1e3 * seconds);
  }
  print_number("%.4g", 100 * (first + second) / step);
  std::printf("\n");
}

void print_table_4(const FlowTableSettings& settings, const FlowColumn& column) {
  const int n = settings.sizes.steps;
  std::printf(
      "\nTable 4 and figure 18 on %s: milliseconds of a step, or of a Newton iteration, %d x %d "
      "cells; paper: 2048 x 2048, M2090\n",
      column.name.c_str(), n, n);
  print_heads({"CG iter.", "u (or phi)", "v", "rest", "together", "% in solves"});
  for (const PublishedStepParts& paper : published_step_parts) {
    print_parts(paper);
    for (const FlowStepParts& parts : column.step_parts) {
      if (parts.scheme == paper.scheme) print_parts(parts);
    }
  }
}

void print_tables_5_and_6(const FlowTableSettings& settings, const FlowColumn& column) {
  const int n = settings.sizes.cg;
  const double cells = static_cast<double>(n) * n;
  std::printf(
      "\nTables 5 and 6 on %s: %d iterations of CG, fewer where nothing is left of the residual,\n"
      "%d x %d cells; paper: 5120 x 5120, M2090\n",
      column.name.c_str(), published_cg_iterations, n, n);
  print_heads({"iterations", "fields", "flops", "s", "GFLOP/s", "GB/s", "% of copy"});
  for (std::size_t k = 0; k < column.solves.size(); ++k) {
    const PublishedCg& paper = published_solves_of_flow[k];
    print_name(std::string(paper.name) + ", p.");
    for (const double value :
         {double(published_cg_iterations), double(paper.reads + paper.writes), double(paper.flops),
          paper.seconds, paper.gflop_per_s, paper.gb_per_s}) {
      print_number("%.4g", value);
    }
    std::printf("\n");
    const FlowCg& ours = column.solves[k];
    const Rates rates = rates_of(per(ours.iterations, ours.solve), ours.cost, column.copy_gb_per_s);
    print_name(ours.name);
    for (const double value : {double(ours.iterations), ours.cost.bytes / (cells * sizeof(double)),
                               ours.cost.flops / cells, ours.solve.minimum, rates.gflop_per_s,
                               rates.gb_per_s, 100 * rates.fraction_of_copy}) {
      print_number("%.4g", value);
    }
    std::printf("\n");
  }
}

void print_published_kernels() {
  std::printf("\nTables 7 to 11, paper: kernels on 2048 x 2048 cells, M2090\n");
  std::printf("  %-8s%-18s%-26s%10s%8s%8s\n", "table", "kernel", "what", "ms", "fields", "GB/s");
  for (const PublishedKernel& kernel : published_kernels) {
    std::printf("  %-8s%-18s%-26s%10.3f%8s%8.1f\n", kernel.table, kernel.name, kernel.what,
                kernel.milliseconds, text_or_dash("%.0f", kernel.reads + kernel.writes).c_str(),
                kernel.gb_per_s);
  }
}

void print_kernels(const FlowTableSettings& settings, const FlowColumn& column,
                   const FlowKernels& table) {
  const double cells = static_cast<double>(settings.sizes.steps) * settings.sizes.steps;
  std::printf("\n%s on %s, %d x %d cells\n  %-52s%7s%10s%8s%8s%8s\n", table.title.c_str(),
              column.name.c_str(), settings.sizes.steps, settings.sizes.steps, "kernel", "calls",
              "ms", "fields", "GB/s", "% copy");
  for (const KernelRecord& kernel : table.kernels) {
    const double calls = static_cast<double>(kernel.calls);
    std::printf("  %-52s%7.3g%10.4g%8s%8s%8s\n", kernel.name.c_str(), calls / 4,
                1e3 * kernel.seconds / calls,
                text_or_dash("%.1f", kernel.bytes / calls / (cells * sizeof(double))).c_str(),
                text_or_dash("%.0f", kernel.gb_per_s()).c_str(),
                text_or_dash("%.0f", 100 * kernel.gb_per_s() / column.copy_gb_per_s).c_str());
  }
  const Rates rates = rates_of(table.step, table.cost, column.copy_gb_per_s);
  std::printf("  %-52s%7s%10.4g%8s%8s%8s\n", "a step", "", 1e3 * table.step.minimum,
              text_or_dash("%.1f", table.cost.bytes / (cells * sizeof(double))).c_str(),
              text_or_dash("%.0f", rates.gb_per_s).c_str(),
              text_or_dash("%.0f", 100 * rates.fraction_of_copy).c_str());
}

void print_run(const PublishedRun& paper) {
  print_name(name_of_scheme(paper.scheme) + ", paper");
  for (const double value :
       {paper.courant_number, double(paper.steps), paper.seconds, 1e3 * paper.seconds / paper.steps,
        double(paper.newton_iterations), double(paper.cg_iterations)}) {
    print_number("%.4g", value);
  }
  std::printf("\n");
}

void print_run(const FlowRun& run) {
  print_name(name_of_way(run.scheme, run.mass_solver));
  for (const double value :
       {run.courant_number, double(run.steps), run.seconds, 1e3 * run.seconds / run.steps,
        double(run.newton_iterations), double(run.cg_iterations)}) {
    print_number("%.4g", value);
  }
  std::printf("%s\n", run.sound ? "" : "  unstable");
}

void print_section_7(const FlowTableSettings& settings, const FlowColumn& column) {
  const int n = settings.sizes.runs;
  std::printf(
      "\nSection 7 on %s: to t = 0.01, %d x %d cells; paper: 5120 x 5120, four M2090. CG of mass "
      "matrices to 0.1, Newton to 0.1 with CG to 0.01, phi* = 1;\nthe largest number of iterations "
      "in a step, and in a solve. With exact mass solves leapfrog is stable to CFL 0.2, rk3 to "
      "0.35.\n",
      column.name.c_str(), n, n);
  print_heads({"CFL", "steps", "s", "ms/step", "Newton", "CG"});
  for (const PublishedRun& paper : published_runs) {
    print_run(paper);
    for (const FlowRun& run : column.runs) {
      if (run.scheme == paper.scheme && run.courant_number == paper.courant_number) print_run(run);
    }
  }
}

void print_accuracy(const FlowTableSettings& settings, const FlowColumn& column) {
  const int n = settings.sizes.accuracy;
  std::printf(
      "\nAccuracy on %s: depression with flow to t = 0.1, %d x %d cells, direct mass solves; error "
      "of the height in time, L2, against rk3 with CFL 0.02\n",
      column.name.c_str(), n, n);
  print_heads({"Newton to", "steps", "CFL", "s", "error"});
  for (const FlowError& point : column.errors) {
    print_name(name_of_scheme(point.scheme));
    print_number("%.0e", point.newton_tolerance);
    print_number("%.0f", point.steps);
    print_number("%.3g", 0.1 * n / point.steps);
    print_number("%.3g", point.seconds);
    print_cell(std::isfinite(point.error) ? text("%.2e", point.error) : "unstable", number_width);
    std::printf("\n");
  }
  std::printf("seconds to an error of\n");
  print_heads({"1e-4", "1e-5", "1e-6", "1e-7", "1e-8"});
  for (const auto& scheme : Cli::time_schemes) {
    print_name(std::string(scheme.name));
    for (const double error : {1e-4, 1e-5, 1e-6, 1e-7, 1e-8}) {
      print_number("%.3g", seconds_to(column.errors, scheme.value, error));
    }
    std::printf("\n");
  }
}

}  // namespace

void print_flow_tables(const FlowTableSettings& settings, const std::vector<FlowColumn>& ours) {
  std::printf(
      "Saunders (2014): nonlinear shallow water on a C-grid, three schemes; the paper's on a Tesla "
      "M2090 (177 GB/s by its data sheet). All in double precision.\n");
  for (const FlowColumn& column : ours) {
    std::printf("  %s: %s, copy %.1f GB/s\n", column.name.c_str(), column.device.c_str(),
                column.copy_gb_per_s);
  }
  if (settings.has(FlowPart::kernels)) print_published_kernels();
  for (const FlowColumn& column : ours) {
    if (settings.has(FlowPart::convergence)) print_table_3(settings, column);
    if (settings.has(FlowPart::kernels)) {
      print_table_4(settings, column);
      print_tables_5_and_6(settings, column);
      for (const FlowKernels& table : column.kernels) print_kernels(settings, column, table);
    }
    if (settings.has(FlowPart::runs)) print_section_7(settings, column);
    if (settings.has(FlowPart::accuracy)) print_accuracy(settings, column);
  }
}

}  // namespace Lamina::Paper
