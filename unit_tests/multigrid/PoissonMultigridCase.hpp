// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/multigrid/PoissonMultigrid.hpp>

#include <poisson/PoissonCase.hpp>
#include <reference/PoissonMultigrid.hpp>

#include <cmath>
#include <vector>

namespace LaminaTest {

/// Weights of one to three steps: 1 over the roots of Chebyshev polynomials on [1/2, 2], [1/3, 2],
/// [1/5, 2].
inline Values poisson_weights(int steps) {
  if (steps == 1) return {4.0 / 5};
  if (steps == 2) return {12 / (14 + std::sqrt(50.0)), 12 / (14 - std::sqrt(50.0))};
  return {20 / (22 + std::sqrt(243.0)), 20 / (22 - std::sqrt(243.0)), 10.0 / 11};
}

/// Squares and rectangles of all parities, tiny ones, and lines longer than a tile of CPU cores.
inline std::vector<Rectangle> multigrid_rectangles() {
  std::vector<Rectangle> all{{1, 2},  {2, 1},  {1, 9},   {10, 1},   {2, 33},   {34, 3},
                             {5, 64}, {63, 6}, {33, 48}, {4, 4101}, {2052, 5}, {3, 2048}};
  for (const int n : {1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 31, 32, 37}) {
    all.push_back(Rectangle::square(n));
  }
  return all;
}

template <class Scalar, class Layout>
struct PoissonMultigridCase {
  using Field = TestField<Scalar, Layout>;
  using Operator = Lamina::PoissonOperator<Scalar, Memory>;
  using Multigrid = Lamina::PoissonMultigrid<Scalar, Memory>;

  PoissonMultigridCase(const Rectangle& rectangle_, int steps = 2)
      : rectangle(rectangle_), op(rectangle), multigrid(space, op, steps) {}

  std::size_t size() const { return static_cast<std::size_t>(rectangle.cells()); }
  Field field(const Values& values = {}, const Padding& padding = {}) const {
    return Field(rectangle.nx, rectangle.ny, values.empty() ? Values(size(), 0.0) : values,
                 padding);
  }
  /// B r
  Values solve(const Values& r, const Padding& padding = {}) const {
    const Field in = field(r, padding), out = field(Values(r.size(), 77), padding);
    multigrid.solve(space, in.const_view(), out.view());
    EXPECT_TRUE(out.surroundings_untouched());
    EXPECT_EQ(in.get(), rounded<Scalar>(r)) << "the right-hand side was changed";
    return out.get();
  }

  TEST_SPACE space;
  Rectangle rectangle;
  Operator op;
  Multigrid multigrid;
};

}  // namespace LaminaTest
