// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Work runs on the caller's instance, and waits for nothing but looks at residuals.

#include <lamina/lines/CyclicToeplitzSolver.hpp>

#include <gtest/gtest.h>
#include <shallow_water/WaterCase.hpp>
#include <support/OwnStream.hpp>
#include <support/ToolListener.hpp>

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
  typename Case::SemiImplicit semi_implicit{n, time_step, coriolis};
  typename Case::SemiImplicit fixed_count{n,
                                          time_step,
                                          coriolis,
                                          {.newton = Lamina::StoppingCriteria::iterations(2),
                                           .cg = Lamina::StoppingCriteria::iterations(3),
                                           .reference_height = Lamina::ReferenceHeight::one}};
  typename Case::Field field{n, n, Values(n*n, 1.0)}, out{n, n};

  struct EntryPoint {
    std::string name;
    std::function<void()> call;
    bool looks;  // at residuals, or at what it is asked for
  };
  std::vector<EntryPoint> entry_points() {
    const auto cells = [this] { return field.const_view(); };
    return {
        {"exchange", [this] { state.exchange(space); }, false},
        {"set", [=, this] { other.set(space, cells(), cells(), cells()); }, false},
        {"get", [this] { state.get(space, out.view(), out.view(), out.view()); }, false},
        {"copy_from", [this] { other.copy_from(space, state); }, false},
        {"potential_vorticity", [this] { potential_vorticity(space, state, coriolis, out.view()); },
         false},
        {"diagnose", [this] { (void)diagnose(space, state, coriolis); }, true},
        {"Leapfrog", [this] { (void)leapfrog.step(space, state); }, false},
        {"Leapfrog by CG", [this] { (void)leapfrog_by_cg.step(space, state); }, true},
        {"RungeKutta3", [this] { (void)rk3.step(space, state); }, false},
        {"SemiImplicit", [this] { (void)semi_implicit.step(space, state); }, true},
        {"SemiImplicit, fixed", [this] { (void)fixed_count.step(space, state); }, true},
    };
  }
};
TYPED_TEST_SUITE(ShallowWaterContract, FieldTypes, FieldTypeNames);

TYPED_TEST(ShallowWaterContract, WorkIsOnTheInstanceOfTheCallerAndNotWaitedFor) {
  if (!instances_are_told_apart) {
    GTEST_SKIP() << "fences and instances are told apart by Kokkos 4 on a device only";
  }
  const auto own = OwnStream::id(this->space);
  ASSERT_NE(own, OwnStream::id(TEST_SPACE()));
  for (const auto& [name, call, looks] : this->entry_points()) {
    call();  // Kokkos grows scratch at its first use
    Kokkos::fence();
    const ToolListener listener;
    call();
    const auto heard = listener.heard();
    EXPECT_TRUE(heard.allocations.empty()) << name;
    ASSERT_FALSE(heard.kernels.empty()) << name;
    for (const auto& kernel : heard.kernels) {
      EXPECT_EQ(kernel.device, own) << name << ": " << kernel.label;
    }
    for (const auto& fence : heard.fences) {
      EXPECT_TRUE(looks) << name << ": " << fence.label;
      EXPECT_EQ(fence.device, own) << name << ": " << fence.label;
    }
  }
}

}  // namespace LaminaTest
