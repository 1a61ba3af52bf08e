// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Require.hpp>
#include <lamina/helmholtz/MixedHelmholtz.hpp>
#include <lamina/krylov/FusedPcg.hpp>

#include <gtest/gtest.h>
#include <helmholtz/SweepTest.hpp>
#include <reference/ConjugateGradients.hpp>
#include <support/MessageOf.hpp>

#include <cmath>

namespace LaminaTest {

/// The sweeps over fields of two precisions, called as `FusedPcg` calls them. `Type` is that of the
/// solution.
template <class Type>
class MixedHelmholtz : public SweepTest<Type> {
 public:
  using Layout = typename Type::layout;
  using LongField = TestField<double, Layout>;
  using ShortField = TestField<float, Layout>;
  using Model = Lamina::MixedHelmholtz<Memory>;
  static_assert(Lamina::FusedModel<Model, TEST_SPACE>);

  /// Both operators of one system.
  static Model model_of(const HelmholtzCase<double>& system) {
    return Model(TEST_SPACE(), system.op,
                 Lamina::HelmholtzOperator<float, Memory>(system.mesh, system.vertical_grid,
                                                          system.equation));
  }
  static auto in(const auto& field) { return Lamina::Impl::as_const_field(field.view()); }
  static auto out(const auto& field) { return Lamina::Impl::as_field(field.view()); }
};
TYPED_TEST_SUITE(MixedHelmholtz, DoubleFieldTypes, FieldTypeNames);

TYPED_TEST(MixedHelmholtz, ResidualIsThatOfTheMatrixScaledAndRounded) {
  const TEST_SPACE space;
  for (const auto [columns, levels] : sweep_sizes) {
    SCOPED_TRACE(testing::Message() << columns << " columns a side, " << levels << " levels");
    const auto system = HelmholtzCase<double>::panel(columns, columns, levels);
    const auto model = this->model_of(system);
    const auto matrix = system.matrix();
    for (const auto& padding : {Padding{}, all_padding}) {
      const Values x = random_values(system.size(), 1), b = random_values(system.size(), 2);
      const typename TestFixture::LongField b_field(columns * columns, levels, b, padding),
          x_field(columns * columns, levels, x);
      const typename TestFixture::ShortField r_field(columns * columns, levels, padding);
      auto step = this->step();
      step.scale = 8;
      model.residual(space, step, this->in(b_field), this->in(x_field), this->out(r_field));
      Values expected = b, scale = matrix.multiply_magnitudes(x);
      Reference::add(expected, -1, matrix.multiply(x));
      for (std::size_t i = 0; i < b.size(); ++i) {
        expected[i] *= 8;
        scale[i] = rounding<double>(system.operations()) * 8 * (scale[i] + std::abs(b[i])) +
                   rounding<float>(1) * std::abs(expected[i]);
      }
      EXPECT_TRUE(all_within(r_field.get(), expected, 1, scale));
      EXPECT_TRUE(r_field.surroundings_untouched());
      const double residual2 = Reference::dot(expected, expected);
      EXPECT_NEAR(this->now(0), residual2, rounding<float>(1) * residual2);
    }
  }
}

TYPED_TEST(MixedHelmholtz, AdvancesInSingleAndUpdatesInDoublePrecision) {
  using Step = typename TestFixture::Step;
  const TEST_SPACE space;
  for (const auto [columns, levels] : sweep_sizes) {
    SCOPED_TRACE(testing::Message() << columns << " columns a side, " << levels << " levels");
    const auto system = HelmholtzCase<double>::panel(columns, columns, levels);
    const auto model = this->model_of(system);
    const auto matrix = system.matrix();
    for (const bool update : {false, true}) {
      for (const auto& padding : {Padding{}, column_padding}) {
        const Values u = random_values(system.size(), 20);
        Values fields[3];
        for (std::uint64_t i = 0; i < 3; ++i)
          fields[i] = rounded<float>(random_values(system.size(), 21 + i));
        const auto& [p, r, z] = fields;
        using ShortField = typename TestFixture::ShortField;
        const typename TestFixture::LongField u_field(columns * columns, levels, u, padding);
        const ShortField p_field(columns * columns, levels, p),
            new_p_field(columns * columns, levels), r_field(columns * columns, levels, r),
            z_field(columns * columns, levels, z);
        // beta = 1/2, <p, A p> = 1/4, alpha = 2, the one before 4
        this->set_rows({1, 1, 1, 1, 1, 1, 0.25, 1, 1, 0.5, -1, 0.3125});
        auto step = this->step();
        step.scale = 4;
        model.advance(space, step, update, this->in(z_field), this->in(p_field),
                      this->out(new_p_field), this->out(r_field), this->out(u_field));
        EXPECT_EQ(this->now(Step::curvature), 0.25);

        const Values new_p = new_p_field.get(), new_r = r_field.get();
        Values expected = p;
        Reference::scale_and_add(expected, 0.5, z);
        EXPECT_TRUE(all_within(new_p, expected, rounding<float>(2)));
        expected = u;
        if (update) {
          Reference::add(expected, 1, p);
          Reference::add(expected, 0.5, new_p);
        }
        EXPECT_TRUE(
            all_within(u_field.get(), expected, rounding<double>(8), Values(expected.size(), 1.0)));
        EXPECT_TRUE(u_field.surroundings_untouched());

        expected = r;
        Reference::add(expected, -2, matrix.multiply(new_p));
        // The sum z + p / 2 is rounded before the matrix is applied, in each term for itself.
        Values magnitudes = z;
        for (std::size_t i = 0; i < z.size(); ++i)
          magnitudes[i] = std::abs(z[i]) + std::abs(p[i]) / 2;
        Values scale = matrix.multiply_magnitudes(magnitudes);
        for (std::size_t i = 0; i < scale.size(); ++i) scale[i] = 2 * scale[i] + std::abs(r[i]);
        EXPECT_TRUE(all_within(new_r, expected, rounding<float>(system.operations()), scale));
        const double residual2 = Reference::dot(new_r, new_r);
        EXPECT_NEAR(this->next(Step::residual2), residual2, rounding<float>(levels) * residual2);
      }
    }
  }
}

TYPED_TEST(MixedHelmholtz, SweepsAfterTheEndChangeNothingAndLeaveZeros) {
  using Step = typename TestFixture::Step;
  const TEST_SPACE space;
  const auto system = HelmholtzCase<double>::panel(4, 4, 5);
  const auto model = this->model_of(system);
  const Values values = rounded<float>(random_values(system.size(), 1));
  const typename TestFixture::ShortField field[4] = {
      {16, 5, values}, {16, 5, values}, {16, 5, values}, {16, 5, values}};
  const typename TestFixture::LongField u(16, 5, values);
  this->set_rows({1, 1, 1, 1, 1, 1, 1, 1, 0, -1, -1, -1});
  model.precondition(space, this->step(), this->in(field[0]), this->out(field[1]));
  model.measure(space, this->step(), this->in(field[1]));
  model.advance(space, this->step(), true, this->in(field[1]), this->in(field[2]),
                this->out(field[3]), this->out(field[0]), this->out(u));
  for (const auto& f : field) EXPECT_EQ(f.get(), values);
  EXPECT_EQ(u.get(), values);
  EXPECT_EQ(this->now(Step::energy), 0);
  EXPECT_EQ(this->now(Step::curvature), 0);
  EXPECT_EQ(this->now(Step::line_curvature), 0);
  EXPECT_EQ(this->next(Step::residual2), 0);
}

TYPED_TEST(MixedHelmholtz, RefusesOperatorsOfDifferentExtents) {
  const TEST_SPACE space;
  const auto system = HelmholtzCase<double>::panel(4, 4, 5);
  const auto other = HelmholtzCase<float>::panel(4, 4, 6);
  const auto message = message_of<Lamina::InvalidArgument>(
      [&] { const typename TestFixture::Model model(space, system.op, other.op); });
  EXPECT_NE(message.find("short_op: expected 5 levels, got 6"), std::string::npos) << message;
}

}  // namespace LaminaTest
