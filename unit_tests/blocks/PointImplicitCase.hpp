// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/blocks/PointImplicitSolver.hpp>
#include <lamina/problems/ClosedFormSystem.hpp>

#include <blocks/SweepCase.hpp>
#include <gtest/gtest.h>

namespace LaminaTest {

template <class Type>
class PointImplicitSolver : public testing::Test {};
TYPED_TEST_SUITE(PointImplicitSolver, OffDiagonalTypes, OffDiagonalTypeNames);

constexpr BlockInverse all_inverses[] = {BlockInverse::lu, BlockInverse::lu_pivoted,
                                         BlockInverse::inverse};

/// The closed-form system of the notes on a generated mesh.
template <class OffDiagonal>
struct ClosedFormCase {
  TEST_SPACE space;
  Lamina::FreudenthalMesh mesh;
  Lamina::ClosedFormSystem<Memory> system;
  Lamina::BlockSparseMatrix<double, OffDiagonal, Memory> matrix;
  SolverOfTest<OffDiagonal> solver;
  BlockFieldOfTest solution, b;

  ClosedFormCase(int nx, int ny, int nz, int size, BlockInverse inverse = BlockInverse::inverse)
      : mesh(nx, ny, nz),
        system(mesh.graph(), mesh.lattice_ids(), size),
        matrix(stored_in<OffDiagonal>(system.template matrix<Unrounded<OffDiagonal>>(space))),
        solver(space, matrix, Lamina::ColourOrdering::greedy(mesh.graph()), inverse),
        solution(matrix.num_rows(), size),
        b(matrix.num_rows(), size) {
    const BlockFieldOfTest x(matrix.num_rows(), size);
    system.fill_solution(space, x.view());
    solver.to_colour_order(space, x.const_view(), solution.view());
    solver.coloured_matrix().apply(space, solution.const_view(), b.view());
  }
  BlockFieldOfTest zero() const { return BlockFieldOfTest(matrix.num_rows(), matrix.block_size()); }
};

}  // namespace LaminaTest
