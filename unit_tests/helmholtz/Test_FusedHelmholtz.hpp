// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/helmholtz/FusedHelmholtz.hpp>
#include <lamina/krylov/FusedPcg.hpp>

#include <gtest/gtest.h>
#include <helmholtz/SweepTest.hpp>
#include <reference/ConjugateGradients.hpp>
#include <reference/LinePreconditioner.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

namespace LaminaTest {

/// The sweeps of one iteration, called as `FusedPcg` calls them.
template <class Type>
class FusedHelmholtz : public SweepTest<Type> {
 public:
  using Model = Lamina::FusedHelmholtz<typename Type::scalar, Memory>;
  static_assert(Lamina::FusedModel<Model, TEST_SPACE>);
};
TYPED_TEST_SUITE(FusedHelmholtz, FieldTypes, FieldTypeNames);

TYPED_TEST(FusedHelmholtz, ResidualIsThatOfTheMatrix) {
  using Scalar = typename TestFixture::Scalar;
  using Field = typename TestFixture::Field;
  const TEST_SPACE space;
  for (const auto [columns, levels] : sweep_sizes) {
    const auto system = TestFixture::Case::panel(columns, columns, levels);
    const typename TestFixture::Model model(space, system.op);
    const Values x = rounded<Scalar>(random_values(system.size(), 1));
    const Values b = rounded<Scalar>(random_values(system.size(), 2));
    const Field b_field(columns * columns, levels, b, all_padding),
        x_field(columns * columns, levels, x), r_field(columns * columns, levels, level_padding);
    model.residual(space, this->step(), Lamina::Impl::as_const_field(b_field.view()),
                   Lamina::Impl::as_const_field(x_field.view()),
                   Lamina::Impl::as_field(r_field.view()));
    const auto matrix = system.matrix();
    Values expected = b, scale = matrix.multiply_magnitudes(x);
    Reference::add(expected, -1, matrix.multiply(x));
    for (std::size_t i = 0; i < b.size(); ++i) scale[i] += std::abs(b[i]);
    EXPECT_TRUE(all_within(r_field.get(), expected, rounding<Scalar>(system.operations()), scale));
    EXPECT_TRUE(r_field.surroundings_untouched());
    const Values r = r_field.get();
    const double residual2 = Reference::dot(r, r);
    EXPECT_NEAR(this->now(0), residual2, rounding<Scalar>(levels) * residual2);
  }
}

TYPED_TEST(FusedHelmholtz, SweepsOverMoreColumnsThanTeamsTakeAtOnce) {
  using Scalar = typename TestFixture::Scalar;
  using Field = typename TestFixture::Field;
  if (Lamina::runs_on_host<TEST_SPACE>) GTEST_SKIP() << "teams of a device only";
  const TEST_SPACE space;
  const double allowed = std::max(rounding<Scalar>(4), rounding<double>(1000));
  // Rows that packs divide, and rows that they do not; more rounds than teams go that only read
  for (const auto& [num_x, num_y] : {std::pair{600, 1000}, {1501, 1501}}) {
    const auto system = TestFixture::Case::panel(num_x, num_y, 2);
    const int columns = num_x * num_y;
    EXPECT_EQ(system.op.system().coefficients.edges.neighbours.extent(0),
              static_cast<std::size_t>(columns));
    const typename TestFixture::Model model(space, system.op);
    const Values volumes = system.volumes();
    Values b = volumes, expected = volumes;
    for (double& value : b) value *= 3;
    for (double& value : expected) value *= 2;
    const Field b_field(columns, 2, b), r_field(columns, 2),
        ones_field(columns, 2, Values(system.size(), 1.0));
    const auto ones = Lamina::Impl::as_const_field(ones_field.view());
    model.residual(space, this->step(), Lamina::Impl::as_const_field(b_field.view()), ones,
                   Lamina::Impl::as_field(r_field.view()));
    const Values r = r_field.get();
    EXPECT_TRUE(all_within(r, expected, rounding<Scalar>(4), expected));
    const double residual2 = Reference::dot(r, r);
    EXPECT_NEAR(this->now(0), residual2, allowed * residual2);

    this->set_rows({1, 1, 1, 1, 1, 1, 1, 1, 1, 1});
    model.measure(space, this->step(), ones);
    const double volume = std::accumulate(volumes.begin(), volumes.end(), 0.0);
    EXPECT_NEAR(this->now(TestFixture::Step::line_curvature), volume, allowed * volume);
  }
}

TYPED_TEST(FusedHelmholtz, PreconditionsAndSums) {
  using Scalar = typename TestFixture::Scalar;
  using Field = typename TestFixture::Field;
  const TEST_SPACE space;
  for (const auto [columns, levels] : sweep_sizes) {
    SCOPED_TRACE(testing::Message() << columns << " columns a side, " << levels << " levels");
    const auto system = TestFixture::Case::panel(columns, columns, levels);
    const typename TestFixture::Model model(space, system.op);
    const Values r = rounded<Scalar>(random_values(system.size(), 1));
    const Field r_field(columns * columns, levels, r), z_field(columns * columns, levels);
    this->set_rows({1, 1, 1, 1, 1, 1, 1, 1, 1});
    model.precondition(space, this->step(), Lamina::Impl::as_const_field(r_field.view()),
                       Lamina::Impl::as_field(z_field.view()));

    const Values z = z_field.get();
    const auto matrix = system.line_matrix();
    Values scale = matrix.multiply_magnitudes(z);
    for (std::size_t i = 0; i < scale.size(); ++i) scale[i] += std::abs(r[i]);
    EXPECT_TRUE(all_within(matrix.multiply(z), r, rounding<Scalar>(4), scale));
    // <r, z> has terms of either sign, their sum does not: it is the energy of z.
    const double energy = Reference::dot(r, Reference::precondition(matrix, levels, r));
    EXPECT_NEAR(this->now(TestFixture::Step::energy), energy,
                (rounding<Scalar>(levels) + system.twin_error()) * energy);
  }
}

TYPED_TEST(FusedHelmholtz, MeasuresTheCurvature) {
  using Scalar = typename TestFixture::Scalar;
  using Field = typename TestFixture::Field;
  using Case = typename TestFixture::Case;
  const TEST_SPACE space;
  std::vector<Case> systems;
  for (const auto [columns, levels] : sweep_sizes) {
    systems.push_back(Case::panel(columns, columns, levels));
  }
  systems.push_back(Case::panel(5, 7, 9, true));
  // No rows of columns, and couplings of columns that dominate
  systems.push_back(Case(irregular_graph(40, 0), Lamina::VerticalGrid::uniform(3, 0.4), {5, 1e-3}));
  for (const Case& system : systems) {
    const int columns = system.op.num_owned(), levels = system.op.num_levels();
    SCOPED_TRACE(testing::Message() << columns << " columns, " << levels << " levels");
    const typename TestFixture::Model model(space, system.op);
    const Values z = rounded<Scalar>(random_values(system.size(), 1));
    const Field z_field(columns, levels, z);
    this->set_rows({1, 1, 1, 1, 1, 1, 1, 1, 1, 1});
    model.measure(space, this->step(), Lamina::Impl::as_const_field(z_field.view()));
    const auto matrix = system.matrix();
    const Values magnitudes = matrix.multiply_magnitudes(z);
    double magnitude = 0;
    for (std::size_t i = 0; i < z.size(); ++i) magnitude += std::abs(z[i]) * magnitudes[i];
    EXPECT_NEAR(this->now(TestFixture::Step::line_curvature), Reference::dot(z, matrix.multiply(z)),
                rounding<Scalar>(system.operations()) * magnitude);
  }
}

TYPED_TEST(FusedHelmholtz, AdvancesAndSums) {
  using Scalar = typename TestFixture::Scalar;
  using Field = typename TestFixture::Field;
  const TEST_SPACE space;
  for (const bool update : {false, true}) {
    for (const auto [columns, levels] : sweep_sizes) {
      SCOPED_TRACE(testing::Message() << columns << " columns a side, " << levels << " levels");
      const auto system = TestFixture::Case::panel(columns, columns, levels);
      const typename TestFixture::Model model(space, system.op);
      Values fields[4];
      for (std::uint64_t i = 0; i < 4; ++i)
        fields[i] = rounded<Scalar>(random_values(system.size(), 20 + i));
      const auto& [u, p, r, z] = fields;
      const Field u_field(columns * columns, levels, u, column_padding),
          p_field(columns * columns, levels, p), new_p_field(columns * columns, levels),
          r_field(columns * columns, levels, r), z_field(columns * columns, levels, z);
      // beta = 1/2, <p, A p> = 1/4, alpha = 2, the one before 4
      this->set_rows({1, 1, 1, 1, 1, 1, 0.25, 1, 1, 0.5, -1, 0.3125});
      model.advance(space, this->step(), update, Lamina::Impl::as_const_field(z_field.view()),
                    Lamina::Impl::as_const_field(p_field.view()),
                    Lamina::Impl::as_field(new_p_field.view()),
                    Lamina::Impl::as_field(r_field.view()), Lamina::Impl::as_field(u_field.view()));
      EXPECT_EQ(this->now(TestFixture::Step::curvature), 0.25);

      const Values new_p = new_p_field.get(), new_r = r_field.get();
      Values expected = p;
      Reference::scale_and_add(expected, 0.5, z);
      EXPECT_TRUE(all_within(new_p, expected, rounding<Scalar>(2)));
      expected = u;
      if (update) {
        Reference::add(expected, 4, p);
        Reference::add(expected, 2, new_p);
      }
      EXPECT_TRUE(all_within(u_field.get(), expected, rounding<Scalar>(8)));
      EXPECT_TRUE(u_field.surroundings_untouched());

      const auto matrix = system.matrix();
      expected = r;
      Reference::add(expected, -2, matrix.multiply(new_p));
      // The sum z + p / 2 is rounded before the matrix is applied, in each term for itself.
      Values magnitudes = z;
      for (std::size_t i = 0; i < z.size(); ++i)
        magnitudes[i] = std::abs(z[i]) + std::abs(p[i]) / 2;
      Values scale = matrix.multiply_magnitudes(magnitudes);
      for (std::size_t i = 0; i < scale.size(); ++i) scale[i] = 2 * scale[i] + std::abs(r[i]);
      EXPECT_TRUE(all_within(new_r, expected, rounding<Scalar>(system.operations()), scale));
      const double residual2 = Reference::dot(new_r, new_r);
      EXPECT_NEAR(this->next(TestFixture::Step::residual2), residual2,
                  rounding<Scalar>(levels) * residual2);
    }
  }
}

TYPED_TEST(FusedHelmholtz, SweepsAfterTheEndChangeNothingAndLeaveZeros) {
  using Scalar = typename TestFixture::Scalar;
  using Field = typename TestFixture::Field;
  using Step = typename TestFixture::Step;
  const TEST_SPACE space;
  const auto system = TestFixture::Case::panel(4, 4, 5);
  const typename TestFixture::Model model(space, system.op);
  const Values values = rounded<Scalar>(random_values(system.size(), 1));
  const Field field[5] = {
      {16, 5, values}, {16, 5, values}, {16, 5, values}, {16, 5, values}, {16, 5, values}};
  const auto at = [&](int i) { return Lamina::Impl::as_field(field[i].view()); };
  const auto in = [&](int i) { return Lamina::Impl::as_const_field(field[i].view()); };
  this->set_rows({1, 1, 1, 1, 1, 1, 1, 1, 0, -1, -1, -1});
  model.precondition(space, this->step(), in(0), at(1));
  model.measure(space, this->step(), in(1));
  model.advance(space, this->step(), true, in(1), in(2), at(3), at(0), at(4));
  for (const auto& f : field) EXPECT_EQ(f.get(), values);
  EXPECT_EQ(this->now(Step::energy), 0);
  EXPECT_EQ(this->now(Step::curvature), 0);
  EXPECT_EQ(this->now(Step::line_curvature), 0);
  EXPECT_EQ(this->next(Step::residual2), 0);
}

}  // namespace LaminaTest
