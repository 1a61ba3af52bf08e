// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "point_implicit/PointImplicitCommand.hpp"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "point_implicit/PointImplicitJson.hpp"
#include "point_implicit/PointImplicitLimits.hpp"
#include "point_implicit/PointImplicitOptions.hpp"
#include "point_implicit/PointImplicitText.hpp"
#include "point_implicit/parts/RowShare.hpp"
#include "support/Comparison.hpp"

namespace Lamina::Cli {
namespace {

/// Without the input, which takes time and memory.
PointImplicitTask task_of(const PointImplicitOptions& options) {
  PointImplicitTask task;
  PointImplicitVariant& variant = task.variant;
  task.problem = options.problem;
  variant.space = options.space.value_or(&enabled_spaces().front());
  variant.storage = options.storage.value_or(variant.storage);
  variant.inverse = options.inverse.value_or(variant.inverse);
  variant.order = options.order;
  variant.colours = options.colours;
  variant.krylov = options.krylov;
  variant.num_sweeps = options.num_sweeps;
  variant.rank_grid = options.rank_grid;
  variant.direction = options.direction.value_or(
      variant.krylov == Krylov::pcg ? SweepDirection::symmetric : variant.direction);
  task.criteria = options.criteria;
  task.output = options.output;
  return task;
}

// --- Comparison ---

std::string in_columns(std::string_view space, std::string_view storage, std::string_view diagonal,
                       std::string_view direction) {
  return fmt::format("{:<7} {:<8} {:<10} {:<9}", space, storage, diagonal, direction);
}

std::string columns_of(const PointImplicitVariant& variant) {
  return in_columns(variant.space->name, name_of(storages, variant.storage),
                    name_of(block_inverses, variant.inverse),
                    name_of(directions, variant.direction));
}

/// The same number of sweeps is not the same work in every direction, and leads to other residuals:
/// directions are compared by the time to a residual.
std::vector<SweepDirection> directions_of(const PointImplicitOptions& options) {
  if (!options.criteria.fixed_count) return selected(options.direction, directions);
  return {options.direction.value_or(PointImplicitVariant{}.direction)};
}

std::vector<PointImplicitVariant> variants_of(const PointImplicitOptions& options) {
  std::vector<PointImplicitVariant> variants;
  for (const Space* space : selected(options.space, space_choices())) {
    for (const Storage storage : selected(options.storage, storages)) {
      for (const BlockInverse inverse : selected(options.inverse, block_inverses)) {
        for (const SweepDirection direction : directions_of(options)) {
          variants.push_back({.space = space,
                              .storage = storage,
                              .inverse = inverse,
                              .order = options.order,
                              .colours = options.colours,
                              .direction = direction});
        }
      }
    }
  }
  return variants;
}

}  // namespace

int point_implicit_command(const Arguments& arguments) {
  const auto prepare = [](const PointImplicitOptions& options) {
    PointImplicitTask task = task_of(options);
    if (task.variant.rank_grid.ranks == nullptr) {
      task.input = checked_input(task.problem, {task.variant});
    }
    return task;
  };
  return solve_command("lamina point-implicit", arguments, parse_point_implicit, prepare,
                       share_input);
}

int compare_point_implicit_command(const Arguments& arguments) {
  return comparison_command(
      arguments, parse_point_implicit, [](const PointImplicitOptions& options) {
        const std::vector<PointImplicitVariant> variants = variants_of(options);
        PointImplicitTask task = task_of(options);
        task.input = checked_input(task.problem, variants);
        return Comparison{.columns = in_columns("space", "storage", "diagonal", "direction"),
                          .size_option = size_option(task.problem),
                          .solves = compared_solves(task, variants, columns_of),
                          .print_problem = [task] {
                            print_problem(task);
                            print_ordering(task);
                          }};
      });
}

}  // namespace Lamina::Cli
