// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/device/impl/Instantiate.hpp>
#include <lamina/grids/impl/GridField.hpp>

#include <cstdint>

namespace Lamina::Impl {

/// sin^2(pi x_i) and cos(2 pi x_i).
template <class Memory>
struct ProblemTables {
  int size = 0;
  Kokkos::View<const double*, Memory> sin2, cosine;

  KOKKOS_FORCEINLINE_FUNCTION double solution(std::int64_t i, std::int64_t j) const {
    return sin2(i) * sin2(j);
  }
  /// cos(2 pi x) sin^2(pi y) + sin^2(pi x) cos(2 pi y)
  KOKKOS_FORCEINLINE_FUNCTION double source(std::int64_t i, std::int64_t j) const {
    return cosine(i) * sin2(j) + sin2(i) * cosine(j);
  }
};

/// The largest error, and the 2-norm of all errors.
struct ErrorNorms {
  double largest = 0, norm = 0;
};

template <class Space, class Scalar>
struct ProblemKernels {
  using Tables = ProblemTables<typename Space::memory_space>;

  static void fill_rhs(const Space& space, const Tables& tables, const GridField<Scalar>& b);
  static ErrorNorms error(const Space& space, const Tables& tables,
                          const GridField<const Scalar>& x);
};

#define LAMINA_EXTERN_PROBLEM(Space)                   \
  extern template struct ProblemKernels<Space, float>; \
  extern template struct ProblemKernels<Space, double>;
LAMINA_FOR_EACH_SPACE(LAMINA_EXTERN_PROBLEM)
#undef LAMINA_EXTERN_PROBLEM

}  // namespace Lamina::Impl

#include <lamina/problems/impl/ProblemKernels_Bodies.hpp>
