// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/helmholtz/CsrHelmholtz.hpp>
#include <lamina/helmholtz/FusedHelmholtz.hpp>
#include <lamina/helmholtz/FusedHelmholtzStored.hpp>
#include <lamina/helmholtz/LinePreconditioner.hpp>
#include <lamina/helmholtz/MixedHelmholtz.hpp>
#include <lamina/krylov/FusedPcg.hpp>
#include <lamina/krylov/FusedPcgStored.hpp>
#include <lamina/krylov/Gmres.hpp>
#include <lamina/krylov/Pcg.hpp>
#include <lamina/lines/LineSolver.hpp>
#include <lamina/problems/RightHandSide.hpp>

#include <helmholtz/HelmholtzCase.hpp>

namespace LaminaTest {

/// What a solve came to.
struct Solved {
  Lamina::SolveReport report;
  Values x;
};

/// The model problem on a square panel, solved in each of six ways.
template <class Scalar, class Layout>
class PanelProblem {
 public:
  using Field = TestField<Scalar, Layout>;
  using Operator = Lamina::HelmholtzOperator<Scalar, Memory>;
  using Preconditioner = Lamina::LinePreconditioner<Scalar, Memory>;
  using Fused = Lamina::FusedPcg<Lamina::FusedHelmholtz<Scalar, Memory>>;
  using Stored = Lamina::FusedPcgStored<Lamina::FusedHelmholtzStored<Scalar, Memory>>;
  using Mixed = Lamina::FusedPcg<Lamina::MixedHelmholtz<Memory>>;
  using Plain = Lamina::Pcg<Operator, Preconditioner>;
  using Csr = Lamina::CsrHelmholtz<Scalar, Layout, TEST_SPACE>;
  using CsrLines = Lamina::LineSolver<typename Csr::tridiagonal_type>;
  using CsrPcg = Lamina::Pcg<Csr, CsrLines>;

  PanelProblem(int size, int num_levels, Lamina::RightHandSide rhs, double depth = paper_depth)
      : m_panel(size, size),
        m_grid(Lamina::VerticalGrid::graded(num_levels, depth)),
        m_mesh(m_panel.graph()),
        m_operator(m_mesh, m_grid, paper_parameters(size)),
        m_b(num_columns(), num_levels) {
    fill_rhs(m_space, rhs, m_panel, m_grid, m_b.view());
    b = m_b.get();
  }

  int num_columns() const { return m_panel.num_columns(); }
  int num_levels() const { return m_grid.num_levels(); }
  const Operator& op() const { return m_operator; }
  const Field& b_field() const { return m_b; }
  Field guess(const Values& values = {}) const {
    return values.empty() ? Field(num_columns(), num_levels())
                          : Field(num_columns(), num_levels(), values);
  }
  /// Solves with another right-hand side from now on.
  void set_rhs(const Values& values) {
    b = values;
    m_b.set(b);
  }

  Fused fused_plan() const {
    return Fused(m_space, Lamina::FusedHelmholtz<Scalar, Memory>(m_space, m_operator));
  }
  Stored stored_plan() const {
    return Stored(m_space, Lamina::FusedHelmholtzStored<Scalar, Memory>(m_space, m_operator));
  }
  /// For fields in double precision.
  Mixed mixed_plan() const {
    const Lamina::HelmholtzOperator<double, Memory> op(m_mesh, m_grid, parameters());
    const Lamina::HelmholtzOperator<float, Memory> short_op(m_mesh, m_grid, parameters());
    return Mixed(m_space, Lamina::MixedHelmholtz<Memory>(m_space, op, short_op));
  }
  Plain plain_plan() const {
    return Plain(m_space, m_operator, Preconditioner(m_space, m_operator));
  }
  CsrPcg csr_plan() const {
    const Csr csr(m_space, m_mesh, m_grid, parameters());
    return CsrPcg(m_space, csr, CsrLines(m_space, csr.tridiagonal()));
  }

  auto gmres_plan() const {
    return Lamina::Gmres(m_space, m_operator, Preconditioner(m_space, m_operator));
  }

  template <class Plan>
  Solved solve(Plan plan, const Lamina::StoppingCriteria& criteria,
               const Values& guess_values = {}) const {
    const Field x = guess(guess_values);
    auto report = plan.solve(m_space, m_b.const_view(), x.view(), criteria);
    return {report, x.get()};
  }
  Solved fused(const Lamina::StoppingCriteria& criteria = {},
               const Values& guess_values = {}) const {
    return solve(fused_plan(), criteria, guess_values);
  }
  Solved stored(const Lamina::StoppingCriteria& criteria = {},
                const Values& guess_values = {}) const {
    return solve(stored_plan(), criteria, guess_values);
  }
  Solved mixed(const Lamina::StoppingCriteria& criteria = {},
               const Values& guess_values = {}) const {
    return solve(mixed_plan(), criteria, guess_values);
  }
  Solved plain(const Lamina::StoppingCriteria& criteria = {},
               const Values& guess_values = {}) const {
    return solve(plain_plan(), criteria, guess_values);
  }
  Solved gmres(const Lamina::StoppingCriteria& criteria = {},
               const Values& guess_values = {}) const {
    return solve(gmres_plan(), criteria, guess_values);
  }
  Solved csr(const Lamina::StoppingCriteria& criteria = {}, const Values& guess_values = {}) const {
    return solve(csr_plan(), criteria, guess_values);
  }

  Values b;

 private:
  Lamina::HelmholtzParameters parameters() const { return paper_parameters(m_panel.num_x()); }

  TEST_SPACE m_space;
  Lamina::CubedSpherePanel m_panel;
  Lamina::VerticalGrid m_grid;
  Lamina::ColumnMesh<Memory> m_mesh;
  Operator m_operator;
  Field m_b;
};

/// Sums of serial kernels are the same in every run; those of parallel ones need not be.
inline bool runs_on_one_thread() { return TEST_SPACE().concurrency() == 1; }

/// Reports and solutions that are equal to rounding.
inline void expect_alike(const Solved& actual, const Solved& expected, double tolerance = 1e-9) {
  EXPECT_EQ(actual.report.status, expected.report.status);
  EXPECT_EQ(actual.report.iterations, expected.report.iterations);
  EXPECT_TRUE(
      all_within(actual.report.residual_history, expected.report.residual_history, tolerance));
  EXPECT_TRUE(all_within(actual.x, expected.x, tolerance));
}

/// Equal reports and solutions: bit by bit on one thread, to rounding otherwise.
inline void expect_same(const Solved& actual, const Solved& expected, double tolerance = 1e-9) {
  expect_alike(actual, expected, tolerance);
  if (!runs_on_one_thread()) return;
  EXPECT_EQ(actual.report.residual_history, expected.report.residual_history);
  EXPECT_EQ(actual.report.residual_norm, expected.report.residual_norm);
  EXPECT_EQ(actual.report.initial_residual_norm, expected.report.initial_residual_norm);
  EXPECT_EQ(actual.x, expected.x);
}

/// What every report must satisfy.
inline void expect_consistent(const Lamina::SolveReport& report) {
  ASSERT_EQ(report.residual_history.size(), static_cast<std::size_t>(report.iterations) + 1);
  if (report.reference_norm > 0) {
    EXPECT_DOUBLE_EQ(report.residual_history.front(),
                     report.initial_residual_norm / report.reference_norm);
  } else {
    EXPECT_EQ(report.residual_history, Values{0.0});
  }
  EXPECT_EQ(report.residual_history.back(), report.relative_residual());
}

}  // namespace LaminaTest
