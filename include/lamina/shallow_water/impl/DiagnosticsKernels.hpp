// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/device/impl/Instantiate.hpp>
#include <lamina/shallow_water/impl/GhostedField.hpp>

namespace Lamina {

struct ShallowWaterDiagnostics;

namespace Impl {

/// n is the number of cells in the statements of traffic.
template <class Space, class Scalar>
struct DiagnosticsKernels {
  using State = StateFields<const Scalar>;

  /// All of them in one reduction. Fences `space`.
  // traffic: reads 3n; flops: 50n
  static ShallowWaterDiagnostics diagnose(const Space& space, const Rectangle& rectangle,
                                          double coriolis, const State& state);

  /// (rot u + f) / Phi at corners.
  // traffic: reads 3n, writes n; flops: 10n
  static void potential_vorticity(const Space& space, const Rectangle& rectangle, double coriolis,
                                  const State& state, const StridedCells<Scalar>& out);
};

#define LAMINA_EXTERN_DIAGNOSTICS(Space)                   \
  extern template struct DiagnosticsKernels<Space, float>; \
  extern template struct DiagnosticsKernels<Space, double>;
LAMINA_FOR_EACH_SPACE(LAMINA_EXTERN_DIAGNOSTICS)
#undef LAMINA_EXTERN_DIAGNOSTICS

}  // namespace Impl
}  // namespace Lamina
