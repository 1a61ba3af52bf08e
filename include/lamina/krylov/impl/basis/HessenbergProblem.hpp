// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace Lamina::Impl {

/// min |e_1 - H y| over y for a Hessenberg matrix H that grows column by column, by Givens
/// rotations (Saad and Schultz, "GMRES: a generalized minimal residual algorithm for solving
/// nonsymmetric linear systems", SIAM J. Sci. Stat. Comput. 7, 1986). On the host. Only the
/// constructor allocates.
class HessenbergProblem {
 public:
  explicit HessenbergProblem(int max_columns);

  /// Forgets all columns.
  void clear() {
    m_count = 0;
    m_rest = 1;
  }
  int count() const { return m_count; }
  int max_columns() const { return m_max_columns; }

  /// Appends a column. \param h  count() + 1 entries; `below` is the one below them, >= 0
  void append(const double* h, double below);

  /// The smallest |e_1 - H y|.
  double residual() const { return std::abs(m_rest); }
  /// The last entry on the diagonal of the triangle: 0 where its column depends on those before.
  double last_diagonal() const;
  /// Drops the last column from the solution, not from the residual.
  void drop_last() { --m_count; }

  /// y, count() entries, for those columns.
  void solve(double* y) const;

 private:
  std::size_t place(int row, int column) const {
    return static_cast<std::size_t>(column) * static_cast<std::size_t>(m_max_columns) +
           static_cast<std::size_t>(row);
  }

  int m_max_columns, m_count = 0;
  double m_rest = 1;  // the entry of the rotated right-hand side below all columns
  std::vector<double> m_triangle, m_cosines, m_sines, m_rhs;
};

}  // namespace Lamina::Impl
