// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Sweeps over pairs of packs, which only large meshes take: against those over single packs, which
// others test.

#include <lamina/device/impl/HostWork.hpp>
#include <lamina/helmholtz/impl/HelmholtzKernels_Bodies.hpp>
#include <lamina/krylov/FusedStep.hpp>
#include <lamina/sweeps/RunSweep.hpp>

#include <gtest/gtest.h>
#include <helmholtz/HelmholtzCase.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

namespace LaminaTest {

/// Fields of a sweep, each with other values, and the row that it sums into.
template <class Scalar>
struct PackPairRun {
  using Field = Kokkos::View<Scalar**, Kokkos::LayoutLeft, Memory>;
  using View = Lamina::FieldView<Scalar, Kokkos::LayoutLeft, Memory>;
  using Input = Lamina::FieldView<const Scalar, Kokkos::LayoutLeft, Memory>;

  std::array<Field, 5> fields;
  Kokkos::View<double*, Memory> rows{
      "rows", static_cast<std::size_t>(4 * Lamina::FusedStep<Memory>::row_length)};

  PackPairRun(int num_columns, int num_levels) {
    for (std::size_t n = 0; n < fields.size(); ++n) {
      fields[n] = Field("field" + std::to_string(n), static_cast<std::size_t>(num_columns),
                        static_cast<std::size_t>(num_levels));
      const auto on_host = Kokkos::create_mirror_view(fields[n]);
      for (std::size_t k = 0; k < on_host.extent(1); ++k) {
        for (std::size_t c = 0; c < on_host.extent(0); ++c) {
          const std::uint64_t seed = 1000003 * (n + 1) + k * on_host.extent(0) + c;
          on_host(c, k) = static_cast<Scalar>(Reference::unit_value(seed));
        }
      }
      Kokkos::deep_copy(fields[n], on_host);
    }
    // Rows first, before, now and next: beta = 0.5, <p, A p> = 2 - 0.25, alpha before 0.5.
    const auto on_host = Kokkos::create_mirror_view(rows);
    const double values[16] = {1, 1, 1, 1, 1, 0.5, 1, 1, 1, 0.25, 0, 2, 0, 0, 0, 0};
    std::copy(values, values + 16, on_host.data());
    Kokkos::deep_copy(rows, on_host);
  }

  View view(std::size_t n) const {
    return View(fields[n].data(), fields[n].extent(0), fields[n].extent(1));
  }
  Lamina::FusedStep<Memory> step() const {
    const auto row = [this](int i) {
      return rows.data() + i * Lamina::FusedStep<Memory>::row_length;
    };
    return {.reference = row(0),
            .before = row(1),
            .now = row(2),
            .next = row(3),
            .is_first = false,
            .is_last = false,
            .tolerance2 = 0,
            .absolute2 = 0};
  }
};

/// Level by level to rounding of the greatest value there; what is summed up as well.
template <class Scalar>
void expect_close_runs(const PackPairRun<Scalar>& found, const PackPairRun<Scalar>& expected) {
  const double rounding = 40 * static_cast<double>(std::numeric_limits<Scalar>::epsilon());
  for (std::size_t n = 0; n < found.fields.size(); ++n) {
    const auto a = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), found.fields[n]);
    const auto b = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), expected.fields[n]);
    for (std::size_t k = 0; k < a.extent(1); ++k) {
      double greatest = 0, difference = 0;
      for (std::size_t c = 0; c < a.extent(0); ++c) {
        const double one = static_cast<double>(a(c, k)), other = static_cast<double>(b(c, k));
        greatest = std::max(greatest, std::abs(other));
        const double apart = std::abs(one - other);
        difference = apart <= difference ? difference : apart;  // NaN counts
      }
      ASSERT_LE(difference, rounding * greatest) << "field " << n << ", level " << k;
    }
  }
  const auto a = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), found.rows);
  const auto b = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), expected.rows);
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_NEAR(a(i), b(i), 10 * rounding * std::abs(b(i))) << "entry " << i << " of rows";
  }
}

template <class View>
bool same_values(const View& left, const View& right) {
  const auto a = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), left);
  const auto b = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), right);
  return std::equal(a.data(), a.data() + a.size(), b.data());
}

/// Runs `sweep_of(run)` over pairs and over single packs.
template <class Scalar, class SweepOf>
void expect_same_in_pairs(const char* what, const HelmholtzCase<Scalar>& system,
                          const SweepOf& sweep_of) {
  namespace Impl = Lamina::Impl;
  SCOPED_TRACE(what);
  const TEST_SPACE space;
  const Lamina::SweepScratch<Memory> scratch("LaminaTest::scratch");
  const auto& columns = system.op.system();
  const PackPairRun<Scalar> pairs(system.num_columns(), system.num_levels()),
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
  const PackPairRun<Scalar> untouched(system.num_columns(), system.num_levels());
  EXPECT_FALSE(same_values(pairs.rows, untouched.rows) &&
               same_values(pairs.fields[1], untouched.fields[1]));
}

template <class Scalar>
void expect_all_same_in_pairs(const HelmholtzCase<Scalar>& system) {
  using Layout = Kokkos::LayoutLeft;
  using Run = PackPairRun<Scalar>;
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
    const auto periodic = Lamina::periodic_plane(size[0], size[1], 0.01, 0.02);
    expect_all_same_in_pairs(HelmholtzCase<Scalar>(
        periodic, Lamina::VerticalGrid::graded(size[2], paper_depth), paper_parameters(16)));
  }
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
    const PackPairRun<float> run(small.num_columns(), small.num_levels()),
        odd(small.num_columns() + 1, small.num_levels());
    const Sweep aligned{run.view(0), run.view(1)}, not_aligned{run.view(0), odd.view(1)};
    EXPECT_EQ(Impl::best_path(space, small.op.system(), aligned), Impl::SweepPath::packs);
    auto many = small.op.system();
    many.topology.num_levels = 1 << 24;
    EXPECT_EQ(Impl::best_path(space, many, aligned), Impl::SweepPath::pairs);
    EXPECT_EQ(Impl::best_path(space, many, not_aligned), Impl::SweepPath::columns);
    many.coefficients.packs.pairs = {};
    EXPECT_EQ(Impl::best_path(space, many, aligned), Impl::SweepPath::packs)
        << "rows without a pair";
  }
}

}  // namespace LaminaTest
