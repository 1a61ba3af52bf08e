// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/helmholtz/RoundingError.hpp>
#include <lamina/helmholtz/impl/VerticalVectors.hpp>

namespace Lamina::Impl {

/// Sums over owned columns that tell what their couplings leave of the mass term.
class HorizontalSums {
 public:
  /// \param coupling  all couplings of the column together, alpha_b among them
  void add_column(double area, double coupling, double boundary_coupling);

  double area() const { return m_area; }          ///< sum |T|
  double boundary() const { return m_boundary; }  ///< sum alpha_b
  double coupling() const { return m_coupling; }  ///< sqrt(sum alpha_T^2)

 private:
  double m_area = 0, m_boundary = 0, m_coupling = 0;
};

/// How an operator adds up the entries of a row.
enum class RowForm {
  differences,  ///< couplings times differences of x, as `HelmholtzOperator` does
  entries       ///< stored entries times x, as `CsrHelmholtz` does
};

/// See `RoundingError`.
/// \param epsilon  distance of 1 from the next number of the precision
RoundingError rounding_error(const HorizontalSums& horizontal, const VerticalVectors& vertical,
                             RowForm form, double epsilon);

}  // namespace Lamina::Impl
