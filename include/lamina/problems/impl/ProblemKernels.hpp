// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/device/impl/Instantiate.hpp>
#include <lamina/grids/impl/GridField.hpp>

#include <cstdint>

namespace Lamina::Impl {

/// sin^2(pi x / L) and cos(2 pi x / L) / L^2 at the points of one direction.
template <class Memory>
struct ProblemTable {
  Kokkos::View<const double*, Memory> sin2, cosine;
};

/// Those along and across the lines of a field.
template <class Memory>
struct ProblemTables {
  double mesh_width;
  ProblemTable<Memory> along, across;

  CellRange cells() const {
    return {0, static_cast<int>(along.sin2.extent(0)), 0, static_cast<int>(across.sin2.extent(0))};
  }
  KOKKOS_FORCEINLINE_FUNCTION double solution(std::int64_t i, std::int64_t line) const {
    return along.sin2(i) * across.sin2(line);
  }
  /// f / (-2 pi^2)
  KOKKOS_FORCEINLINE_FUNCTION double source(std::int64_t i, std::int64_t line) const {
    return along.cosine(i) * across.sin2(line) + along.sin2(i) * across.cosine(line);
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
