// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "helmholtz/HelmholtzLimits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "support/options/CommandLine.hpp"

namespace Lamina::Cli {
namespace {

/// Numbers whose inverse is a number again, with room: for sums, for residuals that shrink, and
/// because the bounds below hold up to small factors only.
template <class Scalar>
double largest_number() {
  constexpr double room = 1e3;
  return 1 / (room * std::numeric_limits<Scalar>::min());
}

double largest_number(Precision precision) {
  return precision == Precision::double_precision ? largest_number<double>()
                                                  : largest_number<float>();
}

/// Bounds of what the operator is made of, in the notation of its header.
class Bounds {
 public:
  double thinnest;                  ///< h_k
  double top2;                      ///< r_n^2
  double largest_area;              ///< |T|
  double least_cell, largest_cell;  ///< |T| V_k
  double diffusion;                 ///< largest (sum_n alpha_n + alpha_b) / |T|

  explicit Bounds(const HelmholtzProblem& problem) {
    if (problem.grid) {
      take_grid(problem);
      return;
    }
    const double nx = problem.num_x, ny = problem.num_y, levels = problem.num_levels;
    thinnest = problem.depth / levels / levels;
    top2 = (1 + problem.depth) * (1 + problem.depth);
    largest_area = 4 / (nx * ny);
    least_cell = largest_area / 6 * thinnest;  // areas shrink to a fifth towards the corners
    largest_cell = largest_area * (2 * problem.depth / levels) * top2;
    diffusion = 10 * (nx * nx + ny * ny);
  }

 private:
  void take_grid(const HelmholtzProblem& problem) {
    const ColumnGraph& graph = problem.grid->graph;
    const VerticalGrid vertical = problem.vertical();
    const auto [thin, thick] =
        std::minmax_element(vertical.thicknesses().begin(), vertical.thicknesses().end());
    thinnest = *thin;
    top2 = vertical.interface_area(vertical.num_levels());
    const auto [least, most] = std::minmax_element(graph.areas.begin(), graph.areas.end());
    largest_area = *most;
    least_cell = *least * thinnest;
    largest_cell = largest_area * *thick * top2;
    std::vector<double> couplings(graph.areas.size(), 0);
    for (const ColumnGraph::Edge& edge : graph.edges) {
      for (const int column : {edge.first, edge.second}) {
        couplings[static_cast<std::size_t>(column)] += edge.length / edge.distance;
      }
    }
    diffusion = 1 / largest_area;  // where there are no edges
    for (std::size_t c = 0; c < couplings.size(); ++c) {
      diffusion = std::max(diffusion, couplings[c] / graph.areas[c]);
    }
  }
};

void require_depth(const HelmholtzProblem& problem, const Bounds& bounds, Precision precision) {
  const double largest = largest_number(precision);
  // Right-hand sides consist of the volumes of cells; their squares are summed up in double
  // precision.
  const double sum_of_squares =
      bounds.largest_cell * bounds.largest_cell * static_cast<double>(problem.num_unknowns());
  if (bounds.least_cell < 1 / largest || bounds.largest_cell > largest ||
      sum_of_squares > largest_number<double>()) {
    CommandLine::fail("--depth",
                      fmt::format("volumes of cells within the range of {} precision",
                                  name_of(precisions, precision)),
                      fmt::format("{}", problem.depth));
  }
}

void require_between(const std::string& option, double lowest, double highest, double value,
                     Precision precision) {
  if (value >= lowest && value <= highest) return;
  CommandLine::fail(option,
                    fmt::format("a number from {:.1e} to {:.1e} on this grid in {} precision",
                                lowest, highest, name_of(precisions, precision)),
                    fmt::format("{}", value));
}

void require_rounding(const char* option, double value, double error,
                      const HelmholtzVariant& variant) {
  constexpr double largest_error = 1e-2;
  if (error <= largest_error) return;
  CommandLine::fail(
      option,
      fmt::format("at most {:.1e} on this grid with {} in {} precision, where rounding of the "
                  "couplings leaves two digits of the mass term",
                  value * (largest_error / error), name_of(solvers, variant.solver),
                  name_of(precisions, variant.precision)),
      fmt::format("{}", value));
}

}  // namespace

// The mass term of a part, held by its edge, is proportional to area over vertical error, as the
// vertical couplings of all columns are alike.
RoundingError rounding_of_all(const Ranks* ranks, const RoundingError& mine, double area) {
  if (ranks == nullptr) return mine;
  const double mass = mine.vertical > 0 ? area / mine.vertical : area;
  const double all_area = sum_of_all(ranks, area), all_mass = sum_of_all(ranks, mass);
  const double by_recurrence = norm_of_all(ranks, mine.by_recurrence * mass) / all_mass;
  const double ratio =
      mine.by_recurrence > 0 ? mine.by_product / std::sqrt(mine.by_recurrence) : 0.0;
  const double vertical = largest_of_all(ranks, mine.vertical);
  return {.by_recurrence = by_recurrence,
          .by_product = largest_of_all(ranks, ratio) * std::sqrt(by_recurrence),
          .vertical = vertical > 0 ? all_area / all_mass : 0};
}

void require_mass_term(const HelmholtzProblem& problem, const HelmholtzVariant& variant,
                       double horizontal, double vertical) {
  require_rounding("--omega2", problem.parameters.omega2, horizontal, variant);
  require_rounding("--lambda2", problem.parameters.lambda2, vertical, variant);
}

void require_in_range(const HelmholtzProblem& problem, Precision precision) {
  const double largest = largest_number(precision);
  const double omega2 = problem.parameters.omega2, lambda2 = problem.parameters.lambda2;
  const Bounds bounds(problem);
  require_depth(problem, bounds, precision);

  // 1/omega^2, omega^2 |T| V_k and their inverses; against the diffusion, the mass term must be
  // left something, in <r, M^-1 r> too, which is a double
  const double lowest_omega2 = 1 / largest / std::min(bounds.least_cell, 1.0);
  const double highest_omega2 = std::min(largest / std::max(bounds.largest_cell, 1.0),
                                         largest_number<double>() * bounds.least_cell) /
                                bounds.diffusion;
  require_between("--omega2", lowest_omega2, highest_omega2, omega2, precision);

  // b'_k and c'_k, and the same times omega^2 |T| V_k. There may be none at all, so that nothing is
  // too small.
  const double coupling = 3 / bounds.thinnest / bounds.thinnest;
  const double entry = omega2 * bounds.largest_area * bounds.top2 / bounds.thinnest;
  // In mixed precision right-hand sides may be brought to a norm of 1, and solutions grow likewise: where
  // they are of order 1, to the inverse of the norm of the volumes of the cells.
  const double solution =
      precision == Precision::mixed
          ? std::max(1.0, std::sqrt(static_cast<double>(problem.num_unknowns())) / problem.depth)
          : 1.0;
  require_between("--lambda2", 0, largest / std::max(coupling * solution, entry), lambda2,
                  precision);
}

bool is_in_range(const HelmholtzProblem& problem, Precision precision) {
  try {
    require_in_range(problem, precision);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

}  // namespace Lamina::Cli
