// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "point_implicit/PointImplicitFile.hpp"

#include <lamina/io/MatrixMarketFile.hpp>
#include <lamina/io/VtuFile.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "support/machine/Space.hpp"
#include "support/options/CriteriaOptions.hpp"
#include "support/options/InputError.hpp"
#include "support/output/FileOrigin.hpp"

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
  text += ' ' + criteria_text(criteria);
  return criteria.check_every == 0 ? text
                                   : text + fmt::format(" --check-every {}", criteria.check_every);
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
  const auto outcome = outcome_attributes(result);
  attributes.insert(attributes.end(), outcome.begin(), outcome.end());
  return attributes;
}

/// The six tetrahedra of each cube of the box, which go from its lowest corner to its highest one
/// along the axes, in all orders of these. None in a box without cubes.
MeshCells box_cells(const PointImplicitProblem& problem) {
  const std::int64_t strides[] = {problem.num_y * problem.num_z, problem.num_z, 1};
  MeshCells cells;
  for (std::int64_t i = 0; i + 1 < problem.num_x; ++i) {
    for (std::int64_t j = 0; j + 1 < problem.num_y; ++j) {
      for (std::int64_t k = 0; k + 1 < problem.num_z; ++k) {
        int axes[] = {0, 1, 2};
        do {
          std::int64_t at = i * strides[0] + j * strides[1] + k;
          int corners[4] = {static_cast<int>(at)};
          for (int n = 0; n < 3; ++n) corners[n + 1] = static_cast<int>(at += strides[axes[n]]);
          cells.add(CellKind::tetrahedron, corners);
        } while (std::next_permutation(axes, axes + 3));
      }
    }
  }
  return cells;
}

/// The vertices of the box by lattice id, one apart, and its tetrahedra.
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
  places.cells = box_cells(problem);
  return places;
}

/// The values of the rows in the order of their lattice ids, which a generated system has.
std::vector<double> by_lattice_id(const PointImplicitTask& task,
                                  const std::vector<double>& values) {
  if (!task.problem.generated()) return values;
  const auto block_size = static_cast<std::size_t>(task.problem.block_size);
  const auto& ids = task.rows ? task.rows->lattice_ids : task.input->lattice_ids;
  std::vector<double> result(values.size());
  for (std::size_t row = 0; row * block_size < values.size(); ++row) {
    const auto id = static_cast<std::size_t>(ids[row]);
    std::copy_n(values.data() + row * block_size, block_size, result.data() + id * block_size);
  }
  return result;
}

}  // namespace

void write_solution(const PointImplicitTask& task, const PointImplicitResult& result,
                    const std::vector<double>& rows) {
  const std::vector<double> solution = by_lattice_id(task, rows);
  for_option("--output", [&] {
    if (task.output.extension() == ".mtx") {
      return write_matrix_market_vector(task.output, solution);
    }
    const PointPlaces places = task.problem.on_box() ? box_places(task.problem)
                               : task.rows           ? task.rows->places
                                                     : task.input->places;
    if (task.output.extension() == ".vtu") {
      write_vtu_file(task.output, places, task.problem.block_size, solution);
    } else {
      write_point_file(task.output, attributes_of(task, result), places, task.problem.block_size,
                       solution);
    }
  });
}

}  // namespace Lamina::Cli
