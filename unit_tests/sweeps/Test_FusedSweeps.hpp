// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Guards and scalars of the sweeps; what they compute, `Test_FusedPcg.hpp` and the tests of sources and
// sinks say.

#include <lamina/sweeps/FusedSweeps.hpp>
#include <lamina/sweeps/RunSweep.hpp>

#include <gtest/gtest.h>
#include <support/FieldTypes.hpp>
#include <sweeps/OwnCoefficients.hpp>

#include <cmath>
#include <cstddef>

namespace LaminaTest {

template <class Type>
class FusedSweeps : public testing::Test {
 public:
  using Scalar = typename Type::scalar;
  using Layout = typename Type::layout;
  using Field = TestField<Scalar, Layout>;
  using Step = Lamina::FusedStep<Memory>;
  static constexpr int levels = 19;

  FusedSweeps() {
    Lamina::ColumnGraph graph;
    graph.num_owned = 2;
    graph.areas = {1, 1};
    graph.edges = {{0, 1, 1, 1}};
    system.topology = Lamina::column_topology(Lamina::ColumnMesh<Memory>(graph), levels);
    system.coefficients = {levels};
  }

  /// Rows first, before, now and next of a solve.
  void set_rows(const Values& values) {
    const auto host = Kokkos::create_mirror_view(rows);
    for (std::size_t i = 0; i < values.size(); ++i) host(i) = values[i];
    Kokkos::deep_copy(rows, host);
  }
  double entry(int row, int n) const {
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), rows);
    return host(static_cast<std::size_t>(row * Step::row_length + n));
  }
  Step step() const {
    const auto row = [this](int i) { return rows.data() + i * Step::row_length; };
    return {.reference = row(0),
            .before = row(1),
            .now = row(2),
            .next = row(3),
            .is_first = false,
            .is_last = false,
            .tolerance2 = 0,
            .absolute2 = 0};
  }
  Field field(std::uint64_t seed) const {
    return Field(2, levels, rounded<Scalar>(random_values(2 * levels, seed)));
  }
  template <class Sweep>
  void run(const Sweep& sweep) const {
    const TEST_SPACE space;
    Lamina::run_sweep("LaminaTest::sweep", space, system, sweep, scratch);
    space.fence();
  }

  Lamina::ColumnSystem<OwnCoefficients<Scalar>> system{{}, {levels}};
  Kokkos::View<double*, Memory> rows{"rows", static_cast<std::size_t>(4 * Step::row_length)};
  Lamina::SweepScratch<Memory> scratch{"LaminaTest::scratch"};
};
TYPED_TEST_SUITE(FusedSweeps, FieldTypes, FieldTypeNames);

/// <r, r>, <r, z>, <p, A p>, <z, A z> of rows first, before, now and next.
inline Values rows_of_a_solve(double energy_now) {
  return {1, 1, 1, 1, 1, 0.5, 1, 1, 1, energy_now, 0, 2, 7, 7, 7, 7};
}

TYPED_TEST(FusedSweeps, AdvanceByTheScalarsOfTheRows) {
  using Scalar = typename TestFixture::Scalar;
  using Sweep = Lamina::AdvanceSweep<Scalar, typename TestFixture::Layout, Memory, true>;
  this->set_rows(rows_of_a_solve(0.25));
  // beta = 0.25 / 0.5; <p, A p> = 2 - beta^2; alpha before = 0.5 / 1
  const double beta = 0.5, curvature = 1.75, alpha = 0.25 / curvature, alpha_before = 0.5;
  const auto z = this->field(1), p = this->field(2), r = this->field(3), u = this->field(4),
             new_p = this->field(5);
  const Values z0 = z.get(), p0 = p.get(), r0 = r.get(), u0 = u.get();
  this->run(Sweep{this->step(), z.const_view(), p.const_view(), new_p.view(), r.view(), u.view()});
  Values direction;
  for (std::size_t i = 0; i < z0.size(); ++i) direction.push_back(z0[i] + beta * p0[i]);
  const Image image = image_of(this->system, direction);
  Values residual, solution;
  double square = 0;
  for (std::size_t i = 0; i < z0.size(); ++i) {
    residual.push_back(r0[i] - alpha * image.values[i]);
    solution.push_back(u0[i] + alpha_before * p0[i] + alpha * direction[i]);
    square += residual[i] * residual[i];
  }
  const Values ones(z0.size(), 1.0);
  const double tolerance = rounding<Scalar>(16);
  EXPECT_TRUE(all_within(new_p.get(), direction, tolerance, ones));
  EXPECT_TRUE(all_within(r.get(), residual, tolerance, ones));
  EXPECT_TRUE(all_within(u.get(), solution, tolerance, ones));
  EXPECT_EQ(this->entry(2, TestFixture::Step::curvature), curvature);
  EXPECT_NEAR(this->entry(3, TestFixture::Step::residual2), square, 8 * tolerance * square);
}

TYPED_TEST(FusedSweeps, DoNothingWhereTheSolveIsOver) {
  using Scalar = typename TestFixture::Scalar;
  using Layout = typename TestFixture::Layout;
  this->set_rows(rows_of_a_solve(-1));  // the preconditioner broke down
  const auto z = this->field(1), p = this->field(2), r = this->field(3), u = this->field(4),
             new_p = this->field(5);
  const Values r0 = r.get(), u0 = u.get(), new_p0 = new_p.get();
  this->run(Lamina::AdvanceSweep<Scalar, Layout, Memory, true>{
      this->step(), z.const_view(), p.const_view(), new_p.view(), r.view(), u.view()});
  EXPECT_EQ(r.get(), r0);
  EXPECT_EQ(u.get(), u0);
  EXPECT_EQ(new_p.get(), new_p0);
  EXPECT_EQ(this->entry(3, TestFixture::Step::residual2), 0) << "ends the pass after it, too";
  this->run(Lamina::MeasureSweep<Scalar, Layout, Memory>{this->step(), z.const_view()});
  EXPECT_EQ(this->entry(2, TestFixture::Step::line_curvature), 0);
}

}  // namespace LaminaTest
