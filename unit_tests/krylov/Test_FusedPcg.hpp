// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <krylov/FusedSolverTests.hpp>
#include <krylov/PanelProblem.hpp>

namespace LaminaTest {

LAMINA_FUSED_SOLVER_TESTS(FusedPcg, FusedChoice)

TEST(FusedPcgOverHalos, RefusesColumnsThatNothingWouldUpdate) {
  Lamina::ColumnGraph graph;
  graph.num_owned = 3;
  graph.areas.assign(4, 1.0);
  graph.edges = {{0, 1, 1, 1}, {1, 2, 1, 1}, {2, 3, 1, 1}};
  const TEST_SPACE space;
  const Lamina::HelmholtzOperator<double, Memory> op(Lamina::ColumnMesh<Memory>(graph),
                                                     Lamina::VerticalGrid::graded(4, 0.1),
                                                     {.omega2 = 1, .lambda2 = 1});
  using Fused = Lamina::FusedPcg<Lamina::FusedHelmholtz<double, Memory>>;
  using Preconditioner = Lamina::LinePreconditioner<double, Memory>;
  using Plain = Lamina::Pcg<Lamina::HelmholtzOperator<double, Memory>, Preconditioner>;
  using Stored = Lamina::FusedPcgStored<Lamina::FusedHelmholtzStored<double, Memory>>;
  EXPECT_THROW(Fused(space, Lamina::FusedHelmholtz<double, Memory>(space, op)),
               Lamina::InvalidArgument);
  EXPECT_THROW(Stored(space, Lamina::FusedHelmholtzStored<double, Memory>(space, op)),
               Lamina::InvalidArgument);
  EXPECT_THROW(Plain(space, op, Preconditioner(space, op)), Lamina::InvalidArgument);
}

}  // namespace LaminaTest
