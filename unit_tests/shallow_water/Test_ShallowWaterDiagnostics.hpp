// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <shallow_water/WaterCase.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace LaminaTest {

template <class Type>
struct ShallowWaterDiagnostics : testing::Test {};
TYPED_TEST_SUITE(ShallowWaterDiagnostics, FieldTypes, FieldTypeNames);

TYPED_TEST(ShallowWaterDiagnostics, AreTheSumsOfTheirHeader) {
  using Scalar = typename TypeParam::scalar;
  using Case = WaterCase<Scalar, typename TypeParam::layout>;
  for (const Rectangle& grid :
       {Rectangle{1, 1}, Rectangle{2, 2}, Rectangle{3, 3}, Rectangle{16, 16}, Rectangle{37, 37},
        Rectangle{1, 5}, Rectangle{31, 13}, Rectangle{8, 41}}) {
    SCOPED_TRACE(text_of(grid));
    const auto [nx, ny] = grid;
    const auto y = rounded_water<Scalar>(random_water(grid, 3));
    const Reference::ShallowWater twin(grid, coriolis);
    const Values mass_u = twin.mass_u(y.u), mass_v = twin.mass_v(y.v);
    double mass = 0, energy = 0, enstrophy = 0, largest_u = 0, largest_v = 0, smallest = 9;
    Values vorticity;
    for (int i = 0; i < nx; ++i) {
      for (int j = 0; j < ny; ++j) {
        const double height = twin.at(y.height, i, j), curl = twin.curl(y, i, j);
        mass += height;
        energy += 0.5 * (height * height + twin.flux_u(y, i, j) * twin.at(mass_u, i, j) +
                         twin.flux_v(y, i, j) * twin.at(mass_v, i, j));
        enstrophy += curl * curl / (2 * twin.vertex_height(y, i, j));
        vorticity.push_back(twin.vorticity(y, i, j));
        largest_u = std::max(largest_u, std::abs(twin.at(y.u, i, j)));
        largest_v = std::max(largest_v, std::abs(twin.at(y.v, i, j)));
        smallest = std::min(smallest, height);
      }
    }
    const double area = 1.0 / nx / nx, accuracy = rounding<double>(nx * std::max(nx, ny));
    const auto state = Case::make(grid, y);
    const auto found = Lamina::diagnose(TEST_SPACE(), state, coriolis);
    EXPECT_NEAR(found.mass, area * mass, accuracy);
    EXPECT_NEAR(found.energy, area * energy, accuracy);
    EXPECT_NEAR(found.potential_enstrophy, area * enstrophy, accuracy * area * enstrophy);
    EXPECT_NEAR(found.circulation, coriolis * ny / nx, accuracy * nx);
    EXPECT_EQ(found.largest_u, largest_u);
    EXPECT_EQ(found.largest_v, largest_v);
    EXPECT_EQ(found.smallest_height, smallest);
    EXPECT_TRUE(found.sound());
    EXPECT_DOUBLE_EQ(found.courant_number(0.1, grid), (largest_u + largest_v) * 0.1 * nx);
    const typename Case::Field out(nx, ny, all_padding);
    Lamina::potential_vorticity(TEST_SPACE(), state, coriolis, out.view());
    EXPECT_TRUE(all_within(out.get(), vorticity, rounding<Scalar>(2)));
    EXPECT_TRUE(out.surroundings_untouched());
  }
}

TYPED_TEST(ShallowWaterDiagnostics, FindTheFirstFault) {
  using Case = WaterCase<typename TypeParam::scalar, typename TypeParam::layout>;
  using Lamina::SolveStatus;
  const Rectangle grid{19, 13};
  const double infinity = std::numeric_limits<double>::infinity();
  const auto place = [](int i, int j) { return static_cast<std::size_t>(13 * i + j); };
  WaterState y = random_water(grid, 4);
  const auto expect_fault = [&](SolveStatus status, int i, int j) {
    const auto state = Case::make(grid, y);
    const auto diagnostics = Lamina::diagnose(TEST_SPACE(), state, coriolis);
    for (const auto& fault : {Lamina::find_fault(TEST_SPACE(), state), diagnostics.fault}) {
      EXPECT_EQ(fault.exists(), status != SolveStatus::completed);
      EXPECT_EQ(fault.status, status);
      EXPECT_EQ(fault.i, i);
      EXPECT_EQ(fault.j, j);
    }
    EXPECT_EQ(diagnostics.sound(), status == SolveStatus::completed);
  };
  expect_fault(SolveStatus::completed, -1, -1);
  y.v[place(3, 12)] = std::nan("");
  expect_fault(SolveStatus::breakdown_not_finite, 3, 12);
  y.u[place(18, 11)] = -infinity;
  expect_fault(SolveStatus::breakdown_not_finite, 18, 11);
  y.height[place(4, 11)] = -1e-30;
  expect_fault(SolveStatus::diverged, 4, 11);
  y.height[place(5, 0)] = 0;
  expect_fault(SolveStatus::diverged, 5, 0);
  y.height[place(0, 0)] = infinity;
  expect_fault(SolveStatus::breakdown_not_finite, 0, 0);
}

}  // namespace LaminaTest
