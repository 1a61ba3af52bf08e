// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/problems/impl/ProblemKernels.hpp>
#include <lamina/sweeps/impl/CellSweep.hpp>

#include <cmath>

namespace Lamina::Impl {

template <class Scalar, class Memory>
struct FillRhs {
  ProblemTables<Memory> tables;
  GridField<Scalar> b;
  double factor;  // -2 pi^2 h^2

  KOKKOS_FORCEINLINE_FUNCTION void cell(std::int64_t i, std::int64_t line) const {
    b(i, line) = static_cast<Scalar>(factor * tables.source(i, line));
  }
};

template <class Scalar, class Memory>
struct LargestError {
  ProblemTables<Memory> tables;
  GridField<const Scalar> x;

  KOKKOS_FUNCTION double error(std::int64_t n) const {
    const auto length = static_cast<std::int64_t>(tables.along.sin2.extent(0));
    const std::int64_t i = n % length, line = n / length;
    return static_cast<double>(x(i, line)) - tables.solution(i, line);
  }
  KOKKOS_FUNCTION void operator()(std::int64_t n, double& largest) const {
    const double value = error(n), size = value < 0 ? -value : value;
    if (size > largest) largest = size;
  }
};

/// Sums of squares relative to the largest error, which do not underflow.
template <class Scalar, class Memory>
struct SquaredErrors {
  LargestError<Scalar, Memory> errors;
  double scale;

  KOKKOS_FUNCTION void operator()(std::int64_t n, double& sum) const {
    const double value = errors.error(n) * scale;
    sum += value * value;
  }
};

template <class Space, class Scalar>
void ProblemKernels<Space, Scalar>::fill_rhs(const Space& space, const Tables& tables,
                                             const GridField<Scalar>& b) {
  const double pi = 3.14159265358979323846, h = tables.mesh_width;
  run_cells<Scalar>("Lamina::PoissonProblem::fill_rhs", space, tables.cells(),
                    FillRhs<Scalar, typename Space::memory_space>{tables, b, -2 * pi * pi * h * h});
}

template <class Space, class Scalar>
ErrorNorms ProblemKernels<Space, Scalar>::error(const Space& space, const Tables& tables,
                                                const GridField<const Scalar>& x) {
  if (tables.cells().count() == 0) return {};
  const Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>> all_points(
      space, 0, tables.cells().count());
  using Errors = LargestError<Scalar, typename Space::memory_space>;
  const Errors errors{tables, x};
  const char* label = "Lamina::PoissonProblem::error";
  ErrorNorms norms;
  Kokkos::parallel_reduce(label, all_points, errors, Kokkos::Max<double>(norms.largest));
  const double scale = norms.largest > 0 ? 1 / norms.largest : 1;
  double sum = 0;
  Kokkos::parallel_reduce(label, all_points,
                          SquaredErrors<Scalar, typename Space::memory_space>{errors, scale}, sum);
  norms.norm = std::sqrt(sum) / scale;
  // A comparison with NaN does not make it the largest; the sum has it.
  if (!std::isfinite(norms.norm)) norms.largest = norms.norm;
  return norms;
}

}  // namespace Lamina::Impl
