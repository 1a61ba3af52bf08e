// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Cycles and solves of the height over simulated ranks.

#include <lamina/distributed/impl/TransportCalls.hpp>

#include <distributed/SimulatedTransport.hpp>
#include <shallow_water/PeriodicMultigridCase.hpp>
#include <shallow_water/WaterStrips.hpp>
#include <support/MessageOf.hpp>
#include <support/ToolExpectations.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <exception>
#include <string>
#include <type_traits>
#include <vector>

namespace LaminaTest {

/// The strip of a rank, with the heights of a whole rectangle.
template <class Scalar>
struct PeriodicMultigridStrip {
  using Operator = Lamina::PeriodicHelmholtz<Scalar, Memory>;
  using Multigrid = Lamina::PeriodicMultigrid<Scalar, Memory>;
  using Vector = typename Operator::vector_type;
  using Field = TestField<Scalar, Kokkos::LayoutLeft>;

  PeriodicMultigridStrip(const Lamina::Transport& transport, const Rectangle& whole,
                         const Lamina::Partition& lines, double c, const Values& height,
                         Lamina::WaterSides sides, int steps, std::int64_t gathered)
      : strip(transport, whole, lines, sides),
        weight(height.empty() ? Vector() : vector(height)),
        op(strip, c, c, weight),
        multigrid(space, op, steps, gathered) {}

  Field field(const Values& whole) const {
    return Field(strip.owned().nx, strip.owned().ny, lines_of_rank(strip, whole));
  }
  /// With ghosts.
  Vector vector(const Values& whole) const {
    const auto result =
        Lamina::Impl::make_ghosted<Scalar, Memory>("LaminaTest::vector", strip.owned());
    const Field in = field(whole);
    Kokkos::deep_copy(Lamina::Impl::cells_of(result, strip.owned()), in.view());
    strip.exchange(space, Lamina::Impl::ghosted_lines_of(result));
    return result;
  }
  Values get(const Vector& vector) const {
    const auto out = field(Values(static_cast<std::size_t>(strip.whole().cells()), 0.0));
    Kokkos::deep_copy(out.view(), Lamina::Impl::cells_of(vector, strip.owned()));
    return out.get();
  }
  /// Without corners.
  bool has_ghosts_filled(const Vector& vector) const {
    const auto filled = op.make_vector("LaminaTest::filled");
    Kokkos::deep_copy(filled, vector);
    op.fill_ghosts(space, filled);
    const auto host = [](const Vector& of) {  // by way of contiguous lines
      const Kokkos::View<Scalar**, Kokkos::LayoutLeft, Memory> lines("LaminaTest::lines",
                                                                     of.extent(0), of.extent(1));
      Kokkos::deep_copy(lines, of);
      return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), lines);
    };
    const auto a = host(vector), b = host(filled);
    const auto [nx, ny] = strip.owned();
    bool same = true;
    for (int i = 0; i < nx + 2; ++i) {
      for (int j = 0; j < ny + 2; ++j) {
        const bool corner = (i == 0 || i == nx + 1) && (j == 0 || j == ny + 1);
        if (ny > 0 && !corner && a(i, j) != b(i, j)) same = false;
      }
    }
    return same;
  }

  TEST_SPACE space;
  Lamina::WaterStrip<Memory> strip;
  Vector weight;
  Operator op;
  Multigrid multigrid;
};

template <class Type>
struct PeriodicMultigridOverRanks : testing::Test {
  using Scalar = typename Type::scalar;
  using Case = PeriodicMultigridCase<Scalar>;
  using Strip = PeriodicMultigridStrip<Scalar>;
  using Model = typename Case::Model;
  static constexpr auto periodic = Lamina::WaterSides::periodic, walls = Lamina::WaterSides::walls;
};
TYPED_TEST_SUITE(PeriodicMultigridOverRanks, PeriodicMultigridTypes, FieldTypeNames);

/// Few lines, so that all ranks have them all; and so many that levels are shared. Odd numbers on each level,
/// lines of three cells, and of one.
TYPED_TEST(PeriodicMultigridOverRanks, CyclesAreThoseOfOneProcess) {
  using Scalar = typename TestFixture::Scalar;
  int turn = 0;
  for (const Rectangle& whole :
       {Rectangle{1, 1}, {3, 3}, {9, 1}, {1, 9}, {5, 40}, {3, 67}, {1, 95}, {9, 64}, {6, 101}}) {
    const int steps = turn++ % 3 + 1;
    const auto sides = turn % 2 == 0 ? TestFixture::periodic : TestFixture::walls;
    const Values height = turn % 5 == 0 ? Values() : rough_height(whole);
    const typename TestFixture::Case alone(whole, 20, height, sides, steps);
    const Values r = rounded<Scalar>(random_values(alone.size(), 3));
    const Values expected = alone.solve(r);
    const double accuracy = 8 * rounding<Scalar>(20 * alone.multigrid.num_levels());
    for (const int num_ranks : {1, 2, 5}) {
      const std::int64_t gathered = (turn + num_ranks) % 3 == 0 ? 200 : 1;
      for (const auto& [name, lines] : awkward_strips(whole.ny, num_ranks)) {
        SCOPED_TRACE(testing::Message() << text_of(whole) << ", " << steps << " steps, "
                                        << num_ranks << " ranks, " << name << ", gathered "
                                        << gathered << ", walls " << (sides == TestFixture::walls));
        run_on_ranks<Memory>(num_ranks, [&, &lines = lines](const Lamina::Transport& transport) {
          const typename TestFixture::Strip strip(transport, whole, lines, 20, height, sides, steps,
                                                  gathered);
          EXPECT_EQ(strip.multigrid.num_levels(), alone.multigrid.num_levels());
          const auto in = strip.vector(r), z = strip.op.make_vector("z");
          for (int n = 0; n < 2; ++n) strip.multigrid.solve(strip.space, in, z);
          EXPECT_TRUE(all_within(strip.get(z), lines_of_rank(strip.strip, expected), accuracy));
          EXPECT_TRUE(strip.has_ghosts_filled(z));
        });
      }
    }
  }
}

TYPED_TEST(PeriodicMultigridOverRanks, HistoriesAreThoseOfOneProcess) {
  using Scalar = typename TestFixture::Scalar;
  const double tolerance = std::is_same_v<Scalar, double> ? 1e-9 : 1e-4;
  for (const auto sides : {TestFixture::periodic, TestFixture::walls}) {
    const std::vector<int> counts_of_ranks =
        sides == TestFixture::walls ? std::vector<int>{1, 3} : std::vector<int>{2, 4, 5};
    const Rectangle whole{10, 75};
    const Values height = rough_height(whole);
    const typename TestFixture::Case alone(whole, 100, height, sides);
    const Values b = rounded<Scalar>(random_values(alone.size(), 5));
    Values solution;
    const auto expected = alone.solve_by_cg(b, tolerance, &solution);
    for (const int num_ranks : counts_of_ranks) {
      for (const auto& [name, lines] : awkward_strips(whole.ny, num_ranks)) {
        SCOPED_TRACE(testing::Message() << num_ranks << " ranks, " << name);
        run_on_ranks<Memory>(num_ranks, [&, &lines = lines](const Lamina::Transport& transport) {
          const typename TestFixture::Strip strip(transport, whole, lines, 100, height, sides, 2,
                                                  300);
          Lamina::FusedPcg pcg(strip.space, typename TestFixture::Model(strip.multigrid));
          const auto rhs = strip.field(b), x = strip.field(Values(b.size(), 0.0));
          const auto report =
              pcg.solve(strip.space, rhs.const_view(), x.view(), {.tolerance = tolerance});
          EXPECT_TRUE(report.converged());
          EXPECT_EQ(report.iterations, expected.iterations);
          EXPECT_TRUE(all_within(report.residual_history, expected.residual_history,
                                 rounding<Scalar>(5000)));
          EXPECT_TRUE(
              all_within(x.get(), lines_of_rank(strip.strip, solution), rounding<Scalar>(1000)));
        });
      }
    }
  }
}

TYPED_TEST(PeriodicMultigridOverRanks, TakesNewWeights) {
  using Scalar = typename TestFixture::Scalar;
  const Rectangle whole{5, 60};
  const Values before = rough_height(whole), after = hilly_height(whole);
  const typename TestFixture::Case alone(whole, 20, after);
  const Values r = rounded<Scalar>(random_values(alone.size(), 3));
  const Values expected = alone.solve(r);
  run_on_ranks<Memory>(3, [&](const Lamina::Transport& transport) {
    const typename TestFixture::Strip strip(transport, whole, Lamina::Partition::blocks(60, 3), 20,
                                            before, TestFixture::periodic, 2, 1);
    const auto in = strip.vector(r), z = strip.op.make_vector("z");
    Kokkos::deep_copy(strip.weight, strip.vector(after));
    strip.multigrid.update(strip.space);
    strip.multigrid.solve(strip.space, in, z);
    EXPECT_TRUE(
        all_within(strip.get(z), lines_of_rank(strip.strip, expected), 8 * rounding<Scalar>(200)));
  });
}

/// Over 3 ranks, of which each has a message to both others, periodic.
TYPED_TEST(PeriodicMultigridOverRanks, ExchangesTwiceOnEachSharedLevel) {
  const Rectangle whole{4, 96};
  const Values b = random_values(static_cast<std::size_t>(whole.cells()), 9);
  const auto messages = [&](int gathered, int cycles, int iterations) {
    SimulatedWorld world(3);
    run_on_ranks<Memory>(world, [&](const Lamina::Transport& transport) {
      const typename TestFixture::Strip strip(transport, whole, Lamina::Partition::blocks(96, 3),
                                              20, {}, TestFixture::periodic, 2, gathered);
      const auto r = strip.op.make_vector("r"), z = strip.op.make_vector("z");
      for (int n = 0; n < cycles; ++n) strip.multigrid.solve(strip.space, r, z);
      if (iterations == 0) return;
      Lamina::FusedPcg pcg(strip.space, typename TestFixture::Model(strip.multigrid));
      const auto rhs = strip.field(b), x = strip.field(b);
      (void)pcg.solve(strip.space, rhs.const_view(), x.view(),
                      Lamina::StoppingCriteria::iterations(iterations));
    });
    return world.num_messages();
  };
  const int exchange = 3 * 2, update = 2;
  // Levels of 384, 96 and 24 cells: f of the first one, the second one gathered, z.
  EXPECT_EQ(messages(100, 1, 0) - messages(100, 0, 0), 3 * exchange);
  EXPECT_EQ(messages(100, 0, 0), exchange);  // couplings of the gathered level
  EXPECT_EQ(messages(50, 1, 0) - messages(50, 0, 0), 5 * exchange);
  EXPECT_EQ(messages(50, 0, 0), update * exchange);
  EXPECT_EQ(messages(50, 0, 4) - messages(50, 0, 2), 2 * 5 * exchange);
  EXPECT_EQ(messages(400, 1, 0) - messages(400, 0, 0), 2 * exchange);
}

TYPED_TEST(PeriodicMultigridOverRanks, AllocatesNothingAndTellsItsCosts) {
  const Rectangle whole{6, 60};
  const Values height = rough_height(whole);
  run_on_ranks<Memory>(3, [&](const Lamina::Transport& transport) {
    const typename TestFixture::Strip strip(transport, whole, Lamina::Partition::blocks(60, 3), 20,
                                            height, TestFixture::periodic, 2, 1);
    const typename TestFixture::Model model(strip.multigrid);
    Lamina::FusedPcg pcg(strip.space, model);
    const auto b = strip.field(random_values(height.size(), 1)), x = strip.field(height);
    const auto solve = [&] {
      strip.multigrid.update(strip.space);
      (void)pcg.solve(strip.space, b.const_view(), x.view(),
                      Lamina::StoppingCriteria::iterations(2));
    };
    const auto wait = [&] { (void)Lamina::Impl::gather_values(transport, 0); };  // for all ranks
    solve();
    wait();
    const ToolListener listener;
    solve();
    const auto heard = listener.heard();
    wait();
    expect_no_allocations(heard);
    const auto costs = model.kernel_costs();
    for (const auto& kernel : heard.kernels) {
      if (!starts_with(kernel.label, "Lamina::Periodic")) continue;
      EXPECT_TRUE(std::any_of(costs.begin(), costs.end(), [&](const auto& cost) {
        return cost.label == kernel.label;
      })) << kernel.label;
    }
    // Before the coarser level, for residuals of 10 lines and those beside them: 26 and 24 lines. Then 22 and 20.
    const auto found = std::find_if(costs.begin(), costs.end(), [](const auto& cost) {
      return cost.label == "Lamina::PeriodicMultigrid::step";
    });
    ASSERT_NE(found, costs.end());
    EXPECT_NEAR(found->bytes, (24 + 22 + 20) / 3.0 * 6 * 4 * sizeof(typename TestFixture::Scalar),
                1e-6);
  });
}

/// A step with a correction to a small tolerance: one of as many iterations.
TYPED_TEST(PeriodicMultigridOverRanks, StepsAreThoseOfOneProcess) {
  using Scalar = typename TestFixture::Scalar;
  using Plan = Lamina::SemiImplicit<Scalar, Memory>;
  const Lamina::SemiImplicitOptions options{
      .newton = Lamina::StoppingCriteria::iterations(2),
      .cg = {.tolerance = std::is_same_v<Scalar, double> ? 1e-10 : 1e-4},
      .preconditioner = Lamina::CgPreconditioner::multigrid};
  const Rectangle whole{36, 120};  // more cells than are gathered
  const auto y = rounded_water<Scalar>(random_water(whole, 31));
  const double dt = 4.0 / whole.nx;
  for (const auto sides : {TestFixture::periodic, TestFixture::walls}) {
    const auto run = [&](const Lamina::WaterStrip<Memory>& strip, Lamina::StepReport& report) {
      auto state = state_of_rank<Scalar>(strip, y);
      Plan plan(strip, dt, coriolis, options);
      report = plan.step(TEST_SPACE(), state);
      EXPECT_EQ(report.status, Lamina::SolveStatus::completed);
      return WaterCase<Scalar>::get(state);
    };
    Lamina::StepReport expected_report;
    const WaterState expected = run(Lamina::WaterStrip<Memory>(whole, sides), expected_report);
    const int num_ranks = sides == TestFixture::walls ? 2 : 4;
    for (const auto& [name, lines] : awkward_strips(whole.ny, num_ranks)) {
      SCOPED_TRACE(testing::Message() << num_ranks << " ranks, " << name);
      run_on_ranks<Memory>(num_ranks, [&, &lines = lines](const Lamina::Transport& transport) {
        const Lamina::WaterStrip<Memory> strip(transport, whole, lines, sides);
        Lamina::StepReport report;
        const auto state = run(strip, report);
        EXPECT_EQ(report.cg_iterations, expected_report.cg_iterations);
        expect_water_near(state, lines_of_rank(strip, expected), rounding<Scalar>(500));
      });
    }
  }
}

TEST(PeriodicMultigridOverRanksArguments, AreChecked) {
  using Strip = PeriodicMultigridStrip<double>;
  const auto refusal = [](int steps_of_last, std::int64_t gathered_of_last) {
    std::vector<std::string> messages(3);
    run_on_ranks<Memory>(3, [&](const Lamina::Transport& transport) {
      const bool is_last = transport.rank() == 2;
      try {
        const Strip strip(transport, {4, 9}, Lamina::Partition::blocks(9, 3), 1, {},
                          Lamina::WaterSides::periodic, is_last ? steps_of_last : 2,
                          is_last ? gathered_of_last : 50);
      } catch (const std::exception& error) {
        messages[static_cast<std::size_t>(transport.rank())] = error.what();
      }
    });
    EXPECT_EQ(messages, std::vector<std::string>(3, messages[0])) << "the same on all ranks";
    return messages[0];
  };
  EXPECT_EQ(refusal(2, 50), "");
  EXPECT_EQ(refusal(4, 50), "rank 2: Lamina::PeriodicMultigrid: steps: expected 1 to 3, got 4");
  EXPECT_EQ(refusal(2, 0),
            "rank 2: Lamina::PeriodicMultigrid: gathered_cells: expected a value >= 1, got 0");
  EXPECT_EQ(refusal(3, 50),
            "Lamina::PeriodicMultigrid: steps: expected the same on all ranks, got 2 on rank 0 and "
            "3 on rank 2");
  EXPECT_EQ(refusal(2, 60),
            "Lamina::PeriodicMultigrid: gathered_cells: expected the same on all ranks, got 50 on "
            "rank 0 and 60 on rank 2");
}

}  // namespace LaminaTest
