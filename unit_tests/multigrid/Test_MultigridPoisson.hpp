// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/krylov/FusedPcg.hpp>
#include <lamina/krylov/Pcg.hpp>
#include <lamina/multigrid/MultigridPoisson.hpp>

#include <gtest/gtest.h>
#include <multigrid/CycleAtTheEnd.hpp>
#include <multigrid/PoissonMultigridCase.hpp>
#include <support/FieldTypes.hpp>
#include <support/ToolExpectations.hpp>

#include <algorithm>
#include <cstddef>

namespace LaminaTest {

template <class Type>
struct MultigridPoisson : testing::Test {
  using Scalar = typename Type::scalar;
  using Case = PoissonMultigridCase<Scalar, typename Type::layout>;
  using Model = Lamina::MultigridPoisson<Scalar, Memory>;
  static constexpr double accuracy = std::is_same_v<Scalar, double> ? 1e-12 : 1e-4;
};
TYPED_TEST_SUITE(MultigridPoisson, FieldTypes, FieldTypeNames);

TYPED_TEST(MultigridPoisson, IteratesAsThePlainSolverDoes) {
  for (const Rectangle& rectangle : multigrid_rectangles()) {
    SCOPED_TRACE(testing::Message() << rectangle.nx << " x " << rectangle.ny);
    const typename TestFixture::Case c(rectangle);
    Lamina::Pcg pcg(c.space, c.op, c.multigrid);
    Lamina::FusedPcg fused_pcg(c.space, typename TestFixture::Model(c.space, c.multigrid));
    for (const int iterations : {1, 2, 3}) {
      if (rectangle.cells() < 9 && iterations > 1) continue;  // exact by then
      const auto b = c.field(random_field(rectangle, 1), all_padding),
                 plain = c.field(random_field(rectangle, 2), level_padding),
                 fused = c.field(random_field(rectangle, 2), all_padding);
      const auto criteria = Lamina::StoppingCriteria::iterations(iterations);
      const auto expected = pcg.solve(c.space, b.const_view(), plain.view(), criteria),
                 report = fused_pcg.solve(c.space, b.const_view(), fused.view(), criteria);
      EXPECT_EQ(report.status, expected.status);
      EXPECT_EQ(report.iterations, expected.iterations);
      EXPECT_TRUE(all_within(report.residual_history, expected.residual_history,
                             TestFixture::accuracy, Values(expected.residual_history.size(), 1.0)));
      EXPECT_TRUE(all_within(fused.get(), plain.get(), TestFixture::accuracy));
      EXPECT_TRUE(fused.surroundings_untouched());
    }
  }
}

TYPED_TEST(MultigridPoisson, LooksOfTheHostChangeNothing) {
  const typename TestFixture::Case c({50, 41});
  const auto b = c.field(random_field(c.rectangle, 3));
  Lamina::FusedPcg pcg(c.space, typename TestFixture::Model(c.space, c.multigrid));
  const auto solve = [&](int check_every, Values& x) {
    const auto field = c.field();
    const auto report = pcg.solve(c.space, b.const_view(), field.view(),
                                  {.tolerance = 1e-5, .check_every = check_every});
    EXPECT_TRUE(report.converged());
    x = field.get();
    return report.iterations;
  };
  Values every, rare;
  const int iterations = solve(1, every);
  for (const int check_every : {2, 3, 64}) {
    EXPECT_EQ(solve(check_every, rare), iterations);
    EXPECT_TRUE(all_within(rare, every, TestFixture::accuracy));
  }
}

TYPED_TEST(MultigridPoisson, DoesNothingOnceTheSolveIsOver) {
  const typename TestFixture::Case c({7, 6});
  const typename TestFixture::Model model(c.space, c.multigrid);
  expect_no_cycle_at_the_end(c.space, model, c.field(random_field(c.rectangle, 2)),
                             c.field(Values(c.size(), 7)));
}

TYPED_TEST(MultigridPoisson, TellsTheCostsOfItsKernels) {
  const typename TestFixture::Case c({33, 40});
  const typename TestFixture::Model model(c.space, c.multigrid);
  Lamina::FusedPcg pcg(c.space, model);
  const auto b = c.field(random_field(c.rectangle, 4)), x = c.field();
  const auto criteria = Lamina::StoppingCriteria::iterations(3);
  (void)pcg.solve(c.space, b.const_view(), x.view(), criteria);
  const ToolListener listener;
  (void)pcg.solve(c.space, b.const_view(), x.view(), criteria);
  c.multigrid.full_multigrid(c.space, b.const_view(), x.view());
  const auto heard = listener.heard();
  expect_no_allocations(heard);
  expect_kernels_of_the_library(heard);
  expect_costs_of_kernels(model.kernel_costs(), heard);
}

}  // namespace LaminaTest
