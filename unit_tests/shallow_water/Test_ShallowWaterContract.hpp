// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Work runs on the caller's instance, and waits for nothing but looks at residuals.

#include <lamina/lines/CyclicToeplitzSolver.hpp>

#include <gtest/gtest.h>
#include <shallow_water/WaterCase.hpp>
#include <support/OwnStream.hpp>
#include <support/ToolExpectations.hpp>

#include <functional>
#include <string>
#include <vector>

namespace LaminaTest {

template <class Type>
class ShallowWaterContract : public testing::Test {
 public:
  using Scalar = typename Type::scalar;
  using Case = WaterCase<Scalar, typename Type::layout>;
  static constexpr int n = 20;
  static constexpr double time_step = 0.1 / n;

  OwnStream stream;  // before what is enqueued on it
  const TEST_SPACE space = stream.space();
  typename Case::State state = Case::vortex(n), other = Case::vortex(n);
  typename Case::Leapfrog leapfrog{n, time_step, coriolis};
  typename Case::Leapfrog leapfrog_by_cg{
      n,
      time_step,
      coriolis,
      {.solver = Lamina::MassSolver::cg, .criteria = Lamina::StoppingCriteria::iterations(3)}};
  typename Case::RungeKutta3 rk3{n, time_step, coriolis};
  typename Case::SemiImplicit fixed_count{n,
                                          time_step,
                                          coriolis,
                                          {.newton = Lamina::StoppingCriteria::iterations(2),
                                           .cg = Lamina::StoppingCriteria::iterations(3),
                                           .reference_height = Lamina::ReferenceHeight::one}};
  typename Case::Field field{n, n, Values(n*n, 1.0)}, out{n, n};
  const Lamina::WaterBasin<Scalar, Memory> basin =
      Lamina::WaterBasin<Scalar, Memory>(
          Lamina::WaterStrip<Memory>(Rectangle::square(n), Lamina::WaterSides::walls), coriolis)
          .with_bottom(space, field.const_view());
  typename Case::State between_walls{basin.strip()};
  typename Case::RungeKutta3 over_a_bottom{basin, time_step};

  struct EntryPoint {
    std::string name;
    std::function<void()> call;
    std::size_t most_fences;  // two at a look: a copy to the host may announce one of its own
  };
  std::vector<EntryPoint> entry_points() {
    const auto cells = [this] { return field.const_view(); };
    return {
        {"exchange", [this] { state.exchange(space); }, 0},
        {"set", [=, this] { other.set(space, cells(), cells(), cells()); }, 0},
        {"get", [this] { state.get(space, out.view(), out.view(), out.view()); }, 0},
        {"copy_from", [this] { other.copy_from(space, state); }, 0},
        {"potential_vorticity", [this] { potential_vorticity(space, state, coriolis, out.view()); },
         0},
        {"diagnose", [this] { (void)diagnose(space, state, coriolis); }, 2},
        {"find_fault", [this] { (void)find_fault(space, state); }, 2},
        {"Leapfrog", [this] { (void)leapfrog.step(space, state); }, 0},
        {"Leapfrog by CG", [this] { (void)leapfrog_by_cg.step(space, state); }, 4},
        {"RungeKutta3", [this] { (void)rk3.step(space, state); }, 0},
        {"RungeKutta3 between walls",
         [=, this] {
           between_walls.set(space, cells(), cells(), cells());
           (void)over_a_bottom.step(space, between_walls);
         },
         0},
        {"diagnose between walls", [this] { (void)diagnose(space, between_walls, basin); }, 2},
        {"SemiImplicit", [this] { (void)fixed_count.step(space, state); }, 4},
    };
  }
};
TYPED_TEST_SUITE(ShallowWaterContract, FieldTypes, FieldTypeNames);

TYPED_TEST(ShallowWaterContract, NothingIsAllocated) {
  for (const auto& [name, call, most_fences] : this->entry_points()) {
    call();  // Kokkos grows scratch at its first use
    Kokkos::fence();
    const ToolListener listener;
    call();
    Kokkos::fence();
    expect_no_allocations(listener.heard(), name);
    EXPECT_FALSE(listener.heard().kernels.empty()) << name;
  }
}

TYPED_TEST(ShallowWaterContract, WorkIsOnTheInstanceOfTheCallerAndNotWaitedFor) {
  if (!instances_are_told_apart) {
    GTEST_SKIP() << "fences and instances are told apart by Kokkos 4 on a device only";
  }
  const auto own = OwnStream::id(this->space);
  ASSERT_NE(own, OwnStream::id(TEST_SPACE()));
  for (const auto& [name, call, most_fences] : this->entry_points()) {
    call();
    Kokkos::fence();
    const ToolListener listener;
    call();
    const auto heard = listener.heard();
    ASSERT_FALSE(heard.kernels.empty()) << name;
    for (const auto& kernel : heard.kernels) {
      EXPECT_EQ(kernel.device, own) << name << ": " << kernel.label;
    }
    for (const auto& fence : heard.fences) {
      EXPECT_EQ(fence.device, own) << name << ": " << fence.label;
    }
    EXPECT_LE(heard.fences.size(), most_fences) << name;
  }
}

}  // namespace LaminaTest
