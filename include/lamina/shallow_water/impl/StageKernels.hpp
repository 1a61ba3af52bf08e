// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/device/impl/Instantiate.hpp>
#include <lamina/shallow_water/impl/GhostedField.hpp>
#include <lamina/shallow_water/impl/march/TendencyMarch.hpp>

namespace Lamina::Impl {

/// An explicit stage without its mass solves: F_U and F_V of `state`, and
/// height = base_factor * base + centre_factor * state.height + step * dPhi/dt.
template <class Scalar, class Factors = TendencyFactors<Scalar>>
struct StageSweep {
  StateFields<const Scalar> state;
  Factors factors;
  GridField<const Scalar> base;  ///< not read where its factor is 0
  Scalar base_factor, centre_factor, step;
  GridField<Scalar> height;  ///< may be `base`
  GridField<Scalar> rhs_u, rhs_v;
};

/// The kernel of explicit steps; n is the number of cells in the statement of traffic.
template <class Space, class Scalar>
struct StageKernels {
  /// In the cells of `range`; reads the cells around them. Enqueued on `space`.
  // traffic: reads 3n, with a base 4n, writes 3n; flops: 77n
  static void sweep(const Space& space, const CellRange& range, const StageSweep<Scalar>& stage);
  // traffic: n more for each field of the basin; flops: 79n
  static void sweep(const Space& space, const CellRange& range,
                    const StageSweep<Scalar, BasinFactors<Scalar>>& stage);

  /// The same of all cells in the published form, two kernels with the potential vorticity stored
  /// between them: the plain twin of `sweep`.
  // traffic: reads 3n, with a base 4n, writes 2n; reads 4n, writes 2n; flops: 70n
  static void sweep_by_vorticity(const Space& space, const Rectangle& rectangle,
                                 const StageSweep<Scalar>& stage,
                                 const GridField<Scalar>& vorticity);
};

#define LAMINA_EXTERN_STAGE(Space)                   \
  extern template struct StageKernels<Space, float>; \
  extern template struct StageKernels<Space, double>;
LAMINA_FOR_EACH_SPACE(LAMINA_EXTERN_STAGE)
#undef LAMINA_EXTERN_STAGE

}  // namespace Lamina::Impl

#include <lamina/shallow_water/impl/StageKernels_Bodies.hpp>
