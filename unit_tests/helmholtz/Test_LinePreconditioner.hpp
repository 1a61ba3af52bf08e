// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Require.hpp>
#include <lamina/helmholtz/LinePreconditioner.hpp>

#include <gtest/gtest.h>
#include <helmholtz/HelmholtzCase.hpp>
#include <reference/ConjugateGradients.hpp>
#include <reference/LinePreconditioner.hpp>
#include <support/FieldTypes.hpp>
#include <support/MessageOf.hpp>

#include <cmath>
#include <limits>

namespace LaminaTest {

template <class Type>
class LinePreconditioner : public testing::Test {
 public:
  using Scalar = typename Type::scalar;
  using Field = TestField<Scalar, typename Type::layout>;
  using Case = HelmholtzCase<Scalar>;

  /// M^-1 r on the owned columns. Halo columns of the solution are checked to be left alone.
  Values solve(const Case& system, const Values& r, const Padding& padding = {},
               const Padding& solution_padding = {}) const {
    const TEST_SPACE space;
    const double untouched = 77;
    const Field in(system.num_columns(), system.num_levels(), r, padding);
    const Field out(system.num_columns(), system.num_levels(), Values(system.size(), untouched),
                    solution_padding);
    const Lamina::LinePreconditioner<Scalar, Memory> preconditioner(space, system.op);
    preconditioner.solve(space, in.const_view(), out.view());
    Values z = out.get();
    for (std::size_t i = system.owned_size(); i < z.size(); ++i) {
      EXPECT_EQ(z[i], untouched) << "in a halo column";
    }
    EXPECT_TRUE(out.surroundings_untouched());
    EXPECT_EQ(in.get(), r) << "the right-hand side was changed";
    z.resize(system.owned_size());
    return z;
  }

  /// M^-1 is positive and the elimination without cancellation, so that the solution is known to
  /// `num_levels` roundings relative to M^-1 |r|.
  void expect_agreement(const Case& system, const Padding& padding = {},
                        const Padding& solution_padding = {}) const {
    const auto matrix = system.line_matrix();
    const Values r = rounded<Scalar>(random_values(system.size(), 1));
    const Values owned = first_entries(r, system.owned_size());
    Values magnitudes = owned;
    for (double& value : magnitudes) value = std::abs(value);
    const Values z = solve(system, r, padding, solution_padding);

    EXPECT_TRUE(all_within(z, Reference::precondition(matrix, system.num_levels(), owned),
                           rounding<Scalar>(4 + system.num_levels()) + system.twin_error(),
                           Reference::precondition(matrix, system.num_levels(), magnitudes)));

    // What the twin cannot see in double precision: M z = r to the rounding of |M| |z|. On a device
    // three times that: values that enter a segment were rounded on another way than those within.
    const double roundings = Lamina::runs_on_host<TEST_SPACE> ? 4 : 12;
    Values scale = matrix.multiply_magnitudes(z);
    for (std::size_t i = 0; i < scale.size(); ++i) scale[i] += magnitudes[i];
    EXPECT_TRUE(all_within(matrix.multiply(z), owned, rounding<Scalar>(roundings), scale))
        << "residual";
  }
};
TYPED_TEST_SUITE(LinePreconditioner, FieldTypes, FieldTypeNames);

TYPED_TEST(LinePreconditioner, AgreesWithTheTridiagonalSolveOnPanels) {
  for_each_panel<typename TestFixture::Case>(
      [this](const auto& system) { this->expect_agreement(system); });
}

TYPED_TEST(LinePreconditioner, AgreesForAnyNumberOfColumns) {
  using Case = typename TestFixture::Case;
  for (const int columns : {2, 3, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129}) {
    for (const int levels : {1, 8, 13}) {
      SCOPED_TRACE(testing::Message() << columns << " columns, " << levels << " levels");
      this->expect_agreement(Case::panel(columns, 1, levels));
    }
  }
}

TYPED_TEST(LinePreconditioner, AgreesInAStratification) {
  using Case = typename TestFixture::Case;
  for (const int levels : {1, 2, 3, 33, 128}) {
    SCOPED_TRACE(levels);
    this->expect_agreement(Case::stratified_panel(5, 17, levels));
  }
}

TYPED_TEST(LinePreconditioner, AgreesOnIrregularGraphsAndIgnoresHalos) {
  using Case = typename TestFixture::Case;
  for (const int num_halo : {0, 9}) {
    for (const int num_owned : {2, 17, 100}) {
      this->expect_agreement(Case(irregular_graph(num_owned, num_halo),
                                  Lamina::VerticalGrid::graded(18, 0.4), {0.05, 2}));
    }
  }
}

TYPED_TEST(LinePreconditioner, WorksOnPaddedViewsAndLeavesTheirSurroundingsAlone) {
  using Case = typename TestFixture::Case;
  for (const auto& padding : {column_padding, level_padding, all_padding}) {
    this->expect_agreement(Case::panel(9, 7, 21), padding, padding);
    this->expect_agreement(Case::panel(9, 15, 16), padding, {});
    this->expect_agreement(Case::panel(1, 3, 2), {}, padding);
  }
}

TYPED_TEST(LinePreconditioner, InvertsTheOperatorOnAColumnWithoutNeighbours) {
  // With the right-hand side A 1 the solution is 1: the mass term survives, however stiff the
  // column.
  using Case = typename TestFixture::Case;
  using Scalar = typename TestFixture::Scalar;
  for (const double depth : {0.0157, 0.00157}) {
    const auto system = Case::panel(1, 1, 128, false, depth);
    const Values z = this->solve(system, rounded<Scalar>(system.volumes()));
    EXPECT_TRUE(all_within(z, Values(128, 1.0), rounding<Scalar>(128)));
  }
}

/// Largest error on a single column for the solution cos(pi (r - 1) / depth), compared at the
/// midpoints of the levels, with the right-hand side integrated by the midpoint rule.
template <class Layout>
double column_error(int num_levels) {
  constexpr double pi = 3.14159265358979323846, depth = 0.5;
  const Lamina::HelmholtzParameters equation{.omega2 = 0.1, .lambda2 = 0.5};
  const auto grid = Lamina::VerticalGrid::graded(num_levels, depth);
  const HelmholtzCase<double> system(Lamina::CubedSpherePanel(1, 1).graph(), grid, equation);
  Values f, u;
  const Values volumes = system.volumes();
  for (std::size_t k = 0; k < volumes.size(); ++k) {
    const double r = (grid.interfaces()[k] + grid.interfaces()[k + 1]) / 2;
    const double wave = pi / depth, s = r - 1;
    u.push_back(std::cos(wave * s));
    // r^-2 d/dr (r^2 du/dr) = u'' + 2 u' / r
    const double vertical = -wave * wave * std::cos(wave * s) - 2 / r * wave * std::sin(wave * s);
    f.push_back(volumes[k] * (u.back() - equation.omega2 * equation.lambda2 * vertical));
  }
  const TEST_SPACE space;
  const TestField<double, Layout> in(1, num_levels, f), out(1, num_levels);
  const Lamina::LinePreconditioner<double, Memory> preconditioner(space, system.op);
  preconditioner.solve(space, in.const_view(), out.view());
  const Values z = out.get();
  double error = 0;
  for (std::size_t k = 0; k < z.size(); ++k) error = std::max(error, std::abs(z[k] - u[k]));
  return error;
}

TEST(HelmholtzDiscretisation, IsOfSecondOrderInTheVertical) {
  double coarse = column_error<Kokkos::LayoutRight>(32);
  for (const int num_levels : {64, 128, 256}) {
    const double fine = column_error<Kokkos::LayoutRight>(num_levels);
    EXPECT_NEAR(std::log2(coarse / fine), 2, 0.1) << num_levels << " levels: error " << fine;
    coarse = fine;
  }
}

TYPED_TEST(LinePreconditioner, IsSymmetricAndPositiveDefinite) {
  using Case = typename TestFixture::Case;
  using Scalar = typename TestFixture::Scalar;
  const auto system = Case::panel(6, 5, 33);
  const Values r = rounded<Scalar>(random_values(system.size(), 1));
  const Values s = rounded<Scalar>(random_values(system.size(), 2));
  const Values z = this->solve(system, r), y = this->solve(system, s);
  EXPECT_GT(Reference::dot(r, z), 0);
  EXPECT_GT(Reference::dot(s, y), 0);
  Values size = this->solve(system, Values(system.size(), 1.0));  // M^-1 |r| is not larger
  EXPECT_NEAR(
      Reference::dot(s, z), Reference::dot(r, y),
      rounding<Scalar>(system.num_levels()) * Reference::dot(size, Values(size.size(), 1.0)));
}

TYPED_TEST(LinePreconditioner, GoesOverToAnotherOperatorByARefresh) {
  using Field = typename TestFixture::Field;
  using Scalar = typename TestFixture::Scalar;
  const TEST_SPACE space;
  for (const int levels : {5, 130}) {
    const auto mesh = Lamina::CubedSpherePanel(7, 7).graph();
    const auto grid = Lamina::VerticalGrid::graded(levels, 0.2);
    const HelmholtzCase<Scalar> before(mesh, grid, {0.3, 0.1}), after(mesh, grid, {0.01, 3});
    Lamina::LinePreconditioner<Scalar, Memory> preconditioner(space, before.op);
    preconditioner.refresh(space, after.op);
    const Values r = rounded<Scalar>(random_values(after.size(), 1));
    const Field in(after.num_columns(), levels, r), out(after.num_columns(), levels);
    preconditioner.solve(space, in.const_view(), out.view());
    EXPECT_EQ(out.get(), this->solve(after, r)) << levels << " levels";
    EXPECT_NE(out.get(), this->solve(before, r)) << levels << " levels";

    const HelmholtzCase<Scalar> fewer(Lamina::CubedSpherePanel(7, 6).graph(), grid, {0.3, 0.1});
    EXPECT_THROW(preconditioner.refresh(space, fewer.op), Lamina::InvalidArgument);
  }
}

TYPED_TEST(LinePreconditioner, AcceptsNoColumns) {
  using Case = typename TestFixture::Case;
  const Case system(Lamina::ColumnGraph{}, Lamina::VerticalGrid::graded(3, 0.1), {0.1, 0.1});
  EXPECT_TRUE(this->solve(system, {}).empty());
}

TYPED_TEST(LinePreconditioner, RefusesExtentsThatDoNotFit) {
  using Field = typename TestFixture::Field;
  const auto system = TestFixture::Case::panel(2, 2, 3);
  const TEST_SPACE space;
  const Lamina::LinePreconditioner<typename TestFixture::Scalar, Memory> preconditioner(space,
                                                                                        system.op);
  const Field good(4, 3), fewer_columns(3, 3), more_levels(4, 4);
  EXPECT_THROW(preconditioner.solve(space, fewer_columns.const_view(), good.view()),
               Lamina::InvalidArgument);
  EXPECT_EQ(message_of<Lamina::InvalidArgument>(
                [&] { preconditioner.solve(space, good.const_view(), more_levels.view()); }),
            "Lamina::LinePreconditioner::solve: argument z: expected 3 levels, got 4");
}

}  // namespace LaminaTest
