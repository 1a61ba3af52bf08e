// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/krylov/FusedPcg.hpp>
#include <lamina/krylov/FusedRichardson.hpp>
#include <lamina/shallow_water/MultigridPeriodic.hpp>

#include <reference/PeriodicMultigrid.hpp>
#include <shallow_water/WaterCase.hpp>

#include <cmath>
#include <vector>

namespace LaminaTest {

using PeriodicMultigridTypes =
    testing::Types<FieldType<double, Kokkos::LayoutLeft>, FieldType<float, Kokkos::LayoutLeft>>;

/// Weights of one to three steps: 1 over the roots of Chebyshev polynomials on [1/2, 2], [1/3, 2], [1/5, 2].
inline Values periodic_weights(int steps) {
  if (steps == 1) return {4.0 / 5};
  if (steps == 2) return {12 / (14 + std::sqrt(50.0)), 12 / (14 - std::sqrt(50.0))};
  return {20 / (22 + std::sqrt(243.0)), 20 / (22 - std::sqrt(243.0)), 10.0 / 11};
}

/// Heights around 1, from one cell to the next; or hills of several cells, ten times as high as the valleys.
inline Values rough_height(const Rectangle& grid) { return random_water(grid, 7).height; }
inline Values hilly_height(const Rectangle& grid) {
  Values height;
  for (int i = 0; i < grid.nx; ++i) {
    for (int j = 0; j < grid.ny; ++j) {
      height.push_back(1 + 4.5 * (1 + std::sin(0.21 * i) * std::cos(0.17 * j)));
    }
  }
  return height;
}

/// A cycle for A = 1 - c div (height grad), or with a height of 1 where none is given.
template <class Scalar>
struct PeriodicMultigridCase {
  using Operator = Lamina::PeriodicHelmholtz<Scalar, Memory>;
  using Multigrid = Lamina::PeriodicMultigrid<Scalar, Memory>;
  using Model = Lamina::MultigridPeriodic<Scalar, Memory>;
  using Vector = typename Operator::vector_type;
  using Field = TestField<Scalar, Kokkos::LayoutLeft>;
  using Strip = Lamina::WaterStrip<Memory>;

  PeriodicMultigridCase(const Rectangle& rectangle_, double c, const Values& height_,
                        Lamina::WaterSides sides = Lamina::WaterSides::periodic, int steps = 2)
      : rectangle(rectangle_),
        height(height_),
        strip(rectangle, sides),
        weight(height.empty() ? Vector()
                              : Operator(rectangle, 1, 1).make_vector("LaminaTest::weight")),
        op(strip, c, c, filled(weight), Lamina::InitialGuess::given),
        multigrid(space, op, steps),
        twin(rectangle.nx, rectangle.ny, c, c,
             height.empty() ? Values(size(), 1.0) : rounded<Scalar>(height),
             sides == Lamina::WaterSides::walls, periodic_weights(steps)) {}

  std::size_t size() const { return static_cast<std::size_t>(rectangle.cells()); }
  Field field(const Values& values) const { return Field(rectangle.nx, rectangle.ny, values); }
  /// B r
  Values solve(const Values& r) const {
    const auto in = op.make_vector("LaminaTest::r"), out = op.make_vector("LaminaTest::z");
    put(r, in);
    multigrid.solve(space, in, out);
    EXPECT_EQ(get(in), rounded<Scalar>(r)) << "the right-hand side was changed";
    return get(out);
  }
  void put(const Values& values, const Vector& to) const {
    const Field in = field(values);
    Kokkos::deep_copy(Lamina::Impl::cells_of(to, rectangle), in.view());
  }
  Values get(const Vector& vector) const {
    const Field out = field(Values(size(), 0.0));
    Kokkos::deep_copy(out.view(), Lamina::Impl::cells_of(vector, rectangle));
    return out.get();
  }
  /// From 0.
  Lamina::SolveReport solve_by_cg(const Values& b, double tolerance,
                                  Values* solution = nullptr) const {
    Lamina::FusedPcg pcg(space, Model(multigrid));
    const Field rhs = field(b), x = field(Values(size(), 0.0));
    const auto report = pcg.solve(space, rhs.const_view(), x.view(),
                                  {.tolerance = tolerance, .max_iterations = 60});
    EXPECT_TRUE(report.converged());
    if (solution != nullptr) *solution = x.get();
    return report;
  }

  TEST_SPACE space;
  Rectangle rectangle;
  Values height;
  Strip strip;
  Vector weight;
  Operator op;
  Multigrid multigrid;
  Reference::PeriodicMultigrid twin;

 private:
  /// With ghosts.
  Vector filled(const Vector& vector) const {
    if (height.empty()) return vector;
    put(height, vector);
    strip.exchange(space, Lamina::Impl::ghosted_lines_of(vector));
    return vector;
  }
};

}  // namespace LaminaTest
