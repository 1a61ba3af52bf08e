// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Times of the library's sweeps.

#include <cstdio>
#include <optional>
#include <string>

#include "../PaperTables_Machine.hpp"
#include "PaperTables_PointImplicit.hpp"

namespace Lamina::Paper {
namespace {

/// What a system and its solver take at most: the matrix, factors and inverses, lists.
double memory_need(const Perf::ColouredMesh& mesh, int block_size) {
  const double rows = mesh.graph().num_rows(), size = block_size,
               blocks = static_cast<double>(mesh.graph().columns.size());
  return blocks * (4 * size * size + 60) + rows * (3 * 8 * size * size + 8 * 8 * size + 200) +
         130 * 8 * size * size;
}

/// Sweeps reduce the residual of the closed-form system by 13 each at least.
constexpr int checked_sweeps = 4;
constexpr double allowed_residual = 1e-2;

template <class Space>
SweepPoint measure_sweep(const Space& space, const Perf::ColouredMesh& mesh, int block_size,
                         int repetitions) {
  SweepPoint point;
  point.block_size = block_size;
  const double need = memory_need(mesh, block_size), available = Machine<Space>::available_bytes();
  if (need > 0.95 * available) {
    point.skipped = std::string(Machine<Space>::memory_name) + " memory";
    return point;
  }
  const Perf::BlockSystem<Space, float> system(space, mesh, block_size, BlockInverse::inverse);
  const auto x = system.make_field("x");
  point.cost = system.solver.sweep_cost();
  point.sweep =
      time_of(space, repetitions, [&] { system.solver.sweep_in_colour_order(space, system.b, x); });
  Kokkos::deep_copy(space, x, 0.0);
  const SolveReport report = system.solver.solve_in_colour_order(
      space, system.b, x, StoppingCriteria::iterations(checked_sweeps));
  point.failed = !(report.relative_residual() < allowed_residual);
  if (point.failed) {
    point.skipped = "residual " + std::to_string(report.relative_residual());
  }
  return point;
}

std::vector<int> sizes_of(const ColourOrdering& ordering) {
  std::vector<int> sizes;
  for (std::size_t k = 1; k < ordering.offsets().size(); ++k) {
    sizes.push_back(ordering.offsets()[k] - ordering.offsets()[k - 1]);
  }
  return sizes;
}

template <class Space>
void measure_matrix(const SweepTableSettings& settings, const Perf::ColouredMesh& mesh,
                    std::size_t matrix, SpaceColumn& column) {
  MatrixPoint point;
  point.matrix = matrix;
  point.blocks = static_cast<std::int64_t>(mesh.graph().columns.size());
  point.colour_sizes = sizes_of(mesh.ordering());
  const Space space;
  for (const int block_size : block_sizes_of(settings, matrix)) {
    std::fprintf(stderr, "  %s, %d rows, nb %d\n", column.name.c_str(), mesh.size().num_rows(),
                 block_size);
    point.sweeps.push_back(measure_sweep(space, mesh, block_size, settings.repetitions));
  }
  column.matrices.push_back(point);
}

template <class Space>
SpaceColumn described() {
  const Space space;
  return {Space::name(), Machine<Space>::describe(space), Perf::copy_gb_per_s(space)};
}

}  // namespace

std::vector<int> block_sizes_of(const SweepTableSettings& settings, std::size_t matrix) {
  if (!settings.block_sizes.empty()) return settings.block_sizes;
  if (matrix == 0) return figure_block_sizes;
  const int last = test_matrices[matrix].rows < 500000 ? 10 : 6;
  return {figure_block_sizes.begin(), figure_block_sizes.begin() + last};
}

std::vector<SpaceColumn> measure_sweeps(const SweepTableSettings& settings) {
  std::vector<SpaceColumn> columns;
  for_each_space(settings.space, [&]<class Space>() { columns.push_back(described<Space>()); });
  for (std::size_t matrix = 0; matrix < test_matrices.size(); ++matrix) {
    const int rows = test_matrices[matrix].rows;
    if (rows < settings.smallest || rows > settings.largest) continue;
    const Perf::ColouredMesh mesh(test_matrices[matrix].mesh);  // for all spaces
    std::size_t n = 0;
    for_each_space(settings.space, [&]<class Space>() {
      measure_matrix<Space>(settings, mesh, matrix, columns[n++]);
    });
  }
  return columns;
}

}  // namespace Lamina::Paper
