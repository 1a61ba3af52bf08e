// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Sweeps over pairs of packs, which only large meshes take: against those over single packs, which
// others test.

#include <lamina/device/impl/HostWork.hpp>
#include <lamina/helmholtz/impl/HelmholtzKernels_Bodies.hpp>
#include <lamina/sweeps/RunSweep.hpp>

#include <gtest/gtest.h>
#include <helmholtz/HelmholtzCase.hpp>
#include <helmholtz/SweepRun.hpp>

#include <array>
#include <cstddef>
#include <type_traits>

namespace LaminaTest {

/// Runs `sweep_of(run)` over pairs and over single packs.
template <class Scalar, class SweepOf>
void expect_same_in_pairs(const char* what, const HelmholtzCase<Scalar>& system,
                          const SweepOf& sweep_of) {
  namespace Impl = Lamina::Impl;
  SCOPED_TRACE(what);
  const TEST_SPACE space;
  const Lamina::SweepScratch<Memory> scratch("LaminaTest::scratch");
  const auto& columns = system.op.system();
  const SweepRun<Scalar> pairs(system.num_columns(), system.num_levels()),
      packs(system.num_columns(), system.num_levels());
  const auto of_pairs = sweep_of(pairs);
  const auto of_packs = sweep_of(packs);
  using Sweep = std::remove_const_t<decltype(of_pairs)>;
  constexpr int own_teams = Impl::pair_teams<Sweep>, teams = own_teams > 0 ? own_teams : 2;
  if constexpr (Impl::is_measure<Sweep>) {
    Impl::sum_edges_on_device<Impl::TwoSidesOfPair<Scalar, Memory>>("LaminaTest::pairs", space,
                                                                    columns, of_pairs, scratch);
    Impl::sum_edges_on_device<Impl::TwoSides<Scalar, Memory, Impl::pack_width<Scalar>>>(
        "LaminaTest::packs", space, columns, of_packs, scratch);
  } else {
    Impl::traverse_on_device<Impl::PairStencil<Scalar, Memory>, teams>("LaminaTest::pairs", space,
                                                                       columns, of_pairs, scratch);
    Impl::traverse_on_device<Impl::PackStencil<Scalar, Memory>>("LaminaTest::packs", space, columns,
                                                                of_packs, scratch);
  }
  space.fence();
  expect_close_runs(pairs, packs);
  // They did something: each sweep sums up, but for the one that stores into field 1.
  const SweepRun<Scalar> untouched(system.num_columns(), system.num_levels());
  EXPECT_FALSE(same_values(pairs.rows, untouched.rows) &&
               same_values(pairs.fields[1], untouched.fields[1]));
}

template <class Scalar>
void expect_all_same_in_pairs(const HelmholtzCase<Scalar>& system) {
  using Layout = Kokkos::LayoutLeft;
  using Run = SweepRun<Scalar>;
  ASSERT_EQ(system.op.system().coefficients.packs.pairs.extent(0),
            static_cast<std::size_t>(system.num_owned() / (2 * Lamina::Impl::pack_width<Scalar>)));
  expect_same_in_pairs("apply", system, [](const Run& run) {
    return Lamina::ApplySweep<Scalar, Layout, Memory>{run.view(0), run.view(1)};
  });
  expect_same_in_pairs("residual", system, [](const Run& run) {
    return Lamina::ResidualSweep<Scalar, Layout, Memory>{run.step(), run.view(0), run.view(1),
                                                         run.view(2)};
  });
  expect_same_in_pairs("measure", system, [](const Run& run) {
    return Lamina::MeasureSweep<Scalar, Layout, Memory>{run.step(), run.view(0)};
  });
  expect_same_in_pairs("advance", system, [](const Run& run) {
    return Lamina::AdvanceSweep<Scalar, Layout, Memory, false>{
        run.step(), run.view(0), run.view(1), run.view(2), run.view(3), run.view(4)};
  });
  expect_same_in_pairs("advance and update", system, [](const Run& run) {
    return Lamina::AdvanceSweep<Scalar, Layout, Memory, true>{
        run.step(), run.view(0), run.view(1), run.view(2), run.view(3), run.view(4)};
  });
}

template <class Scalar>
void expect_pairs_on_all_meshes() {
  // One pair, several; parts of teams; chunks of one level and of more.
  for (const std::array<int, 3> size :
       {std::array{2, 8, 5}, std::array{4, 4, 1}, std::array{6, 12, 33}, std::array{32, 64, 130}}) {
    SCOPED_TRACE(testing::Message() << size[0] << " x " << size[1] << " x " << size[2]);
    for (const bool dirichlet : {false, true}) {
      expect_all_same_in_pairs(HelmholtzCase<Scalar>::panel(size[0], size[1], size[2], dirichlet));
    }
    if (size[0] < 3) continue;  // no periodic plane
    const auto periodic = Lamina::plane(size[0], size[1], {}, 0.01, 0.02);
    expect_all_same_in_pairs(HelmholtzCase<Scalar>(
        periodic, Lamina::VerticalGrid::graded(size[2], paper_depth), paper_parameters(16)));
  }
}

template <class System, class Sweep>
Lamina::Impl::SweepPath path_of(const TEST_SPACE& space, const System& system, const Sweep& sweep) {
  return Lamina::Impl::best_path<Sweep>(space, system, Lamina::Impl::packs_aligned(system, sweep));
}

TEST(PackPairs, SweepAsSinglePacksDo) {
  if constexpr (Lamina::runs_on_host<TEST_SPACE>) {
    GTEST_SKIP() << "kernels of devices";
  } else {
    expect_pairs_on_all_meshes<double>();
    expect_pairs_on_all_meshes<float>();
  }
}

TEST(PackPairs, AreTakenWhereThereAreManyOnly) {
  if constexpr (Lamina::runs_on_host<TEST_SPACE>) {
    GTEST_SKIP() << "kernels of devices";
  } else {
    namespace Impl = Lamina::Impl;
    using Sweep = Lamina::ApplySweep<float, Kokkos::LayoutLeft, Memory>;
    const TEST_SPACE space;
    const auto small = HelmholtzCase<float>::panel(8, 8, 4);
    const SweepRun<float> run(small.num_columns(), small.num_levels()),
        odd(small.num_columns() + 1, small.num_levels());
    const Sweep aligned{run.view(0), run.view(1)}, not_aligned{run.view(0), odd.view(1)};
    EXPECT_EQ(path_of(space, small.op.system(), aligned), Impl::SweepPath::packs);
    auto many = small.op.system();
    many.topology.num_levels = 1 << 24;
    EXPECT_EQ(path_of(space, many, aligned), Impl::SweepPath::pairs);
    EXPECT_EQ(path_of(space, many, not_aligned), Impl::SweepPath::columns);
    many.coefficients.packs.pairs = {};
    EXPECT_EQ(path_of(space, many, aligned), Impl::SweepPath::packs) << "rows without a pair";
  }
}

}  // namespace LaminaTest
