// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <vector>

#include "VendorContext.hpp"
#include "VendorScalars.hpp"

namespace Lamina::Perf {

/// What the vendor's conjugate gradients have in common, with and without a preconditioner: vectors,
/// level 1 of cuBLAS with scalars in device memory, and the history. All is enqueued only, unless
/// said otherwise.
template <class Array>
class VendorKrylov {
 public:
  using Scalar = typename Array::non_const_value_type;

  /// |r_n| / |r_0| of the last solve. Fences.
  std::vector<double> residual_history() const {
    m_context.space().fence();
    return vendor_residual_history(m_history);
  }

 protected:
  using Routines = VendorRoutines<Scalar>;

  /// \param context  must outlive the solver
  VendorKrylov(const VendorContext& context, const Array& rhs, int iterations)
      : m_context(context),
        m_iterations(iterations),
        m_size(static_cast<int>(rhs.size())),
        m_rhs(rhs),
        m_history("Lamina::Perf::history", static_cast<std::size_t>(iterations) + 1),
        m_scalars("Lamina::Perf::scalars") {
    for (Array* field : {&m_x, &m_r, &m_p, &m_q}) *field = make_field();
  }

  Array make_field() const { return Array("Lamina::Perf::field", m_rhs.layout()); }

  VendorScalars<Scalar>* scalars() const { return m_scalars.data(); }
  int size() const { return m_size; }

  void dot(const Array& x, const Array& y, Scalar* result) const {
    LAMINA_VENDOR_CALL(Routines::dot(m_context.blas(), m_size, x.data(), 1, y.data(), 1, result));
  }
  void axpy(const Scalar* factor, const Array& x, const Array& y) const {
    LAMINA_VENDOR_CALL(Routines::axpy(m_context.blas(), m_size, factor, x.data(), 1, y.data(), 1));
  }
  /// p = z + beta p, by two routines.
  void renew_direction(const Array& z) const {
    LAMINA_VENDOR_CALL(Routines::scal(m_context.blas(), m_size, &scalars()->beta, m_p.data(), 1));
    axpy(&scalars()->one, z, m_p);
  }

  /// x = 0, r = b, p = 0.
  void reset() const {
    const std::size_t bytes = m_rhs.size() * sizeof(Scalar);
    const cudaStream_t stream = m_context.stream();
    vendor_start<<<1, 1, 0, stream>>>(scalars());
    LAMINA_VENDOR_CALL(cudaGetLastError());
    LAMINA_VENDOR_CALL(cudaMemsetAsync(m_x.data(), 0, bytes, stream));
    LAMINA_VENDOR_CALL(cudaMemsetAsync(m_p.data(), 0, bytes, stream));
    LAMINA_VENDOR_CALL(
        cudaMemcpyAsync(m_r.data(), m_rhs.data(), bytes, cudaMemcpyDeviceToDevice, stream));
  }
  void measure_residual() const { dot(m_r, m_r, &scalars()->residual2); }
  /// beta from <r, z> and that before; adds <r, r> to the history.
  template <bool preconditioned>
  void set_beta() const {
    vendor_beta<preconditioned>
        <<<1, 1, 0, m_context.stream()>>>(scalars(), m_history.data(), capacity());
    LAMINA_VENDOR_CALL(cudaGetLastError());
  }
  /// alpha = <r, z> / <p, q>; x += alpha p; r -= alpha q.
  void step() const {
    dot(m_p, m_q, &scalars()->curvature);
    vendor_alpha<<<1, 1, 0, m_context.stream()>>>(scalars());
    LAMINA_VENDOR_CALL(cudaGetLastError());
    axpy(&scalars()->alpha, m_p, m_x);
    axpy(&scalars()->minus_alpha, m_q, m_r);
  }
  /// All iterations, and the last residual.
  template <class Iteration>
  void iterate_all(const Iteration& one_iteration) const {
    for (int n = 0; n < m_iterations; ++n) one_iteration();
    measure_residual();
    vendor_record<<<1, 1, 0, m_context.stream()>>>(scalars(), m_history.data(), capacity());
    LAMINA_VENDOR_CALL(cudaGetLastError());
  }

  const VendorContext& m_context;

 private:
  int capacity() const { return m_iterations + 1; }

  int m_iterations, m_size;
  Array m_rhs;

 protected:
  Array m_x, m_r, m_p, m_q;  // q = A p

 private:
  Kokkos::View<Scalar*, Kokkos::CudaSpace> m_history;
  Kokkos::View<VendorScalars<Scalar>, Kokkos::CudaSpace> m_scalars;
};

}  // namespace Lamina::Perf
