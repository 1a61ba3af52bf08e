// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/device/impl/Access.hpp>
#include <lamina/device/impl/Instantiate.hpp>
#include <lamina/lines/impl/CyclicToeplitzKernels.hpp>
#include <lamina/shallow_water/impl/PeriodicHelmholtzKernels.hpp>
#include <lamina/sweeps/impl/CellSweep.hpp>

#include <cstdint>

namespace Lamina::Impl {

/// out = a x_0 + b x_1 + c solution.
template <class Scalar>
struct CombineCells {
  CgSolution<Scalar> solution;
  LineCombination<Scalar> to;

  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION void cell(std::int64_t i, std::int64_t j) const {
    Value value = to.c * solution.template at<Value>(i, j);
    for (int term = 0; term < to.num_terms; ++term) {
      value = value + to.factors[term] * load<Value>(to.terms[term].line(j) + i);
    }
    store(to.out.line(j) + i, value);
  }
};

/// What `VelocityMass` does with a solution of conjugate gradients.
template <class Space, class Scalar>
struct MassKernels {
  /// With t terms.
  // traffic: reads tn and n for each part of the solution, writes n; flops: (1 + 2t)n and 2n for each
  static void combine(const Space& space, int size, const CgSolution<Scalar>& solution,
                      const LineCombination<Scalar>& combination);
};

#define LAMINA_EXTERN_MASS(Space)                   \
  extern template struct MassKernels<Space, float>; \
  extern template struct MassKernels<Space, double>;
LAMINA_FOR_EACH_SPACE(LAMINA_EXTERN_MASS)
#undef LAMINA_EXTERN_MASS

template <class Space, class Scalar>
void MassKernels<Space, Scalar>::combine(const Space& space, int size,
                                         const CgSolution<Scalar>& solution,
                                         const LineCombination<Scalar>& combination) {
  run_cells<Scalar>("Lamina::VelocityMass::combine", space, CellRange::all(size),
                    CombineCells<Scalar>{solution, combination});
}

}  // namespace Lamina::Impl
