// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <Kokkos_Core.hpp>
#define TEST_SPACE Kokkos::DefaultExecutionSpace

#include <lamina/distributed/MpiTransport.hpp>

#include <gtest/gtest.h>
#include <poisson/PoissonStrips.hpp>
#include <shallow_water/WaterStrips.hpp>

#include <limits>
#include <memory>

namespace LaminaTest {
namespace {

using Lamina::Transport;

std::shared_ptr<const Transport> world() {
  return Lamina::make_transport(MPI_COMM_WORLD, TEST_SPACE(), {.self_test = false});
}

TEST(GridsOverRanks, PoissonHistoriesAreThoseOfOneProcess) {
  using Left = Kokkos::LayoutLeft;
  using Right = Kokkos::LayoutRight;
  const auto transport = world();
  const Lamina::StoppingCriteria criteria{.tolerance = 1e-9}, single{.tolerance = 1e-3};
  for (const Rectangle& whole : {Rectangle{31, 31}, Rectangle{17, 64}, Rectangle{3, 9}}) {
    expect_one_poisson_solve<double, Left, FusedOverStrips>(*transport, whole, criteria);
    expect_one_poisson_solve<double, Right, FusedOverStrips>(*transport, whole, criteria);
    expect_one_poisson_solve<double, Right, PlainOverStrips>(*transport, whole, criteria);
    expect_one_poisson_solve<float, Left, FusedOverStrips>(*transport, whole, single);
    expect_one_poisson_solve<float, Right, FusedOverStrips>(*transport, whole, single);
  }
}

TEST(GridsOverRanks, PoissonNeedsTheIterationsOfThePaper) {
  const auto transport = world();
  using Right = Kokkos::LayoutRight;
  EXPECT_EQ((published_iterations<double, Right, FusedOverStrips>(*transport, 256)), 387);
  EXPECT_EQ((published_iterations<double, Right, FusedOverStrips>(*transport, 512)), 783);
  EXPECT_EQ((published_iterations<double, Right, PlainOverStrips>(*transport, 256)), 387);
}

TEST(GridsOverRanks, NotANumberOnOneRankEndsAll) {
  const auto transport = world();
  const Rectangle whole{11, 8};
  PoissonStrip<double, Kokkos::LayoutRight, FusedOverStrips> strip(
      *transport, whole, Lamina::Partition::blocks(11, transport->size()));
  Values b = random_field(whole, 5);
  const Values zero(b.size(), 0.0);
  if (transport->rank() == transport->size() - 1) {
    b.assign(b.size(), std::numeric_limits<double>::quiet_NaN());
  }
  EXPECT_EQ(strip.solve(b, zero, {}).status, Lamina::SolveStatus::breakdown_not_finite);
  EXPECT_TRUE(strip.solve(zero, zero, {}).converged());
}

TEST(GridsOverRanks, WaterStepsAreThoseOfOneProcess) {
  const auto transport = world();
  for (const Rectangle& whole : {Rectangle{32, 128}, Rectangle{31, 97}, Rectangle{7, 3}}) {
    expect_one_run<double, Lamina::RungeKutta3>(*transport, whole, 3);
    expect_one_run<double, Lamina::Leapfrog>(*transport, whole, 5);
    expect_one_run<float, Lamina::Leapfrog>(*transport, whole, 5);
    expect_one_run<double, Lamina::SemiImplicit>(*transport, whole, 2);
  }
}

TEST(GridsOverRanks, FaultsOfOneRankAreToldToAll) {
  const auto transport = world();
  const Rectangle whole{13, 31};
  WaterState y = random_water(whole, 9);
  y.height[static_cast<std::size_t>(5 * 31 + 30)] = -1;
  const Lamina::WaterStrip<Memory> strip(*transport, whole,
                                         Lamina::Partition::blocks(31, transport->size()));
  const auto fault = Lamina::find_fault(TEST_SPACE(), state_of_rank<double>(strip, y));
  EXPECT_EQ(fault.status, Lamina::SolveStatus::diverged);
  EXPECT_EQ(fault.i, 5);
  EXPECT_EQ(fault.j, 30);
}

}  // namespace
}  // namespace LaminaTest
