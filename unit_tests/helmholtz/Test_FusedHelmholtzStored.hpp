// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/helmholtz/FusedHelmholtzStored.hpp>
#include <lamina/krylov/FusedPcgStored.hpp>

#include <gtest/gtest.h>
#include <helmholtz/SweepTest.hpp>
#include <reference/ConjugateGradients.hpp>
#include <reference/LinePreconditioner.hpp>

#include <cmath>

namespace LaminaTest {

/// The two sweeps of one pass, called as `FusedPcgStored` calls them.
template <class Type>
class FusedHelmholtzStored : public SweepTest<Type> {
 public:
  using Model = Lamina::FusedHelmholtzStored<typename Type::scalar, Memory>;
  static_assert(Lamina::StoredFusedModel<Model, TEST_SPACE>);
};
TYPED_TEST_SUITE(FusedHelmholtzStored, FieldTypes, FieldTypeNames);

TYPED_TEST(FusedHelmholtzStored, FirstSweepUpdatesPreconditionsAndSums) {
  using Scalar = typename TestFixture::Scalar;
  using Field = typename TestFixture::Field;
  using Step = Lamina::FusedStep<Memory>;
  const TEST_SPACE space;
  for (const auto [columns, levels] : sweep_sizes) {
    SCOPED_TRACE(testing::Message() << columns << " columns a side, " << levels << " levels");
    const auto system = TestFixture::Case::panel(columns, columns, levels);
    const typename TestFixture::Model model(space, system.op);
    const Values r = rounded<Scalar>(random_values(system.size(), 1));
    const Values q = rounded<Scalar>(random_values(system.size(), 2));
    const Field r_field(columns * columns, levels, r), q_field(columns * columns, levels, q),
        z_field(columns * columns, levels);
    this->set_rows(
        {1, 1, 1, 0, 1, 0.75, 0.25, 0, -1, -1, -1, 0});  // alpha = 3; old sums to be overwritten
    model.precondition(space, this->step(false), Lamina::Impl::as_const_field(q_field.view()),
                       Lamina::Impl::as_field(r_field.view()),
                       Lamina::Impl::as_field(z_field.view()));

    Values expected = r;
    Reference::add(expected, -3, q);
    EXPECT_TRUE(all_within(r_field.get(), expected, rounding<Scalar>(2)));
    const Values updated = r_field.get(), z = z_field.get();
    const auto matrix = system.line_matrix();
    Values scale = matrix.multiply_magnitudes(z);
    for (std::size_t i = 0; i < scale.size(); ++i) scale[i] += std::abs(updated[i]);
    EXPECT_TRUE(all_within(matrix.multiply(z), updated, rounding<Scalar>(4), scale));

    // Squares are summed in lanes of `Scalar`, hence a rounding for each of a share of them.
    const double residual2 = Reference::dot(updated, updated);
    EXPECT_NEAR(this->now(Step::residual2), residual2, rounding<Scalar>(levels) * residual2);
    // <r, z> has terms of either sign, their sum does not: it is the energy of z.
    const double energy = Reference::dot(updated, Reference::precondition(matrix, levels, updated));
    EXPECT_NEAR(this->now(Step::energy), energy,
                (rounding<Scalar>(levels) + system.twin_error()) * energy);
  }
}

TYPED_TEST(FusedHelmholtzStored, SecondSweepAdvancesAndSums) {
  using Scalar = typename TestFixture::Scalar;
  using Field = typename TestFixture::Field;
  using Step = Lamina::FusedStep<Memory>;
  const TEST_SPACE space;
  for (const auto [columns, levels] : sweep_sizes) {
    SCOPED_TRACE(testing::Message() << columns << " columns a side, " << levels << " levels");
    const auto system = TestFixture::Case::panel(columns, columns, levels);
    const typename TestFixture::Model model(space, system.op);
    Values fields[4];
    for (std::uint64_t i = 0; i < 4; ++i)
      fields[i] = rounded<Scalar>(random_values(system.size(), 20 + i));
    const auto& [u, p, q, z] = fields;
    const Field u_field(columns * columns, levels, u, column_padding),
        p_field(columns * columns, levels, p), q_field(columns * columns, levels, q),
        z_field(columns * columns, levels, z);
    this->set_rows({1, 1, 1, 0, 1, 0.5, 0.25, 0, 0.5, 0.25, -1, 0});  // alpha = 2, beta = 1/2
    model.advance(space, this->step(false), Lamina::Impl::as_const_field(z_field.view()),
                  Lamina::Impl::as_field(u_field.view()), Lamina::Impl::as_field(p_field.view()),
                  Lamina::Impl::as_field(q_field.view()));

    Values expected = u;
    Reference::add(expected, 2, p);
    EXPECT_TRUE(all_within(u_field.get(), expected, rounding<Scalar>(2)));
    EXPECT_TRUE(u_field.surroundings_untouched());
    expected = p;
    Reference::scale_and_add(expected, 0.5, z);
    EXPECT_TRUE(all_within(p_field.get(), expected, rounding<Scalar>(2)));
    const auto matrix = system.matrix();
    expected = q;
    Reference::scale_and_add(expected, 0.5, matrix.multiply(z));
    Values scale = matrix.multiply_magnitudes(z);
    for (std::size_t i = 0; i < scale.size(); ++i) scale[i] += std::abs(q[i]);
    EXPECT_TRUE(all_within(q_field.get(), expected, rounding<Scalar>(system.operations()), scale));

    const Values new_p = p_field.get(), new_q = q_field.get();
    double magnitude = 0;
    for (std::size_t i = 0; i < new_p.size(); ++i) magnitude += std::abs(new_p[i] * new_q[i]);
    EXPECT_NEAR(this->now(Step::curvature), Reference::dot(new_p, new_q),
                rounding<Scalar>(levels) * magnitude);
  }
}

TYPED_TEST(FusedHelmholtzStored, SweepsAfterTheEndChangeNothingAndLeaveZeros) {
  using Scalar = typename TestFixture::Scalar;
  using Field = typename TestFixture::Field;
  const TEST_SPACE space;
  const auto system = TestFixture::Case::panel(3, 3, 5);
  const typename TestFixture::Model model(space, system.op);
  const Values values = rounded<Scalar>(random_values(system.size(), 1));
  const Field field[5] = {
      {9, 5, values}, {9, 5, values}, {9, 5, values}, {9, 5, values}, {9, 5, values}};
  const auto at = [&](int i) { return Lamina::Impl::as_field(field[i].view()); };
  const auto in = [&](int i) { return Lamina::Impl::as_const_field(field[i].view()); };
  this->set_rows({1, 1, 1, 0, 0, 0, 0, 0, -1, -1, -1, 0});
  model.precondition(space, this->step(false), in(0), at(1), at(2));
  model.advance(space, this->step(false), in(2), at(3), at(4), at(0));
  for (const auto& f : field) EXPECT_EQ(f.get(), values);
  for (const int entry : {0, 1, 2}) EXPECT_EQ(this->now(entry), 0);
}

}  // namespace LaminaTest
