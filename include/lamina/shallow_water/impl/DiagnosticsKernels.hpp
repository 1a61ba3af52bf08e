// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/device/impl/Instantiate.hpp>
#include <lamina/shallow_water/impl/BasinFields.hpp>
#include <lamina/shallow_water/impl/GhostedField.hpp>
#include <lamina/shallow_water/impl/StateKernels.hpp>

#include <cstdint>

namespace Lamina {

namespace Impl {

/// What one cell, or several, add to diagnostics.
struct DiagnosticsPart {
  double mass, energy, enstrophy, circulation, largest_u, largest_v, smallest_height;
  std::int64_t first_fault;  ///< `FirstFault::code`

  KOKKOS_FUNCTION void reset() {
    mass = energy = enstrophy = circulation = largest_u = largest_v = 0;
    smallest_height = 1e300;
    first_fault = FirstFault::none;
  }
  KOKKOS_FUNCTION void add(const DiagnosticsPart& other) {
    mass += other.mass;
    energy += other.energy;
    enstrophy += other.enstrophy;
    circulation += other.circulation;
    if (other.largest_u > largest_u) largest_u = other.largest_u;
    if (other.largest_v > largest_v) largest_v = other.largest_v;
    if (other.smallest_height < smallest_height) smallest_height = other.smallest_height;
    if (other.first_fault < first_fault) first_fault = other.first_fault;
  }
};

/// n is the number of cells in the statements of traffic.
template <class Space, class Scalar>
struct DiagnosticsKernels {
  using State = StateFields<const Scalar>;

  /// All of them in one reduction. Fences `space`.
  // traffic: reads 3n, and each field of the basin; flops: 50n
  static DiagnosticsPart diagnose(const Space& space, const Rectangle& rectangle,
                                  const BasinFields<Scalar>& basin, const State& state);

  /// (rot u + f) / Phi at corners.
  // traffic: reads 3n, writes n; flops: 10n
  static void potential_vorticity(const Space& space, const Rectangle& rectangle,
                                  const BasinFields<Scalar>& basin, const State& state,
                                  const StridedCells<Scalar>& out);
};

#define LAMINA_EXTERN_DIAGNOSTICS(Space)                   \
  extern template struct DiagnosticsKernels<Space, float>; \
  extern template struct DiagnosticsKernels<Space, double>;
LAMINA_FOR_EACH_SPACE(LAMINA_EXTERN_DIAGNOSTICS)
#undef LAMINA_EXTERN_DIAGNOSTICS

}  // namespace Impl
}  // namespace Lamina
