// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Restarted, right-preconditioned GMRES over callables, as textbooks have it: modified Gram-Schmidt,
// and a least-squares problem that is solved from scratch in each iteration.

#include <reference/ConjugateGradients.hpp>

#include <cmath>
#include <cstddef>
#include <vector>

namespace Reference {

using Columns = std::vector<std::vector<long double>>;  ///< each as long as it is from the top

/// y of the smallest |beta e_1 - H y| by a QR factorisation, columns orthogonalised twice, and that
/// minimum.
inline double least_squares(const Columns& h, double beta, Values& y) {
  const std::size_t count = h.size(), rows = count + 1;
  Columns q;
  std::vector<std::vector<long double>> r(count, std::vector<long double>(count, 0));
  std::vector<long double> rest(rows, 0), rhs(count, 0);
  rest[0] = beta;
  const auto dot = [&](const auto& a, const auto& b) {
    long double sum = 0;
    for (std::size_t i = 0; i < rows; ++i) sum += a[i] * b[i];
    return sum;
  };
  for (std::size_t j = 0; j < count; ++j) {
    std::vector<long double> column = h[j];
    column.resize(rows, 0);
    for (int twice = 0; twice < 2; ++twice) {
      for (std::size_t k = 0; k < j; ++k) {
        const long double product = dot(q[k], column);
        r[k][j] += product;
        for (std::size_t i = 0; i < rows; ++i) column[i] -= product * q[k][i];
      }
    }
    r[j][j] = std::sqrt(dot(column, column));
    for (auto& value : column) value /= r[j][j];
    q.push_back(column);
    rhs[j] = dot(column, rest);
    for (std::size_t i = 0; i < rows; ++i) rest[i] -= rhs[j] * column[i];
  }
  y.assign(count, 0);
  for (std::size_t j = count; j-- > 0;) {
    long double sum = rhs[j];
    for (std::size_t k = j + 1; k < count; ++k) sum -= r[j][k] * y[k];
    y[j] = static_cast<double>(sum / r[j][j]);
  }
  return static_cast<double>(std::sqrt(dot(rest, rest)));
}

/// Stops at |r| <= tolerance |b|, recomputed at the end of each cycle. The history is relative to
/// |b|; at ends of cycles it has the recomputed residual.
template <class Apply, class Precondition>
Solution gmres(const Apply& apply, const Precondition& precondition, const Values& b, Values x,
               double tolerance, int max_iterations, int restart) {
  const double reference = std::sqrt(dot(b, b));
  const auto residual = [&] {
    Values r = b;
    add(r, -1, apply(x));
    return r;
  };
  Values r = residual();
  double norm = std::sqrt(dot(r, r));
  Solution result{x, 0, {norm / reference}};
  while (result.iterations < max_iterations && norm > tolerance * reference) {
    std::vector<Values> v{r};
    for (double& value : v[0]) value /= norm;
    Columns h;
    Values y;
    double rest = norm;
    while (static_cast<int>(h.size()) < restart && result.iterations < max_iterations &&
           rest > tolerance * reference) {
      Values w = apply(precondition(v.back()));
      std::vector<long double> column;
      for (const Values& other : v) {
        column.push_back(dot(other, w));
        add(w, -static_cast<double>(column.back()), other);
      }
      const double below = std::sqrt(dot(w, w));
      column.push_back(below);
      h.push_back(column);
      rest = least_squares(h, norm, y);
      ++result.iterations;
      result.history.push_back(rest / reference);
      if (below == 0) break;
      for (double& value : w) value /= below;
      v.push_back(w);
    }
    Values combined(b.size(), 0.0);
    for (std::size_t j = 0; j < y.size(); ++j) add(combined, y[j], v[j]);
    add(x, 1, precondition(combined));
    r = residual();
    norm = std::sqrt(dot(r, r));
    result.history.back() = norm / reference;
  }
  result.x = x;
  return result;
}

}  // namespace Reference
