// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "point_implicit/PointImplicitLimits.hpp"

#include <cmath>

#include "support/machine/MemoryNeed.hpp"
#include "support/machine/Space.hpp"
#include "support/options/InputError.hpp"

namespace Lamina::Cli {
namespace {

std::string obstacle(const PointImplicitProblem& problem, const PointImplicitVariant& variant,
                     double num_rows, double num_blocks) {
  const Ranks* ranks = variant.rank_grid.ranks;
  if (ranks == nullptr) {
    const PointImplicitNeed need = point_implicit_need(problem, variant, num_rows, num_blocks);
    return shortage_of(*variant.space, need.space_bytes, need.mirror_bytes);
  }
  // A part is copied from the file before it is a matrix. For pcg, rank 0 has all of it for a while
  // beside the plan of its own part.
  const double size = problem.block_size, rows = std::ceil(num_rows / ranks->size()),
               blocks = std::ceil(num_blocks / ranks->size()),
               copied = problem.generated() ? 0 : 8 * size * size * (rows + blocks);
  const int sharers = sharers_of(ranks);
  PointImplicitNeed need = point_implicit_need(problem, variant, rows, blocks);
  need.mirror_bytes += copied;
  if (!variant.space->own_memory) need.space_bytes += copied;
  if (variant.krylov == Krylov::pcg) {
    PointImplicitVariant sweeps = variant;
    sweeps.krylov = Krylov::none;
    const PointImplicitNeed whole = point_implicit_need(problem, sweeps, num_rows, num_blocks);
    need.mirror_bytes += whole.mirror_bytes / sharers;
    need.space_bytes += variant.space->own_memory ? whole.space_bytes : whole.space_bytes / sharers;
  }
  return shortage_of(*variant.space, need.space_bytes, need.mirror_bytes, sharers);
}

std::string obstacle(const PointImplicitProblem& problem, const PointImplicitVariant& variant,
                     const PointImplicitInput& input) {
  const double rows = input.graph.num_rows();
  const double blocks = problem.generated() ? static_cast<double>(input.graph.columns.size())
                                            : static_cast<double>(input.columns.size()) - rows;
  return obstacle(problem, variant, rows, blocks);
}

/// \throws InputError where there is an obstacle to every variant
template <class Obstacle>
void require_any(const PointImplicitProblem& problem,
                 const std::vector<PointImplicitVariant>& variants, const Obstacle& obstacle_of) {
  std::string text;
  for (const PointImplicitVariant& variant : variants) {
    text = obstacle_of(variant);
    if (text.empty()) return;
  }
  throw InputError(size_option(problem) + ": " + text);
}

}  // namespace

std::string size_option(const PointImplicitProblem& problem) {
  if (problem.on_box()) return "--generate";
  return problem.generated() ? "--mesh" : "--matrix";
}

std::string size_obstacle(const PointImplicitTask& task) {
  return obstacle(task.problem, task.variant, *task.input);
}

std::shared_ptr<const PointImplicitInput> checked_input(
    const PointImplicitProblem& problem, const std::vector<PointImplicitVariant>& variants) {
  if (problem.on_box()) {
    constexpr double most_neighbours = 14;
    const auto rows = static_cast<double>(problem.num_vertices());
    require_any(problem, variants, [&](const PointImplicitVariant& variant) {
      return obstacle(problem, variant, rows, most_neighbours * rows);
    });
  }
  auto input = std::make_shared<const PointImplicitInput>(point_implicit_input(problem));
  require_any(problem, variants, [&](const PointImplicitVariant& variant) {
    return obstacle(problem, variant, *input);
  });
  return input;
}

}  // namespace Lamina::Cli
