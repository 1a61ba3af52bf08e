// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Solves on the columns of ranks, which are those of one process. Ranks may be simulated, or of
// MPI.

#include <lamina/distributed/Decomposition.hpp>
#include <lamina/grids/LocalColumns.hpp>
#include <lamina/helmholtz/FusedHelmholtz.hpp>
#include <lamina/helmholtz/LinePreconditioner.hpp>
#include <lamina/krylov/FusedPcg.hpp>
#include <lamina/krylov/Pcg.hpp>

#include <distributed/HaloCase.hpp>
#include <gtest/gtest.h>
#include <helmholtz/HelmholtzCase.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace LaminaTest {

/// A right-hand side by global cell, and the columns where it is not 0.
struct RankedRightHandSide {
  double size = 1;
  std::int64_t first_column = 0;

  double operator()(std::int64_t column, int level) const {
    if (column < first_column) return 0;
    return size * Reference::unit_value(static_cast<std::uint64_t>(1000 * column + level));
  }
};

struct Fused {
  template <class Operator>
  static auto make(const Lamina::ColumnGraph&, const Operator& op,
                   const Lamina::Decomposition<Memory>& ranks) {
    using Model = Lamina::FusedHelmholtz<typename Operator::scalar_type, Memory>;
    return Lamina::FusedPcg(TEST_SPACE(), Model(TEST_SPACE(), op, ranks));
  }
};
struct Plain {
  template <class Operator>
  static auto make(const Lamina::ColumnGraph&, const Operator& op,
                   const Lamina::Decomposition<Memory>& ranks) {
    using Lines = Lamina::LinePreconditioner<typename Operator::scalar_type, Memory>;
    return Lamina::Pcg(TEST_SPACE(), op, Lines(TEST_SPACE(), op), ranks);
  }
};
struct Unpreconditioned {
  template <class Operator>
  static auto make(const Lamina::ColumnGraph&, const Operator& op,
                   const Lamina::Decomposition<Memory>& ranks) {
    return Lamina::Pcg(TEST_SPACE(), op, Lamina::IdentityPreconditioner(), ranks);
  }
};

/// The equation on the columns of one rank, or of a whole grid.
template <class Scalar, class Layout, class Solver = Fused>
class RankedProblem {
 public:
  using Field = TestField<Scalar, Layout>;
  using Operator = Lamina::HelmholtzOperator<Scalar, Memory>;

  /// \param numbers  the columns in the whole grid; empty: they are the whole grid
  RankedProblem(const Lamina::ColumnGraph& graph, int num_levels,
                const std::vector<std::int64_t>& numbers = {},
                const Lamina::Decomposition<Memory>& ranks = {})
      : m_numbers(numbers),
        m_mesh(graph),
        m_operator(m_mesh, Lamina::VerticalGrid::graded(num_levels, paper_depth),
                   paper_parameters(24)),
        m_pcg(Solver::make(graph, m_operator, ranks)),
        m_x(m_operator.num_columns(), num_levels) {}

  Lamina::SolveReport solve(const RankedRightHandSide& rhs,
                            const Lamina::StoppingCriteria& criteria) {
    // Nobody may read b in halo columns, nor x before it was received there.
    Values b(m_x.size(), std::nan("")), x(m_x.size(), std::nan(""));
    for_each_owned([&](std::size_t cell, std::int64_t column, int level) {
      b[cell] = rhs(column, level);
      x[cell] = 0;
    });
    m_x.set(x);
    const Field field(m_operator.num_columns(), m_operator.num_levels(), b);
    return m_pcg.solve(TEST_SPACE(), field.const_view(), m_x.view(), criteria);
  }
  /// Largest difference from the solution of the whole grid, over the largest entry of that.
  double difference(const Values& whole) const {
    double largest = 0, difference = 0;
    for (const double value : whole) largest = std::max(largest, std::abs(value));
    const Values x = m_x.get();
    for_each_owned([&](std::size_t cell, std::int64_t column, int level) {
      const auto place = static_cast<std::size_t>(column * m_operator.num_levels() + level);
      difference = std::max(difference, std::abs(x[cell] - whole[place]));
    });
    return largest == 0 ? difference : difference / largest;
  }
  Values x() const { return m_x.get(); }

 private:
  template <class Visit>
  void for_each_owned(const Visit& visit) const {
    const int num_levels = m_operator.num_levels();
    for (int column = 0; column < m_operator.num_owned(); ++column) {
      const auto index = static_cast<std::size_t>(column);
      const std::int64_t number = m_numbers.empty() ? column : m_numbers[index];
      for (int k = 0; k < num_levels; ++k) {
        visit(index * static_cast<std::size_t>(num_levels) + static_cast<std::size_t>(k), number,
              k);
      }
    }
  }

  std::vector<std::int64_t> m_numbers;
  Lamina::ColumnMesh<Memory> m_mesh;
  Operator m_operator;
  decltype(Solver::make({}, std::declval<const Operator&>(), {})) m_pcg;
  Field m_x;
};

template <class Scalar, class Layout, class Solver = Fused>
RankedProblem<Scalar, Layout, Solver> problem_of_rank(const Lamina::Transport& transport,
                                                      const Lamina::LocalColumns& local,
                                                      int num_levels) {
  return RankedProblem<Scalar, Layout, Solver>(
      local.graph, num_levels, local.columns,
      Lamina::Decomposition<Memory>(transport, local.halo,
                                    static_cast<std::size_t>(num_levels) * sizeof(Scalar)));
}

/// What rounding may change in a history: relative to its values, and to the right-hand side. The
/// latter where a solve amplifies rounding, as on planes without Dirichlet edges.
struct Allowed {
  double relative, absolute = 0;

  /// Of a solve to 1e-10 or, in single precision, 1e-4 of the right-hand side.
  template <class Scalar>
  static Allowed at_the_end(double absolute) {
    return {std::is_same_v<Scalar, double> ? 1e-10 : 1e-3, absolute};
  }
};

inline void expect_same_history(const Lamina::SolveReport& report,
                                const Lamina::SolveReport& expected, const Allowed& allowed) {
  EXPECT_EQ(report.status, expected.status) << to_string(report.status);
  EXPECT_EQ(report.iterations, expected.iterations);
  ASSERT_EQ(report.residual_history.size(), expected.residual_history.size());
  for (std::size_t n = 0; n < expected.residual_history.size(); ++n) {
    EXPECT_NEAR(report.residual_history[n], expected.residual_history[n],
                allowed.relative * expected.residual_history[n] + allowed.absolute)
        << "iteration " << n;
  }
}

/// The solve over all ranks is that of one process, for each partition.
/// \tparam Alone  the solver of one process
template <class Scalar, class Layout, class Solver = Fused, class Alone = Solver>
void expect_one_solve(const Lamina::Transport& transport, const Lamina::ColumnGraph& whole,
                      const std::vector<NamedPartition>& partitions, int num_levels,
                      const RankedRightHandSide& rhs, const Allowed& allowed) {
  constexpr bool is_double = std::is_same_v<Scalar, double>;
  const Lamina::StoppingCriteria criteria{.tolerance = is_double ? 1e-10 : 1e-4};
  RankedProblem<Scalar, Layout, Alone> alone(whole, num_levels);
  const Lamina::SolveReport expected = alone.solve(rhs, criteria);
  EXPECT_EQ(expected.status, Lamina::SolveStatus::converged);
  for (const auto& [name, partition] : partitions) {
    SCOPED_TRACE(name);
    auto problem = problem_of_rank<Scalar, Layout, Solver>(
        transport, Lamina::local_columns(whole, partition, transport.rank()), num_levels);
    for (int time = 0; time < 2; ++time) {
      const Lamina::SolveReport report = problem.solve(rhs, criteria);
      expect_same_history(report, expected, allowed);
      EXPECT_LT(problem.difference(alone.x()), is_double ? 1e-11 : 1e-4);
    }
  }
}

}  // namespace LaminaTest
