// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// The block systems of all benchmarks and tables.

#include <lamina/problems/ClosedFormSystem.hpp>
#include <lamina/problems/FreudenthalMesh.hpp>
#include <lamina/blocks/PointImplicitSolver.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

namespace Lamina::Perf {

/// Vertices of a Freudenthal mesh.
struct MeshSize {
  int num_x = 100, num_y = 100, num_z = 98;

  int num_rows() const { return num_x * num_y * num_z; }
  std::string name() const {
    return std::to_string(num_x) + 'x' + std::to_string(num_y) + 'x' + std::to_string(num_z);
  }
  bool operator==(const MeshSize&) const = default;
};

/// A mesh in the order of its colours. Making one takes seconds for a million vertices: systems of
/// all block sizes share it, and have nothing to renumber.
class ColouredMesh {
 public:
  explicit ColouredMesh(const MeshSize& size)
      : ColouredMesh(FreudenthalMesh(size.num_x, size.num_y, size.num_z)) {
    m_size = size;
  }
  /// Of any graph, with the ids that its rows have.
  ColouredMesh(const BlockGraph& graph, const std::vector<int>& lattice_ids)
      : m_size{graph.num_rows(), 1, 1} {
    const ColourOrdering ordering = ColourOrdering::greedy(graph);
    m_graph.columns.reserve(graph.columns.size());
    for (const int old_row : ordering.old_rows()) {
      append_row(graph, ordering, static_cast<std::size_t>(old_row));
      m_lattice_ids.push_back(lattice_ids[static_cast<std::size_t>(old_row)]);
    }

    std::vector<int> colours;
    for (int colour = 0; colour < ordering.num_colours(); ++colour) {
      const auto end = ordering.offsets()[static_cast<std::size_t>(colour) + 1];
      colours.resize(static_cast<std::size_t>(end), colour);
    }
    m_ordering = ColourOrdering(m_graph, natural_order(m_graph.num_rows()), colours);
  }

  const MeshSize& size() const { return m_size; }
  const BlockGraph& graph() const { return m_graph; }
  const std::vector<int>& lattice_ids() const { return m_lattice_ids; }
  /// Of the rows as they are numbered here: nothing moves.
  const ColourOrdering& ordering() const { return m_ordering; }

 private:
  explicit ColouredMesh(const FreudenthalMesh& mesh)
      : ColouredMesh(mesh.graph(), mesh.lattice_ids()) {}

  void append_row(const BlockGraph& graph, const ColourOrdering& ordering, std::size_t row) {
    const auto first = static_cast<std::ptrdiff_t>(m_graph.columns.size());
    for (auto k = graph.offsets[row]; k < graph.offsets[row + 1]; ++k) {
      const auto column = static_cast<std::size_t>(graph.columns[static_cast<std::size_t>(k)]);
      m_graph.columns.push_back(ordering.new_rows()[column]);
    }
    std::sort(m_graph.columns.begin() + first, m_graph.columns.end());
    m_graph.offsets.push_back(static_cast<std::int64_t>(m_graph.columns.size()));
  }

  MeshSize m_size;
  BlockGraph m_graph;
  std::vector<int> m_lattice_ids;
  ColourOrdering m_ordering;
};

/// The closed-form system over a mesh, and the solver that is made for it.
template <class Space, class OffDiagonalType>
struct BlockSystem {
  using execution_space = Space;
  using OffDiagonal = OffDiagonalType;
  using Memory = typename Space::memory_space;
  using Matrix = BlockSparseMatrix<double, OffDiagonal, Memory>;
  using Field = Kokkos::View<double**, Kokkos::LayoutRight, Memory>;

  /// Fences.
  BlockSystem(const Space& instance, const ColouredMesh& mesh, int block_size, BlockInverse inverse)
      : BlockSystem(instance, mesh,
                    ClosedFormSystem<Memory>(mesh.graph(), mesh.lattice_ids(), block_size),
                    inverse) {}

  Field make_field(const std::string& name) const {
    return Field("Lamina::Perf::" + name,
                 static_cast<std::size_t>(solver.coloured_matrix().num_rows()),
                 static_cast<std::size_t>(solver.coloured_matrix().block_size()));
  }

  Space space;
  PointImplicitSolver<Matrix> solver;
  Field solution, b;  ///< b = A solution

 private:
  Matrix stored(const ClosedFormSystem<Memory>& system) const {
    if constexpr (std::is_same_v<OffDiagonal, Half>) {
      return system.template matrix<float>(space).rounded_to_half(space);
    } else {
      return system.template matrix<OffDiagonal>(space);
    }
  }
  BlockSystem(const Space& instance, const ColouredMesh& mesh,
              const ClosedFormSystem<Memory>& system, BlockInverse inverse)
      : space(instance),
        solver(space, stored(system), mesh.ordering(), inverse),
        solution(make_field("solution")),
        b(make_field("b")) {
    space.fence();  // the fields were filled elsewhere
    system.fill_solution(space, solution);
    solver.coloured_matrix().apply(space, solution, b);
    space.fence();
  }
};

}  // namespace Lamina::Perf
