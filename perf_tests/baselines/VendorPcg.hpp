// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <vector>

#include "VendorParts.hpp"
#include "VendorScalars.hpp"

namespace Lamina::Perf {

/// How p = z + beta p is made from cuBLAS: by two routines of level 1, or by its extension for
/// sums of matrices, which moves 3 fields instead of 5.
enum class VendorUpdate { scal_axpy, geam };

/// The matrix-explicit preconditioned conjugate gradients of Müller et al. (2013) from the
/// libraries' routines. The operations and their order are those of `Pcg`; the host takes no part
/// until the given number of iterations is done.
template <class Scalar>
class VendorPcg {
 public:
  /// \param context, problem, spmv, lines  must outlive the solver
  VendorPcg(const VendorContext& context, const VendorProblem<Scalar>& problem,
            const VendorSpmv<Scalar>& spmv, const VendorTridiagonal<Scalar>& lines,
            VendorUpdate update, int iterations)
      : m_context(context),
        m_spmv(spmv),
        m_lines(lines),
        m_update(update),
        m_iterations(iterations),
        m_rows(problem.fastest_extent()),
        m_size(problem.num_rows()),
        m_rhs(problem.rhs),
        m_history("Lamina::Perf::history", static_cast<std::size_t>(iterations) + 1),
        m_scalars("Lamina::Perf::scalars") {
    for (Array* field : {&m_x, &m_r, &m_z, &m_p, &m_q}) {
      *field = Array("Lamina::Perf::field", m_rhs.extent(0));
    }
    Kokkos::fence();  // the fields were filled on another stream
    start();
    iterate();  // before the capture
  }

  /// Starts from zero and iterates, one graph launch per iteration. Enqueued only.
  void solve(const VendorGraph& iteration) {
    start();
    for (int n = 0; n < m_iterations; ++n) iteration.launch();
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
  void iterate() {
    measure_residual();
    m_lines.solve(m_r.data(), m_z.data());
    renew_direction();
    m_spmv.apply(m_p.data(), m_q.data());
    step();
  }
  /// An iteration without operator and preconditioner.
  void iterate_level1() {
    measure_residual();
    renew_direction();
    step();
  }

 private:
  using Array = typename VendorProblem<Scalar>::template Array<Scalar>;
  using Routines = VendorRoutines<Scalar>;

  VendorScalars<Scalar>* scalars() const { return m_scalars.data(); }
  int capacity() const { return m_iterations + 1; }

  void dot(const Array& x, const Array& y, Scalar* result) const {
    LAMINA_VENDOR_CALL(Routines::dot(m_context.blas(), m_size, x.data(), 1, y.data(), 1, result));
  }
  void axpy(const Scalar* factor, const Array& x, const Array& y) const {
    LAMINA_VENDOR_CALL(Routines::axpy(m_context.blas(), m_size, factor, x.data(), 1, y.data(), 1));
  }

  /// x = 0, r = b - A x, p = 0.
  void start() {
    const std::size_t bytes = m_rhs.extent(0) * sizeof(Scalar);
    const cudaStream_t stream = m_context.stream();
    vendor_start<<<1, 1, 0, stream>>>(scalars());
    LAMINA_VENDOR_CALL(cudaGetLastError());
    LAMINA_VENDOR_CALL(cudaMemsetAsync(m_x.data(), 0, bytes, stream));
    LAMINA_VENDOR_CALL(cudaMemsetAsync(m_p.data(), 0, bytes, stream));
    LAMINA_VENDOR_CALL(
        cudaMemcpyAsync(m_r.data(), m_rhs.data(), bytes, cudaMemcpyDeviceToDevice, stream));
    m_spmv.apply(m_x.data(), m_q.data());
    axpy(&scalars()->minus_alpha, m_q, m_r);
  }
  void measure_residual() { dot(m_r, m_r, &scalars()->residual2); }
  /// beta = <r, z> / <r, z>_before; p = z + beta p.
  void renew_direction() {
    dot(m_r, m_z, &scalars()->energy);
    vendor_beta<true><<<1, 1, 0, m_context.stream()>>>(scalars(), m_history.data(), capacity());
    LAMINA_VENDOR_CALL(cudaGetLastError());
    const Scalar *one = &scalars()->one, *beta = &scalars()->beta;
    if (m_update == VendorUpdate::scal_axpy) {
      LAMINA_VENDOR_CALL(Routines::scal(m_context.blas(), m_size, beta, m_p.data(), 1));
      axpy(one, m_z, m_p);
    } else {
      LAMINA_VENDOR_CALL(Routines::geam(m_context.blas(), CUBLAS_OP_N, CUBLAS_OP_N, m_rows,
                                        m_size / m_rows, one, m_z.data(), m_rows, beta, m_p.data(),
                                        m_rows, m_p.data(), m_rows));
    }
  }
  /// alpha = <r, z> / <p, q>; x += alpha p; r -= alpha q.
  void step() {
    dot(m_p, m_q, &scalars()->curvature);
    vendor_alpha<<<1, 1, 0, m_context.stream()>>>(scalars());
    LAMINA_VENDOR_CALL(cudaGetLastError());
    axpy(&scalars()->alpha, m_p, m_x);
    axpy(&scalars()->minus_alpha, m_q, m_r);
  }

  const VendorContext& m_context;
  const VendorSpmv<Scalar>& m_spmv;
  const VendorTridiagonal<Scalar>& m_lines;
  VendorUpdate m_update;
  int m_iterations, m_rows, m_size;
  Array m_rhs, m_x, m_r, m_z, m_p, m_q, m_history;
  Kokkos::View<VendorScalars<Scalar>, Kokkos::CudaSpace> m_scalars;
};

}  // namespace Lamina::Perf
