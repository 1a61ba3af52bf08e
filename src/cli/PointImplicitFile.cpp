// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PointImplicitFile.hpp"

#include <lamina/io/MatrixMarketFile.hpp>

#include <fmt/format.h>

#include <string>

#include "FileOrigin.hpp"
#include "InputError.hpp"
#include "Space.hpp"

namespace Lamina::Cli {
namespace {

/// Without the folders of files, which mean nothing elsewhere.
std::string system_text(const PointImplicitProblem& problem) {
  if (problem.on_box()) {
    return fmt::format("--generate {} {} {}", problem.num_x, problem.num_y, problem.num_z);
  }
  if (problem.generated()) return "--mesh " + problem.mesh.filename().string();
  const std::string rhs = problem.rhs.empty() ? "" : " --rhs " + problem.rhs.filename().string();
  return "--matrix " + problem.matrix.filename().string() + rhs;
}

/// What ends the solve, and what sweeps precondition.
std::string solve_text(const PointImplicitVariant& variant, const StoppingCriteria& criteria) {
  if (criteria.fixed_count) return fmt::format("--sweeps {}", criteria.max_iterations);
  std::string text = variant.krylov == Krylov::none
                         ? "--until-converged"
                         : fmt::format("--krylov {} --sweeps {}",
                                       name_of(krylov_methods, variant.krylov), variant.num_sweeps);
  text += fmt::format(" --tolerance {} --max-iterations {}", criteria.tolerance,
                      criteria.max_iterations);
  const bool space_looks = criteria.check_every == 0 || variant.krylov == Krylov::gmres;
  return space_looks ? text : text + fmt::format(" --check-every {}", criteria.check_every);
}

/// The command that repeats the solve.
std::string command_text(const PointImplicitTask& task) {
  const PointImplicitVariant& variant = task.variant;
  const std::string colouring = task.problem.colours.empty()
                                    ? std::string(name_of(colourings, variant.colours))
                                    : task.problem.colours.filename().string();
  return fmt::format(
      "lamina point-implicit {} --block-size {} {} --direction {} --storage {} --diagonal {} "
      "--ordering {} --colouring {} --space {}",
      system_text(task.problem), task.problem.block_size, solve_text(variant, task.criteria),
      name_of(directions, variant.direction), name_of(storages, variant.storage),
      name_of(block_inverses, variant.inverse), name_of(row_orders, variant.order), colouring,
      variant.space->name);
}

std::vector<FileAttribute> attributes_of(const PointImplicitTask& task,
                                         const PointImplicitResult& result) {
  auto attributes = origin_attributes(
      "Block-sparse system, solved by multicolour point-implicit sweeps", command_text(task));
  const std::vector<FileAttribute> own{
      {"status", std::string(to_string(result.report.status))},
      {"iterations", static_cast<double>(result.report.iterations)},
      {"relative_residual", result.report.relative_residual()},
      {"true_relative_residual", result.true_relative_residual},
  };
  attributes.insert(attributes.end(), own.begin(), own.end());
  return attributes;
}

/// The vertices of the box by lattice id, one apart.
PointPlaces box_places(const PointImplicitProblem& problem) {
  PointPlaces places;
  places.coordinates.reserve(static_cast<std::size_t>(problem.num_vertices()));
  for (std::int64_t i = 0; i < problem.num_x; ++i) {
    for (std::int64_t j = 0; j < problem.num_y; ++j) {
      for (std::int64_t k = 0; k < problem.num_z; ++k) {
        places.coordinates.push_back(
            {static_cast<double>(i), static_cast<double>(j), static_cast<double>(k)});
      }
    }
  }
  return places;
}

}  // namespace

void write_solution(const PointImplicitTask& task, const PointImplicitInput& input,
                    const PointImplicitResult& result, const std::vector<double>& solution) {
  for_option("--output", [&] {
    if (task.output.extension() == ".mtx") {
      write_matrix_market_vector(task.output, solution);
    } else {
      write_point_file(task.output, attributes_of(task, result),
                       task.problem.on_box() ? box_places(task.problem) : input.places,
                       task.problem.block_size, solution);
    }
  });
}

}  // namespace Lamina::Cli
