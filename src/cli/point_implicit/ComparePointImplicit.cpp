// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "point_implicit/PointImplicitCommand.hpp"
#include "point_implicit/PointImplicitJson.hpp"
#include "point_implicit/PointImplicitLimits.hpp"
#include "point_implicit/PointImplicitOptions.hpp"
#include "point_implicit/PointImplicitText.hpp"
#include "support/Comparison.hpp"
#include "support/ExitStatus.hpp"
#include "support/machine/Space.hpp"

namespace Lamina::Cli {
namespace {

std::string in_columns(std::string_view space, std::string_view storage, std::string_view diagonal,
                       std::string_view direction) {
  return fmt::format("{:<7} {:<8} {:<10} {:<9}", space, storage, diagonal, direction);
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

/// \param input  must outlive the result
ComparedSolve compared(const PointImplicitOptions& options, const PointImplicitInput& input,
                       const PointImplicitVariant& variant) {
  PointImplicitTask task;
  task.problem = options.problem;
  task.variant = variant;
  task.criteria = options.criteria;
  const auto run = [task, &input](Progress& progress, const std::string& title,
                                  double copy_gb_per_s) mutable -> ComparedResult {
    task.criteria.on_check = progress.on_check(title);
    const PointImplicitResult result = task.variant.space->solve_point_implicit(task, input);
    return {result.report, result.solve_seconds, result.bytes_per_iteration,
            json_report(task, result, copy_gb_per_s)};
  };
  return {.space = variant.space,
          .variant = in_columns(variant.space->name, name_of(storages, variant.storage),
                                name_of(block_inverses, variant.inverse),
                                name_of(directions, variant.direction)),
          .obstacle = [task, &input] { return size_obstacle(task.problem, task.variant, input); },
          .run = run};
}

}  // namespace

int compare_point_implicit_command(const Arguments& arguments) {
  const auto options = parse_point_implicit(CommandUse::comparison, arguments.own);
  if (!options) return success;
  const KokkosSession session(arguments.kokkos);
  const std::vector<PointImplicitVariant> variants = variants_of(*options);
  const PointImplicitInput input = checked_input(options->problem, variants);
  Comparison comparison{.columns = in_columns("space", "storage", "diagonal", "direction"),
                        .size_option = size_option(options->problem),
                        .solves = {},
                        .json = options->json,
                        .quiet = options->quiet};
  for (const PointImplicitVariant& variant : variants) {
    comparison.solves.push_back(compared(*options, input, variant));
  }
  return run_comparison(comparison, [&] {
    print_problem(options->problem, options->criteria, input, Krylov::none);
    print_ordering(options->problem, options->order, options->colours);
  });
}

}  // namespace Lamina::Cli
