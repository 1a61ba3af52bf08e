// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Preconditioned conjugate gradients, standard and interleaved, over callables.

#include <reference/Matrix.hpp>

#include <cmath>
#include <cstddef>
#include <vector>

namespace Reference {

struct Solution {
  Values x;
  int iterations = 0;
  std::vector<double> history;  // |r_k| / |b|
};

inline double dot(const Values& a, const Values& b) {
  long double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<long double>(a[i]) * b[i];
  return static_cast<double>(sum);
}

/// y = x + scale y
inline void scale_and_add(Values& y, double scale, const Values& x) {
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = x[i] + scale * y[i];
}

/// y += scale x
inline void add(Values& y, double scale, const Values& x) {
  for (std::size_t i = 0; i < y.size(); ++i) y[i] += scale * x[i];
}

template <class Apply, class Precondition>
Solution pcg(const Apply& apply, const Precondition& precondition, const Values& b, Values x,
             double tolerance, int max_iterations) {
  Values r = b;
  add(r, -1, apply(x));
  Values z = precondition(r), p = z;
  double kappa = dot(r, z);
  const double size = std::sqrt(dot(b, b));
  Solution result{x, 0, {std::sqrt(dot(r, r)) / size}};
  while (result.iterations < max_iterations && result.history.back() > tolerance) {
    const Values q = apply(p);
    const double alpha = kappa / dot(p, q);
    add(result.x, alpha, p);
    add(r, -alpha, q);
    ++result.iterations;
    result.history.push_back(std::sqrt(dot(r, r)) / size);
    z = precondition(r);
    const double kappa_old = kappa;
    kappa = dot(r, z);
    scale_and_add(p, kappa / kappa_old, z);
  }
  return result;
}

template <class Apply, class Precondition>
Solution interleaved_pcg(const Apply& apply, const Precondition& precondition, const Values& b,
                         Values x, double tolerance, int max_iterations) {
  Values r = b;
  add(r, -1, apply(x));
  Values p(b.size(), 0.0), q(b.size(), 0.0);
  const double size = std::sqrt(dot(b, b));
  double alpha = 0, kappa_old = 0;
  Solution result{x, 0, {}};
  for (bool first = true;; first = false) {
    add(r, -alpha, q);
    const Values z = precondition(r);
    const double norm = std::sqrt(dot(r, r)), kappa = dot(r, z);
    result.history.push_back(norm / size);
    if (!first) ++result.iterations;
    if (norm <= tolerance * size || result.iterations == max_iterations) {
      add(result.x, alpha, p);
      return result;
    }
    const double beta = first ? 0 : kappa / kappa_old;
    kappa_old = kappa;
    add(result.x, alpha, p);
    scale_and_add(p, beta, z);
    scale_and_add(q, beta, apply(z));
    alpha = kappa_old / dot(p, q);
  }
}

}  // namespace Reference
