// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Gmres over simulated ranks: on block rows with sweeps as the preconditioner, and on columns.

#include <lamina/blocks/PointImplicitPreconditioner.hpp>
#include <lamina/distributed/impl/TransportCalls.hpp>
#include <lamina/grids/SphereTriangulation.hpp>
#include <lamina/krylov/Gmres.hpp>

#include <distributed/RankBlocks.hpp>
#include <distributed/SimulatedTransport.hpp>
#include <gtest/gtest.h>
#include <helmholtz/RankedProblem.hpp>
#include <support/MessageOf.hpp>
#include <support/ToolExpectations.hpp>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace LaminaTest {

using Lamina::SolveStatus;
using Lamina::Transport;
using Lamina::VectorOrder;

/// A system that is not symmetric, on one process and on the ranks.
struct GmresOverRanksCase {
  using Solver = SolverOfTest<double>;
  using Plan = Lamina::Gmres<
      Lamina::BlockSparseMatrix<double, double, Memory>,
      Lamina::PointImplicitPreconditioner<Lamina::BlockSparseMatrix<double, double, Memory>>>;
  static constexpr int restart = 4;

  Lamina::BlockGraph graph;
  int size;
  SweepCase<double> one;
  Values zero;

  explicit GmresOverRanksCase(const Lamina::BlockGraph& of_graph, int block_size = 2)
      : graph(of_graph),
        size(block_size),
        one(graph, nearly_singular(random_matrix(graph, size)),
            Lamina::ColourOrdering::greedy(graph), BlockInverse::inverse),
        zero(one.b.size(), 0.0) {}

  /// Diagonal blocks that dominate by less: sweeps alone would need many iterations.
  static Reference::BlockMatrix nearly_singular(Reference::BlockMatrix matrix) {
    for (auto& row : matrix.off) {
      for (auto& entry : row) {
        for (double& value : entry.block) value *= 3;
      }
    }
    return matrix;
  }

  Lamina::SolveReport alone(Values& x, const Lamina::StoppingCriteria& criteria) const {
    const BlockFieldOfTest b(graph.num_rows(), size, one.b), guess(graph.num_rows(), size, zero);
    Plan plan(one.space, device_matrix<double>(one.twin),
              {one.solver, VectorOrder::user, SweepDirection::forward}, restart);
    const auto report = plan.solve(one.space, b.const_view(), guess.view(), criteria);
    x = guess.get();
    return report;
  }

  /// A plan of one rank, and its vectors.
  struct OfRank {
    const GmresOverRanksCase& of;
    RankRows rows;
    VectorOrder order;
    Solver solver;
    Plan plan;

    OfRank(const GmresOverRanksCase& of_test, const Transport& transport,
           const Lamina::Partition& partition, VectorOrder of_vectors = VectorOrder::user)
        : of(of_test),
          rows{of.one.twin,
               Lamina::local_block_rows(of.graph, of.one.ordering, partition, transport.rank())},
          order(of_vectors),
          solver(of.one.space, rows.matrix<double>(), rows.local.ordering, rows.ranks(transport)),
          plan(of.one.space,
               order == VectorOrder::colour ? solver.coloured_matrix() : rows.matrix<double>(),
               {solver, order, SweepDirection::forward}, restart, rows.ranks(transport, order)) {}

    Lamina::SolveReport solve(const Values& b, BlockFieldOfTest& x,
                              const Lamina::StoppingCriteria& criteria = {}) {
      const auto own_b = in_order(rows.field(b));
      return plan.solve(of.one.space, own_b.const_view(), x.view(), criteria);
    }
    BlockFieldOfTest in_order(const BlockFieldOfTest& user) const {
      if (order == VectorOrder::user) return user;
      const auto ordered = rows.field(of.zero);
      solver.to_colour_order(of.one.space, user.const_view(), ordered.view());
      return ordered;
    }
    void expect_near(const BlockFieldOfTest& x, const Values& whole, double tolerance) const {
      const auto user = rows.field(of.zero);
      if (order == VectorOrder::colour) {
        solver.from_colour_order(of.one.space, x.const_view(), user.view());
      }
      const Values mine = (order == VectorOrder::colour ? user : x).get();
      const auto size = static_cast<std::size_t>(of.size);
      for (std::size_t n = 0; n < static_cast<std::size_t>(rows.local.num_owned()); ++n) {
        for (std::size_t p = 0; p < size; ++p) {
          EXPECT_NEAR(mine[n * size + p],
                      whole[static_cast<std::size_t>(rows.local.numbers[n]) * size + p], tolerance);
        }
      }
    }
  };
};

inline Lamina::BlockGraph gmres_mesh() { return Lamina::FreudenthalMesh(4, 3, 3).graph(); }

/// Reports are those of one process, and the same to the last bit on all ranks.
inline void expect_gmres_of_one_process(const GmresOverRanksCase& of_test, int num_ranks,
                                        VectorOrder order) {
  SCOPED_TRACE(std::to_string(num_ranks) + " ranks");
  const Lamina::StoppingCriteria criteria{.tolerance = 1e-11};
  Values x;
  const auto expected = of_test.alone(x, criteria);
  EXPECT_EQ(expected.status, SolveStatus::converged);
  if (of_test.graph.num_rows() > 9) {
    EXPECT_GT(expected.iterations, 2 * of_test.restart);
  }
  run_on_ranks<Memory>(num_ranks, [&](const Transport& transport) {
    for (const auto& [name, partition] : partitions_of_rows(of_test.one.ordering, num_ranks)) {
      SCOPED_TRACE(name);
      GmresOverRanksCase::OfRank mine(of_test, transport, partition, order);
      for (const auto& padding : {Padding{}, level_padding}) {
        auto own_x = mine.rows.field(of_test.zero, padding);
        const auto report = mine.solve(of_test.one.b, own_x, criteria);
        expect_same_history(report, expected, {0, 1e-12});
        mine.expect_near(own_x, x, 1e-9);
        for (const double norm : report.residual_history) {
          for (const double other : Lamina::Impl::gather_values(transport, norm)) {
            EXPECT_EQ(other, norm);
          }
        }
      }
    }
  });
}

TEST(GmresOverRanks, SolvesAreThoseOfOneProcess) {
  const GmresOverRanksCase of_test(gmres_mesh());
  for (const int num_ranks : {1, 3, 5}) {
    expect_gmres_of_one_process(of_test, num_ranks, VectorOrder::user);
  }
  expect_gmres_of_one_process(of_test, 2, VectorOrder::colour);
}

TEST(GmresOverRanks, RanksMayHaveNoRows) {
  expect_gmres_of_one_process(GmresOverRanksCase(Lamina::FreudenthalMesh(2, 1, 1).graph()), 5,
                              VectorOrder::colour);
}

struct GmresOfLines {
  template <class Operator>
  static auto make(const Lamina::ColumnGraph&, const Operator& op,
                   const Lamina::Decomposition<Memory>& ranks) {
    using Lines = Lamina::LinePreconditioner<typename Operator::scalar_type, Memory>;
    return Lamina::Gmres(TEST_SPACE(), op, Lines(TEST_SPACE(), op), 20, ranks);
  }
};
struct GmresAlone {
  template <class Operator>
  static auto make(const Lamina::ColumnGraph&, const Operator& op,
                   const Lamina::Decomposition<Memory>& ranks) {
    return Lamina::Gmres(TEST_SPACE(), op, Lamina::IdentityPreconditioner(), 60, ranks);
  }
};

template <class Scalar, class Layout, class Solver>
void expect_gmres_on_columns(int num_ranks) {
  const auto graph = Lamina::voronoi_cells(Lamina::icosahedral_triangulation(1));
  std::vector<int> owners;
  for (std::size_t n = 0; n < graph.areas.size(); ++n) {
    owners.push_back(static_cast<int>((3 * n + n / 5) % static_cast<std::size_t>(num_ranks)));
  }
  run_on_ranks<Memory>(num_ranks, [&](const Transport& transport) {
    expect_one_solve<Scalar, Layout, Solver>(
        transport, graph, {{"scattered", Lamina::Partition::from_owners(owners, num_ranks)}}, 4, {},
        {0, std::is_same_v<Scalar, double> ? 1e-12 : 1e-5});
  });
}

TEST(GmresOverRanks, TakesColumnsOfBothLayouts) {
  for (const int num_ranks : {1, 2, 4}) {
    expect_gmres_on_columns<double, Kokkos::LayoutRight, GmresOfLines>(num_ranks);
    expect_gmres_on_columns<double, Kokkos::LayoutLeft, GmresOfLines>(num_ranks);
    expect_gmres_on_columns<double, Kokkos::LayoutLeft, GmresAlone>(num_ranks);
    expect_gmres_on_columns<double, Kokkos::LayoutRight, GmresAlone>(num_ranks);
  }
  expect_gmres_on_columns<float, Kokkos::LayoutLeft, GmresOfLines>(3);
}

TEST(GmresOverRanks, AllEndWhereOneMust) {
  const GmresOverRanksCase of_test(gmres_mesh());
  for (const int culprit : {0, 2}) {
    run_on_ranks<Memory>(4, [&](const Transport& transport) {
      GmresOverRanksCase::OfRank mine(of_test, transport, Lamina::Partition::blocks(36, 4));
      const bool is_culprit = transport.rank() == culprit;
      const auto solve = [&](const Values& b, const Lamina::StoppingCriteria& criteria = {}) {
        auto x = mine.rows.field(of_test.zero);
        return mine.solve(b, x, criteria);
      };
      Values b = of_test.one.b;
      if (is_culprit) b.assign(b.size(), std::nan(""));
      EXPECT_EQ(solve(b).status, SolveStatus::breakdown_not_finite);
      Lamina::StoppingCriteria criteria{.tolerance = 1e-11, .check_every = 1};
      int asked = 0;
      criteria.stop_requested = [&] { return is_culprit && ++asked == 3; };
      const auto stopped = solve(of_test.one.b, criteria);
      EXPECT_EQ(stopped.status, SolveStatus::interrupted);
      EXPECT_EQ(stopped.iterations, 3);
      for (const double scale : {1e200, 1e-200}) {  // whose squares leave the range
        Values scaled = of_test.one.b;
        for (double& value : scaled) value *= scale;
        const auto report = solve(scaled);
        EXPECT_EQ(report.status, SolveStatus::converged);
        EXPECT_GT(report.iterations, 1);
      }
      EXPECT_EQ(solve(of_test.zero).status, SolveStatus::converged);
      EXPECT_EQ(solve(of_test.one.b).status, SolveStatus::converged) << "as good as new";
    });
  }
}

TEST(GmresOverRanks, BadPivotsOnOneRankAreToldToAll) {
  GmresOverRanksCase of_test(gmres_mesh());
  of_test.one.twin.diagonal[30].assign(4, 0.0);
  run_on_ranks<Memory>(3, [&](const Transport& transport) {
    GmresOverRanksCase::OfRank mine(of_test, transport, Lamina::Partition::blocks(36, 3));
    EXPECT_EQ(mine.solver.status() == SolveStatus::completed, transport.rank() != 2);
    auto x = mine.rows.field(of_test.zero);
    EXPECT_EQ(mine.solve(of_test.one.b, x).status, SolveStatus::breakdown_zero_pivot);
  });
}

/// All scalar products of an iteration are one sum.
TEST(GmresOverRanks, AddUpOnceAnIteration) {
  const GmresOverRanksCase of_test(gmres_mesh());
  SimulatedWorld world(2);
  run_on_ranks<Memory>(world, [&](const Transport& transport) {
    GmresOverRanksCase::OfRank mine(of_test, transport, Lamina::Partition::blocks(36, 2));
    const auto sums_of = [&](int iterations) {
      auto criteria = Lamina::StoppingCriteria::iterations(iterations);
      criteria.check_every = of_test.restart;
      auto x = mine.rows.field(of_test.zero);
      transport.agree(nullptr);
      const long before = world.num_sums();
      transport.agree(nullptr);
      static_cast<void>(mine.solve(of_test.one.b, x, criteria));
      transport.agree(nullptr);
      return (world.num_sums() - before) / 2;
    };
    EXPECT_EQ(sums_of(4) - sums_of(1), 3);
  });
}

TEST(GmresOverRanks, AllocateNothingInASolve) {
  const GmresOverRanksCase of_test(gmres_mesh());
  run_on_ranks<Memory>(3, [&](const Transport& transport) {
    GmresOverRanksCase::OfRank mine(of_test, transport, Lamina::Partition::blocks(36, 3));
    auto x = mine.rows.field(of_test.zero);
    const auto b = mine.rows.field(of_test.one.b);
    const auto solve = [&] {
      static_cast<void>(mine.plan.solve(of_test.one.space, b.const_view(), x.view()));
    };
    solve();  // Kokkos grows scratch of its own at its first use
    transport.agree(nullptr);
    std::optional<ToolListener> listener;  // of all ranks
    if (transport.rank() == 0) listener.emplace();
    solve();
    transport.agree(nullptr);
    if (listener) expect_no_allocations(listener->heard());
    transport.agree(nullptr);
  });
}

TEST(GmresOverRanks, RefuseWhatDoesNotFit) {
  const GmresOverRanksCase of_test(gmres_mesh());
  run_on_ranks<Memory>(2, [&](const Transport& transport) {
    const GmresOverRanksCase::OfRank mine(of_test, transport, Lamina::Partition::blocks(36, 2));
    const auto matrix = mine.rows.matrix<double>();
    const auto refused = [&](const auto& make) {
      return message_of<Lamina::InvalidArgument>(make);
    };
    const std::string local = std::to_string(mine.rows.num_local());
    EXPECT_EQ(refused([&] {
                Lamina::Gmres(of_test.one.space, matrix, Lamina::IdentityPreconditioner(), 5);
              }),
              "Lamina::Gmres: op: expected no halo columns, or a decomposition, got " +
                  std::to_string(mine.rows.local.num_halo()));
    const Lamina::Decomposition<Memory> others(transport, Lamina::HaloPattern{1, 1, 1}, 16);
    EXPECT_EQ(refused([&] {
                Lamina::Gmres(of_test.one.space, matrix, Lamina::IdentityPreconditioner(), 5,
                              others);
              }),
              "Lamina::Gmres: argument ranks: expected " + local + " columns, got 1");
  });
}

}  // namespace LaminaTest
