// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "VendorKrylov.hpp"
#include "VendorParts.hpp"

namespace Lamina::Perf {

/// How p = z + beta p is made from cuBLAS: by two routines of level 1, or by its extension for
/// sums of matrices, which moves 3 fields instead of 5.
enum class VendorUpdate { scal_axpy, geam };

/// The matrix-explicit preconditioned conjugate gradients of Müller et al. (2013) from the
/// libraries' routines. The operations and their order are those of `Pcg`; the host takes no part
/// until the given number of iterations is done.
template <class Scalar>
class VendorPcg : public VendorKrylov<typename VendorProblem<Scalar>::template Array<Scalar>> {
 public:
  /// \param context, problem, spmv, lines  must outlive the solver
  VendorPcg(const VendorContext& context, const VendorProblem<Scalar>& problem,
            const VendorSpmv<Scalar>& spmv, const VendorTridiagonal<Scalar>& lines,
            VendorUpdate update, int iterations)
      : Base(context, problem.rhs, iterations),
        m_spmv(spmv),
        m_lines(lines),
        m_update(update),
        m_rows(problem.fastest_extent()),
        m_z(this->make_field()) {
    Kokkos::fence();  // the fields were filled on another stream
    start();
    iterate();  // before the capture
  }

  /// Starts from zero and iterates, one graph launch per iteration. Enqueued only.
  void solve(const VendorGraph& iteration) const {
    start();
    this->iterate_all([&] { iteration.launch(); });
  }

  /// Enqueues one iteration.
  void iterate() const {
    this->measure_residual();
    m_lines.solve(this->m_r.data(), m_z.data());
    renew_direction();
    m_spmv.apply(this->m_p.data(), this->m_q.data());
    this->step();
  }
  /// An iteration without operator and preconditioner.
  void iterate_level1() const {
    this->measure_residual();
    renew_direction();
    this->step();
  }

 private:
  using Array = typename VendorProblem<Scalar>::template Array<Scalar>;
  using Base = VendorKrylov<Array>;
  using Routines = VendorRoutines<Scalar>;

  /// x = 0, r = b - A x, p = 0.
  void start() const {
    this->reset();
    m_spmv.apply(this->m_x.data(), this->m_q.data());
    this->axpy(&this->scalars()->minus_alpha, this->m_q, this->m_r);
  }
  /// beta = <r, z> / <r, z>_before; p = z + beta p.
  void renew_direction() const {
    this->dot(this->m_r, m_z, &this->scalars()->energy);
    this->template set_beta<true>();
    if (m_update == VendorUpdate::scal_axpy) return Base::renew_direction(m_z);
    Scalar *const p = this->m_p.data(), *const z = m_z.data();
    LAMINA_VENDOR_CALL(Routines::geam(this->m_context.blas(), CUBLAS_OP_N, CUBLAS_OP_N, m_rows,
                                      this->size() / m_rows, &this->scalars()->one, z, m_rows,
                                      &this->scalars()->beta, p, m_rows, p, m_rows));
  }

  const VendorSpmv<Scalar>& m_spmv;
  const VendorTridiagonal<Scalar>& m_lines;
  VendorUpdate m_update;
  int m_rows;
  Array m_z;
};

}  // namespace Lamina::Perf
