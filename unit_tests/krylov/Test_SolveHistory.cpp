// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/krylov/impl/SolveHistory.hpp>

#include <Kokkos_Core.hpp>

#include <gtest/gtest.h>

namespace LaminaTest {
namespace {

using Memory = Kokkos::HostSpace;
using Step = Lamina::FusedStep<Memory>;
using History = Lamina::Impl::SolveHistory<Memory>;

/// Rows of a solve whose residual falls by `factor` an iteration.
void fall(const History& history, int last_pass, double factor) {
  double residual = 1;
  for (int pass = 0; pass <= last_pass; ++pass, residual *= factor) {
    double* row = history.step(pass).now;
    row[Step::residual2] = residual * residual;
    row[Step::energy] = row[Step::curvature] = 1;
  }
}

TEST(SolveHistory, LooksWhenTheResidualIsExpectedToBeSmallEnough) {
  History history;
  Lamina::SolveReport report;
  const Lamina::StoppingCriteria criteria{.tolerance = 1e-5,
                                          .relative_to = Lamina::Reference::initial_residual};
  history.start(criteria, report);
  EXPECT_EQ(history.next_interval({.shortest = 10}), 10) << "nothing is known yet";
  fall(history, 10, 0.5);
  ASSERT_EQ(history.look(Kokkos::DefaultHostExecutionSpace(), 10), Lamina::Impl::SolveEvent::none);
  EXPECT_EQ(history.next_interval({.shortest = 3}), 7) << "0.5^17 is the first power below 1e-5";
  EXPECT_EQ(history.next_interval({.shortest = 10}), 10);
}

TEST(SolveHistory, LooksAgainInTimeWhereTheResidualHardlyFalls) {
  for (const double factor : {0.999, 1.0, 1.01}) {
    History history;
    Lamina::SolveReport report;
    const Lamina::StoppingCriteria criteria{.tolerance = 1e-5,
                                            .relative_to = Lamina::Reference::initial_residual};
    history.start(criteria, report);
    fall(history, 10, factor);
    ASSERT_EQ(history.look(Kokkos::DefaultHostExecutionSpace(), 10),
              Lamina::Impl::SolveEvent::none);
    EXPECT_EQ(history.next_interval({.shortest = 10, .longest = 40}), factor < 1 ? 40 : 10)
        << factor;
  }
}

TEST(SolveHistory, LooksAtTheEndOfAFixedCountUnlessSomebodyListens) {
  History history;
  Lamina::SolveReport report;
  Lamina::StoppingCriteria criteria = Lamina::StoppingCriteria::iterations(2000);
  history.start(criteria, report);
  EXPECT_EQ(history.next_interval({}), Lamina::StoppingCriteria::max_check_every);
  EXPECT_EQ(history.next_interval({.of_fixed_count = 200}), 200);
  criteria.on_check = [](int, double) {};
  EXPECT_EQ(history.next_interval({.shortest = 10}), 10);
}

/// Passes to the look after pass 1 of a solve that is expected to end with pass 8.
int passes_after_the_first(Lamina::Impl::Replacements replacements,
                           const Lamina::StoppingCriteria& criteria) {
  struct Expecting : History {
    using History::m_state;
  } history;
  Lamina::SolveReport report;
  history.start(criteria, report, {}, replacements);
  EXPECT_EQ(history.passes_to_replacement(1, 0, {.shortest = 1, .longest = 5}), 1) << "not known";
  history.m_state.expected = 8;
  return history.passes_to_replacement(2, 0, {.shortest = 1, .longest = 5});
}

TEST(SolveHistory, WaitsForTheExpectedEndWhereResidualsFallSteadily) {
  using Lamina::Impl::Replacements;
  EXPECT_EQ(passes_after_the_first(Replacements::planned_rarely, {}), 5) << "the longest";
  EXPECT_EQ(passes_after_the_first(Replacements::planned, {}), 1);
  Lamina::StoppingCriteria listened = Lamina::StoppingCriteria::iterations(20);
  EXPECT_EQ(passes_after_the_first(Replacements::planned_rarely, listened), 5);
  listened.on_check = [](int, double) {};
  EXPECT_EQ(passes_after_the_first(Replacements::planned_rarely, listened), 1);
}

}  // namespace
}  // namespace LaminaTest
