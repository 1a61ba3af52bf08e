// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Cycles and solves over simulated ranks.

#include <lamina/core/Require.hpp>
#include <lamina/distributed/impl/TransportCalls.hpp>
#include <lamina/krylov/FusedPcg.hpp>
#include <lamina/krylov/Pcg.hpp>
#include <lamina/multigrid/MultigridPoisson.hpp>
#include <lamina/multigrid/PoissonMultigridSolver.hpp>

#include <distributed/SimulatedTransport.hpp>
#include <gtest/gtest.h>
#include <multigrid/PoissonMultigridCase.hpp>
#include <multigrid/PoissonMultigridStrip.hpp>
#include <poisson/PoissonStrips.hpp>
#include <support/FieldTypes.hpp>
#include <support/MessageOf.hpp>
#include <support/ToolExpectations.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <exception>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace LaminaTest {

template <class Type>
struct PoissonMultigridOverRanks : testing::Test {
  using Scalar = typename Type::scalar;
  using Layout = typename Type::layout;
  using Case = PoissonMultigridCase<Scalar, Layout>;
  using Strip = PoissonMultigridStrip<Scalar, Layout>;
  using Model = Lamina::MultigridPoisson<Scalar, Memory>;
  using Solver = Lamina::PoissonMultigridSolver<Scalar, Memory>;
  static constexpr bool is_double = std::is_same_v<Scalar, double>;
  static constexpr double accuracy = is_double ? 1e-12 : 1e-4;
};
TYPED_TEST_SUITE(PoissonMultigridOverRanks, FieldTypes, FieldTypeNames);

/// More ranks than columns, prime numbers, a single line, and lines longer than a tile.
inline std::vector<Rectangle> rectangles_of_strips() {
  return {{1, 1}, {1, 9}, {9, 1}, {2, 9}, {3, 3}, {17, 33}, {31, 6}, {40, 12}, {64, 5}, {13, 2100}};
}

TYPED_TEST(PoissonMultigridOverRanks, CyclesAreThoseOfOneProcess) {
  using Scalar = typename TestFixture::Scalar;
  using Strip = typename TestFixture::Strip;
  int steps = 0, gathered = 1;
  for (const Rectangle& whole : rectangles_of_strips()) {
    steps = steps % 3 + 1;
    const typename TestFixture::Case alone(whole, steps);
    const Values b = rounded<Scalar>(random_field(whole, 1)),
                 guess = rounded<Scalar>(random_field(whole, 2));
    const auto rhs = alone.field(b), x = alone.field(guess);
    const Values cycle = alone.solve(b);
    alone.multigrid.improve(alone.space, rhs.const_view(), x.view());
    const Values improved = x.get();
    alone.multigrid.full_multigrid(alone.space, rhs.const_view(), x.view());
    const Values full = x.get();
    const double accuracy = rounding<Scalar>(20 * alone.multigrid.num_levels());
    for (const int num_ranks : {1, 2, 5}) {
      for (const auto& [name, columns] : awkward_strips(whole.nx, num_ranks)) {
        gathered = gathered < 1000 ? 30 * gathered : 1;  // 1, 30, 900, 27000
        SCOPED_TRACE(testing::Message()
                     << whole.nx << " x " << whole.ny << ", " << steps << " steps, " << num_ranks
                     << " ranks, " << name << ", gathered " << gathered);
        run_on_ranks<Memory>(num_ranks, [&,
                                         &columns = columns](const Lamina::Transport& transport) {
          const Strip strip(transport, whole, columns, steps, gathered);
          const auto rank_rhs = strip.field(b, all_padding), z = strip.field(guess, all_padding);
          EXPECT_EQ(strip.multigrid.num_levels(), alone.multigrid.num_levels());
          strip.multigrid.solve(strip.space, rank_rhs.const_view(), z.view());
          EXPECT_TRUE(all_within(strip.of_all(z), cycle, accuracy)) << "a cycle from zero";
          const auto u = strip.field(guess, all_padding);
          strip.multigrid.improve(strip.space, rank_rhs.const_view(), u.view());
          EXPECT_TRUE(all_within(strip.of_all(u), improved, accuracy)) << "from a guess";
          strip.multigrid.full_multigrid(strip.space, rank_rhs.const_view(), u.view());
          EXPECT_TRUE(all_within(strip.of_all(u), full, accuracy)) << "full multigrid";
          EXPECT_TRUE(u.surroundings_untouched() && z.surroundings_untouched());
        });
      }
    }
  }
}

TYPED_TEST(PoissonMultigridOverRanks, IsSymmetricAndPositive) {
  using Scalar = typename TestFixture::Scalar;
  const Rectangle whole{19, 14};
  const Values x = rounded<Scalar>(random_field(whole, 3)),
               y = rounded<Scalar>(random_field(whole, 4));
  const auto product = [](const Values& a, const Values& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
  };
  for (const auto& [name, columns] : awkward_strips(whole.nx, 4)) {
    SCOPED_TRACE(name);
    run_on_ranks<Memory>(4, [&, &columns = columns](const Lamina::Transport& transport) {
      const typename TestFixture::Strip strip(transport, whole, columns, 2, 10);
      const auto solve = [&](const Values& r) {
        const auto in = strip.field(r), out = strip.field(r);
        strip.multigrid.solve(strip.space, in.const_view(), out.view());
        return strip.of_all(out);
      };
      const Values bx = solve(x), by = solve(y);
      const double xx = product(x, bx), yy = product(y, by);
      EXPECT_GT(xx, 0);
      EXPECT_GT(yy, 0);
      EXPECT_NEAR(product(y, bx), product(x, by), rounding<Scalar>(200) * std::sqrt(xx * yy));
    });
  }
}

TYPED_TEST(PoissonMultigridOverRanks, HistoriesAreThoseOfOneProcess) {
  using Scalar = typename TestFixture::Scalar;
  using Strip = typename TestFixture::Strip;
  using Model = typename TestFixture::Model;
  using Solver = typename TestFixture::Solver;
  const Lamina::StoppingCriteria criteria{.tolerance = TestFixture::is_double ? 1e-9 : 1e-3};
  for (const Rectangle& whole : {Rectangle{31, 6}, {17, 33}, {1, 1}}) {
    const typename TestFixture::Case alone(whole);
    const Values b = rounded<Scalar>(random_field(whole, 5)),
                 guess = rounded<Scalar>(random_field(whole, 6));
    const auto rhs = alone.field(b);
    const auto solve = [&](const auto& of, auto&& plan, const auto& b_field, Values& x) {
      const auto field = of.field(guess);
      const auto report = plan.solve(of.space, b_field.const_view(), field.view(), criteria);
      if constexpr (std::is_same_v<std::decay_t<decltype(of)>, Strip>) {
        x = of.of_all(field);
      } else {
        x = field.get();
      }
      return report;
    };
    Values fused_x, plain_x, cycled_x;
    const auto fused = solve(
        alone, Lamina::FusedPcg(alone.space, Model(alone.space, alone.multigrid)), rhs, fused_x);
    const auto plain =
        solve(alone, Lamina::Pcg(alone.space, alone.op, alone.multigrid), rhs, plain_x);
    const auto cycled = solve(alone, Solver(alone.space, alone.multigrid), rhs, cycled_x);
    for (const int num_ranks : {1, 2, 3, 4, 5}) {
      for (const auto& [name, columns] : awkward_strips(whole.nx, num_ranks)) {
        SCOPED_TRACE(testing::Message()
                     << whole.nx << " x " << whole.ny << ", " << num_ranks << " ranks, " << name);
        run_on_ranks<Memory>(num_ranks, [&,
                                         &columns = columns](const Lamina::Transport& transport) {
          const Strip strip(transport, whole, columns, 2, 40);
          const auto& multigrid = strip.multigrid;
          const auto rank_rhs = strip.field(b);
          const auto expect_same = [&](auto&& plan, const Lamina::SolveReport& expected,
                                       const Values& x) {
            Values found;
            const auto report = solve(strip, plan, rank_rhs, found);
            expect_same_report(
                report, expected,
                TestFixture::accuracy * std::max(1.0, expected.residual_history.front()));
            EXPECT_TRUE(all_within(found, x, 10 * TestFixture::accuracy));
          };
          expect_same(Lamina::FusedPcg(strip.space, Model(strip.space, multigrid)), fused, fused_x);
          expect_same(Lamina::Pcg(strip.space, strip.op, multigrid, multigrid.decomposition()),
                      plain, plain_x);
          expect_same(Solver(strip.space, multigrid), cycled, cycled_x);
        });
      }
    }
  }
}

/// Messages of one cycle from zero, over 3 ranks with 2 cuts.
TYPED_TEST(PoissonMultigridOverRanks, CyclesExchangeTwiceOnEachSharedLevel) {
  using Strip = typename TestFixture::Strip;
  const Rectangle whole{96, 16};
  const auto messages = [&](int gathered, int cycles) {
    SimulatedWorld world(3);
    run_on_ranks<Memory>(world, [&](const Lamina::Transport& transport) {
      const Strip strip(transport, whole, Lamina::Partition::blocks(96, 3), 2, gathered);
      const auto r = strip.field(random_field(whole, 7)), z = strip.field(random_field(whole, 8));
      for (int n = 0; n < cycles; ++n) {
        strip.multigrid.solve(strip.space, r.const_view(), z.view());
      }
    });
    return world.num_messages();
  };
  // Levels of 1536, 384 and 96 points: 4 messages of an exchange, and 6 to gather.
  EXPECT_EQ(messages(384, 1), 4 + 6);
  EXPECT_EQ(messages(96, 1), 4 + 2 * 4 + 6);
  EXPECT_EQ(messages(96, 3), 3 * (4 + 2 * 4 + 6));
}

TYPED_TEST(PoissonMultigridOverRanks, IterationsExchangeOnceMore) {
  const Rectangle whole{96, 16};
  const Values b = random_field(whole, 9);
  const auto messages = [&](int iterations) {
    SimulatedWorld world(3);
    run_on_ranks<Memory>(world, [&](const Lamina::Transport& transport) {
      const typename TestFixture::Strip strip(transport, whole, Lamina::Partition::blocks(96, 3), 2,
                                              96);
      const auto rhs = strip.field(b), x = strip.field(b);
      Lamina::FusedPcg pcg(strip.space, typename TestFixture::Model(strip.space, strip.multigrid));
      (void)pcg.solve(strip.space, rhs.const_view(), x.view(),
                      Lamina::StoppingCriteria::iterations(iterations));
    });
    return world.num_messages();
  };
  EXPECT_EQ(messages(4) - messages(2), 2 * (4 + 2 * 4 + 6 + 4));
}

TYPED_TEST(PoissonMultigridOverRanks, AllocatesNothingAndTellsItsCosts) {
  const Rectangle whole{5, 40};
  std::vector<Lamina::KernelCost> costs;
  run_on_ranks<Memory>(3, [&](const Lamina::Transport& transport) {
    const typename TestFixture::Strip strip(transport, whole, Lamina::Partition::blocks(5, 3), 2,
                                            9);
    const typename TestFixture::Model model(strip.space, strip.multigrid);
    Lamina::FusedPcg pcg(strip.space, model);
    typename TestFixture::Solver solver(strip.space, strip.multigrid);
    const auto b = strip.field(random_field(whole, 1)), x = strip.field(random_field(whole, 2));
    const auto criteria = Lamina::StoppingCriteria::iterations(2);
    const auto solve = [&] {
      (void)pcg.solve(strip.space, b.const_view(), x.view(), criteria);
      (void)solver.solve(strip.space, b.const_view(), x.view(), criteria);
      strip.multigrid.full_multigrid(strip.space, b.const_view(), x.view());
    };
    const auto wait = [&] { (void)Lamina::Impl::gather_values(transport, 0); };  // for all ranks
    solve();
    wait();
    const ToolListener listener;
    solve();
    const auto heard = listener.heard();
    wait();
    expect_no_allocations(heard);
    for (const auto& of : {model.kernel_costs(), solver.kernel_costs()}) {
      for (const auto& cost : of) {
        EXPECT_TRUE(std::isfinite(cost.bytes) && std::isfinite(cost.flops)) << cost.label;
        costs.push_back(cost);
      }
    }
    for (const auto& kernel : heard.kernels) {
      if (!starts_with(kernel.label, "Lamina::PoissonMultigrid")) continue;
      EXPECT_TRUE(std::any_of(costs.begin(), costs.end(), [&](const auto& cost) {
        return cost.label == kernel.label;
      })) << kernel.label;
    }
  });
}

/// Before the coarser level two columns of other ranks are smoothed, too.
TYPED_TEST(PoissonMultigridOverRanks, CostsAreOfAllColumnsThatAreSmoothed) {
  constexpr double scalar = sizeof(typename TestFixture::Scalar);
  run_on_ranks<Memory>(3, [&](const Lamina::Transport& transport) {
    const typename TestFixture::Strip strip(transport, {9, 4}, Lamina::Partition::blocks(9, 3), 2,
                                            1);
    const auto bytes_of = [&](const char* kernel) {
      const auto costs = strip.multigrid.kernel_costs();
      const auto found = std::find_if(costs.begin(), costs.end(), [&](const auto& cost) {
        return cost.label == std::string("Lamina::PoissonMultigrid::") + kernel;
      });
      return found == costs.end() ? 0.0 : found->bytes;
    };
    const double own = 3 * 4, smoothed = (transport.rank() == 1 ? 7 : 5) * 4,
                 coarse = (transport.rank() == 1 ? 2 : 1) * 2;
    EXPECT_EQ(bytes_of("descend"), (2 * smoothed + coarse) * scalar);
    EXPECT_EQ(bytes_of("ascend"), (3 * own + coarse) * scalar);
  });
}

TYPED_TEST(PoissonMultigridOverRanks, NotANumberOnOneRankEndsAll) {
  const Rectangle whole{11, 8};
  for (const int bad : {0, 2}) {
    run_on_ranks<Memory>(3, [&](const Lamina::Transport& transport) {
      const typename TestFixture::Strip strip(transport, whole, Lamina::Partition::blocks(11, 3));
      const Values zero(88, 0.0);
      Values b = random_field(whole, 5);
      if (transport.rank() == bad) b.assign(b.size(), std::numeric_limits<double>::quiet_NaN());
      Lamina::FusedPcg pcg(strip.space, typename TestFixture::Model(strip.space, strip.multigrid));
      typename TestFixture::Solver solver(strip.space, strip.multigrid);
      const auto expect_end = [&](auto& plan) {
        const auto x = strip.field(zero), rhs = strip.field(b), nothing = strip.field(zero);
        EXPECT_EQ(plan.solve(strip.space, rhs.const_view(), x.view()).status,
                  Lamina::SolveStatus::breakdown_not_finite);
        const auto y = strip.field(zero);
        EXPECT_TRUE(plan.solve(strip.space, nothing.const_view(), y.view()).converged());
      };
      expect_end(pcg);
      expect_end(solver);
    });
  }
}

TYPED_TEST(PoissonMultigridOverRanks, RequestOnOneRankEndsAll) {
  const Rectangle whole{11, 8};
  const Values zero(88, 0.0), b = rounded<typename TestFixture::Scalar>(random_field(whole, 5));
  for (const int culprit : {0, 2}) {
    run_on_ranks<Memory>(3, [&](const Lamina::Transport& transport) {
      const typename TestFixture::Strip strip(transport, whole, Lamina::Partition::blocks(11, 3));
      typename TestFixture::Solver solver(strip.space, strip.multigrid);
      const auto solve = [&](const Lamina::StoppingCriteria& criteria) {
        const auto rhs = strip.field(b), x = strip.field(zero);
        return solver.solve(strip.space, rhs.const_view(), x.view(), criteria);
      };
      auto criteria = Lamina::StoppingCriteria::iterations(5);
      int asked = 0;
      const auto stop = [&] { return ++asked == 3; };
      if (transport.rank() == culprit) criteria.stop_requested = stop;  // others have none
      const auto stopped = solve(criteria);
      EXPECT_EQ(stopped.status, Lamina::SolveStatus::interrupted);
      EXPECT_EQ(stopped.iterations, 2);
      criteria.stop_requested = [] { return false; };
      EXPECT_EQ(solve(criteria).iterations, 5);
    });
  }
}

TEST(PoissonMultigridOverRanksArguments, AreChecked) {
  using Strip = PoissonMultigridStrip<double, Kokkos::LayoutRight>;
  const auto refusal = [](int steps_of_last, std::int64_t gathered_of_last, int nx_of_last) {
    std::vector<std::string> messages(3);
    run_on_ranks<Memory>(3, [&](const Lamina::Transport& transport) {
      const bool is_last = transport.rank() == 2;
      const Rectangle whole{is_last ? nx_of_last : 9, 4};
      try {
        const Strip strip(transport, whole, Lamina::Partition::blocks(whole.nx, 3),
                          is_last ? steps_of_last : 2, is_last ? gathered_of_last : 50);
      } catch (const std::exception& error) {
        messages[static_cast<std::size_t>(transport.rank())] = error.what();
      }
    });
    EXPECT_EQ(messages, std::vector<std::string>(3, messages[0])) << "the same on all ranks";
    return messages[0];
  };
  EXPECT_EQ(refusal(2, 50, 9), "");
  EXPECT_EQ(refusal(4, 50, 9), "rank 2: Lamina::PoissonMultigrid: steps: expected 1 to 3, got 4");
  EXPECT_EQ(refusal(2, 0, 9),
            "rank 2: Lamina::PoissonMultigrid: gathered_points: expected a value >= 1, got 0");
  EXPECT_EQ(
      refusal(3, 50, 9),
      "Lamina::PoissonMultigrid: steps: expected the same on all ranks, got 2 on rank 0 and 3 "
      "on rank 2");
  EXPECT_EQ(refusal(2, 60, 9),
            "Lamina::PoissonMultigrid: gathered_points: expected the same on all ranks, got 50 on "
            "rank 0 and 60 on rank 2");
  EXPECT_EQ(refusal(2, 50, 12),
            "Lamina::PoissonMultigrid: columns of local.whole: expected the same on all ranks, got "
            "9 on rank 0 and 12 on rank 2");
}

TEST(PoissonMultigridOverRanksArguments, AreOfStripsOfOneRectangle) {
  const TEST_SPACE space;
  const auto loopback = Lamina::make_loopback_transport();
  const auto local = Lamina::local_rectangle({6, 4}, Lamina::Partition::blocks(6, 1), 0);
  const Lamina::PoissonOperator<double, Memory> other(Rectangle{5, 4});
  EXPECT_EQ(message_of<Lamina::InvalidArgument>([&] {
              const Lamina::PoissonMultigrid<double, Memory> wrong(space, *loopback, other, local);
            }),
            "Lamina::PoissonMultigrid: op: expected the operator of the strip, got another one");
  const auto message_of_strip = [&](const Lamina::Transport& transport,
                                    const Lamina::LocalRectangle& strip) {
    const Lamina::PoissonOperator<double, Memory> op(strip);
    return message_of<Lamina::InvalidArgument>(
        [&] { const Lamina::PoissonMultigrid<double, Memory> wrong(space, transport, op, strip); });
  };
  const auto strip_of = [](const std::vector<int>& owners, int rank) {
    return Lamina::local_rectangle({6, 4}, Lamina::Partition::from_owners(owners, 2), rank);
  };
  // On one rank a strip of two; it may be the whole rectangle.
  for (const int rank : {0, 1}) {
    EXPECT_EQ(
        message_of_strip(*loopback, strip_of({0, 0, 0, 1, 1, 1}, rank)),
        "Lamina::PoissonMultigrid: local: expected the whole rectangle on one rank, got a strip "
        "of it");
  }
  EXPECT_EQ(message_of_strip(*loopback, strip_of({1, 1, 1, 1, 1, 1}, 1)), "nothing was thrown");
  // Halo patterns of these strips fit: one column to and from the other rank.
  const std::vector<int> longer{0, 0, 0, 1, 1, 1}, shorter{0, 0, 1, 1, 1, 1};
  run_on_ranks<Memory>(2, [&](const Lamina::Transport& transport) {
    const int rank = transport.rank();
    EXPECT_EQ(message_of_strip(transport, strip_of(rank == 0 ? longer : shorter, rank)),
              "Lamina::PoissonMultigrid: local: expected strips of one rectangle, got none that "
              "begins with column 3");
    EXPECT_EQ(message_of_strip(transport, strip_of(rank == 0 ? shorter : longer, rank)),
              "Lamina::PoissonMultigrid: local: expected strips of one rectangle, got none that "
              "begins with column 2");
    auto of_less = Lamina::local_rectangle({5, 4}, Lamina::Partition::blocks(5, 2), rank);
    of_less.whole.nx = 6;
    EXPECT_EQ(message_of_strip(transport, of_less),
              "Lamina::PoissonMultigrid: argument local: expected 6 columns of all ranks, got 5");
  });
}

}  // namespace LaminaTest
