// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/device/impl/Access.hpp>
#include <lamina/device/impl/Instantiate.hpp>
#include <lamina/krylov/FusedStep.hpp>
#include <lamina/lines/impl/CyclicToeplitzKernels.hpp>
#include <lamina/shallow_water/PeriodicHelmholtz.hpp>
#include <lamina/sweeps/impl/CellSweep.hpp>

#include <cstdint>
#include <memory>
#include <string>

namespace Lamina::Impl {

/// out = a x_0 + b x_1 + c solution.
template <class Scalar>
struct CombineCells {
  CgSolution<Scalar> solution;
  LineCombination<Scalar> to;

  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION void cell(std::int64_t i, std::int64_t j) const {
    Value value = to.c * solution.template at<Value>(i, j);
    for (int term = 0; term < to.num_terms; ++term) {
      value = value + to.factors[term] * load<Value>(to.terms[term].line(j) + i);
    }
    store(to.out.line(j) + i, value);
  }
};

/// What `VelocityMass` does with a solution of conjugate gradients.
template <class Space, class Scalar>
struct MassKernels {
  /// With t terms.
  // traffic: reads tn and n for each part of the solution, writes n; flops: (1 + 2t)n and 2n for each
  static void combine(const Space& space, const Rectangle& rectangle,
                      const CgSolution<Scalar>& solution,
                      const LineCombination<Scalar>& combination);
};

#define LAMINA_EXTERN_MASS(Space)                   \
  extern template struct MassKernels<Space, float>; \
  extern template struct MassKernels<Space, double>;
LAMINA_FOR_EACH_SPACE(LAMINA_EXTERN_MASS)
#undef LAMINA_EXTERN_MASS

template <class Space, class Scalar>
void MassKernels<Space, Scalar>::combine(const Space& space, const Rectangle& rectangle,
                                         const CgSolution<Scalar>& solution,
                                         const LineCombination<Scalar>& combination) {
  run_cells<Scalar>("Lamina::VelocityMass::combine", space, CellRange::all(rectangle),
                    CombineCells<Scalar>{solution, combination});
}

/// What `FusedPcg` sees of a velocity mass matrix. The solution is not stored: it ends in the
/// combination that is asked for, in the place of x.
template <class Scalar, class Memory>
class MassModel {
 public:
  using Operator = PeriodicHelmholtz<Scalar, Memory>;
  using scalar_type = Scalar;
  using memory_space = Memory;
  using vector_type = typename Operator::vector_type;

  /// What the next solve is for.
  struct Task {
    bool along_x = true;
    LineCombination<Scalar> combination;  ///< its right-hand side is not used
  };

  explicit MassModel(const WaterStrip<Memory>& strip)
      : m_operators{Operator(strip, 0, -1.0 / 6, vector_type(), InitialGuess::zero),
                    Operator(strip, -1.0 / 6, 0, vector_type(), InitialGuess::zero)},
        m_task(std::make_shared<Task>()) {}

  /// Copies share it.
  Task& task() const { return *m_task; }

  Decomposition<Memory> decomposition() const { return op().decomposition(); }
  vector_type make_vector(const std::string& label) const { return op().make_vector(label); }
  template <class FieldType>
  void require_field(const char* function, const char* argument, const FieldType& field) const {
    op().require_field(function, argument, field);
  }
  template <ExecutionSpace Space, class In>
  void start(const Space& space, const In& b, const In& x, const vector_type& u,
             const vector_type& r) const {
    op().start(space, b, x, u, r);
  }
  template <ExecutionSpace Space, class In>
  void residual(const Space& space, const FusedEnd<Scalar>& end, const In& b, const vector_type& p,
                const vector_type& u, const vector_type& r) const {
    op().residual(space, end, b, p, u, r);
  }
  template <ExecutionSpace Space>
  void measure(const Space& space, const FusedStep<Memory>& step, const vector_type& r) const {
    op().measure(space, step, r);
  }
  template <ExecutionSpace Space>
  void advance(const Space& space, const FusedStep<Memory>& step, bool update, const vector_type& r,
               const vector_type& p, const vector_type& new_p, const vector_type& new_r,
               const vector_type& u) const {
    op().advance(space, step, update, r, p, new_p, new_r, u);
  }
  /// out = a x_0 + b x_1 + c (u + along_p p + along_z r)
  template <ExecutionSpace Space, class Out>
  void finish(const Space& space, const FusedEnd<Scalar>& end, const vector_type& p,
              const vector_type& r, const vector_type& u, const Out&) const {
    MassKernels<Space, Scalar>::combine(space, op().rectangle(), op().solution(end, p, r, u),
                                        m_task->combination);
  }

 private:
  const Operator& op() const { return m_operators[m_task->along_x ? 1 : 0]; }

  Operator m_operators[2];
  std::shared_ptr<Task> m_task;
};

}  // namespace Lamina::Impl
