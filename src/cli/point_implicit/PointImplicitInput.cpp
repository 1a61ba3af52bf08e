// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/io/ColourFile.hpp>
#include <lamina/io/GmshFile.hpp>
#include <lamina/io/MatrixMarketFile.hpp>
#include <lamina/problems/FreudenthalMesh.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "point_implicit/PointImplicitTask.hpp"
#include "support/machine/HostMachine.hpp"
#include "support/options/InputError.hpp"

namespace Lamina::Cli {
namespace {

PointImplicitInput read_system(const PointImplicitProblem& problem) {
  PointImplicitInput input;
  MatrixMarketBlocks matrix = for_option("--matrix", [&] {
    return read_matrix_market(problem.matrix, problem.block_size, HostMachine::available_bytes);
  });
  input.graph = BlockGraph::of_pattern(matrix.row_offsets, matrix.columns);
  input.row_offsets = std::move(matrix.row_offsets);
  input.columns = std::move(matrix.columns);
  input.blocks = std::move(matrix.blocks);
  if (problem.rhs.empty()) return input;
  const auto size = static_cast<std::size_t>(input.graph.num_rows()) *
                    static_cast<std::size_t>(problem.block_size);
  input.rhs = for_option("--rhs", [&] { return read_matrix_market_vector(problem.rhs, size); });
  return input;
}

PointImplicitInput read_pattern(const PointImplicitProblem& problem) {
  const MatrixMarketBlocks matrix = for_option(
      "--matrix", [&] { return read_matrix_market_pattern(problem.matrix, problem.block_size); });
  PointImplicitInput input;
  input.graph = BlockGraph::of_pattern(matrix.row_offsets, matrix.columns);
  return input;
}

PointImplicitInput read_mesh(const PointImplicitProblem& problem) {
  GmshMesh mesh = for_option("--mesh", [&] { return read_gmsh(problem.mesh); });
  PointImplicitInput input;
  input.graph = std::move(mesh.graph);
  input.lattice_ids = natural_order(input.graph.num_rows());
  input.places = {std::move(mesh.points), std::move(mesh.tags), std::move(mesh.cells)};
  return input;
}

std::vector<int> order_of(const BlockGraph& graph, RowOrder order) {
  return order == RowOrder::rcm ? reverse_cuthill_mckee(graph) : natural_order(graph.num_rows());
}

PointImplicitInput generate_on_box(const PointImplicitProblem& problem) {
  const FreudenthalMesh mesh(problem.num_x, problem.num_y, problem.num_z);
  PointImplicitInput input;
  input.graph = mesh.graph();
  input.lattice_ids = mesh.lattice_ids();
  return input;
}

PointImplicitInput generate(const PointImplicitProblem& problem) {
  return problem.on_box() ? generate_on_box(problem) : read_mesh(problem);
}

PointImplicitInput with_colours(PointImplicitInput input, const PointImplicitProblem& problem) {
  if (!problem.colours.empty()) {
    input.colours = for_option("--colouring", [&] {
      return read_colours(problem.colours, input.graph, input.lattice_ids);
    });
  }
  return input;
}

}  // namespace

PointImplicitInput point_implicit_input(const PointImplicitProblem& problem) {
  return with_colours(problem.generated() ? generate(problem) : read_system(problem), problem);
}

PointImplicitInput point_implicit_graph(const PointImplicitProblem& problem) {
  return with_colours(problem.generated() ? generate(problem) : read_pattern(problem), problem);
}

ColourOrdering ordering_of(const PointImplicitInput& input, const PointImplicitVariant& variant) {
  const BlockGraph& graph = input.graph;
  const std::vector<int> order = order_of(graph, variant.order);
  if (!input.colours.empty()) return {graph, order, input.colours};
  return {graph, order,
          variant.colours == Colours::greedy ? greedy_colouring(graph, order)
                                             : balanced_colouring(graph, order)};
}

Partition partition_of(const PointImplicitInput& input, const PointImplicitVariant& variant,
                       int num_ranks) {
  return Partition::along_order(order_of(input.graph, variant.order), {}, num_ranks);
}

namespace {

/// Bytes of a value off the diagonal.
double stored_bytes(Storage storage) {
  switch (storage) {
    case Storage::half_precision: return 2;
    case Storage::single_precision: return 4;
    default: return 8;
  }
}

/// Vectors of the method that sweeps are the preconditioner of.
double krylov_bytes(const PointImplicitProblem& problem, Krylov krylov, double num_rows) {
  const double vector = 8.0 * problem.block_size * num_rows;
  if (krylov == Krylov::none) return 0;
  return vector * (krylov == Krylov::pcg ? 4 : gmres_restart + 2);
}

}  // namespace

PointImplicitNeed point_implicit_need(const PointImplicitProblem& problem,
                                      const PointImplicitVariant& variant, double num_rows,
                                      double num_blocks) {
  const double size = problem.block_size, block = 8 * size * size;
  const double values = size * size * num_blocks, diagonal = block * num_rows;
  const double stored = stored_bytes(variant.storage) * values;
  // The matrix beside what it is made of: all block rows as they were read, or the tables of sin
  // and cos
  constexpr double tables = 101 + 29;
  const double origin = problem.generated() ? block * tables : block * num_blocks + diagonal;
  const double krylov = krylov_bytes(problem, variant.krylov, num_rows);
  double most = 0;
  if (is_rounded(problem, variant.storage)) {
    // The user's matrix beside the one that sweeps read, in float before it is rounded to half; then
    // both numberings of one of them, factors and inverses beside it
    const double user = 8 * values + diagonal;
    const double in_float = variant.storage == Storage::half_precision ? 4 * values : 0;
    const double renumbered = user + 3 * diagonal + stored + std::max(stored, 8 * values);
    const double prepared = user + 2 * diagonal + stored + krylov;
    most = std::max({user + origin, user + in_float + stored, renumbered, prepared});
  } else {
    // Both numberings of the matrix, factors and inverses
    const double matrix = stored + diagonal;
    most = std::max(matrix + origin, 2 * matrix + 2 * diagonal + krylov);
  }
  // Graphs, patterns, where blocks came from; vectors and rows
  const double lists = 68 * num_blocks + num_rows * (8 * 13 * size + 100);
  // Tables are computed on the host, one after the other.
  const double on_host = problem.generated() ? block * tables + 8 * 127 * size : 0;
  return {most + lists + on_host, lists + on_host};
}

}  // namespace Lamina::Cli
