// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/krylov/FusedStep.hpp>
#include <lamina/shallow_water/PeriodicHelmholtz.hpp>
#include <lamina/shallow_water/ShallowWaterState.hpp>
#include <lamina/shallow_water/impl/SemiImplicitKernels.hpp>

#include <memory>

namespace Lamina::Impl {

/// What `FusedPcg` sees of a Newton correction: the operator for the height, with a start and an end of
/// its own. The right-hand side is made of residuals and not stored, nor is the solution, of which the
/// next state is made: b stands for the residual of the height, x for the height of the next state.
template <class Scalar, class Memory>
class SemiImplicitModel : public PeriodicHelmholtz<Scalar, Memory> {
 public:
  using Operator = PeriodicHelmholtz<Scalar, Memory>;
  using State = ShallowWaterState<Scalar, Memory>;
  using vector_type = typename Operator::vector_type;

  /// What the next correction is about.
  struct Task {
    SemiImplicitEquation<Scalar> equation;
    StateFields<Scalar> residual, iterate, next;  ///< with the ghosts of the residual filled
  };

  explicit SemiImplicitModel(const Operator& op) : Operator(op), m_task(std::make_shared<Task>()) {}

  /// Copies share it.
  Task& task() const { return *m_task; }

  /// r = -Rt; u counts as zero
  template <ExecutionSpace Space, class In>
  void start(const Space& space, const In&, const In&, const vector_type&,
             const vector_type& r) const {
    SemiImplicitKernels<Space, Scalar>::start(space, m_task->equation, m_task->residual,
                                              ghosted_lines_of(r));
  }
  /// u += along_p p;  r = -Rt - A u
  template <ExecutionSpace Space, class In>
  void residual(const Space& space, const FusedEnd<Scalar>& end, const In& b, const vector_type& p,
                const vector_type& u, const vector_type& r) const {
    start(space, b, b, u, r);
    Operator::subtract_image(space, end, p, u, r);
  }
  /// The next state, with Phi' = u + along_p p + along_z r.
  template <ExecutionSpace Space, class Out>
  void finish(const Space& space, const FusedEnd<Scalar>& end, const vector_type& p,
              const vector_type& r, const vector_type& u, const Out&) const {
    const CgSolution<Scalar> solution = Operator::solution(end, p, r, u);
    // Those of r were filled when it was measured.
    if (end.along_p != 0) Operator::fill_ghosts(space, p);
    if (solution.with_u) Operator::fill_ghosts(space, u);
    SemiImplicitKernels<Space, Scalar>::correct(space, m_task->equation, solution, m_task->residual,
                                                m_task->iterate, m_task->next);
  }

 private:
  std::shared_ptr<Task> m_task;
};

}  // namespace Lamina::Impl
