// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Prints table 1 and figures 10 and 11 of Wang et al. (2012) beside the same measurements of the
// library on this machine, through every memory, plain and fused.

#include "PaperTables_Poisson.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "../PaperTables_Options.hpp"
#include "../PaperTables_Text.hpp"
#include "PaperTables_PoissonPublished.hpp"

namespace Lamina::Paper {
namespace {

/// One of the choices; none for "all".
template <class Value>
std::optional<Value> choice_value(const std::string& option, Perf::OptionValues& values,
                                  const Cli::Choices<Value>& choices) {
  const std::string name = values.text(option);
  if (name == "all") return std::nullopt;
  for (const auto& choice : choices) {
    if (choice.name == name) return choice.value;
  }
  throw Perf::BadOption(option + ": expected all|" + Cli::list_names(choices) + ", got " + name);
}

Setters<SquareTableSettings> setters() {
  constexpr int most_points = 1 << 20, most_iterations = 1 << 24;
  return with_common<SquareTableSettings>(
      {{"--sizes", [](auto& s, const auto& o, auto& v) { s.sizes = v.numbers(o, 1, most_points); }},
       {"--precision", [](auto& s, const auto& o,
                          auto& v) { s.precision = choice_value(o, v, Cli::poisson_precisions); }},
       {"--solver", [](auto& s, const auto& o,
                       auto& v) { s.solver = choice_value(o, v, Cli::poisson_solvers); }},
       {"--memory", [](auto& s, const auto& o,
                       auto& v) { s.memory = choice_value(o, v, Cli::stencil_memories); }},
       {"--iterations",
        [](auto& s, const auto& o, auto& v) { s.iterations = v.number(o, 1, most_iterations); }}});
}

/// What table 1 says of double precision: the iterations, to N = 128 all of them, then with other
/// rounding; as many iterations give its digits, to N = 1024. Beyond, rounding may shift both.
bool agrees(const SquarePoint& point, const PublishedSolve& paper) {
  constexpr int last_exact_count = 128, last_close_count = 1024;
  const double allowed = point.size <= last_exact_count   ? 0
                         : point.size <= last_close_count ? 1
                                                          : 0.005 * paper.iterations;
  if (std::abs(point.iterations - paper.iterations) > allowed) return false;
  if (point.size <= last_close_count && point.iterations == paper.iterations) {
    return text("%.4e", point.error.linf) == text("%.4e", paper.largest_error);
  }
  return std::abs(point.error.linf / paper.largest_error - 1) < 0.05;
}

bool sound(const SquareTableSettings& settings, const SquarePoint& point) {
  if (!point.measured()) return true;
  if (!std::isfinite(point.error.linf)) return false;
  if (point.way.precision != Cli::Precision::double_precision) return true;
  if (!point.succeeded()) return false;
  const PublishedSolve* const paper = published_solve(point.size);
  return settings.iterations > 0 || paper == nullptr || agrees(point, *paper);
}

/// In double precision solves must do what the paper's do.
bool check(const SquareTableSettings& settings, const std::vector<SquareColumn>& columns) {
  return std::all_of(columns.begin(), columns.end(), [&](const SquareColumn& column) {
    return std::all_of(column.points.begin(), column.points.end(),
                       [&](const SquarePoint& point) { return sound(settings, point); });
  });
}

int run(const SquareTableSettings& settings) {
  const std::vector<SquareColumn> columns = measure_squares(settings);
  print_square_tables(settings, columns);
  if (!settings.json.empty()) write_square_json(settings, columns);
  if (check(settings, columns)) return 0;
  std::fprintf(stderr, "lamina_paper_tables_poisson: a solve differs from the paper's\n");
  return 1;
}

void print_usage() {
  std::printf(
      "Usage: lamina_paper_tables_poisson [options]\n"
      "  --sizes N,N,...    points a side [the paper's: 32, 64, ... to 8192, on the host to 512]\n"
      "  --precision NAME   all|%s [all]\n"
      "  --solver NAME      all|%s [all]\n"
      "  --memory NAME      all|%s [all]\n"
      "  --iterations N     exactly so many, for figure 11, instead of whole solves\n"
      "  --space NAME       one space instead of all that are enabled\n"
      "  --repetitions N    fewer of long solves [3]\n"
      "  --tiny             the speed of copies is that of few bytes: for tests\n"
      "  --json FILE\n",
      Cli::list_names(Cli::poisson_precisions).c_str(),
      Cli::list_names(Cli::poisson_solvers).c_str(),
      Cli::list_names(Cli::stencil_memories).c_str());
}

}  // namespace
}  // namespace Lamina::Paper

int main(int argc, char* argv[]) {
  using namespace Lamina::Paper;
  return Lamina::Perf::run_program("lamina_paper_tables_poisson", argc, argv, setters(),
                                   print_usage, run);
}
