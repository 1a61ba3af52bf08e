// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Gmres.hpp"

#if defined(LAMINA_HAS_BSR_MATRIX)

#include <lamina/core/impl/Instantiate.hpp>

#include <KokkosBlas1_nrm2.hpp>
#include <KokkosKernels_Handle.hpp>
#include <KokkosSparse_gmres.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "GmresResiduals.hpp"
#include "PointImplicitTask.hpp"

namespace Lamina::Cli {
namespace {

/// What one cycle came to.
struct Cycle {
  std::vector<double> residuals;  ///< recursive, over |b|, one an iteration
  double true_residual = 0;       ///< at its end, over |b|
  bool broke_off = false;
};

/// At most `length` iterations from x on.
template <class Space, class Preconditioner, class Vector>
Cycle run_cycle(const BsrMatrix<double, Space>& matrix, Preconditioner& preconditioner,
                const Vector& b, const Vector& x, int length, double tolerance) {
  using Memory = typename Space::memory_space;
  KokkosKernels::Experimental::KokkosKernelsHandle<std::size_t, int, double, Space, Memory, Memory>
      handle;
  handle.create_gmres_handle(static_cast<std::size_t>(length), tolerance, 0);
  handle.get_gmres_handle()->set_verbose(true);
  BsrMatrix<double, Space> a = matrix;
  Vector rhs = b, solution = x;
  Cycle cycle;
  const GmresResiduals residuals;
  try {
    KokkosSparse::Experimental::gmres(&handle, a, rhs, solution, &preconditioner);
    cycle.true_residual = handle.get_gmres_handle()->get_end_rel_res();
  } catch (const std::runtime_error&) {  // a residual that is no number, or no direction is left
    cycle.broke_off = true;
  }
  cycle.residuals = residuals.values();
  handle.destroy_gmres_handle();
  return cycle;
}

/// Takes a cycle into the report. \return whether the solve has ended
bool judge(const Cycle& cycle, const StoppingCriteria& criteria, double tolerance, double before,
           SolveReport& report) {
  for (const double residual : cycle.residuals) {
    report.residual_norm = residual * report.reference_norm;
    report.residual_history.push_back(report.relative_residual());
    ++report.iterations;
  }
  if (criteria.on_check) criteria.on_check(report.iterations, report.relative_residual());
  constexpr double least_progress = 1e-4;
  if (!std::isfinite(report.residual_norm)) {
    report.status = SolveStatus::breakdown_not_finite;
  } else if (!cycle.broke_off && cycle.true_residual < tolerance) {
    report.status = SolveStatus::converged;
  } else if (cycle.broke_off || cycle.true_residual > (1 - least_progress) * before) {
    report.status = SolveStatus::stagnated;
  } else {
    return false;
  }
  return true;
}

}  // namespace

template <ExecutionSpace Space>
SolveReport solve_gmres(
    const BsrMatrix<double, Space>& matrix,
    KokkosSparse::Experimental::Preconditioner<BsrMatrix<double, Space>>& preconditioner,
    const Kokkos::View<double*, Kokkos::Device<Space, typename Space::memory_space>>& b,
    const Kokkos::View<double*, Kokkos::Device<Space, typename Space::memory_space>>& x,
    const StoppingCriteria& criteria) {
  SolveReport report;
  Kokkos::deep_copy(x, 0.0);
  const double norm = KokkosBlas::nrm2(b);
  report.reference_norm = report.residual_norm = norm;
  report.residual_history = {norm == 0 ? 0.0 : 1.0};
  if (!std::isfinite(norm)) {
    report.status = SolveStatus::breakdown_not_finite;
    return report;
  }
  if (norm <= criteria.absolute_tolerance) {  // b = 0 as well
    report.status = SolveStatus::converged;
    return report;
  }
  const double tolerance = std::max(criteria.tolerance, criteria.absolute_tolerance / norm);
  double residual = 1;
  while (report.iterations < criteria.max_iterations) {
    const int length = std::min(gmres_restart, criteria.max_iterations - report.iterations);
    const Cycle cycle = run_cycle<Space>(matrix, preconditioner, b, x, length, tolerance);
    if (judge(cycle, criteria, tolerance, residual, report)) return report;
    residual = cycle.true_residual;
  }
  report.status = SolveStatus::max_iterations;
  return report;
}

#define LAMINA_INSTANTIATE(Space)                                                        \
  template SolveReport solve_gmres<Space>(                                               \
      const BsrMatrix<double, Space>&,                                                   \
      KokkosSparse::Experimental::Preconditioner<BsrMatrix<double, Space>>&,             \
      const Kokkos::View<double*, Kokkos::Device<Space, typename Space::memory_space>>&, \
      const Kokkos::View<double*, Kokkos::Device<Space, typename Space::memory_space>>&, \
      const StoppingCriteria&);
LAMINA_FOR_EACH_SPACE(LAMINA_INSTANTIATE)

}  // namespace Lamina::Cli

#endif
