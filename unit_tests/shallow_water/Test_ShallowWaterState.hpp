// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <shallow_water/WaterCase.hpp>
#include <support/ToolListener.hpp>

namespace LaminaTest {

template <class Type>
struct ShallowWaterState : testing::Test {};
TYPED_TEST_SUITE(ShallowWaterState, FieldTypes, FieldTypeNames);

TYPED_TEST(ShallowWaterState, TakesAndGivesFieldsOfEitherLayout) {
  using Case = WaterCase<typename TypeParam::scalar, typename TypeParam::layout>;
  for (const int n : water_sizes) {
    const auto y = rounded_water<typename TypeParam::scalar>(random_water(n, 1));
    for (const Padding& padding : {Padding{}, all_padding}) {
      expect_same_water(Case::get(Case::make(n, y, padding), padding), y);
    }
  }
}

TYPED_TEST(ShallowWaterState, HasTheOtherSideInItsGhosts) {
  using Case = WaterCase<typename TypeParam::scalar, typename TypeParam::layout>;
  for (const int n : {1, 2, 5, 17}) {
    const auto state = Case::make(n, random_water(n, 2));
    for (const auto& field : {state.height(), state.u(), state.v()}) {
      ASSERT_EQ(field.extent(0), static_cast<std::size_t>(n) + 2);
      ASSERT_EQ(field.extent(1), static_cast<std::size_t>(n) + 2);
      // A strided View has no mirror in every version of Kokkos: through a whole one.
      const Kokkos::View<typename TypeParam::scalar**, Kokkos::LayoutLeft, Memory> whole(
          "LaminaTest::whole", n + 2, n + 2);
      Kokkos::deep_copy(whole, field);
      const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), whole);
      for (int i = 0; i < n + 2; ++i) {
        for (int j = 0; j < n + 2; ++j) {
          EXPECT_EQ(host(i, j), host((i - 1 + n) % n + 1, (j - 1 + n) % n + 1)) << i << ' ' << j;
        }
      }
    }
  }
}

TYPED_TEST(ShallowWaterState, StartsItsLinesWherePromised) {
  using Scalar = typename TypeParam::scalar;
  for (const int n : {1, 14, 30, 62, 126, 480, 494, 495, 510, 512, 1006, 1024, 2048}) {
    const typename WaterCase<Scalar>::State state(n);
    for (const auto& field : {state.height(), state.u(), state.v()}) {
      const auto stride = static_cast<std::size_t>(field.stride(1)) * sizeof(Scalar);
      const std::uintptr_t alignment = Lamina::Impl::runs_on_host<TEST_SPACE> ? 64 : 128;
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(field.data() + 1) % alignment, 0u);
      EXPECT_EQ(stride % 128, 0u);
      EXPECT_NE(stride % 4096, 0u);
    }
  }
}

TYPED_TEST(ShallowWaterState, RefusesBadArguments) {
  using Scalar = typename TypeParam::scalar;
  using Case = WaterCase<Scalar, typename TypeParam::layout>;
  using State = typename Case::State;
  EXPECT_THROW(State(0), Lamina::InvalidArgument);
  EXPECT_THROW(State(-2), Lamina::InvalidArgument);
  const State state(4), other(5);
  const typename Case::Field good(4, 4), bad(4, 5);
  const TEST_SPACE space;
  EXPECT_THROW(state.set(space, bad.const_view(), good.const_view(), good.const_view()),
               Lamina::InvalidArgument);
  EXPECT_THROW(state.get(space, good.view(), good.view(), bad.view()), Lamina::InvalidArgument);
  EXPECT_THROW(state.copy_from(space, other), Lamina::InvalidArgument);
}

// --- Initial data ---

template <class Type>
struct Vortex : testing::Test {};
TYPED_TEST_SUITE(Vortex, FieldTypes, FieldTypeNames);

TYPED_TEST(Vortex, HasTheFormulasOfItsHeader) {
  using Scalar = typename TypeParam::scalar;
  using Case = WaterCase<Scalar, typename TypeParam::layout>;
  const int n = 37;
  for (const double f : {0.3, -0.3, 0.0, 1e-7}) {
    const Reference::ShallowWater twin(n, f);
    expect_water_near(Case::get(Case::vortex(n, 0.2, -0.1, f)), twin.vortex(0.2, -0.1),
                      f == 1e-7 ? 1e-6 : rounding<Scalar>(20));
    const typename Case::State state(n);
    Lamina::Vortex(f, 0.2, -0.1).fill_depression(TEST_SPACE(), state);
    const Values zero(static_cast<std::size_t>(n) * n, 0.0);
    WaterState expected{twin.vortex().height, zero, zero};
    for (double& u : expected.u) u = 0.2;
    for (double& v : expected.v) v = -0.1;
    expect_water_near(Case::get(state), expected, rounding<Scalar>(20));
  }
}

TYPED_TEST(Vortex, KnowsTheErrorOfAHeight) {
  using Scalar = typename TypeParam::scalar;
  using Case = WaterCase<Scalar, typename TypeParam::layout>;
  const int n = 20;
  EXPECT_TRUE(Lamina::Vortex(0.3).has_exact_solution());
  EXPECT_TRUE(Lamina::Vortex(0, 0.2, 0).has_exact_solution());
  EXPECT_FALSE(Lamina::Vortex(0.3, 0.2, 0).has_exact_solution());
  WaterState y = Case::get(Case::vortex(n));
  y.height[7] += 0.5;
  y.height[9] -= 0.25;
  const auto error = Lamina::Vortex(coriolis).error(TEST_SPACE(), Case::make(n, y), 0);
  EXPECT_NEAR(error.linf, 0.5, rounding<Scalar>(4));
  EXPECT_NEAR(error.l2, std::sqrt(0.3125) / n, rounding<Scalar>(4));
  // Carried along by a whole period, and by half of one
  const Lamina::Vortex carried(0, 0.5, -0.25);
  EXPECT_LE(carried.error(TEST_SPACE(), Case::vortex(n), 4).linf, rounding<Scalar>(20));
  EXPECT_GT(carried.error(TEST_SPACE(), Case::vortex(n), 2).linf, 0.05);
  y.height[11] = std::nan("");
  const auto broken = Lamina::Vortex(coriolis).error(TEST_SPACE(), Case::make(n, y), 0);
  EXPECT_TRUE(std::isnan(broken.l2) && std::isnan(broken.linf));
}

TEST(VortexArguments, MustBeFinite) {
  const double nan = std::nan("");
  EXPECT_THROW(Lamina::Vortex{nan}, Lamina::InvalidArgument);
  EXPECT_THROW(Lamina::Vortex(0.3, nan), Lamina::InvalidArgument);
  EXPECT_THROW(Lamina::Vortex(0.3, 0, nan), Lamina::InvalidArgument);
}

// --- Diagnostics ---

template <class Type>
struct ShallowWaterDiagnostics : testing::Test {};
TYPED_TEST_SUITE(ShallowWaterDiagnostics, FieldTypes, FieldTypeNames);

TYPED_TEST(ShallowWaterDiagnostics, AreTheSumsOfTheirHeader) {
  using Scalar = typename TypeParam::scalar;
  using Case = WaterCase<Scalar, typename TypeParam::layout>;
  for (const int n : {1, 2, 3, 16, 37}) {
    const auto y = rounded_water<Scalar>(random_water(n, 3));
    const Reference::ShallowWater twin(n, coriolis);
    const Values mass_u = twin.mass_u(y.u), mass_v = twin.mass_v(y.v);
    double mass = 0, energy = 0, enstrophy = 0, largest_u = 0, largest_v = 0, smallest = 9;
    Values vorticity;
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
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
    const double area = 1.0 / n / n, accuracy = rounding<double>(n * n);
    const auto state = Case::make(n, y);
    const auto found = Lamina::diagnose(TEST_SPACE(), state, coriolis);
    EXPECT_NEAR(found.mass, area * mass, accuracy);
    EXPECT_NEAR(found.energy, area * energy, accuracy);
    EXPECT_NEAR(found.potential_enstrophy, area * enstrophy, accuracy * area * enstrophy);
    EXPECT_NEAR(found.circulation, coriolis, accuracy * n);
    EXPECT_EQ(found.largest_u, largest_u);
    EXPECT_EQ(found.largest_v, largest_v);
    EXPECT_EQ(found.smallest_height, smallest);
    EXPECT_TRUE(found.sound());
    EXPECT_DOUBLE_EQ(found.courant_number(0.1, n), (largest_u + largest_v) * 0.1 * n);
    const typename Case::Field out(n, n, all_padding);
    Lamina::potential_vorticity(TEST_SPACE(), state, coriolis, out.view());
    EXPECT_TRUE(all_within(out.get(), vorticity, rounding<Scalar>(2)));
    EXPECT_TRUE(out.surroundings_untouched());
  }
}

TYPED_TEST(ShallowWaterDiagnostics, FindTheFirstFault) {
  using Case = WaterCase<typename TypeParam::scalar, typename TypeParam::layout>;
  using Lamina::SolveStatus;
  const int n = 19;
  const double infinity = std::numeric_limits<double>::infinity();
  const auto place = [](int i, int j) { return static_cast<std::size_t>(n * i + j); };
  WaterState y = random_water(n, 4);
  const auto expect_fault = [&](SolveStatus status, int i, int j) {
    const auto state = Case::make(n, y);
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

TEST(FirstFault, IsFoundInTheLastCellOfAnyGrid) {
  using Case = WaterCase<double>;
  for (const int n : water_sizes) {
    WaterState y = random_water(n, 5);
    EXPECT_FALSE(Lamina::find_fault(TEST_SPACE(), Case::make(n, y)).exists()) << n;
    y.height.back() = -1;
    const auto fault = Lamina::find_fault(TEST_SPACE(), Case::make(n, y));
    EXPECT_EQ(fault.status, Lamina::SolveStatus::diverged) << n;
    EXPECT_EQ(fault.i, n - 1);
    EXPECT_EQ(fault.j, n - 1);
  }
}

}  // namespace LaminaTest
