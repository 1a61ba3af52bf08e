// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/blocks/FreudenthalMesh.hpp>
#include <lamina/io/FileError.hpp>
#include <lamina/io/MatrixMarketFile.hpp>

#include "HostMachine.hpp"
#include "InputError.hpp"
#include "PointImplicitTask.hpp"

namespace Lamina::Cli {
namespace {

PointImplicitInput read_system(const PointImplicitProblem& problem) {
  PointImplicitInput input;
  std::string option = "--matrix: ";
  try {
    MatrixMarketBlocks matrix =
        read_matrix_market(problem.matrix, problem.block_size, HostMachine::available_bytes);
    input.graph = BlockGraph::of_pattern(matrix.row_offsets, matrix.columns);
    input.row_offsets = std::move(matrix.row_offsets);
    input.columns = std::move(matrix.columns);
    input.blocks = std::move(matrix.blocks);
    option = "--rhs: ";
    if (!problem.rhs.empty()) {
      const auto size = static_cast<std::size_t>(input.graph.num_rows()) *
                        static_cast<std::size_t>(problem.block_size);
      input.rhs = read_matrix_market_vector(problem.rhs, size);
    }
  } catch (const FileError& error) {
    throw InputError(option + error.what());
  }
  return input;
}

}  // namespace

PointImplicitInput point_implicit_input(const PointImplicitProblem& problem) {
  if (!problem.generated()) return read_system(problem);
  const FreudenthalMesh mesh(problem.num_x, problem.num_y, problem.num_z);
  PointImplicitInput input;
  input.graph = mesh.graph();
  input.lattice_ids = mesh.lattice_ids();
  return input;
}

ColourOrdering ordering_of(const BlockGraph& graph, const PointImplicitVariant& variant) {
  const std::vector<int> order = variant.order == RowOrder::rcm ? reverse_cuthill_mckee(graph)
                                                                : natural_order(graph.num_rows());
  return {graph, order,
          variant.colours == Colours::greedy ? greedy_colouring(graph, order)
                                             : balanced_colouring(graph, order)};
}

double point_implicit_bytes(const PointImplicitVariant& variant, double num_rows, double num_blocks,
                            int block_size) {
  const double values = static_cast<double>(block_size) * block_size;
  const double stored = variant.storage == Storage::single_precision ? 4 : 8;
  // Both numberings of the matrix with where its blocks came from, graphs; diagonal blocks in both,
  // factors and inverses; vectors and rows.
  return num_blocks * (2 * stored * values + 60) +
         num_rows * (4 * 8 * values + 8 * 8.0 * block_size + 100);
}

}  // namespace Lamina::Cli
