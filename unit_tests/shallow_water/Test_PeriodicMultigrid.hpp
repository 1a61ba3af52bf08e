// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <shallow_water/PeriodicMultigridCase.hpp>
#include <support/MessageOf.hpp>
#include <support/ToolExpectations.hpp>

#include <cmath>
#include <string>

namespace LaminaTest {

template <class Type>
struct PeriodicMultigrid : testing::Test {
  using Scalar = typename Type::scalar;
  using Case = PeriodicMultigridCase<Scalar>;

  /// Of all sizes, with and without walls, with heights of each kind; visit(case).
  template <class Visit>
  static void for_each_case(const std::vector<int>& steps, const Visit& visit) {
    for (const Rectangle& grid :
         {Rectangle{1, 1}, Rectangle{2, 2}, Rectangle{3, 3}, Rectangle{1, 5}, Rectangle{6, 1},
          Rectangle{2, 9}, Rectangle{40, 2}, Rectangle{31, 13}, Rectangle{17, 32}}) {
      for (const auto sides : {Lamina::WaterSides::periodic, Lamina::WaterSides::walls}) {
        for (const auto& height : {Values(), rough_height(grid)}) {
          for (const int count : steps) {
            SCOPED_TRACE(testing::Message()
                         << text_of(grid) << ", walls " << (sides == Lamina::WaterSides::walls)
                         << ", weights " << !height.empty() << ", steps " << count);
            visit(Case(grid, 20, height, sides, count));
          }
        }
      }
    }
  }
  /// A cycle has about 20 operations a level, whose sums are up to 1 + 8 c times what is left of them.
  static double accuracy(const Case& of) {
    return rounding<Scalar>(20 * of.multigrid.num_levels()) * 8;
  }
};
TYPED_TEST_SUITE(PeriodicMultigrid, PeriodicMultigridTypes, FieldTypeNames);

TYPED_TEST(PeriodicMultigrid, AgreesWithTheTwin) {
  TestFixture::for_each_case({1, 2, 3}, [&](const auto& c) {
    ASSERT_EQ(c.multigrid.num_levels(), static_cast<int>(c.twin.levels().size()));
    const Values r = rounded<typename TestFixture::Scalar>(random_values(c.size(), 3));
    EXPECT_TRUE(all_within(c.solve(r), c.twin.cycle(r), TestFixture::accuracy(c)));
  });
}

TYPED_TEST(PeriodicMultigrid, IsSymmetricAndPositive) {
  const auto product = [](const Values& a, const Values& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
  };
  TestFixture::for_each_case({2, 3}, [&](const auto& c) {
    using Scalar = typename TestFixture::Scalar;
    const Values x = rounded<Scalar>(random_values(c.size(), 3)),
                 y = rounded<Scalar>(random_values(c.size(), 4));
    const Values bx = c.solve(x), by = c.solve(y);
    const double xx = product(x, bx), yy = product(y, by);
    EXPECT_GT(xx, 0);
    EXPECT_GT(yy, 0);
    EXPECT_NEAR(product(y, bx), product(x, by), TestFixture::accuracy(c) * std::sqrt(xx * yy));
  });
}

TYPED_TEST(PeriodicMultigrid, TakesNewWeights) {
  using Scalar = typename TestFixture::Scalar;
  const Rectangle grid{21, 12};
  const typename TestFixture::Case c(grid, 20, rough_height(grid)),
      other(grid, 20, hilly_height(grid));
  const Values r = random_values(c.size(), 3);
  const Values before = c.solve(r);
  Kokkos::deep_copy(c.weight, other.weight);
  c.multigrid.update(c.space);
  EXPECT_EQ(c.solve(r), other.solve(r));
  EXPECT_FALSE(all_within(c.solve(r), before, rounding<Scalar>(1000)));
}

TYPED_TEST(PeriodicMultigrid, AllocatesNothingAndNamesItsKernels) {
  const Rectangle grid{21, 12};
  const typename TestFixture::Case c(grid, 20, rough_height(grid));
  const auto r = c.op.make_vector("r"), z = c.op.make_vector("z");
  Kokkos::fence();
  const ToolListener listener;
  c.multigrid.update(c.space);
  c.multigrid.solve(c.space, r, z);
  Kokkos::fence();
  const auto heard = listener.heard();
  expect_no_allocations(heard);
  expect_kernels_of_the_library(heard);
  expect_costs_of_kernels(c.multigrid.kernel_costs(), heard);
}

TYPED_TEST(PeriodicMultigrid, CostsAreThoseOfTheCalls) {
  const Rectangle grid = Rectangle::square(512);
  using Scalar = typename TestFixture::Scalar;
  const double field = grid.cells() * sizeof(Scalar);
  const typename TestFixture::Case plain(grid, 1, {}), weighted(grid, 1, Values(plain.size(), 1.0));
  // A first step, three more, a restriction and prolongation, each with the fields of its
  // couplings where there are any; of coarser levels together a third, with three fields of couplings.
  EXPECT_NEAR(plain.multigrid.cycle_cost().bytes / field, 15.5 + 30.5 / 3, 0.05);
  EXPECT_NEAR(weighted.multigrid.cycle_cost().bytes / field, 20.5 + 30.5 / 3, 0.05);
  // Of a line, coarser levels together have as many cells as it.
  const Rectangle line{4096, 1};
  const typename TestFixture::Case thin(line, 1, {});
  EXPECT_NEAR(thin.multigrid.cycle_cost().bytes / (line.cells() * sizeof(Scalar)), 16 + 31, 0.05);
}

TEST(PeriodicMultigridArguments, AreChecked) {
  const TEST_SPACE space;
  using Operator = Lamina::PeriodicHelmholtz<double, Memory>;
  using Multigrid = Lamina::PeriodicMultigrid<double, Memory>;
  const Operator op(Rectangle{5, 4}, 1, 1);
  const auto refusal = [&](const auto& call) { return message_of<Lamina::InvalidArgument>(call); };
  for (const int steps : {0, 4}) {
    EXPECT_EQ(refusal([&] { const Multigrid wrong(space, op, steps); }),
              "Lamina::PeriodicMultigrid: steps: expected 1 to 3, got " + std::to_string(steps));
  }
  EXPECT_EQ(refusal([&] {
              const Multigrid wrong(space, Operator(Rectangle{5, 4}, 1, -0.125));
            }),
            "Lamina::PeriodicMultigrid: op: expected c_x, c_y >= 0, got 1.000000, -0.125000");
  const Multigrid multigrid(space, op);
  EXPECT_EQ(multigrid.num_levels(), 3);
  EXPECT_EQ(multigrid.rectangle(1), (Rectangle{2, 2}));
  const auto r = op.make_vector("r"), z = Operator(Rectangle{5, 3}, 1, 1).make_vector("z");
  EXPECT_EQ(refusal([&] { multigrid.solve(space, r, z); }),
            "Lamina::PeriodicMultigrid::solve: argument z: expected 6 levels, got 5");
  EXPECT_EQ(
      refusal([&] { multigrid.solve(space, r, r); }),
      "Lamina::PeriodicMultigrid::solve: arguments r and z: expected memory of their own, got "
      "Views that overlap");
}

}  // namespace LaminaTest
