// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/core/KernelRecord.hpp>
#include <lamina/shallow_water/ShallowWaterState.hpp>
#include <lamina/shallow_water/StateFault.hpp>
#include <lamina/shallow_water/WaterBasin.hpp>
#include <lamina/shallow_water/impl/DiagnosticsKernels.hpp>

#include <vector>

namespace Lamina {

/// Diagnostics of a state of shallow water. Sums have the factor h^2 and are in double precision.
struct ShallowWaterDiagnostics {
  double mass = 0;                 ///< sum Phi
  double energy = 0;               ///< sum Phi^2/2 + Phi b + (Phi_U U M U + Phi_V V M V)/2
  double potential_enstrophy = 0;  ///< sum (rot u + f)^2 / (2 Phi at corners)
  /// sum rot u + f. Where both directions are periodic it is the sum of f, up to rounding, for every
  /// state. Corners on walls count half.
  double circulation = 0;
  double largest_u = 0;  ///< largest |U|; NaNs are ignored
  double largest_v = 0;
  double smallest_height = 0;
  StateFault fault;  ///< see `find_fault`

  bool sound() const { return !fault.exists(); }
  /// (largest |U| + largest |V|) dt / h
  double courant_number(double time_step, const Rectangle& rectangle) const {
    return (largest_u + largest_v) * time_step * Impl::inverse_mesh_width(rectangle);
  }
};

namespace Impl {

/// The part of all ranks, added up in their order. Collective.
template <class Space, class Memory>
DiagnosticsPart total_of_ranks(const Space& space, const WaterStrip<Memory>& strip,
                               const DiagnosticsPart& own) {
  if (strip.is_whole()) return own;
  DiagnosticsPart total;
  total.reset();
  strip.for_each_rank(space, {own.mass, own.energy, own.enstrophy, own.circulation},
                      [&](const auto& sums) {
                        DiagnosticsPart part;
                        part.reset();
                        part.mass = sums[0];
                        part.energy = sums[1];
                        part.enstrophy = sums[2];
                        part.circulation = sums[3];
                        total.add(part);
                      });
  strip.for_each_rank(space, {own.largest_u, own.largest_v, own.smallest_height},
                      [&](const auto& extremes) {
                        DiagnosticsPart part;
                        part.reset();
                        part.largest_u = extremes[0];
                        part.largest_v = extremes[1];
                        part.smallest_height = extremes[2];
                        total.add(part);
                      });
  total.first_fault = first_of_all(space, strip, FirstFault{own.first_fault}).code;
  return total;
}

/// A flat basin with f as a number, for a state.
template <class Scalar, class Memory>
BasinFields<Scalar> flat_basin(const ShallowWaterState<Scalar, Memory>& state, double coriolis) {
  BasinFields<Scalar> basin;
  basin.constant = coriolis;
  basin.south_wall = state.strip().south_wall();
  basin.north_wall = state.strip().north_wall();
  return basin;
}

template <class Space, class Scalar, class Memory>
ShallowWaterDiagnostics diagnose_in(const Space& space,
                                    const ShallowWaterState<Scalar, Memory>& state,
                                    const BasinFields<Scalar>& basin) {
  const auto part = total_of_ranks(
      space, state.strip(),
      DiagnosticsKernels<Space, Scalar>::diagnose(space, state.rectangle(), basin, state.fields()));
  const double inverse_h = inverse_mesh_width(state.rectangle());
  const double area = 1 / inverse_h / inverse_h;
  return {.mass = area * part.mass,
          .energy = area * part.energy,
          .potential_enstrophy = area * part.enstrophy,
          .circulation = area * part.circulation,
          .largest_u = part.largest_u,
          .largest_v = part.largest_v,
          .smallest_height = part.smallest_height,
          .fault = located(FirstFault{part.first_fault}, state.strip().whole())};
}

template <class Space, class Scalar, class Memory, class Out>
void potential_vorticity_in(const Space& space, const ShallowWaterState<Scalar, Memory>& state,
                            const BasinFields<Scalar>& basin, const Out& out) {
  const auto [nx, ny] = state.rectangle();
  require_field("potential_vorticity", "out", out, nx, ny);
  DiagnosticsKernels<Space, Scalar>::potential_vorticity(space, state.rectangle(), basin,
                                                         state.fields(), StridedCells<Scalar>(out));
}

}  // namespace Impl

/// Diagnostics of a state whose ghosts are filled: invariants of the continuous equations, with the
/// mass matrix in the kinetic energy. Over several ranks those of the whole rectangle, on each rank;
/// the call is collective. Reads each field once. Fences `space`. On a device Kokkos may
/// allocate scratch at the first call.
/// \throws InvalidArgument for a state of another size.
template <ExecutionSpace Space, FieldScalar Scalar, MemorySpace Memory>
requires WorksIn<Space, Memory> ShallowWaterDiagnostics
diagnose(const Space& space, const ShallowWaterState<Scalar, Memory>& state,
         const WaterBasin<Scalar, Memory>& basin) {
  Impl::require_same_strip("diagnose", "basin", state.strip(), basin.strip());
  return Impl::diagnose_in(space, state, basin.fields());
}
/// Over a flat bottom, with the same f everywhere.
template <ExecutionSpace Space, FieldScalar Scalar, MemorySpace Memory>
requires WorksIn<Space, Memory> ShallowWaterDiagnostics
diagnose(const Space& space, const ShallowWaterState<Scalar, Memory>& state, double coriolis) {
  return Impl::diagnose_in(space, state, Impl::flat_basin(state, coriolis));
}

/// (rot u + f) / Phi at the corners: out(i, j) at (i h, j h). Enqueued on `space`: no allocation,
/// no fence.
/// \param out  (nx, ny), of either layout
/// \throws InvalidArgument where `out` is not nx x ny, and for a state of another size.
template <ExecutionSpace Space, FieldScalar Scalar, MemorySpace Memory, FieldOf<Scalar, Memory> Out>
requires WorksIn<Space, Memory> && WritableField<Out>
void potential_vorticity(const Space& space, const ShallowWaterState<Scalar, Memory>& state,
                         const WaterBasin<Scalar, Memory>& basin, const Out& out) {
  Impl::require_same_strip("potential_vorticity", "basin", state.strip(), basin.strip());
  Impl::potential_vorticity_in(space, state, basin.fields(), out);
}
/// With the same f everywhere.
template <ExecutionSpace Space, FieldScalar Scalar, MemorySpace Memory, FieldOf<Scalar, Memory> Out>
requires WorksIn<Space, Memory> && WritableField<Out>
void potential_vorticity(const Space& space, const ShallowWaterState<Scalar, Memory>& state,
                         double coriolis, const Out& out) {
  Impl::potential_vorticity_in(space, state, Impl::flat_basin(state, coriolis), out);
}

}  // namespace Lamina

#include <lamina/shallow_water/impl/DiagnosticsKernels_Bodies.hpp>
