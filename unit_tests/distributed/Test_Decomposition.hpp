// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Require.hpp>
#include <lamina/distributed/Decomposition.hpp>
#include <lamina/distributed/Partition.hpp>
#include <lamina/grids/CubedSpherePanel.hpp>
#include <lamina/grids/LocalRectangle.hpp>
#include <lamina/helmholtz/FusedHelmholtz.hpp>
#include <lamina/krylov/FusedPcg.hpp>
#include <lamina/krylov/Pcg.hpp>
#include <lamina/poisson/FusedPoisson.hpp>

#include <distributed/SimulatedTransport.hpp>
#include <gtest/gtest.h>
#include <support/MessageOf.hpp>
#include <support/TestField.hpp>

#include <string>
#include <vector>

namespace LaminaTest {

TEST(Decomposition, IsOneProcessByDefault) {
  const Lamina::Decomposition<Memory> decomposition;
  EXPECT_TRUE(decomposition.halo.empty());
  EXPECT_TRUE(decomposition.reduction.empty());
}

/// sum = the part of <p, A p> of n owned items, whose neighbours outside are items n and n + 1.
inline void add_energy(const TEST_SPACE& space, int n, const Kokkos::View<double*, Memory>& p,
                       const Kokkos::View<double*, Memory>& sum) {
  Kokkos::parallel_for(
      Kokkos::RangePolicy<TEST_SPACE>(space, 0, 1), KOKKOS_LAMBDA(int) {
        for (int i = 0; i < n; ++i) {
          const double here = p(i), west = i == 0 ? p(n) : p(i - 1),
                       east = i == n - 1 ? p(n + 1) : p(i + 1);
          sum(0) += here * (2 * here - west - east);
        }
      });
}

/// The exchange and the sum that an iteration of conjugate gradients needs: A is the Laplacian of a
/// periodic line, and p the number of an item squared.
TEST(Decomposition, GivesWhatAnIterationNeeds) {
  const int num_items = 11;
  const auto value = [](std::int64_t item) { return static_cast<double>(item * item); };
  double expected = 0;  // <p, A p>
  for (int n = 0; n < num_items; ++n) {
    const double jump = value((n + 1) % num_items) - value(n);
    expected += jump * jump;
  }
  for (const int num_ranks : {1, 2, 3, 5}) {
    const auto partition = Lamina::Partition::blocks(num_items, num_ranks);
    run_on_ranks<Memory>(num_ranks, [&](const Lamina::Transport& transport) {
      const TEST_SPACE space;
      const auto owned = partition.items(transport.rank());
      const int n = static_cast<int>(owned.size());
      const std::int64_t before = (owned.front() + num_items - 1) % num_items,
                         after = (owned.back() + 1) % num_items;
      const Lamina::Decomposition<Memory> decomposition(
          transport, make_halo_pattern(transport, owned, {before, after}), sizeof(double));
      const Kokkos::View<double*, Memory> p("LaminaTest::p", owned.size() + 2),
          sum("LaminaTest::sum", 1);
      const auto host = Kokkos::create_mirror_view(p);
      for (int i = 0; i < n; ++i) host(i) = value(owned[static_cast<std::size_t>(i)]);
      Kokkos::deep_copy(p, host);

      decomposition.halo.start(space, p);
      decomposition.halo.finish(space);
      add_energy(space, n, p, sum);
      decomposition.reduction.sum(space, sum.data(), sum.data(), 1);
      space.fence();
      const auto result = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sum);
      EXPECT_EQ(result(0), expected);  // integers: sums are exact
    });
  }
}

/// An exchange would throw in the middle of a solve, perhaps on one rank.
TEST(Decomposition, IsRefusedWhereItIsThatOfOtherFields) {
  run_on_ranks<Memory>(2, [&](const Lamina::Transport& transport) {
    const TEST_SPACE space;
    const auto local = [&](int nx) {
      return Lamina::local_rectangle({nx, 3}, Lamina::Partition::blocks(nx, 2), transport.rank());
    };
    const auto columns = [&](int nx) {
      return Lamina::CubedSpherePanel(nx, 3).local(Lamina::Partition::blocks(3 * nx, 2),
                                                   transport.rank());
    };
    const Lamina::Decomposition<Memory> of_lines(transport, local(6).halo, 3 * sizeof(double)),
        of_columns(transport, columns(60).halo, 4 * sizeof(double));
    EXPECT_EQ(of_lines.halo.num_items(), 4);
    EXPECT_EQ(of_columns.halo.num_items(), columns(60).halo.num_local);
    const auto message = [](const auto& call) { return message_of<Lamina::InvalidArgument>(call); };
    const Lamina::PoissonOperator<double, Memory> poisson(local(4));
    using Poisson = Lamina::FusedPoisson<double, Memory>;
    EXPECT_EQ(message([&] { Poisson(space, poisson, of_lines); }),
              "Lamina::FusedPoisson: argument ranks: expected 3 columns, got 4");
    EXPECT_EQ(
        message([&] { Lamina::Pcg(space, poisson, Lamina::IdentityPreconditioner(), of_lines); }),
        "Lamina::Pcg: argument ranks: expected 3 columns, got 4");
    const Lamina::HelmholtzOperator<double, Memory> helmholtz(
        Lamina::ColumnMesh<Memory>(columns(4).graph), Lamina::VerticalGrid::graded(4, 0.0157),
        {.omega2 = 1, .lambda2 = 0.1});
    const Lamina::FusedHelmholtz<double, Memory> model(space, helmholtz, of_columns);
    EXPECT_EQ(message([&] { Lamina::FusedPcg(space, model); }),
              "Lamina::FusedPcg: argument ranks: expected " +
                  std::to_string(columns(4).halo.num_local) + " columns, got " +
                  std::to_string(columns(60).halo.num_local));
  });
}

}  // namespace LaminaTest
