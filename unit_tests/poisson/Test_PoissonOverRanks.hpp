// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <distributed/SimulatedTransport.hpp>
#include <poisson/PoissonStrips.hpp>
#include <support/MessageOf.hpp>

#include <limits>
#include <string>

namespace LaminaTest {

template <class Type>
struct PoissonOverRanks : testing::Test {
  using Scalar = typename Type::scalar;
  using Layout = typename Type::layout;
  static constexpr bool is_double = std::is_same_v<Scalar, double>;
  using Strip = PoissonStrip<Scalar, Layout, FusedOverStrips>;
  static Lamina::StoppingCriteria criteria() { return {.tolerance = is_double ? 1e-9 : 1e-3}; }
};
TYPED_TEST_SUITE(PoissonOverRanks, FieldTypes, FieldTypeNames);

TYPED_TEST(PoissonOverRanks, HistoriesAreThoseOfOneProcess) {
  using Scalar = typename TypeParam::scalar;
  using Layout = typename TypeParam::layout;
  for (const int num_ranks : {1, 2, 3, 4}) {
    run_on_ranks<Memory>(num_ranks, [&](const Lamina::Transport& transport) {
      for (const Rectangle& whole : {Rectangle{31, 6}, Rectangle{17, 33}, Rectangle{2, 9}}) {
        expect_one_poisson_solve<Scalar, Layout, FusedOverStrips>(transport, whole,
                                                                  TestFixture::criteria());
      }
      expect_one_poisson_solve<Scalar, Layout, PlainOverStrips>(transport, {13, 13},
                                                                TestFixture::criteria());
    });
  }
}

TYPED_TEST(PoissonOverRanks, ForEachMemoryButTextures) {
  run_on_ranks<Memory>(3, [&](const Lamina::Transport& transport) {
    for (const auto memory : {StencilMemory::global, StencilMemory::shared}) {
      expect_one_poisson_solve<typename TypeParam::scalar, typename TypeParam::layout,
                               FusedOverStrips>(transport, {19, 70}, TestFixture::criteria(),
                                                memory);
    }
  });
}

TYPED_TEST(PoissonOverRanks, IteratesWithoutATestToTheSameSolution) {
  using Scalar = typename TypeParam::scalar;
  using Layout = typename TypeParam::layout;
  using Field = TestField<Scalar, Layout>;
  const Rectangle whole{12, 17};
  const Values b = rounded<Scalar>(random_field(whole, 14));
  const int count = 6;
  const auto twin = poisson_twin(whole, b, Values(b.size(), 0.0), 0, count);
  run_on_ranks<Memory>(3, [&](const Lamina::Transport& transport) {
    const typename TestFixture::Strip strip(transport, whole, Lamina::Partition::blocks(12, 3));
    const auto& local = strip.local();
    const Lamina::PoissonOperator<Scalar, Memory> op(local);
    const Field b_field(op.num_columns(), 17, strip.owned(b)), x(op.num_columns(), 17);
    auto plan = FusedOverStrips::make(op, {transport, local.halo, 17 * sizeof(Scalar)});
    const auto report = plan.iterate(TEST_SPACE(), b_field.const_view(), x.view(), count);
    EXPECT_EQ(report.iterations, count);
    const Values actual = x.get(), expected = strip.owned(twin.x);
    for (std::size_t n = 0; n < static_cast<std::size_t>(local.owned.cells()); ++n) {
      EXPECT_NEAR(actual[n], expected[n], TestFixture::is_double ? 1e-13 : 1e-5);
    }
  });
}

/// Its Table 1.
TEST(PoissonOverRanksOfThePaper, NeedsItsIterations) {
  for (const int num_ranks : {1, 2, 3, 4}) {
    run_on_ranks<Memory>(num_ranks, [&](const Lamina::Transport& transport) {
      using Layout = Kokkos::LayoutRight;
      EXPECT_EQ((published_iterations<double, Layout, FusedOverStrips>(transport, 64)), 96);
      EXPECT_EQ((published_iterations<double, Layout, FusedOverStrips>(transport, 128)), 192);
      EXPECT_EQ((published_iterations<double, Layout, PlainOverStrips>(transport, 64)), 96);
    });
  }
}

/// One message to each peer in an iteration, beside that of the initial residual.
TYPED_TEST(PoissonOverRanks, SendsOneMessageToEachPeerInAnIteration) {
  const Rectangle whole{12, 5};
  const Values b = random_field(whole, 3);
  for (const int iterations : {1, 4, 9}) {
    SimulatedWorld world(3);
    run_on_ranks<Memory>(world, [&](const Lamina::Transport& transport) {
      typename TestFixture::Strip strip(transport, whole, Lamina::Partition::blocks(12, 3));
      (void)strip.solve(b, b, Lamina::StoppingCriteria::iterations(iterations));
    });
    // Two cuts: 4 messages. The last pass measures the residual that it ends with.
    EXPECT_EQ(world.num_messages(), 4 * (iterations + 2));
  }
}

TYPED_TEST(PoissonOverRanks, NotANumberOnOneRankEndsAll) {
  const Rectangle whole{11, 8};
  for (const int bad : {0, 1, 2}) {
    run_on_ranks<Memory>(3, [&](const Lamina::Transport& transport) {
      typename TestFixture::Strip strip(transport, whole, Lamina::Partition::blocks(11, 3));
      Values b = random_field(whole, 5);
      const Values guess(b.size(), 0.0);
      if (transport.rank() == bad) b.assign(b.size(), std::numeric_limits<double>::quiet_NaN());
      EXPECT_EQ(strip.solve(b, guess, {}).status, Lamina::SolveStatus::breakdown_not_finite);
      EXPECT_TRUE(strip.solve(guess, guess, {}).converged()) << "the plan is as good as new";
    });
  }
}

TYPED_TEST(PoissonOverRanks, RightHandSidesOfOneRankAloneAndOfAnySize) {
  if (!TestFixture::is_double) GTEST_SKIP() << "sizes beyond single precision";
  const Rectangle whole{11, 8};
  for (const double size : {1e-200, 1.0, 1e200}) {
    Values b(88, 0.0);
    for (std::size_t n = 80; n < 88; ++n) b[n] = size * static_cast<double>(n % 3);
    run_on_ranks<Memory>(4, [&](const Lamina::Transport& transport) {
      typename TestFixture::Strip strip(transport, whole, Lamina::Partition::blocks(11, 4));
      EXPECT_TRUE(strip.solve(b, Values(88, 0.0), {.tolerance = 1e-9}).converged());
    });
  }
}

TYPED_TEST(PoissonOverRanks, RefusesWhatItCannotDo) {
  using Operator = Lamina::PoissonOperator<typename TypeParam::scalar, Memory>;
  const auto local = Lamina::local_rectangle({4, 3}, Lamina::Partition::blocks(4, 2), 0);
  EXPECT_EQ(message_of<Lamina::InvalidArgument>([&] { Operator(local, StencilMemory::texture2d); }),
            "Lamina::PoissonOperator: memory: expected no textures for a part of a rectangle, got "
            "texture2d");
  using Model = Lamina::FusedPoisson<typename TypeParam::scalar, Memory>;
  EXPECT_EQ(message_of<Lamina::InvalidArgument>([&] { Model(TEST_SPACE(), Operator(local)); }),
            "Lamina::FusedPoisson: op: expected no halo columns, or a decomposition, got 1");
}

}  // namespace LaminaTest
