// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// The ways to solve the model problem: the three that the paper compares, namely with the assembled
// matrix, matrix-free, and matrix-free with fused ("interleaved") kernels, and the fused form that
// moves less.

#include <lamina/helmholtz/CsrHelmholtz.hpp>
#include <lamina/helmholtz/FusedHelmholtz.hpp>
#include <lamina/helmholtz/FusedHelmholtzStored.hpp>
#include <lamina/helmholtz/LinePreconditioner.hpp>
#include <lamina/helmholtz/MixedHelmholtz.hpp>
#include <lamina/krylov/FusedPcg.hpp>
#include <lamina/krylov/FusedPcgStored.hpp>
#include <lamina/krylov/Pcg.hpp>
#include <lamina/lines/LineSolver.hpp>

#include <string>
#include <vector>

#include "PanelCase.hpp"

namespace Lamina::Perf {

/// What one iteration costs: operator, preconditioner, 3 scalar products and 3 updates.
template <class Plan>
KernelCost plain_iteration_cost(const KernelCost& apply, const KernelCost& precondition,
                                const Plan& pcg) {
  const KernelCost level1 = sum_of(pcg.kernel_costs());
  return sum_of({apply, precondition, level1, level1, level1});
}

template <class Case>
class CsrSolver {
 public:
  static constexpr const char* name = "csr";
  /// The first of these that is recorded: Kokkos Kernels shows no kernel on some spaces.
  static constexpr const char* apply_labels[] = {"KokkosSparse::spmv",
                                                 "Lamina::CsrHelmholtz::apply"};
  static constexpr const char* precondition_label = "Lamina::LineSolver::solve";

  explicit CsrSolver(const Case& c)
      : m_matrix(c.space, c.mesh, c.grid, c.parameters),
        m_lines(c.space, m_matrix.tridiagonal()),
        m_pcg(c.space, m_matrix, m_lines) {}
  auto& plan() { return m_pcg; }
  KernelCost apply_cost() const { return cost_of(m_matrix.kernel_costs(), apply_labels[0]); }
  KernelCost precondition_cost() const {
    return cost_of(m_lines.kernel_costs(), precondition_label);
  }
  KernelCost iteration_cost() const {
    return plain_iteration_cost(apply_cost(), precondition_cost(), m_pcg);
  }

 private:
  using Matrix =
      CsrHelmholtz<typename Case::Scalar, typename Case::Layout, typename Case::execution_space>;
  using Lines = LineSolver<typename Matrix::tridiagonal_type>;
  Matrix m_matrix;
  Lines m_lines;
  Pcg<Matrix, Lines> m_pcg;
};

template <class Case>
class PlainSolver {
 public:
  static constexpr const char* name = "plain";
  static constexpr const char* apply_labels[] = {"Lamina::HelmholtzOperator::apply"};
  static constexpr const char* precondition_label = "Lamina::LinePreconditioner::solve";

  explicit PlainSolver(const Case& c)
      : m_operator(c.op), m_lines(c.space, c.op), m_pcg(c.space, c.op, m_lines) {}
  auto& plan() { return m_pcg; }
  KernelCost apply_cost() const { return cost_of(m_operator.kernel_costs(), apply_labels[0]); }
  KernelCost precondition_cost() const {
    return cost_of(m_lines.kernel_costs(), precondition_label);
  }
  KernelCost iteration_cost() const {
    return plain_iteration_cost(apply_cost(), precondition_cost(), m_pcg);
  }

 private:
  using Operator = HelmholtzOperator<typename Case::Scalar, typename Case::Memory>;
  using Lines = LinePreconditioner<typename Case::Scalar, typename Case::Memory>;
  Operator m_operator;
  Lines m_lines;
  Pcg<Operator, Lines> m_pcg;
};

template <class Case>
class StoredSolver {
 public:
  static constexpr const char* name = "fused-stored";
  static constexpr const char* apply_labels[] = {"Lamina::FusedHelmholtzStored::advance"};
  static constexpr const char* precondition_label = "Lamina::FusedHelmholtzStored::precondition";

  explicit StoredSolver(const Case& c) : m_model(c.space, c.op), m_pcg(c.space, m_model) {}
  auto& plan() { return m_pcg; }
  KernelCost apply_cost() const { return cost_of(m_model.kernel_costs(), apply_labels[0]); }
  KernelCost precondition_cost() const {
    return cost_of(m_model.kernel_costs(), precondition_label);
  }
  KernelCost iteration_cost() const { return sum_of({precondition_cost(), apply_cost()}); }

 private:
  using Model = FusedHelmholtzStored<typename Case::Scalar, typename Case::Memory>;
  Model m_model;
  FusedPcgStored<Model> m_pcg;
};

template <class Case>
class FusedSolver {
 public:
  static constexpr const char* name = "fused";
  /// Two kernels take turns: one of them updates the solution as well.
  static constexpr const char* apply_labels[] = {"Lamina::FusedHelmholtz::advance"};
  static constexpr const char* measure_label = "Lamina::FusedHelmholtz::measure";
  static constexpr const char* precondition_label = "Lamina::FusedHelmholtz::precondition";

  explicit FusedSolver(const Case& c) : m_model(c.space, c.op), m_pcg(c.space, m_model) {}
  auto& plan() { return m_pcg; }
  /// The mean of both kernels.
  KernelCost apply_cost() const {
    const auto costs = m_model.kernel_costs();
    const KernelCost both = sum_of({cost_of(costs, "Lamina::FusedHelmholtz::advance"),
                                    cost_of(costs, "Lamina::FusedHelmholtz::advance_and_update")});
    return {apply_labels[0], both.bytes / 2, both.flops / 2};
  }
  KernelCost measure_cost() const { return cost_of(m_model.kernel_costs(), measure_label); }
  KernelCost precondition_cost() const {
    return cost_of(m_model.kernel_costs(), precondition_label);
  }
  KernelCost iteration_cost() const {
    return sum_of({precondition_cost(), measure_cost(), apply_cost()});
  }

 private:
  using Model = FusedHelmholtz<typename Case::Scalar, typename Case::Memory>;
  Model m_model;
  FusedPcg<Model> m_pcg;
};

/// Iterations in single precision; `Case` is in double precision, like the solution.
template <class Case>
class MixedSolver {
 public:
  static constexpr const char* name = "mixed";
  explicit MixedSolver(const Case& c)
      : m_model(c.space, c.op,
                HelmholtzOperator<float, typename Case::Memory>(c.mesh, c.grid, c.parameters)),
        m_pcg(c.space, m_model) {}
  auto& plan() { return m_pcg; }
  /// Of two iterations, one updates the solution; without replacements.
  KernelCost iteration_cost() const {
    const auto costs = m_model.kernel_costs();
    const auto cost = [&](const char* label) { return cost_of(costs, label); };
    const KernelCost both = sum_of({cost("Lamina::FusedHelmholtz::advance"),
                                    cost("Lamina::MixedHelmholtz::advance_and_update")});
    return sum_of({cost("Lamina::FusedHelmholtz::precondition"),
                   cost("Lamina::FusedHelmholtz::measure"),
                   {both.label, both.bytes / 2, both.flops / 2}});
  }

 private:
  using Model = MixedHelmholtz<typename Case::Memory>;
  Model m_model;
  FusedPcg<Model> m_pcg;
};

}  // namespace Lamina::Perf
