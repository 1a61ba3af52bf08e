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
  const PointImplicitNeed need = point_implicit_need(problem, variant, num_rows, num_blocks);
  return shortage_of(*variant.space, need.space_bytes, need.mirror_bytes);
}

/// The same over ranks. Rank 0 has the graph of all rows for a while, and what it writes.
std::string obstacle_over_ranks(const PointImplicitTask& task, double num_rows, double num_blocks) {
  const Ranks& ranks = *task.variant.rank_grid.ranks;
  const Space& space = *task.variant.space;
  const double rows = std::ceil(num_rows / ranks.size()),
               blocks = std::ceil(num_blocks / ranks.size()), size = task.problem.block_size;
  if (task.problem.on_box()) {
    // Offsets and columns; an order, colours, places and owners, and what they are made with
    const double graph = 4 * num_blocks + 64 * num_rows;
    const std::string text = shortage_of(space, space.own_memory ? 0 : graph, graph);
    if (!text.empty()) return text;
  }
  // Parts of all ranks, all values, the same in the order of the file; owners and ids
  const double written = task.output.empty() ? 0 : 3 * 8 * size * num_rows + 8 * num_rows;
  const int sharers = sharers_of(&ranks);
  PointImplicitNeed need = point_implicit_need(task.problem, task.variant, rows, blocks);
  need.mirror_bytes += written / sharers;
  if (!space.own_memory) need.space_bytes += written / sharers;
  return shortage_of(space, need.space_bytes, need.mirror_bytes, sharers);
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

void require_share_fits(const PointImplicitTask& task, double num_rows, double num_blocks) {
  const std::string text = obstacle_over_ranks(task, num_rows, num_blocks);
  if (!text.empty()) throw InputError(size_option(task.problem) + ": " + text);
}

std::shared_ptr<const PointImplicitInput> checked_input(
    const PointImplicitProblem& problem, const std::vector<PointImplicitVariant>& variants) {
  if (problem.on_box()) {
    const auto rows = static_cast<double>(problem.num_vertices());
    require_any(problem, variants, [&](const PointImplicitVariant& variant) {
      return obstacle(problem, variant, rows, most_neighbours_on_box * rows);
    });
  }
  auto input = std::make_shared<const PointImplicitInput>(point_implicit_input(problem));
  require_any(problem, variants, [&](const PointImplicitVariant& variant) {
    return obstacle(problem, variant, *input);
  });
  return input;
}

}  // namespace Lamina::Cli
