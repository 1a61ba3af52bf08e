// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "point_implicit/PointImplicitJson.hpp"

#include <cstdint>

#include "support/machine/Space.hpp"

namespace Lamina::Cli {
namespace {

Json problem_object(const PointImplicitTask& task, const PointImplicitResult& result) {
  const PointImplicitProblem& problem = task.problem;
  const PointImplicitVariant& variant = task.variant;
  Json object;
  if (problem.on_box()) {
    object = {{"nx", problem.num_x}, {"ny", problem.num_y}, {"nz", problem.num_z}};
  } else if (problem.generated()) {
    object = {{"mesh", problem.mesh.string()}};
  } else {
    object = {{"matrix", problem.matrix.string()}, {"rhs", problem.rhs.string()}};
  }
  object.update({{"block_size", problem.block_size},
                 {"rows", result.num_rows},
                 {"blocks", result.num_blocks},
                 {"unknowns", std::int64_t{result.num_rows} * problem.block_size},
                 {"colours", result.colour_sizes},
                 {"storage", name_of(storages, variant.storage)},
                 {"diagonal", name_of(block_inverses, variant.inverse)},
                 {"ordering", name_of(row_orders, variant.order)},
                 {"colouring", colouring_of(problem, variant.colours)},
                 {"direction", name_of(directions, variant.direction)},
                 {"krylov", name_of(krylov_methods, variant.krylov)}});
  if (variant.krylov != Krylov::none) object["sweeps"] = variant.num_sweeps;
  if (result.asymmetry) object["asymmetry"] = *result.asymmetry;
  if (result.first_bad_row >= 0) object["first_bad_row"] = result.first_bad_row;
  if (task.criteria.fixed_count) {
    object["sweeps"] = task.criteria.max_iterations;
  } else {
    add_criteria(object, task.criteria);
  }
  return object;
}

}  // namespace

Json json_report(const PointImplicitTask& task, const PointImplicitResult& result,
                 double copy_gb_per_s) {
  return solve_object("point-implicit", *task.variant.space, "double", "right",
                      problem_object(task, result), result, copy_gb_per_s);
}

}  // namespace Lamina::Cli
