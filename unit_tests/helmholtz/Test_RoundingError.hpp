// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Where rounding destroys solutions that are known, and whether operators say so.

#include <lamina/helmholtz/CsrHelmholtz.hpp>
#include <lamina/helmholtz/FusedHelmholtz.hpp>
#include <lamina/helmholtz/FusedHelmholtzStored.hpp>
#include <lamina/helmholtz/LinePreconditioner.hpp>
#include <lamina/krylov/FusedPcg.hpp>
#include <lamina/krylov/FusedPcgStored.hpp>
#include <lamina/krylov/Pcg.hpp>
#include <lamina/lines/LineSolver.hpp>

#include <gtest/gtest.h>
#include <helmholtz/HelmholtzCase.hpp>
#include <support/FieldTypes.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

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

  template <class Plan>
  static KnownSolve solve_for_one(const Case& system, Plan plan) {
    const TEST_SPACE space;
    const Values volumes = system.volumes();
    const Field b(system.num_columns(), system.num_levels(), rounded<Scalar>(volumes)),
        u(system.num_columns(), system.num_levels());
    const auto report = plan.solve(space, b.const_view(), u.view(),
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

  static KnownSolve solve_by_pcg(const Case& system) {
    const TEST_SPACE space;
    const Lamina::LinePreconditioner<Scalar, Memory> lines(space, system.op);
    return solve_for_one(system, Lamina::Pcg(space, system.op, lines));
  }
  static KnownSolve solve_by_stored_products(const Case& system) {
    const TEST_SPACE space;
    const Lamina::FusedHelmholtzStored<Scalar, Memory> model(space, system.op);
    return solve_for_one(system, Lamina::FusedPcgStored(space, model));
  }
  static KnownSolve solve_by_stored_curvature(const Case& system) {
    const TEST_SPACE space;
    const Lamina::FusedHelmholtz<Scalar, Memory> model(space, system.op);
    return solve_for_one(system, Lamina::FusedPcg(space, model));
  }

  static double total(const Lamina::RoundingError& error) {
    return error.by_recurrence + error.by_product + error.vertical;
  }

  static Case panel(int nx, int ny, int levels, double omega2, double lambda2, double depth,
                    Lamina::PanelEdge edge = Lamina::PanelEdge::zero_flux) {
    return Case(Lamina::CubedSpherePanel(nx, ny).graph(edge),
                Lamina::VerticalGrid::graded(levels, depth), {omega2, lambda2});
  }
};
TYPED_TEST_SUITE(HelmholtzRounding, FieldTypes, FieldTypeNames);

/// The error is what tolerance and rounding explain, and no solve breaks down without a reason.
inline void expect_explained(const KnownSolve& solve, double foretold) {
  if (solve.status == Lamina::SolveStatus::converged) {
    EXPECT_LE(solve.error, solve.explained + 2 * foretold);
  } else {
    EXPECT_GT(foretold, 1e-5) << to_string(solve.status);
  }
}
/// Where two digits are said to be gone, many are: no false alarm.
inline void expect_true_alarm(const KnownSolve& solve, double foretold) {
  if (solve.status == Lamina::SolveStatus::converged && foretold > 5e-2) {
    EXPECT_GT(solve.error, 1e-3 * std::min(foretold, 1.0));
  }
}

TYPED_TEST(HelmholtzRounding, OfHorizontalCouplingsIsForetold) {
  using Scalar = typename TestFixture::Scalar;
  const double largest = std::is_same_v<Scalar, float> ? 1e8 : 1e17;
  int alarms = 0;
  for (const auto& [nx, ny, levels] : {std::array<int, 3>{8, 8, 4}, {16, 5, 1}, {33, 1, 3}}) {
    for (double omega2 = 1e-3; omega2 < largest; omega2 *= 50) {
      SCOPED_TRACE(testing::Message() << nx << " x " << ny << " x " << levels << ", " << omega2);
      const auto system = TestFixture::panel(nx, ny, levels, omega2, 3.32e-2, paper_depth);
      const auto error = system.op.rounding_error();
      const double foretold = error.by_recurrence + error.vertical;
      const KnownSolve stored = TestFixture::solve_by_stored_products(system);
      expect_explained(stored, foretold);
      expect_true_alarm(stored, foretold);
      expect_explained(TestFixture::solve_by_stored_curvature(system), foretold);
      // Applied to the directions, the operator bears a far larger omega^2.
      const KnownSolve plain = TestFixture::solve_by_pcg(system);
      EXPECT_EQ(plain.status, Lamina::SolveStatus::converged);
      expect_explained(plain, error.by_product + error.vertical);
      EXPECT_LT(plain.error, 1e-2);
      if (foretold > 1e-2) ++alarms;
    }
  }
  EXPECT_GE(alarms, 6);
}

TYPED_TEST(HelmholtzRounding, OfVerticalCouplingsIsForetold) {
  using Scalar = typename TestFixture::Scalar;
  const double largest = std::is_same_v<Scalar, float> ? 1e8 : 1e24;
  for (const double depth : {paper_depth, 1e-4}) {
    for (const int levels : {3, 16}) {
      for (double lambda2 = 1e-2; lambda2 < largest; lambda2 *= 1000) {
        SCOPED_TRACE(testing::Message() << depth << ", " << levels << " levels, " << lambda2);
        const auto system = TestFixture::panel(6, 5, levels, 1e-2, lambda2, depth);
        const auto error = system.op.rounding_error();
        const double foretold = error.by_product + error.vertical;
        const KnownSolve plain = TestFixture::solve_by_pcg(system);
        expect_explained(plain, foretold);
        // Few levels may become equal to the last bit, and then there is nothing to round.
        if (levels > 3) expect_true_alarm(plain, foretold);
        expect_explained(TestFixture::solve_by_stored_products(system),
                         error.by_recurrence + error.vertical);
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
      const auto error = csr.rounding_error();
      const double foretold = error.by_product + error.vertical;
      const KnownSolve solve = TestFixture::solve_for_one(system, Lamina::Pcg(space, csr, lines));
      expect_explained(solve, foretold);
      expect_true_alarm(solve, foretold);
      const auto matrix_free = system.op.rounding_error();
      EXPECT_GE(foretold, matrix_free.by_recurrence + matrix_free.vertical);
    }
  }
}

TYPED_TEST(HelmholtzRounding, IsOfTheSizeOfEpsilonWhereAnEdgeHoldsTheSolution) {
  using Scalar = typename TestFixture::Scalar;
  using Field = typename TestFixture::Field;
  const TEST_SPACE space;
  for (const double omega2 : {1.0, 1e8, 1e14}) {
    const auto system =
        TestFixture::panel(9, 8, 4, omega2, 3.32e-2, paper_depth, Lamina::PanelEdge::dirichlet);
    EXPECT_LT(TestFixture::total(system.op.rounding_error()),
              4 * std::numeric_limits<Scalar>::epsilon());
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
    for (std::size_t i = 0; i < x.size(); ++i) {
      mean += solution[i];
      expected += x[i];
    }
    EXPECT_NEAR(mean / expected, 1, 1e-3) << omega2;
  }
}

TYPED_TEST(HelmholtzRounding, NeedsNoMoreThanTheOwnedColumns) {
  using Case = typename TestFixture::Case;
  const Case none(Lamina::ColumnGraph{}, Lamina::VerticalGrid::graded(3, 0.1), {0.1, 0.1});
  EXPECT_EQ(TestFixture::total(none.op.rounding_error()), 0);
  const Case one(Lamina::CubedSpherePanel(1, 1).graph(), Lamina::VerticalGrid::graded(1, 0.1),
                 {1e10, 0.1});
  EXPECT_EQ(TestFixture::total(one.op.rounding_error()), 0) << "nothing is coupled";
}

}  // namespace LaminaTest
