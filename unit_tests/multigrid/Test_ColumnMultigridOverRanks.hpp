// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Cycles of any coefficients over simulated ranks.

#include <lamina/columns/ColumnNullSpace.hpp>
#include <lamina/columns/ProfileCoefficients.hpp>
#include <lamina/grids/ColumnPartition.hpp>
#include <lamina/krylov/TrueResidual.hpp>
#include <lamina/multigrid/MultigridColumns.hpp>

#include <columns/RankCase.hpp>
#include <distributed/SimulatedTransport.hpp>
#include <multigrid/Ocean.hpp>
#include <support/MessageOf.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace LaminaTest {

template <class Type>
class ColumnMultigridOverRanks : public RankedTest<Type> {
 public:
  using typename RankedTest<Type>::Layout, typename RankedTest<Type>::Field;
  using typename RankedTest<Type>::Case, typename RankedTest<Type>::Ranked;
  using Multigrid = Lamina::ColumnMultigrid<typename Case::Coefficients, Layout>;

  static Values cycle(const ColumnCase& system, const Multigrid& multigrid, const Values& r) {
    const Field in(system.num_columns(), system.num_levels, r),
        out(system.num_columns(), system.num_levels);
    multigrid.solve(TEST_SPACE(), in.view(), out.view());
    return out.get();
  }
  /// B r over ranks, from a field of the whole grid to such a field. Collective.
  static void cycle(const Ranked& mine, const Multigrid& multigrid, const Values& r, Values& z) {
    const int levels = mine.stored.op.num_levels();
    const Field in = mine.field(r), out(mine.num_columns(), levels);
    multigrid.solve(TEST_SPACE(), in.view(), out.view());
    put_values(out.get(), mine.local, levels, z);
  }
};
TYPED_TEST_SUITE(ColumnMultigridOverRanks, FieldTypes, FieldTypeNames);

TYPED_TEST(ColumnMultigridOverRanks, IsSymmetricAndPositive) {
  using Scalar = typename TestFixture::Scalar;
  std::uint64_t seed = 1;
  for (const auto& graph : graphs_to_solve_on()) {
    for (const bool masked : {false, true}) {
      const auto whole = ColumnCase::random<Scalar>(graph, 6, seed += 10, masked);
      const Values x = rounded<Scalar>(whole.random_wet(1)),
                   y = rounded<Scalar>(whole.random_wet(2));
      for (const auto& [name, partition] :
           {NamedPartition{"strips", Lamina::Partition::grid({whole.num_columns(), 1}, {4, 1})},
            NamedPartition{"land apart", land_apart(whole, 4)}}) {
        for (const int gathered : {0, 8, 1024}) {
          SCOPED_TRACE(testing::Message()
                       << graph.areas.size() << " columns, " << name << ", gathered " << gathered);
          Values bx(x.size()), by(x.size());
          run_on_ranks<Memory>(4, [&, partition = &partition](const Lamina::Transport& transport) {
            const typename TestFixture::Ranked mine(transport, whole, *partition);
            const typename TestFixture::Multigrid multigrid(
                TEST_SPACE(), transport, mine.local, mine.stored.op,
                {.max_levels = gathered == 8 ? 2 : 99}, {.gathered_columns = gathered});
            TestFixture::cycle(mine, multigrid, x, bx);
            TestFixture::cycle(mine, multigrid, y, by);
          });
          const double xx = Reference::dot(x, bx), yy = Reference::dot(y, by);
          EXPECT_TRUE(xx > 0 || Reference::dot(x, x) == 0) << xx;
          EXPECT_NEAR(Reference::dot(y, bx), Reference::dot(x, by),
                      rounding<Scalar>(100) * (xx + yy));
          for (std::size_t i = 0; i < bx.size(); ++i) EXPECT_TRUE(!whole.is_dry(i) || bx[i] == 0);
        }
      }
    }
  }
}

TYPED_TEST(ColumnMultigridOverRanks, IsThatOfOneProcessWhereAggregatesAre) {
  using Scalar = typename TestFixture::Scalar;
  const auto graph = Lamina::CubedSpherePanel(16, 16).graph();
  const auto whole = ColumnCase::random<Scalar>(graph, 5, 3);
  const typename TestFixture::Case stored(whole);
  const typename TestFixture::Multigrid alone(TEST_SPACE(), graph, stored.op);
  const Values r = rounded<Scalar>(random_values(whole.size(), 3));
  const Values expected = TestFixture::cycle(whole, alone, r);
  for (const auto& shape : {std::array{1, 1}, std::array{2, 1}, std::array{2, 2}}) {
    for (const int gathered : {8, 20, 1024}) {
      const int num_ranks = shape[0] * shape[1];
      SCOPED_TRACE(testing::Message() << num_ranks << " ranks, gathered " << gathered);
      Values z(r.size());
      run_on_ranks<Memory>(num_ranks, [&](const Lamina::Transport& transport) {
        const typename TestFixture::Ranked mine(transport, whole,
                                                Lamina::Partition::grid({16, 16}, shape));
        const typename TestFixture::Multigrid multigrid(TEST_SPACE(), transport, mine.local,
                                                        mine.stored.op, {},
                                                        {.gathered_columns = gathered});
        TestFixture::cycle(mine, multigrid, r, z);
        for (int l = 0; l < std::min(alone.num_levels(), multigrid.num_levels()); ++l) {
          EXPECT_EQ(multigrid.num_columns(l), alone.num_columns(l)) << l;
          EXPECT_EQ(multigrid.num_edges(l), alone.num_edges(l)) << l;
        }
      });
      EXPECT_TRUE(all_within(z, expected, rounding<Scalar>(1000)));
    }
  }
}

/// Counts of an ocean with islands are those of one process, to one iteration.
TYPED_TEST(ColumnMultigridOverRanks, NeedsAsManyIterationsAsOneProcess) {
  using Field = typename TestFixture::Field;
  const TEST_SPACE space;
  const Ocean ocean(16);
  const auto no_limit = std::numeric_limits<double>::infinity();
  const Lamina::StoppingCriteria criteria{.tolerance = TestFixture::is_double ? 1e-9 : 1e-4,
                                          .max_iterations = 60};
  for (const bool with_mass : {true, false}) {
    const auto whole = ocean.system(with_mass, true, 0.25);
    Values b = random_values(whole.size(), 5);
    for (std::size_t i = 0; i < b.size(); ++i) {
      const auto bottom = ocean.bottoms[i / Ocean::levels];
      if (static_cast<int>(i % Ocean::levels) >= bottom) b[i] = 0;
    }
    const typename TestFixture::Case stored(whole);
    const typename TestFixture::Multigrid alone(space, ocean.graph, stored.op);
    const Lamina::ColumnNullSpace null_space(space, stored.op);
    const Field b_field(whole.num_columns(), Ocean::levels, b),
        x(whole.num_columns(), Ocean::levels);
    Lamina::FusedPcg plan(space,
                          Lamina::MultigridColumns(Lamina::FusedColumns(space, stored.op), alone));
    const auto expected =
        null_space.solve(space, plan, b_field.view(), x.view(), criteria, no_limit);
    const std::vector<double> weights(ocean.bottoms.begin(), ocean.bottoms.end());
    for (const auto& [num_ranks, gathered] :
         {std::pair(1, 30), std::pair(2, 30), std::pair(3, 1024), std::pair(5, 30)}) {
      const auto partition = Lamina::partition_along_curve(ocean.graph, num_ranks, weights);
      SCOPED_TRACE(testing::Message() << num_ranks << " ranks, gathered " << gathered);
      Values solution(b.size());
      run_on_ranks<Memory>(num_ranks, [&, gathered = gathered](const Lamina::Transport& transport) {
        const typename TestFixture::Ranked mine(transport, whole, partition);
        const typename TestFixture::Multigrid multigrid(
            space, transport, mine.local, mine.stored.op, {}, {.gathered_columns = gathered});
        const auto& ranks = mine.ranks;
        Lamina::FusedPcg fused(
            space, Lamina::MultigridColumns(Lamina::FusedColumns(space, mine.stored.op, ranks),
                                            multigrid));
        Lamina::Pcg plain(space, mine.stored.op, multigrid, ranks);
        const Lamina::ColumnNullSpace shared(space, transport, mine.local.halo, mine.stored.op);
        for (const bool is_fused : {false, true}) {
          const Field my_b = mine.field(b), my_x = mine.field(Values(b.size(), 0.0));
          const auto solve = [&](auto& my_plan) {
            return shared.solve(space, my_plan, my_b.view(), my_x.view(), criteria, no_limit);
          };
          const auto report = is_fused ? solve(fused) : solve(plain);
          EXPECT_TRUE(report.solve.converged()) << to_string(report.solve.status);
          EXPECT_NEAR(report.solve.iterations, expected.solve.iterations, 1);
          put_values(my_x.get(), mine.local, Ocean::levels, solution);
        }
      });
      EXPECT_TRUE(all_within(solution, x.get(), TestFixture::is_double ? 1e-6 : 3e-2));
    }
  }
}

TYPED_TEST(ColumnMultigridOverRanks, SolvesInMixedPrecision) {
  using Layout = typename TestFixture::Layout;
  using Field = typename TestFixture::Field;
  if constexpr (TestFixture::is_double) {
    const TEST_SPACE space;
    const Ocean ocean(16);
    const auto whole = ocean.system(true, false, 0.25);
    const Values b = whole.random_wet(3);
    run_on_ranks<Memory>(3, [&](const Lamina::Transport& transport) {
      const typename TestFixture::Ranked mine(transport, whole,
                                              Lamina::Partition::grid({16, 16}, {3, 1}));
      const auto& stored = mine.stored;
      const auto short_op = mine.short_operator();
      using Short = typename decltype(mine.short_operator())::coefficients_type;
      const Lamina::ColumnMultigrid<Short, Layout> multigrid(space, transport, mine.local,
                                                             short_op);
      Lamina::FusedPcg pcg(
          space, Lamina::MultigridColumns(
                     Lamina::MixedColumns(space, stored.op, short_op, multigrid.decomposition()),
                     multigrid));
      const Field my_b = mine.field(b), x = mine.field(Values(b.size(), 0.0));
      const auto report = pcg.solve(space, my_b.view(), x.view(), {.tolerance = 1e-8});
      EXPECT_TRUE(report.converged()) << to_string(report.status);
      EXPECT_LE(report.iterations, 14);
    });
  }
}

TYPED_TEST(ColumnMultigridOverRanks, FollowsValuesThatChange) {
  using Scalar = typename TestFixture::Scalar;
  const TEST_SPACE space;
  const auto graph = irregular_graph(37, 0);
  const auto before = ColumnCase::random<Scalar>(graph, 5, 1, true);
  auto after = before;  // the same faces are open
  for (double& value : after.mass) value *= 3;
  for (double& value : after.vertical) value *= 5;
  for (double& value : after.horizontal) value *= 8;
  const Values r = rounded<Scalar>(after.random_wet(4));
  for (const int gathered : {0, 1024}) {
    Values updated(r.size()), fresh(r.size());
    run_on_ranks<Memory>(3, [&](const Lamina::Transport& transport) {
      const auto partition = Lamina::Partition::grid({37, 1}, {3, 1});
      typename TestFixture::Ranked mine(transport, before, partition);
      const auto make = [&](const typename TestFixture::Ranked& of) {
        return typename TestFixture::Multigrid(space, transport, of.local, of.stored.op, {},
                                               {.gathered_columns = gathered});
      };
      const auto multigrid = make(mine);
      mine.stored.set(part_of(after, mine.local));
      multigrid.update(space);
      TestFixture::cycle(mine, multigrid, r, updated);
      const typename TestFixture::Ranked other(transport, after, partition);
      TestFixture::cycle(other, make(other), r, fresh);
    });
    EXPECT_TRUE(all_within(updated, fresh, rounding<Scalar>(1)));
  }
}

/// The last level of a cycle is that of the stiffest rank, also after values changed.
TYPED_TEST(ColumnMultigridOverRanks, UsesTheSameLevelsOnAllRanks) {
  using Field = typename TestFixture::Field;
  using Multigrid = typename TestFixture::Multigrid;
  const TEST_SPACE space;
  const Ocean ocean(16);
  const auto partition = Lamina::Partition::grid({16, 16}, {3, 1});
  const auto scaled = [&](double factor) {  // couplings of rank 2; others are weak
    auto system = ocean.system(true, false, 0);
    for (std::size_t e = 0; e < ocean.graph.edges.size(); ++e) {
      const auto& edge = ocean.graph.edges[e];
      const bool of_last = partition.owner(edge.first) == 2 && partition.owner(edge.second) == 2;
      for (std::size_t k = 0; k < Ocean::levels; ++k) {
        system.horizontal[e * Ocean::levels + k] *= of_last ? factor : 1e-6;
      }
    }
    return system;
  };
  const auto first = scaled(1e-6);
  const Values b = first.random_wet(4);
  run_on_ranks<Memory>(3, [&](const Lamina::Transport& transport) {
    typename TestFixture::Ranked mine(transport, first, partition);
    const Multigrid multigrid(space, transport, mine.local, mine.stored.op, {},
                              {.gathered_columns = 30});
    EXPECT_EQ(multigrid.num_levels(), 1);
    std::vector<int> used;
    for (const double factor : {1e-2, 1.0, 1e-6}) {
      const auto system = scaled(factor);
      mine.stored.set(part_of(system, mine.local));
      multigrid.update(space);
      used.push_back(multigrid.num_levels());
      for (const int levels : Lamina::Impl::gather_values(transport, used.back())) {
        EXPECT_EQ(levels, used.back());
      }
      const Field my_b = mine.field(b), x = mine.field(Values(b.size(), 0.0));
      Lamina::Pcg pcg(space, mine.stored.op, multigrid, mine.ranks);
      const auto report = pcg.solve(space, my_b.view(), x.view(), {.tolerance = 1e-5});
      EXPECT_TRUE(report.converged());
      EXPECT_LE(report.iterations, 6);
    }
    EXPECT_EQ(used[0], 1);
    EXPECT_GT(used[1], 1);
    EXPECT_EQ(used[2], 1);
  });
}

/// Walls of one rank are those of all.
TYPED_TEST(ColumnMultigridOverRanks, TakesWallsOfSomeRanks) {
  using Scalar = typename TestFixture::Scalar;
  using Profiles = Lamina::ProfileCoefficients<Scalar, Memory>;
  using Field = typename TestFixture::Field;
  const TEST_SPACE space;
  constexpr int side = 16, levels = 4;
  const Lamina::ColumnProfiles profiles{std::vector<double>(levels, 0.0),
                                        std::vector<double>(levels - 1, 1000.0),
                                        std::vector<double>(levels, 1.0)};
  const auto graph = Lamina::plane(
      side, side, {.west = Lamina::PlaneSide::dirichlet, .east = Lamina::PlaneSide::zero_flux});
  const Values b = random_values(side * side * levels, 7);
  run_on_ranks<Memory>(3, [&](const Lamina::Transport& transport) {
    const auto local = Lamina::local_columns(graph, Lamina::Partition::grid({side, side}, {3, 1}),
                                             transport.rank());
    const Lamina::ColumnMesh<Memory> mesh(local.graph);
    const Lamina::ColumnOperator op(mesh, levels, Profiles(mesh, profiles));
    const Lamina::ColumnMultigrid<Profiles, typename TestFixture::Layout> multigrid(
        space, transport, local, op, {}, {.gathered_columns = 20});
    const Field my_b(mesh.num_columns(), levels, values_of_rank(b, local, levels)),
        x(mesh.num_columns(), levels);
    Lamina::Pcg pcg(space, op, multigrid, multigrid.decomposition());
    const auto report = pcg.solve(space, my_b.view(), x.view(), {.tolerance = 1e-5});
    EXPECT_TRUE(report.converged());
    EXPECT_LE(report.iterations, 7);
  });
}

TYPED_TEST(ColumnMultigridOverRanks, TellsAllRanksOfBadPivots) {
  using Field = typename TestFixture::Field;
  const TEST_SPACE space;
  auto whole = ColumnCase::random<typename TestFixture::Scalar>(irregular_graph(37, 0), 5, 1);
  whole.mass[whole.place(36, 2)] = std::numeric_limits<double>::quiet_NaN();  // of the last rank
  const Values b = random_values(whole.size(), 2);
  run_on_ranks<Memory>(3, [&](const Lamina::Transport& transport) {
    const typename TestFixture::Ranked mine(transport, whole, Lamina::Partition::blocks(37, 3));
    const typename TestFixture::Multigrid multigrid(space, transport, mine.local, mine.stored.op,
                                                    {}, {.gathered_columns = 0});
    const Field my_b = mine.field(b), x(mine.num_columns(), 5);
    Lamina::FusedPcg pcg(
        space, Lamina::MultigridColumns(Lamina::FusedColumns(space, mine.stored.op, mine.ranks),
                                        multigrid));
    EXPECT_EQ(pcg.solve(space, my_b.view(), x.view()).status,
              Lamina::SolveStatus::breakdown_zero_pivot);
  });
}

TEST(ColumnMultigridMessages, AreAsManyAsTheHeaderSays) {
  using Case = StoredCase<double, Kokkos::LayoutRight, double>;
  const Lamina::CubedSpherePanel panel(32, 16);
  const auto whole = ColumnCase::random<double>(panel.graph(), 3, 1);
  const auto messages_of = [&](int ranks, int gathered, int steps) {
    SimulatedWorld world(ranks);
    run_on_ranks<Memory>(world, [&](const Lamina::Transport& transport) {
      const RankedCase<double, Kokkos::LayoutRight> mine(
          transport, whole, Lamina::Partition::grid({32, 16}, {ranks, 1}));
      const Lamina::ColumnMultigrid<typename Case::Coefficients, Kokkos::LayoutRight> multigrid(
          TEST_SPACE(), transport, mine.local, mine.stored.op, {.steps = steps},
          {.gathered_columns = gathered});
      const TestField<double, Kokkos::LayoutRight> r(
          mine.num_columns(), 3, values_of_rank(random_values(whole.size(), 1), mine.local, 3)),
          z(mine.num_columns(), 3);
      static_cast<void>(Lamina::Impl::gather_values(transport, 0));  // all get here
      const long before = world.num_messages();
      static_cast<void>(Lamina::Impl::gather_values(transport, 0));
      multigrid.solve(TEST_SPACE(), r.view(), z.view());
      static_cast<void>(Lamina::Impl::gather_values(transport, 0));
      // 512, then 128 columns on all ranks; or 512, 128 and 32 columns.
      const long of_exchange = 2 * (ranks - 1), to_all = static_cast<long>(ranks) * (ranks - 1);
      EXPECT_EQ(world.num_messages() - before,
                (gathered == 128 ? 2 * steps - 1 : 4 * steps) * of_exchange + to_all);
    });
  };
  for (const int steps : {1, 2}) {
    messages_of(2, 128, steps);
    messages_of(2, 32, steps);
  }
}

TEST(ColumnMultigridOverRanksArguments, AreChecked) {
  using Layout = Kokkos::LayoutRight;
  using Case = StoredCase<double, Layout, double>;
  using Multigrid = Lamina::ColumnMultigrid<typename Case::Coefficients, Layout>;
  const TEST_SPACE space;
  const auto whole = ColumnCase::random<double>(irregular_graph(19, 0), 2, 1);
  run_on_ranks<Memory>(2, [&](const Lamina::Transport& transport) {
    const int rank = transport.rank();
    const RankedCase<double, Layout> mine(transport, whole, Lamina::Partition::blocks(19, 2));
    const auto& op = mine.stored.op;
    EXPECT_EQ(message_of<Lamina::InvalidArgument>([&] { Multigrid(space, mine.local.graph, op); }),
              "Lamina::ColumnMultigrid: op: expected no halo columns, or a transport");
    EXPECT_EQ(message_of<Lamina::InvalidArgument>(
                  [&] { Multigrid(space, transport, mine.local, op, {.steps = 1 + rank}); }),
              "Lamina::ColumnMultigrid: steps: expected the same on all ranks, got 1 on rank 0 and "
              "2 on rank 1");
    auto local = mine.local;
    if (rank == 1) local.columns.pop_back();
    EXPECT_NE(message_of<Lamina::RankFailure>([&] {
                Multigrid(space, transport, local, op);
              }).find("rank 1: Lamina::ColumnMultigrid: argument local: expected "),
              std::string::npos);
    EXPECT_NE(message_of<Lamina::RankFailure>([&] {
                Multigrid(space, transport, mine.local, op, {}, {.gathered_columns = -1});
              }).find("gathered_columns: expected at least 0"),
              std::string::npos);
    // Rank 1 has all of its columns dry, which rank 0 has couplings with.
    auto part = part_of(whole, mine.local);
    if (rank == 1) {
      for (auto* values : {&part.mass, &part.vertical, &part.horizontal}) {
        std::fill(values->begin(), values->end(), 0.0);
      }
    }
    const Case closed(part);
    EXPECT_NE(
        message_of<Lamina::RankFailure>([&] { Multigrid(space, transport, mine.local, closed.op); })
            .find("rank 0: Lamina::ColumnMultigrid: horizontal: expected couplings of wet "
                  "columns alone, got one of edge "),
        std::string::npos);
  });
}

}  // namespace LaminaTest
