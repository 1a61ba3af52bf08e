// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/blocks/PointImplicitSolver.hpp>

#include <blocks/BlockCase.hpp>

#include <cstddef>
#include <utility>
#include <vector>

namespace LaminaTest {

using Lamina::BlockInverse;
using Lamina::SweepDirection;

constexpr SweepDirection all_directions[] = {SweepDirection::forward, SweepDirection::backward,
                                             SweepDirection::symmetric};

template <class OffDiagonal>
using SolverOfTest =
    Lamina::PointImplicitSolver<Lamina::BlockSparseMatrix<double, OffDiagonal, Memory>>;

/// A system and what solves it, with vectors in the twin's numbering on the host.
template <class OffDiagonal>
struct SweepCase {
  Reference::BlockMatrix twin;
  TEST_SPACE space;
  Lamina::ColourOrdering ordering;
  SolverOfTest<OffDiagonal> solver;
  Values b;

  SweepCase(const Lamina::BlockGraph& graph, int size, BlockInverse inverse)
      : SweepCase(graph, random_matrix(graph, size), Lamina::ColourOrdering::greedy(graph),
                  inverse) {}
  SweepCase(const Lamina::BlockGraph& graph, Reference::BlockMatrix matrix,
            const Lamina::ColourOrdering& colours, BlockInverse inverse)
      : twin(std::move(matrix)),
        ordering(colours),
        solver(space, device_matrix<OffDiagonal>(twin), colours, inverse),
        b(random_values(static_cast<std::size_t>(twin.size * graph.num_rows()), 99)) {}

  BlockFieldOfTest field(const Values& values, const Padding& padding = {}) const {
    const BlockFieldOfTest user(twin.num_rows(), twin.size, values),
        ordered(twin.num_rows(), twin.size, padding);
    solver.to_colour_order(space, user.const_view(), ordered.view());
    return ordered;
  }
  Values values(const BlockFieldOfTest& ordered) const {
    const BlockFieldOfTest user(twin.num_rows(), twin.size);
    solver.from_colour_order(space, ordered.const_view(), user.view());
    return user.get();
  }

  /// The twin's sweeps, rows one after the other.
  Values expected(Values x, SweepDirection direction, int num_sweeps) const {
    const std::vector<int>& rows = ordering.old_rows();
    const std::vector<int> back(rows.rbegin(), rows.rend());
    for (int n = 0; n < num_sweeps; ++n) {
      if (direction != SweepDirection::backward) Reference::gauss_seidel(twin, b, x, rows);
      if (direction != SweepDirection::forward) Reference::gauss_seidel(twin, b, x, back);
    }
    return x;
  }
  double tolerance() const { return rounding<double>(30.0 * twin.size); }
};

}  // namespace LaminaTest
