// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/device/impl/Instantiate.hpp>
#include <lamina/shallow_water/impl/GhostedField.hpp>

namespace Lamina::Impl {

/// The parameters of `Vortex`.
struct VortexData {
  double coriolis, velocity_x, velocity_y;
};

/// The root of a sum of squares, and the largest magnitude. NaN where a value is NaN.
struct HeightNorms {
  double norm = 0, largest = 0;
};

/// The lines of a rectangle that a state has.
struct VortexLines {
  Rectangle whole, owned;
  int first;  ///< number of the first owned one
};

/// The kernels of `Vortex`. n is the number of cells.
template <class Space, class Scalar>
struct VortexKernels {
  /// The cells of a state, with the vortex or without it.
  // traffic: writes 3n; flops: 100n
  static void fill(const Space& space, const VortexLines& lines, const VortexData& vortex,
                   bool rotating, const StateFields<Scalar>& state);

  /// The error of a height against the vortex at `time`. Fences `space`.
  // traffic: reads n; flops: 40n
  static HeightNorms error(const Space& space, const VortexLines& lines, const VortexData& vortex,
                           double time, const GridField<const Scalar>& height);
};

#define LAMINA_EXTERN_VORTEX(Space)                   \
  extern template struct VortexKernels<Space, float>; \
  extern template struct VortexKernels<Space, double>;
LAMINA_FOR_EACH_SPACE(LAMINA_EXTERN_VORTEX)
#undef LAMINA_EXTERN_VORTEX

}  // namespace Lamina::Impl

#include <lamina/problems/impl/VortexKernels_Bodies.hpp>
