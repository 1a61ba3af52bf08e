// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Solves over strips of a rectangle, by any transport.

#include <lamina/distributed/Decomposition.hpp>
#include <lamina/grids/LocalRectangle.hpp>
#include <lamina/problems/PoissonProblem.hpp>

#include <distributed/AwkwardStrips.hpp>
#include <poisson/PoissonCase.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

namespace LaminaTest {

/// The solvers.
struct FusedOverStrips {
  template <class Operator>
  static auto make(const Operator& op, const Lamina::Decomposition<Memory>& ranks) {
    using Model = Lamina::FusedPoisson<typename Operator::scalar_type, Memory>;
    return Lamina::FusedPcg(TEST_SPACE(), Model(TEST_SPACE(), op, ranks));
  }
  template <class Case, class Operator>
  static auto alone(const Operator& op) {
    return Case::swept(op);
  }
};
struct PlainOverStrips {
  template <class Operator>
  static auto make(const Operator& op, const Lamina::Decomposition<Memory>& ranks) {
    return Lamina::Pcg(TEST_SPACE(), op, Lamina::IdentityPreconditioner(), ranks);
  }
  template <class Case, class Operator>
  static auto alone(const Operator& op) {
    return Case::plain(op);
  }
};

/// The part of one rank.
template <class Scalar, class Layout, class Solver>
class PoissonStrip {
 public:
  using Field = TestField<Scalar, Layout>;
  using Operator = Lamina::PoissonOperator<Scalar, Memory>;

  PoissonStrip(const Lamina::Transport& transport, const Rectangle& whole,
               const Lamina::Partition& columns, StencilMemory memory = StencilMemory::automatic)
      : m_local(Lamina::local_rectangle(whole, columns, transport.rank())),
        m_operator(m_local, memory),
        m_plan(Solver::make(m_operator, {transport, m_local.halo,
                                         static_cast<std::size_t>(whole.ny) * sizeof(Scalar)})),
        m_x(m_operator.num_columns(), whole.ny) {}

  /// \param b, guess  of the whole rectangle
  Lamina::SolveReport solve(const Values& b, const Values& guess,
                            const Lamina::StoppingCriteria& criteria) {
    const Field b_field(m_operator.num_columns(), m_local.whole.ny, owned(b));
    m_x.set(owned(guess));
    return m_plan.solve(TEST_SPACE(), b_field.const_view(), m_x.view(), criteria);
  }
  /// The same values on owned columns, and NaN on halo columns, which nobody may read.
  Values owned(const Values& whole) const {
    const auto ny = static_cast<std::size_t>(m_local.whole.ny);
    Values values(static_cast<std::size_t>(m_operator.num_columns()) * ny,
                  std::numeric_limits<double>::quiet_NaN());
    std::copy_n(whole.begin() + static_cast<std::ptrdiff_t>(first()), num_owned(), values.begin());
    return values;
  }
  /// Largest difference of this rank's solution from that of the whole rectangle.
  double difference(const Values& whole) const {
    const Values x = m_x.get();
    double difference = 0;
    for (std::size_t n = 0; n < num_owned(); ++n) {
      difference = std::max(difference, std::abs(x[n] - whole[first() + n]));
    }
    return difference;
  }
  const Lamina::LocalRectangle& local() const { return m_local; }

 private:
  std::size_t first() const {
    return static_cast<std::size_t>(m_local.first) * static_cast<std::size_t>(m_local.whole.ny);
  }
  std::size_t num_owned() const { return static_cast<std::size_t>(m_local.owned.cells()); }

  Lamina::LocalRectangle m_local;
  Operator m_operator;
  decltype(Solver::make(std::declval<const Operator&>(), {})) m_plan;
  Field m_x;
};

inline void expect_same_report(const Lamina::SolveReport& report,
                               const Lamina::SolveReport& expected, double rounding) {
  EXPECT_EQ(report.status, expected.status) << to_string(report.status);
  EXPECT_EQ(report.iterations, expected.iterations);
  ASSERT_EQ(report.residual_history.size(), expected.residual_history.size());
  for (std::size_t n = 0; n < expected.residual_history.size(); ++n) {
    EXPECT_NEAR(report.residual_history[n], expected.residual_history[n], rounding)
        << "iteration " << n;
  }
}

/// A solve over all ranks is that of one process, for each partition.
template <class Scalar, class Layout, class Solver>
void expect_one_poisson_solve(const Lamina::Transport& transport, const Rectangle& whole,
                              const Lamina::StoppingCriteria& criteria,
                              StencilMemory memory = StencilMemory::automatic) {
  using Case = PoissonCase<Scalar, Layout>;
  constexpr double rounding = std::is_same_v<Scalar, double> ? 1e-12 : 1e-4;
  const Values b = rounded<Scalar>(random_field(whole, 21)),
               guess = rounded<Scalar>(random_field(whole, 22));
  const auto alone =
      Case::solve(Solver::template alone<Case>(typename Case::Operator(whole, memory)), whole, b,
                  criteria, guess);
  double largest = 0;
  for (const double value : alone.x) largest = std::max(largest, std::abs(value));
  for (const auto& [name, columns] : awkward_strips(whole.nx, transport.size())) {
    SCOPED_TRACE(testing::Message() << whole.nx << " x " << whole.ny << ", " << name << ", "
                                    << transport.size() << " ranks");
    PoissonStrip<Scalar, Layout, Solver> strip(transport, whole, columns, memory);
    for (int time = 0; time < 2; ++time) {
      const auto report = strip.solve(b, guess, criteria);
      // Relative to the residual of the guess, which may be larger than the right-hand side
      expect_same_report(report, alone.report,
                         rounding * std::max(1.0, alone.report.residual_history.front()));
      EXPECT_LE(strip.difference(alone.x), 10 * rounding * largest);
    }
  }
}

/// What a rank reports of the solve of paper 002's problem to its tolerance.
template <class Scalar, class Layout, class Solver>
int published_iterations(const Lamina::Transport& transport, int n) {
  using Field = TestField<Scalar, Layout>;
  const auto local = Lamina::local_rectangle(
      Rectangle::square(n), Lamina::Partition::blocks(n, transport.size()), transport.rank());
  const Lamina::PoissonOperator<Scalar, Memory> op(local);
  const Field b(op.num_columns(), n), x(op.num_columns(), n);
  const Lamina::PoissonProblem<Memory> problem(local);
  problem.fill_rhs(TEST_SPACE(), b.view());
  auto plan =
      Solver::make(op, {transport, local.halo, static_cast<std::size_t>(n) * sizeof(Scalar)});
  const auto report = plan.solve(TEST_SPACE(), b.const_view(), x.view(), {.tolerance = 1e-6});
  EXPECT_TRUE(report.converged());
  return report.iterations;
}

}  // namespace LaminaTest
