// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/krylov/FusedStep.hpp>
#include <lamina/shallow_water/impl/GhostedField.hpp>
#include <lamina/shallow_water/impl/SemiImplicitKernels.hpp>

#include <memory>

namespace Lamina::Impl {

/// What the next correction is about.
template <class Scalar>
struct SemiImplicitTask {
  SemiImplicitEquation<Scalar> equation;
  StateFields<Scalar> residual, iterate, next;  ///< with the ghosts of the residual filled
  double* sum;                                  ///< scratch
};

/// What `FusedPcg` sees of a Newton correction: the operator for the height, with a start and an end of
/// its own. The right-hand side is made of residuals and not stored, nor is the solution, of which the
/// next state is made: b stands for the residual of the height, x for the height of the next state.
/// \tparam Operator  `PeriodicHelmholtz`, or the same with a preconditioner
template <class Operator>
class SemiImplicitModel : public Operator {
 public:
  using Scalar = typename Operator::scalar_type;
  using vector_type = typename Operator::vector_type;
  using Task = SemiImplicitTask<Scalar>;

  SemiImplicitModel(const Operator& op, const std::shared_ptr<const Task>& task)
      : Operator(op), m_task(task) {}

  /// r = -Rt; u counts as zero
  template <ExecutionSpace Space, class In>
  void start(const Space& space, const In&, const In&, const vector_type& u,
             const vector_type& r) const {
    form_rhs(space, r);
    if constexpr (requires { Operator::start_from_guess(space, u); }) {
      Operator::start_from_guess(space, u);
    }
  }
  /// u += along_p p;  r = -Rt - A u
  template <ExecutionSpace Space, class In>
  void residual(const Space& space, const FusedEnd<Scalar>& end, const In&, const vector_type& p,
                const vector_type& u, const vector_type& r) const {
    form_rhs(space, r);
    Operator::subtract_image(space, end, p, u, r);
  }
  /// The next state, with Phi' = u + along_p p + along_z r.
  template <ExecutionSpace Space, class Out>
  void finish(const Space& space, const FusedEnd<Scalar>& end, const vector_type& p,
              const vector_type& r, const vector_type& u, const Out&) const {
    const CgSolution<Scalar> solution = Operator::solution(end, p, r, u);
    // Those of r, or of z, were filled when it was measured.
    if (end.along_p != 0) Operator::fill_ghosts(space, p);
    if (solution.with_u) Operator::fill_ghosts(space, u);
    // Without a preconditioner the sum of all iterates is 0, so that no water is lost.
    MeanOfSolution mean_of;
    if constexpr (requires { Operator::sum_solution(space, solution, m_task->sum); }) {
      Operator::sum_solution(space, solution, m_task->sum);
      mean_of = {m_task->sum, Operator::strip().whole().cells()};
    }
    SemiImplicitKernels<Space, Scalar>::correct(space, m_task->equation, solution, mean_of,
                                                m_task->residual, m_task->iterate, m_task->next);
  }

 private:
  template <class Space>
  void form_rhs(const Space& space, const vector_type& r) const {
    SemiImplicitKernels<Space, Scalar>::start(space, m_task->equation, m_task->residual,
                                              ghosted_lines_of(r));
  }

  std::shared_ptr<const Task> m_task;
};

}  // namespace Lamina::Impl
