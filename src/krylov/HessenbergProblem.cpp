// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/krylov/impl/basis/HessenbergProblem.hpp>

#include <cmath>

namespace Lamina::Impl {

HessenbergProblem::HessenbergProblem(int max_columns)
    : m_max_columns(max_columns),
      m_triangle(static_cast<std::size_t>(max_columns) * static_cast<std::size_t>(max_columns)),
      m_cosines(static_cast<std::size_t>(max_columns)),
      m_sines(static_cast<std::size_t>(max_columns)),
      m_rhs(static_cast<std::size_t>(max_columns)) {}

void HessenbergProblem::append(const double* h, double below) {
  const int column = m_count;
  double above = h[0];
  for (int row = 0; row < column; ++row) {
    const double c = m_cosines[static_cast<std::size_t>(row)],
                 s = m_sines[static_cast<std::size_t>(row)], next = h[row + 1];
    m_triangle[place(row, column)] = c * above + s * next;
    above = c * next - s * above;
  }
  const double length = std::hypot(above, below);
  const double cosine = length > 0 ? above / length : 1, sine = length > 0 ? below / length : 0;
  m_triangle[place(column, column)] = length;
  const auto last = static_cast<std::size_t>(column);
  m_cosines[last] = cosine;
  m_sines[last] = sine;
  m_rhs[last] = cosine * m_rest;
  m_rest *= -sine;
  ++m_count;
}

double HessenbergProblem::last_diagonal() const {
  return m_triangle[place(m_count - 1, m_count - 1)];
}

void HessenbergProblem::solve(double* y) const {
  for (int row = m_count - 1; row >= 0; --row) {
    double sum = m_rhs[static_cast<std::size_t>(row)];
    for (int column = row + 1; column < m_count; ++column)
      sum -= m_triangle[place(row, column)] * y[column];
    y[row] = sum / m_triangle[place(row, row)];
  }
}

}  // namespace Lamina::Impl
