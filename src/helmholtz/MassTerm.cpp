// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/helmholtz/impl/MassTerm.hpp>

#include <cmath>
#include <cstddef>

namespace Lamina::Impl {

void HorizontalSums::add_column(double area, double coupling, double boundary_coupling) {
  m_area += area;
  m_boundary += boundary_coupling;
  m_coupling = std::hypot(m_coupling, coupling);
}

// Sum the rows of A x = b over all cells. Fluxes between cells cancel, and what is left decides on
// the mean of the solution:
//
//   sum_ck (|T| + omega^2 alpha_b) V_k x = sum b
//
// In the precision at hand fluxes cancel only but for the rounding of each, which acts like a
// right-hand side and moves the mean by its sum over sum (|T| + omega^2 alpha_b) V_k. Roundings of
// different columns are independent, so that squares add up.
//
// Horizontally: the direction p of conjugate gradients that finds the mean is nearly constant, and
// so A p is nearly free of fluxes if it is applied to p in differences. A solver that adds A p up
// from A z instead has the fluxes of z = M^-1 r, which varies by as much as it is large, of the size
// omega^2 alpha V_k. Their roundings stay, relative to the mean
//
//   eps omega^2 sqrt(sum_T alpha_T^2) / sum_T (|T| + omega^2 alpha_b)
//
// where V_k has cancelled, as the columns of all levels are alike. Stored entries round the same.
// If A is applied to p, the rounding of residuals is left: these grow by the square root of the
// condition before the mean is found, which takes eps sqrt(q / eps) with the quotient q above.
//
// Vertically line solves are exact: levels of p differ by a rounding, the flux is eps times c_k =
// omega^2 lambda^2 r^2 / (distance of levels), and its own rounding eps times that. In a matrix of
// stored entries c_k is part of the diagonal, whose rounding is eps c_k. All columns have the same
// vertical vectors, and the same error:
//
//   eps^2 (or eps) sqrt(sum_k c_k^2) sum_T |T| / (sum_k V_k sum_T (|T| + omega^2 alpha_b))
//
// Dirichlet edges (alpha_b > 0) hold the mean without a mass term: both quotients then stay below a
// few eps times couplings over those of the edge, however large omega^2 is.
RoundingError rounding_error(const HorizontalSums& horizontal, const VerticalVectors& vertical,
                             RowForm form, double epsilon) {
  if (horizontal.area() == 0) return {};
  const double omega2 = -1 / vertical.mass.front();
  double coupling = 0, volume = 0;
  for (std::size_t k = 0; k < vertical.scale.size(); ++k) {
    coupling = std::hypot(coupling, vertical.above[k] * vertical.scale[k]);
    volume -= vertical.scale[k] / omega2;
  }
  const bool differences = form == RowForm::differences;
  const double by_recurrence =
      epsilon * horizontal.coupling() / (horizontal.area() / omega2 + horizontal.boundary());
  const double held_by_edge = omega2 * horizontal.boundary() / horizontal.area();
  return {.by_recurrence = by_recurrence,
          .by_product = differences ? std::sqrt(epsilon * by_recurrence) : by_recurrence,
          .vertical =
              (differences ? epsilon * epsilon : epsilon) * coupling / volume / (1 + held_by_edge)};
}

}  // namespace Lamina::Impl
