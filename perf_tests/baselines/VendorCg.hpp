// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <vector>

#include "../support/SquareSolvers.hpp"
#include "VendorContext.hpp"
#include "VendorScalars.hpp"

namespace Lamina::Perf {

/// The conjugate gradients of Wang et al. (2012) from our stencil kernel, which stores A p, and
/// level 1 of cuBLAS with scalars in device memory. The operations and their order are those of
/// `Pcg`; the host takes no part until the given number of iterations is done.
template <class Scalar>
class VendorCg {
 public:
  using Case = SquareCase<Kokkos::Cuda, Scalar>;

  /// Fields read or written per iteration: dot 1 and 2, scal 2, axpy 3 times 3, stencil 2.
  static constexpr int values_moved = 16;

  /// \param context  must outlive the solver
  VendorCg(const VendorContext& context, const Case& problem, int iterations)
      : m_context(context),
        m_operator(problem.op),
        m_iterations(iterations),
        m_size(static_cast<int>(problem.b.size())),
        m_rhs(problem.b),
        m_history("Lamina::Perf::history", static_cast<std::size_t>(iterations) + 1),
        m_scalars("Lamina::Perf::scalars") {
    for (Field* field : {&m_x, &m_r, &m_p, &m_q}) *field = Case::field(problem.op.size());
    Kokkos::fence();  // the fields were filled on another stream
    start();
    iterate();  // before a capture
  }

  /// Starts from zero and calls `one_iteration` as often as wanted. Enqueued only.
  template <class Iteration>
  void solve(const Iteration& one_iteration) const {
    start();
    for (int n = 0; n < m_iterations; ++n) one_iteration();
    dot(m_r, m_r, &scalars()->residual2);
    vendor_record<<<1, 1, 0, m_context.stream()>>>(scalars(), m_history.data(), capacity());
    LAMINA_VENDOR_CALL(cudaGetLastError());
  }
  /// |r_n| / |r_0| of the last solve. Fences.
  std::vector<double> residual_history() const {
    m_context.space().fence();
    return vendor_residual_history(m_history);
  }

  /// Enqueues one iteration.
  void iterate() const {
    // beta = <r, r> / <r, r>_before; p = r + beta p
    dot(m_r, m_r, &scalars()->residual2);
    vendor_beta<false><<<1, 1, 0, m_context.stream()>>>(scalars(), m_history.data(), capacity());
    LAMINA_VENDOR_CALL(cudaGetLastError());
    LAMINA_VENDOR_CALL(Routines::scal(m_context.blas(), m_size, &scalars()->beta, m_p.data(), 1));
    axpy(&scalars()->one, m_r, m_p);
    // alpha = <r, r> / <p, A p>; x += alpha p; r -= alpha A p
    m_operator.apply(m_context.space(), m_p, m_q);
    dot(m_p, m_q, &scalars()->curvature);
    vendor_alpha<<<1, 1, 0, m_context.stream()>>>(scalars());
    LAMINA_VENDOR_CALL(cudaGetLastError());
    axpy(&scalars()->alpha, m_p, m_x);
    axpy(&scalars()->minus_alpha, m_q, m_r);
  }

 private:
  using Field = typename Case::Field;
  using Routines = VendorRoutines<Scalar>;

  VendorScalars<Scalar>* scalars() const { return m_scalars.data(); }
  int capacity() const { return m_iterations + 1; }

  void dot(const Field& x, const Field& y, Scalar* result) const {
    LAMINA_VENDOR_CALL(Routines::dot(m_context.blas(), m_size, x.data(), 1, y.data(), 1, result));
  }
  void axpy(const Scalar* factor, const Field& x, const Field& y) const {
    LAMINA_VENDOR_CALL(Routines::axpy(m_context.blas(), m_size, factor, x.data(), 1, y.data(), 1));
  }

  /// x = 0, r = b, p = 0.
  void start() const {
    const std::size_t bytes = m_rhs.size() * sizeof(Scalar);
    const cudaStream_t stream = m_context.stream();
    vendor_start<<<1, 1, 0, stream>>>(scalars());
    LAMINA_VENDOR_CALL(cudaGetLastError());
    LAMINA_VENDOR_CALL(cudaMemsetAsync(m_x.data(), 0, bytes, stream));
    LAMINA_VENDOR_CALL(cudaMemsetAsync(m_p.data(), 0, bytes, stream));
    LAMINA_VENDOR_CALL(
        cudaMemcpyAsync(m_r.data(), m_rhs.data(), bytes, cudaMemcpyDeviceToDevice, stream));
  }

  const VendorContext& m_context;
  typename Case::Operator m_operator;
  int m_iterations, m_size;
  Field m_rhs, m_x, m_r, m_p, m_q;
  Kokkos::View<Scalar*, Kokkos::CudaSpace> m_history;
  Kokkos::View<VendorScalars<Scalar>, Kokkos::CudaSpace> m_scalars;
};

}  // namespace Lamina::Perf
