// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/columns/FusedColumns.hpp>

#include <columns/ColumnCase.hpp>
#include <helmholtz/SweepTest.hpp>
#include <reference/ConjugateGradients.hpp>
#include <support/MessageOf.hpp>
#include <sweeps/OwnCoefficients.hpp>

#include <cmath>

namespace LaminaTest {

/// Coefficients of a class of its own on a periodic plane, the same from both sides of an edge.
template <class Scalar>
struct LayerCoefficients {
  using scalar_type = Scalar;
  using memory_space = Memory;
  static constexpr double fields = 0;
  int num_levels;

  KOKKOS_FUNCTION Lamina::CellRow<Scalar> row(int column, int level) const {
    return {Scalar(1) / static_cast<Scalar>(1 + column % 3),
            static_cast<Scalar>(level + 1 < num_levels ? level + 1 : 0),
            static_cast<Scalar>(level)};
  }
  KOKKOS_FUNCTION Scalar coupling(int, int, int level) const {
    return Scalar(1) / static_cast<Scalar>(1 + level);
  }
};

template <class Type>
class FusedColumns : public SweepTest<Type> {
 public:
  using Stored = StoredCase<typename Type::scalar, typename Type::layout, float>;
  using Model = Lamina::FusedColumns<typename Stored::Coefficients>;
  static_assert(Lamina::FusedModel<Model, TEST_SPACE>);
};
TYPED_TEST_SUITE(FusedColumns, FieldTypes, FieldTypeNames);

TYPED_TEST(FusedColumns, SumUpWhatTheSweepsCompute) {
  using Scalar = typename TestFixture::Scalar;
  using Field = typename TestFixture::Field;
  using Step = typename TestFixture::Step;
  const TEST_SPACE space;
  for (const int levels : {1, 9, 33, 600, 1030}) {
    SCOPED_TRACE(levels);
    const auto system = ColumnCase::random<float>(irregular_graph(13, 0), levels, 3);
    const typename TestFixture::Stored stored(system);
    const typename TestFixture::Model model(space, stored.op);
    const Values r = rounded<Scalar>(random_values(system.size(), 1)),
                 b = rounded<Scalar>(random_values(system.size(), 2));
    const Field r_field(13, levels, r), z_field(13, levels), b_field(13, levels, b),
        new_r(13, levels);
    this->set_rows({1, 1, 1, 1, 1, 1, 1, 1, 1, 1});
    const auto step = this->step();
    const auto in = [](const Field& field) { return Lamina::Impl::as_const_field(field.view()); };
    const auto out = [](const Field& field) { return Lamina::Impl::as_field(field.view()); };
    model.precondition(space, step, in(r_field), out(z_field));
    const Values z = z_field.get();
    const auto matrix = system.matrix();
    const auto energy_of = [](const Reference::Matrix& m, const Values& x) {
      return Reference::dot(x, m.multiply(x));
    };
    double energy = 0;
    for (std::size_t i = 0; i < z.size(); ++i) energy += std::abs(r[i] * z[i]);
    EXPECT_NEAR(this->now(Step::energy), Reference::dot(r, z), rounding<Scalar>(levels) * energy);
    model.measure(space, step, in(z_field));
    Values magnitudes = matrix.multiply_magnitudes(z);
    double magnitude = 0;
    for (std::size_t i = 0; i < z.size(); ++i) magnitude += std::abs(z[i]) * magnitudes[i];
    EXPECT_NEAR(this->now(Step::line_curvature), energy_of(matrix, z),
                rounding<Scalar>(12) * magnitude);
    model.residual(space, step, in(b_field), in(z_field), out(new_r));
    Values expected = b, scale = magnitudes;
    Reference::add(expected, -1, matrix.multiply(z));
    for (std::size_t i = 0; i < b.size(); ++i) scale[i] += std::abs(b[i]);
    EXPECT_TRUE(all_within(new_r.get(), expected, rounding<Scalar>(12), scale));
    const double residual2 = Reference::dot(new_r.get(), new_r.get());
    EXPECT_NEAR(this->now(Step::residual2), residual2, rounding<Scalar>(levels) * residual2);
  }
}

TYPED_TEST(FusedColumns, DoNothingWhereTheSolveIsOver) {
  using Field = typename TestFixture::Field;
  const TEST_SPACE space;
  const auto system = ColumnCase::random<float>(irregular_graph(13, 0), 9, 3);
  const typename TestFixture::Stored stored(system);
  const typename TestFixture::Model model(space, stored.op);
  const Field r(13, 9, random_values(system.size(), 1)), z(13, 9, random_values(system.size(), 2));
  const Values z_before = z.get();
  this->set_rows({1, 1, 1, 1, 1, 1, 1, 1, 0, 1});  // no residual is left
  model.precondition(space, this->step(), Lamina::Impl::as_const_field(r.view()),
                     Lamina::Impl::as_field(z.view()));
  EXPECT_EQ(z.get(), z_before);
  EXPECT_EQ(this->now(TestFixture::Step::energy), 0);
}

TYPED_TEST(FusedColumns, SolveWithCoefficientsOfAUser) {
  using Scalar = typename TestFixture::Scalar;
  using Field = typename TestFixture::Field;
  const TEST_SPACE space;
  const auto graph = Lamina::plane(4, 6);
  const Lamina::ColumnMesh<Memory> mesh(graph);
  const int levels = 9;
  auto system = ColumnCase::random<float>(graph, levels, 1);
  for (int c = 0; c < 24; ++c) {
    for (int k = 0; k < levels; ++k) {
      system.mass[system.place(c, k)] = 1.0 / (1 + c % 3);
      system.vertical[system.place(c, k)] = k + 1;
    }
  }
  for (int e = 0; e < mesh.num_edges(); ++e) {
    for (int k = 0; k < levels; ++k) system.horizontal[system.place(e, k)] = 1.0 / (1 + k);
  }
  const Values b = rounded<Scalar>(random_values(system.size(), 3));
  const Field b_field(24, levels, b), x_field(24, levels);
  const Lamina::ColumnOperator op(mesh, levels, LayerCoefficients<Scalar>{levels});
  Lamina::FusedPcg pcg(space, Lamina::FusedColumns(space, op));
  EXPECT_TRUE(pcg.solve(space, b_field.view(), x_field.view(), {.tolerance = rounding<Scalar>(10)})
                  .converged());
  EXPECT_TRUE(all_within(x_field.get(), Reference::solve_directly(system.matrix(), b),
                         rounding<Scalar>(500)));
}

TYPED_TEST(FusedColumns, AreOfOneProcessWithoutADecomposition) {
  using Scalar = typename TestFixture::Scalar;
  const Lamina::ColumnMesh<Memory> mesh(irregular_graph(20, 3));
  const Lamina::ColumnOperator op(mesh, 2, OwnCoefficients<Scalar>{2});
  EXPECT_EQ(message_of<Lamina::InvalidArgument>([&] { Lamina::FusedColumns(TEST_SPACE(), op); }),
            "Lamina::FusedColumns: op: expected no halo columns, or a decomposition, got 3");
}

}  // namespace LaminaTest
