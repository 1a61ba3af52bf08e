// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Cycles and solves over simulated ranks.

#include <lamina/core/Require.hpp>
#include <lamina/grids/Plane.hpp>
#include <lamina/krylov/FusedPcg.hpp>
#include <lamina/krylov/Pcg.hpp>
#include <lamina/multigrid/MultigridHelmholtz.hpp>

#include <distributed/SimulatedTransport.hpp>
#include <gtest/gtest.h>
#include <multigrid/MultigridCase.hpp>
#include <multigrid/MultigridSystem.hpp>
#include <multigrid/RankSystem.hpp>
#include <support/Compare.hpp>
#include <support/FieldTypes.hpp>
#include <support/MessageOf.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

namespace LaminaTest {

template <class Type>
class MultigridOverRanks : public testing::Test {
 public:
  using Scalar = typename Type::scalar;
  using Layout = typename Type::layout;
  using Field = TestField<Scalar, Layout>;
  static constexpr bool is_double = std::is_same_v<Scalar, double>;

  /// B r, from a field of the whole grid to such a field. Collective.
  static Values solve(const RankSystem<Scalar>& system, const Values& r) {
    const TEST_SPACE space;
    const int columns = system.num_columns(), levels = system.num_levels();
    const Field in(columns, levels, system.of_rank(r)), out(columns, levels);
    system.multigrid.solve(space, in.const_view(), out.view());
    return system.of_all(out.get(), r.size());
  }
};
TYPED_TEST_SUITE(MultigridOverRanks, FieldTypes, FieldTypeNames);

inline double dot_of(const Values& a, const Values& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}
inline double largest_of(const Values& values) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

TYPED_TEST(MultigridOverRanks, IsSymmetricAndPositive) {
  using Scalar = typename TestFixture::Scalar;
  const auto grid = Lamina::VerticalGrid::graded(5, 0.0157);
  for (const auto& [name, graph] : multigrid_graphs()) {
    const int num_columns = static_cast<int>(graph.areas.size());
    const Values x = rounded<Scalar>(random_values(5 * graph.areas.size(), 1)),
                 y = rounded<Scalar>(random_values(5 * graph.areas.size(), 2));
    for (const int ranks : {2, 5, 7}) {
      for (const auto& [partition_name, partition] : graph_partitions(num_columns, ranks)) {
        for (const int gathered : {0, ranks == 2 ? 20 : 1024}) {
          SCOPED_TRACE(testing::Message() << name << ", " << ranks << " ranks, " << partition_name
                                          << ", gathered " << gathered);
          run_on_ranks<Memory>(ranks, [&, &graph = graph,
                                       &partition = partition](const Lamina::Transport& transport) {
            const RankSystem<Scalar> system(
                transport, Lamina::local_columns(graph, partition, transport.rank()), grid,
                {.omega2 = omega2_of(graph, 80), .lambda2 = 3.32e-2},
                {.gathered_columns = gathered},
                {.steps = 1 + ranks / 2 % 3, .max_levels = ranks == 5 ? 2 : 99});
            for (const auto& cost : system.multigrid.kernel_costs()) {  // ranks may be empty
              EXPECT_TRUE(std::isfinite(cost.bytes) && std::isfinite(cost.flops)) << cost.label;
            }
            const Values bx = this->solve(system, x), by = this->solve(system, y);
            const double xx = dot_of(x, bx), yy = dot_of(y, by);
            EXPECT_GT(xx, 0);
            EXPECT_GT(yy, 0);
            EXPECT_NEAR(dot_of(y, bx), dot_of(x, by), rounding<Scalar>(300) * std::sqrt(xx * yy));
          });
        }
      }
    }
  }
}

/// A cycle on 32 x 32 columns and on all ranks of a grid of them.
template <class Test>
void expect_cycle_of_one_process(const Lamina::ColumnGraph& graph,
                                 const Lamina::MultigridParameters& cycle, int gathered,
                                 const std::array<int, 2>& shape) {
  using Scalar = typename Test::Scalar;
  using Field = typename Test::Field;
  const MultigridSystem<Scalar> alone(graph, 7, 80, cycle);
  const Values r = rounded<Scalar>(random_values(alone.size(), 3));
  const Field in(alone.num_columns(), 7, r), out(alone.num_columns(), 7);
  alone.multigrid.solve(TEST_SPACE(), in.const_view(), out.view());
  const Values expected = out.get();
  const Values largest(expected.size(), largest_of(expected));
  run_on_ranks<Memory>(shape[0] * shape[1], [&](const Lamina::Transport& transport) {
    const auto local =
        Lamina::local_columns(graph, Lamina::Partition::grid({32, 32}, shape), transport.rank());
    const RankSystem<Scalar> system(transport, local, alone.grid, alone.equation,
                                    {.gathered_columns = gathered}, cycle);
    const Values z = Test::solve(system, r);
    if (transport.size() == 1) {
      EXPECT_EQ(z, expected) << "one rank has no bits of its own";
    } else {
      EXPECT_TRUE(all_within(z, expected, rounding<Scalar>(2000), largest));
    }
  });
}

TYPED_TEST(MultigridOverRanks, IsThatOfOneProcessWhereAggregatesAre) {
  const auto panel = Lamina::CubedSpherePanel(32, 32).graph(), periodic = Lamina::plane(32, 32);
  for (const auto& shape :
       {std::array{1, 1}, std::array{2, 1}, std::array{2, 2}, std::array{4, 2}}) {
    for (const int steps : {1, 2, 3}) {
      SCOPED_TRACE(testing::Message()
                   << shape[0] << " x " << shape[1] << " ranks, steps " << steps);
      for (const int gathered : {8, 32, 1024}) {
        expect_cycle_of_one_process<TestFixture>(panel, {.steps = steps}, gathered, shape);
      }
      // Rings come back to columns of the rank itself.
      expect_cycle_of_one_process<TestFixture>(periodic, {.steps = steps}, 32, shape);
      // The coarsest level is shared, and takes more steps than it has rings.
      expect_cycle_of_one_process<TestFixture>(panel, {.steps = steps, .max_levels = 2}, 8, shape);
    }
  }
}

/// Solves over all ranks with the fused solver and the plain one. The solutions must be that of one
/// process.
/// \param most_more  iterations that ranks may need beyond those of one process
template <class Test>
void expect_solves(const Lamina::ColumnGraph& graph, int num_levels, int ranks,
                   const Lamina::Partition& partition, int gathered, int most_more) {
  using Scalar = typename Test::Scalar;
  using Field = typename Test::Field;
  using Model = Lamina::MultigridHelmholtz<Scalar, Memory>;
  const TEST_SPACE space;
  const Lamina::StoppingCriteria criteria{.tolerance = Test::is_double ? 1e-9 : 1e-4,
                                          .max_iterations = 40};
  const MultigridSystem<Scalar> alone(graph, num_levels, 80);
  const Values b = random_values(alone.size(), 5);
  const Field rhs(alone.num_columns(), num_levels, b), x(alone.num_columns(), num_levels);
  Lamina::FusedPcg alone_pcg(space, Model(space, alone.multigrid));
  const auto expected = alone_pcg.solve(space, rhs.const_view(), x.view(), criteria);
  const Values solution = x.get(), largest(solution.size(), largest_of(solution));
  run_on_ranks<Memory>(ranks, [&](const Lamina::Transport& transport) {
    const RankSystem<Scalar> system(transport,
                                    Lamina::local_columns(graph, partition, transport.rank()),
                                    alone.grid, alone.equation, {.gathered_columns = gathered});
    const Values mine = system.of_rank(b);
    const Field part(system.num_columns(), num_levels, mine);
    Lamina::FusedPcg fused(space, Model(space, system.multigrid));
    Lamina::Pcg plain(space, system.multigrid.finest(), system.multigrid,
                      system.multigrid.decomposition());
    for (const bool is_fused : {true, false}) {
      Values start = mine;  // NaN in halo columns
      for (double& value : start) value *= 0;
      const Field result(system.num_columns(), num_levels, start);
      const auto report = is_fused ? fused.solve(space, part.const_view(), result.view(), criteria)
                                   : plain.solve(space, part.const_view(), result.view(), criteria);
      EXPECT_TRUE(report.converged());
      EXPECT_LE(report.iterations, expected.iterations + most_more);
      EXPECT_TRUE(all_within(system.of_all(result.get(), b.size()), solution,
                             Test::is_double ? 1e-7 : 1e-2, largest));
    }
  });
}

TYPED_TEST(MultigridOverRanks, SolvesAsOneProcessDoes) {
  const auto expect = [](const Lamina::ColumnGraph& graph, int num_levels, int num_x, int num_y) {
    for (const int ranks : {1, 2, 3, 4, 5, 6, 7}) {
      const auto even = Lamina::Partition::grid({num_x, num_y}, {ranks, 1});
      for (const int gathered : {0, ranks % 2 == 0 ? 30 : 1024}) {
        SCOPED_TRACE(testing::Message() << num_x << " x " << num_y << ", " << ranks
                                        << " ranks, gathered " << gathered);
        expect_solves<TestFixture>(graph, num_levels, ranks, even, gathered, 1);
      }
    }
  };
  expect(Lamina::CubedSpherePanel(29, 17).graph(), 5, 29, 17);
  expect(Lamina::voronoi_plane(13, 16), 4, 13, 16);
  expect(Lamina::CubedSpherePanel(2, 2).graph(), 3, 2, 2);
  expect(Lamina::CubedSpherePanel(5, 1).graph(Lamina::PanelEdge::dirichlet), 2, 5, 1);
}

// Columns of a rank that lie in lines, or hardly beside each other, make worse aggregates.
TYPED_TEST(MultigridOverRanks, SolvesOnAwkwardPartitions) {
  for (const auto& graph :
       {Lamina::CubedSpherePanel(13, 11).graph(), Lamina::voronoi_plane(11, 12)}) {
    const int num_columns = static_cast<int>(graph.areas.size());
    for (const int ranks : {3, 7}) {
      for (const auto& [name, partition] : graph_partitions(num_columns, ranks)) {
        for (const int gathered : {0, 1024}) {
          SCOPED_TRACE(testing::Message()
                       << ranks << " ranks, " << name << ", gathered " << gathered);
          expect_solves<TestFixture>(graph, 3, ranks, partition, gathered, 2);
        }
      }
    }
  }
}

/// Solves in double precision with a cycle in single precision, and vectors in `VectorScalar`.
template <class VectorScalar>
void expect_iterations_of_double() {
  const TEST_SPACE space;
  const auto graph = Lamina::CubedSpherePanel(24, 20).graph();
  const auto size = 6 * graph.areas.size();
  const auto grid = Lamina::VerticalGrid::graded(6, 0.0157);
  const Lamina::HelmholtzParameters equation{.omega2 = omega2_of(graph, 80), .lambda2 = 3.32e-2};
  for (const auto& [magnitude, tolerance] :
       {std::pair(1.0, 1e-5), std::pair(1.0, 1e-10), std::pair(1e-9, 1e-9), std::pair(1e-200, 1e-8),
        std::pair(1e30, 1e-5)}) {
    Values b = random_values(size, 1);
    for (double& value : b) value *= magnitude;
    for (const int ranks : {1, 2, 5}) {
      SCOPED_TRACE(testing::Message() << ranks << " ranks, " << magnitude << ", to " << tolerance);
      run_on_ranks<Memory>(ranks, [&, tolerance = tolerance,
                                   magnitude = magnitude](const Lamina::Transport& transport) {
        const auto local = Lamina::local_columns(
            graph, Lamina::Partition::grid({24, 20}, {ranks, 1}), transport.rank());
        const RankSystem<float> system(transport, local, grid, equation, {.gathered_columns = 40});
        const Lamina::ColumnMesh<Memory> mesh(local.graph);
        const Lamina::HelmholtzOperator<double, Memory> op(mesh, grid, equation);
        using Model = Lamina::MultigridHelmholtz<double, Memory, VectorScalar, float>;
        Lamina::FusedPcg pcg(space, Model(space, op, system.multigrid));
        const Values mine = system.of_rank(b);
        const TestField<double, Kokkos::LayoutRight> rhs(system.num_columns(), 6, mine),
            x(system.num_columns(), 6), image(system.num_columns(), 6);
        const auto report = pcg.solve(space, rhs.const_view(), x.view(), {.tolerance = tolerance});
        EXPECT_TRUE(report.converged());
        EXPECT_LE(report.iterations, tolerance < 1e-6 ? 11 : 6);
        Lamina::Impl::exchange_halo(space, system.multigrid.decomposition().halo, x.view());
        op.apply(space, x.const_view(), image.view());
        const Values ax = system.of_all(image.get(), size);
        Values relative, rhs_values;
        for (std::size_t i = 0; i < size; ++i) {
          relative.push_back((b[i] - ax[i]) / magnitude);
          rhs_values.push_back(b[i] / magnitude);
        }
        EXPECT_LE(std::sqrt(dot_of(relative, relative)),
                  1.01 * tolerance * std::sqrt(dot_of(rhs_values, rhs_values)));
      });
    }
  }
}

TEST(MultigridOverRanksInMixedPrecision, NeedsAsManyIterationsAsDouble) {
  expect_iterations_of_double<float>();
}
TEST(MultigridOverRanksWithSingleCycle, NeedsAsManyIterationsAsDouble) {
  expect_iterations_of_double<double>();
}

TEST(MultigridMessages, OfACycleAreFewAndKnown) {
  // Strips of a panel: the ranks at the ends have one neighbour each, others two.
  const Lamina::CubedSpherePanel panel(64, 32);
  const auto grid = Lamina::VerticalGrid::graded(3, 0.0157);
  const auto messages_of = [&](int ranks, int gathered, int steps, int max_levels = 99) {
    SimulatedWorld world(ranks);
    run_on_ranks<Memory>(world, [&](const Lamina::Transport& transport) {
      const auto partition = Lamina::Partition::grid({64, 32}, {ranks, 1});
      const RankSystem<double> system(transport, panel.local(partition, transport.rank()), grid,
                                      {.omega2 = omega2_of(panel.graph(), 80), .lambda2 = 3.32e-2},
                                      {.gathered_columns = gathered},
                                      {.steps = steps, .max_levels = max_levels});
      const TestField<double, Kokkos::LayoutRight> r(system.num_columns(), 3,
                                                     system.of_rank(random_values(3 * 64 * 32, 1))),
          z(system.num_columns(), 3);
      EXPECT_EQ(world.num_messages(), 0) << "messages of the set-up";
      // All ranks get here before one goes on.
      static_cast<void>(Lamina::Impl::gather_values(transport, 0));
      system.multigrid.solve(TEST_SPACE(), r.const_view(), z.view());
    });
    return world.num_messages();
  };
  for (const int ranks : {2, 3}) {
    const long of_exchange = 2 * (ranks - 1), to_all = ranks * (ranks - 1);
    for (const int steps : {1, 2, 3}) {
      // 2048, then 512 columns on all ranks; or 2048, 512 and 128 columns; or 2048, 512, 128 and 32.
      const int finest = 2 * steps - 1;
      EXPECT_EQ(messages_of(ranks, 512, steps), finest * of_exchange + to_all);
      EXPECT_EQ(messages_of(ranks, 128, steps), (finest + 3) * of_exchange + to_all);
      // Five rings around strips of five or six columns come from both other ranks.
      const long farther = steps == 3 && ranks == 3 ? 2 * 2 : 0;
      EXPECT_EQ(messages_of(ranks, 32, steps), (finest + 3 + 2) * of_exchange + farther + to_all);
    }
    // The coarsest level is shared: 16 and 14 steps, as it is too fine. On three rings every third of the latter
    // needs x of other ranks.
    EXPECT_EQ(messages_of(ranks, 128, 2, 1), 15 * of_exchange);
    EXPECT_EQ(messages_of(ranks, 128, 2, 2), (3 + 3 + 4) * of_exchange);
  }
}

TEST(MultigridOverRanksArguments, AreChecked) {
  const auto graph = Lamina::CubedSpherePanel(6, 6).graph();
  const auto grid = Lamina::VerticalGrid::graded(3, 0.1);
  run_on_ranks<Memory>(2, [&](const Lamina::Transport& transport) {
    auto local = Lamina::local_columns(graph, Lamina::Partition::blocks(36, 2), transport.rank());
    const Lamina::ColumnHierarchy shared(transport, local), whole(graph);
    EXPECT_EQ(message_of<Lamina::InvalidArgument>([&] {
                const Lamina::MultigridPreconditioner<double, Memory> wrong(TEST_SPACE(), shared,
                                                                            grid, {1.0, 1.0});
              }),
              "Lamina::MultigridPreconditioner: hierarchy: expected one of one process, or a "
              "transport");
    EXPECT_EQ(
        message_of<Lamina::RankFailure>([&] {
          const Lamina::MultigridPreconditioner<double, Memory> wrong(TEST_SPACE(), transport,
                                                                      whole, grid, {1.0, 1.0});
        }),
        "rank 0: Lamina::MultigridPreconditioner: hierarchy: expected one of the ranks of the "
        "transport");
    EXPECT_EQ(message_of<Lamina::RankFailure>([&] {
                const Lamina::MultigridPreconditioner<double, Memory> wrong(
                    TEST_SPACE(), transport, shared, grid, {1.0, 1.0}, {.steps = 4});
              }),
              "rank 0: Lamina::MultigridPreconditioner: steps: expected 1 to 3, got 4");
    EXPECT_EQ(message_of<Lamina::RankFailure>([&] {
                const Lamina::ColumnHierarchy wrong(transport, local, {.gathered_columns = -1});
              }),
              "rank 0: Lamina::ColumnHierarchy: gathered_columns: expected at least 0, got -1");
    // Each rank has other parameters, or another hierarchy.
    const int rank = transport.rank();
    const Lamina::ColumnHierarchy deeper(transport, local, {.gathered_columns = 0});
    const auto refusal = [&](const Lamina::ColumnHierarchy& hierarchy, int num_levels,
                             const Lamina::HelmholtzParameters& equation,
                             const Lamina::MultigridParameters& cycle) {
      return message_of<Lamina::InvalidArgument>([&] {
        const Lamina::MultigridPreconditioner<double, Memory> wrong(
            TEST_SPACE(), transport, hierarchy, Lamina::VerticalGrid::graded(num_levels, 0.1),
            equation, cycle);
      });
    };
    const std::string start = "Lamina::MultigridPreconditioner: ",
                      same = ": expected the same on all ranks, got ";
    EXPECT_EQ(refusal(shared, 3, {1.0, 1.0}, {.steps = 1 + rank}),
              start + "steps" + same + "1 on rank 0 and 2 on rank 1");
    EXPECT_EQ(refusal(shared, 3, {1.0, 1.0}, {.max_levels = 2 - rank}),
              start + "max_levels" + same + "2 on rank 0 and 1 on rank 1");
    EXPECT_EQ(refusal(shared, 3 + rank, {1.0, 1.0}, {}),
              start + "levels of the grid" + same + "3 on rank 0 and 4 on rank 1");
    EXPECT_EQ(refusal(shared, 3, {1.0 + 0.5 * rank, 1.0}, {}),
              start + "omega2" + same + "1 on rank 0 and 1.5 on rank 1");
    EXPECT_EQ(refusal(shared, 3, {1.0, 1.0 + 0.5 * rank}, {}),
              start + "lambda2" + same + "1 on rank 0 and 1.5 on rank 1");
    EXPECT_NE(refusal(rank == 0 ? shared : deeper, 3, {1.0, 1.0}, {})
                  .find("levels of the hierarchy" + same),
              std::string::npos);
    if (transport.rank() == 1) local.columns.pop_back();
    EXPECT_EQ(
        message_of<Lamina::RankFailure>(
            [&] { const Lamina::ColumnHierarchy wrong(transport, local); }),
        "rank 1: Lamina::ColumnHierarchy: argument local: expected 48 numbers of columns, got "
        "47");
  });
}

}  // namespace LaminaTest
