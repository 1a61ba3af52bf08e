// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Columns above a plane: everything that the vertical vectors go into.

#include <lamina/helmholtz/CsrHelmholtz.hpp>
#include <lamina/helmholtz/FusedHelmholtz.hpp>
#include <lamina/helmholtz/FusedHelmholtzStored.hpp>
#include <lamina/helmholtz/LinePreconditioner.hpp>
#include <lamina/helmholtz/MixedHelmholtz.hpp>
#include <lamina/krylov/FusedPcg.hpp>
#include <lamina/krylov/FusedPcgStored.hpp>
#include <lamina/krylov/Pcg.hpp>
#include <lamina/lines/LineSolver.hpp>

#include <gtest/gtest.h>
#include <helmholtz/HelmholtzCase.hpp>
#include <reference/LinePreconditioner.hpp>
#include <support/FieldTypes.hpp>

#include <cmath>
#include <vector>

namespace LaminaTest {

using Lamina::VerticalMetric;

template <class Type>
class FlatMetric : public testing::Test {
 public:
  using Scalar = typename Type::scalar;
  using Field = TestField<Scalar, typename Type::layout>;
  using Case = HelmholtzCase<Scalar>;

  /// An ocean on a periodic plane, an atmosphere over irregular columns.
  static std::vector<Case> cases() {
    const auto ocean =
        Lamina::VerticalGrid::from_interfaces({-4, -1.5, -1, -0.25, -0.1, 0}, VerticalMetric::flat);
    return {Case(Lamina::plane(16, 5, {}, 2, 1), ocean, {0.3, 0.7}),
            Case(irregular_graph(40, 0),
                 Lamina::VerticalGrid::graded(18, 0.4, VerticalMetric::flat), {0.05, 2}),
            Case(Lamina::plane(3, 4), Lamina::VerticalGrid::uniform(7, 10, VerticalMetric::flat),
                 {1, 30})};
  }
};
TYPED_TEST_SUITE(FlatMetric, FieldTypes, FieldTypeNames);

TYPED_TEST(FlatMetric, OperatorAgreesWithTheMatrix) {
  using Scalar = typename TestFixture::Scalar;
  using Field = typename TestFixture::Field;
  for (const auto& system : TestFixture::cases()) {
    const auto matrix = system.matrix();
    const Values x = rounded<Scalar>(random_values(system.size(), 1));
    const Field in(system.num_columns(), system.num_levels(), x),
        out(system.num_columns(), system.num_levels());
    system.op.apply(TEST_SPACE(), in.const_view(), out.view());
    EXPECT_TRUE(all_within(out.get(), matrix.multiply(x), rounding<Scalar>(system.operations()),
                           matrix.multiply_magnitudes(x)));
  }
}

TYPED_TEST(FlatMetric, OperatorMapsOneToAreasTimesThicknesses) {
  using Scalar = typename TestFixture::Scalar;
  using Field = typename TestFixture::Field;
  const double thicknesses[] = {2.5, 0.5, 0.75, 0.15, 0.1};
  const auto system = TestFixture::cases().front();
  const Field one(80, 5, Values(400, 1.0)), out(80, 5);
  system.op.apply(TEST_SPACE(), one.const_view(), out.view());
  Values expected;
  for (int column = 0; column < 80; ++column) {
    for (const double h : thicknesses) expected.push_back(2.0 / 80 * h);
  }
  EXPECT_TRUE(all_within(out.get(), expected, rounding<Scalar>(4)));
}

TYPED_TEST(FlatMetric, LinePreconditionerAgreesWithTheTridiagonalSolve) {
  using Scalar = typename TestFixture::Scalar;
  using Field = typename TestFixture::Field;
  const TEST_SPACE space;
  for (const auto& system : TestFixture::cases()) {
    const Values r = rounded<Scalar>(random_values(system.size(), 1));
    Values magnitudes = r;
    for (double& value : magnitudes) value = std::abs(value);
    const Field in(system.num_columns(), system.num_levels(), r),
        out(system.num_columns(), system.num_levels());
    const Lamina::LinePreconditioner<Scalar, Memory> lines(space, system.op);
    lines.solve(space, in.const_view(), out.view());
    const auto matrix = system.line_matrix();
    const int levels = system.num_levels();
    EXPECT_TRUE(all_within(out.get(), Reference::precondition(matrix, levels, r),
                           rounding<Scalar>(4 + levels) + system.twin_error(),
                           Reference::precondition(matrix, levels, magnitudes)));
  }
}

TYPED_TEST(FlatMetric, EverySolverHasTheSameSolution) {
  using Scalar = typename TestFixture::Scalar;
  using Layout = typename TypeParam::layout;
  using Field = typename TestFixture::Field;
  const TEST_SPACE space;
  const auto system = TestFixture::cases().front();
  const auto& op = system.op;
  // The exact solution is known: b = A x.
  const Values x = rounded<Scalar>(random_values(system.size(), 1));
  const Field b(80, 5, rounded<Scalar>(system.matrix().multiply(x)));
  const auto expect_solved = [&](auto plan) {
    const Field solution(80, 5);
    const auto report =
        plan.solve(space, b.const_view(), solution.view(), {.tolerance = rounding<Scalar>(8)});
    EXPECT_TRUE(report.converged()) << to_string(report.status);
    EXPECT_TRUE(all_within(solution.get(), x, rounding<Scalar>(2000), Values(system.size(), 1.0)));
  };
  const Lamina::LinePreconditioner<Scalar, Memory> lines(space, op);
  expect_solved(Lamina::Pcg(space, op, lines));
  expect_solved(Lamina::FusedPcg(space, Lamina::FusedHelmholtz<Scalar, Memory>(space, op)));
  expect_solved(
      Lamina::FusedPcgStored(space, Lamina::FusedHelmholtzStored<Scalar, Memory>(space, op)));
  const Lamina::CsrHelmholtz<Scalar, Layout, TEST_SPACE> csr(space, system.mesh,
                                                             system.vertical_grid, system.equation);
  expect_solved(Lamina::Pcg(space, csr, Lamina::LineSolver(space, csr.tridiagonal())));
  if constexpr (std::is_same_v<Scalar, double>) {
    const Lamina::HelmholtzOperator<float, Memory> short_op(system.mesh, system.vertical_grid,
                                                            system.equation);
    expect_solved(Lamina::FusedPcg(space, Lamina::MixedHelmholtz<Memory>(space, op, short_op)));
  }
}

/// Largest error on one column from z = -depth to 0 for the solution cos(pi z / depth), with the
/// right-hand side integrated exactly, at the mid-points.
inline double flat_column_error(int num_levels) {
  constexpr double pi = 3.14159265358979323846, depth = 4;
  const Lamina::HelmholtzParameters equation{.omega2 = 0.1, .lambda2 = 5};
  std::vector<double> interfaces;  // thin levels at the surface
  for (int k = num_levels; k >= 0; --k) {
    const double fraction = static_cast<double>(k) / num_levels;
    interfaces.push_back(-depth * fraction * fraction);
  }
  const auto grid = Lamina::VerticalGrid::from_interfaces(interfaces, VerticalMetric::flat);
  Lamina::ColumnGraph one;
  one.areas = {0.5};
  const HelmholtzCase<double> system(one, grid, equation);
  Values f, u;
  const double wave = pi / depth;
  for (std::size_t k = 0; k < grid.thicknesses().size(); ++k) {
    const double below = interfaces[k], above = interfaces[k + 1];
    const double integral = (std::sin(wave * above) - std::sin(wave * below)) / wave;
    f.push_back(0.5 * (1 + equation.omega2 * equation.lambda2 * wave * wave) * integral);
    u.push_back(std::cos(wave * (below + above) / 2));
  }
  const TEST_SPACE space;
  const TestField<double, Kokkos::LayoutRight> in(1, num_levels, f), out(1, num_levels);
  Lamina::LinePreconditioner<double, Memory>(space, system.op)
      .solve(space, in.const_view(), out.view());
  const Values z = out.get();
  double error = 0;
  for (std::size_t k = 0; k < z.size(); ++k) error = std::max(error, std::abs(z[k] - u[k]));
  return error;
}

TEST(FlatMetricDiscretisation, IsOfSecondOrderInTheVertical) {
  double coarse = flat_column_error(32);
  for (const int num_levels : {64, 128, 256}) {
    const double fine = flat_column_error(num_levels);
    EXPECT_NEAR(std::log2(coarse / fine), 2, 0.1) << num_levels << " levels: error " << fine;
    coarse = fine;
  }
}

}  // namespace LaminaTest
