// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "../support/SquareSolvers.hpp"
#include "VendorKrylov.hpp"

namespace Lamina::Perf {

/// The conjugate gradients of Wang et al. (2012) from our stencil kernel, which stores A p, and
/// level 1 of cuBLAS with scalars in device memory. The operations and their order are those of
/// `Pcg`; the host takes no part until the given number of iterations is done.
template <class Scalar>
class VendorCg : public VendorKrylov<typename SquareCase<Kokkos::Cuda, Scalar>::Field> {
 public:
  using Case = SquareCase<Kokkos::Cuda, Scalar>;

  /// Fields read or written per iteration: dot 1 and 2, scal 2, axpy 3 times 3, stencil 2.
  static constexpr int values_moved = 16;

  /// \param context  must outlive the solver
  VendorCg(const VendorContext& context, const Case& problem, int iterations)
      : Base(context, problem.b, iterations), m_operator(problem.op) {
    Kokkos::fence();  // the fields were filled on another stream
    this->reset();
    iterate();  // before a capture
  }

  /// Starts from zero and calls `one_iteration` as often as wanted. Enqueued only.
  template <class Iteration>
  void solve(const Iteration& one_iteration) const {
    this->reset();
    this->iterate_all(one_iteration);
  }

  /// Enqueues one iteration.
  void iterate() const {
    this->measure_residual();
    this->template set_beta<false>();
    this->renew_direction(this->m_r);
    m_operator.apply(this->m_context.space(), this->m_p, this->m_q);
    this->step();
  }

 private:
  using Base = VendorKrylov<typename Case::Field>;

  typename Case::Operator m_operator;
};

}  // namespace Lamina::Perf
