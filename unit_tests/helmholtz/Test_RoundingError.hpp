// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Where rounding destroys solutions that are known, and whether operators say so.

#include <lamina/helmholtz/CsrHelmholtz.hpp>
#include <lamina/helmholtz/LinePreconditioner.hpp>
#include <lamina/krylov/Pcg.hpp>
#include <lamina/lines/LineSolver.hpp>

#include <gtest/gtest.h>
#include <helmholtz/HelmholtzCase.hpp>
#include <support/FieldTypes.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace LaminaTest {

/// A solve whose exact solution is u = 1.
struct KnownSolve {
  Lamina::SolveStatus status;
  double error;      ///< of u, in the mean weighted with volumes
  double explained;  ///< error that the tolerance leaves at most: A is above the volumes
};

template <class Type>
class HelmholtzRounding : public testing::Test {
 public:
  using Scalar = typename Type::scalar;
  using Layout = typename Type::layout;
  using Field = TestField<Scalar, Layout>;
  using Case = HelmholtzCase<Scalar>;
  static constexpr double tolerance = 1e-6;

  template <class Operator, class Preconditioner>
  static KnownSolve solve_for_one(const Case& system, const Operator& op,
                                  const Preconditioner& preconditioner) {
    const TEST_SPACE space;
    const Values volumes = system.volumes();
    const Field b(system.num_columns(), system.num_levels(), rounded<Scalar>(volumes)),
        u(system.num_columns(), system.num_levels());
    Lamina::Pcg pcg(space, op, preconditioner);
    const auto report = pcg.solve(space, b.const_view(), u.view(),
                                  {.tolerance = tolerance, .max_iterations = 2000});
    const Values solution = u.get();
    double sum = 0, squares = 0, total = 0, least = volumes.front();
    for (std::size_t i = 0; i < volumes.size(); ++i) {
      sum += volumes[i] * (solution[i] - 1) * (solution[i] - 1);
      squares += volumes[i] * volumes[i];
      total += volumes[i];
      least = std::min(least, volumes[i]);
    }
    return {report.status, std::sqrt(sum / total),
            tolerance * std::sqrt(squares / least / total) + rounding<Scalar>(100)};
  }

  static KnownSolve solve_without_matrix(const Case& system) {
    const Lamina::LinePreconditioner<Scalar, Memory> lines(TEST_SPACE(), system.op);
    return solve_for_one(system, system.op, lines);
  }

  static Case panel(int nx, int ny, int levels, double omega2, double lambda2, double depth,
                    Lamina::PanelEdge edge = Lamina::PanelEdge::zero_flux) {
    return Case(Lamina::CubedSpherePanel(nx, ny).graph(edge),
                Lamina::VerticalGrid::graded(levels, depth), {omega2, lambda2});
  }
};
TYPED_TEST_SUITE(HelmholtzRounding, FieldTypes, FieldTypeNames);

/// The error is what tolerance and rounding explain; where rounding is said to take all, it takes
/// much.
inline void expect_foretold(const KnownSolve& solve, double foretold) {
  printf("LOG %s err %.2e expl %.2e est %.2e ratio %.2e\n",
         std::string(to_string(solve.status)).c_str(), solve.error, solve.explained, foretold,
         solve.error / foretold);
  if (solve.status != Lamina::SolveStatus::converged) {
    EXPECT_GT(foretold, 1e-2) << to_string(solve.status);
    return;
  }
  EXPECT_LE(solve.error, solve.explained + 2 * foretold);
  if (foretold > 1e-2) EXPECT_GE(solve.error, 1e-3 * std::min(foretold, 1.0));
}

TYPED_TEST(HelmholtzRounding, OfHorizontalCouplingsIsForetold) {
  using Scalar = typename TestFixture::Scalar;
  const double largest = std::is_same_v<Scalar, float> ? 1e8 : 1e17;
  for (const auto& [nx, ny, levels] : {std::array{8, 8, 4}, {16, 5, 1}, {33, 1, 3}}) {
    for (double omega2 = 1e-3; omega2 < largest; omega2 *= 50) {
      SCOPED_TRACE(testing::Message() << nx << " x " << ny << " x " << levels << ", " << omega2);
      const auto system = TestFixture::panel(nx, ny, levels, omega2, 3.32e-2, paper_depth);
      printf("H %d %d %d om %.1e ", nx, ny, levels, omega2);
      expect_foretold(TestFixture::solve_without_matrix(system),
                      system.op.rounding_error().total());
    }
  }
}

TYPED_TEST(HelmholtzRounding, OfVerticalCouplingsIsForetold) {
  using Scalar = typename TestFixture::Scalar;
  const double largest = std::is_same_v<Scalar, float> ? 1e8 : 1e24;
  for (const double depth : {paper_depth, 1e-4}) {
    for (const int levels : {3, 16}) {
      for (double lambda2 = 1e-2; lambda2 < largest; lambda2 *= 1000) {
        SCOPED_TRACE(testing::Message() << depth << ", " << levels << " levels, " << lambda2);
        const auto system = TestFixture::panel(6, 5, levels, 1e-2, lambda2, depth);
        printf("V %g %d lam %.1e ", depth, levels, lambda2);
        expect_foretold(TestFixture::solve_without_matrix(system),
                        system.op.rounding_error().total());
      }
    }
  }
}

TYPED_TEST(HelmholtzRounding, OfStoredEntriesIsForetold) {
  using Scalar = typename TestFixture::Scalar;
  const TEST_SPACE space;
  const double largest = std::is_same_v<Scalar, float> ? 1e3 : 1e13;
  for (const int levels : {1, 16}) {
    for (double omega2 = 1e-3; omega2 < largest; omega2 *= 50) {
      SCOPED_TRACE(testing::Message() << levels << " levels, " << omega2);
      const auto system = TestFixture::panel(8, 7, levels, omega2, 3.32e-2, paper_depth);
      const Lamina::CsrHelmholtz<Scalar, typename TypeParam::layout, TEST_SPACE> csr(
          space, system.mesh, system.vertical_grid, system.equation);
      const Lamina::LineSolver lines(space, csr.tridiagonal());
      printf("C %d om %.1e ", levels, omega2);
      expect_foretold(TestFixture::solve_for_one(system, csr, lines), csr.rounding_error().total());
      EXPECT_GE(csr.rounding_error().total(), system.op.rounding_error().total());
    }
  }
}

TYPED_TEST(HelmholtzRounding, IsOfTheSizeOfEpsilonWhereAnEdgeHoldsTheSolution) {
  using Scalar = typename TestFixture::Scalar;
  using Field = typename TestFixture::Field;
  const TEST_SPACE space;
  const double one = 1;
  for (const double omega2 : {one, 1e8, 1e14}) {
    const auto system =
        TestFixture::panel(9, 8, 4, omega2, 3.32e-2, paper_depth, Lamina::PanelEdge::dirichlet);
    EXPECT_LT(system.op.rounding_error().total(), 4 * std::numeric_limits<Scalar>::epsilon());
    // A x = b for x between 1 and 2, whose mean no mass term holds.
    Values x = random_values(system.size(), 3);
    for (double& value : x) value = 1.5 + 0.5 * value;
    const Field b(72, 4, rounded<Scalar>(system.matrix().multiply(x))), u(72, 4);
    const Lamina::LinePreconditioner<Scalar, Memory> lines(space, system.op);
    Lamina::Pcg pcg(space, system.op, lines);
    const auto report = pcg.solve(space, b.const_view(), u.view(), {.tolerance = 1e-5});
    EXPECT_TRUE(report.converged());
    const Values solution = u.get();
    double mean = 0, expected = 0;
    for (std::size_t i = 0; i < x.size(); ++i) mean += solution[i], expected += x[i];
    EXPECT_NEAR(mean / expected, 1, 1e-3) << omega2;
  }
}

TYPED_TEST(HelmholtzRounding, NeedsNoMoreThanTheOwnedColumns) {
  using Case = typename TestFixture::Case;
  const Case none(Lamina::ColumnGraph{}, Lamina::VerticalGrid::graded(3, 0.1), {0.1, 0.1});
  EXPECT_EQ(none.op.rounding_error().total(), 0);
  const Case one(Lamina::CubedSpherePanel(1, 1).graph(), Lamina::VerticalGrid::graded(1, 0.1),
                 {1e10, 0.1});
  EXPECT_EQ(one.op.rounding_error().total(), 0) << "nothing is coupled";
}

}  // namespace LaminaTest
