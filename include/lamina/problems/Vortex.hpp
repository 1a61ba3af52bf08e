// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/problems/impl/VortexKernels.hpp>
#include <lamina/shallow_water/ShallowWaterState.hpp>

#include <cmath>

namespace Lamina {

/// The error of a height at the centres of cells.
struct HeightError {
  double l2 = 0;    ///< sqrt(h^2 sum of e^2)
  double linf = 0;  ///< max |e|; NaN where a value is NaN
};

/// Initial data of shallow water: a depression of the height around the centre of the rectangle,
///
///   Phi(r) = 1 - (1/20) exp(-(r/omega)^6) (1 + cos(pi r^2/sigma^2)) for r < sigma, else 1,
///   omega = 3/20, sigma = 1/5
///
/// and velocities at the midpoints of edges.
///
/// `fill_vortex` sets the vortex in balance with it, (-(y - y_0), x - x_0) Psi(r)/r,
///
///   Psi = (r f/2) (sqrt(1 + 4/(r f^2) dPhi/dr) - 1),   for f = 0 its limit sqrt(r dPhi/dr)
///
/// plus a uniform flow (U, V). The vortex is stationary. Where f = 0, the uniform flow carries it
/// along unchanged; with rotation a uniform flow turns by itself.
///
/// `fill_depression` sets Phi with the uniform flow only.
///
/// Source: Saunders (2014), eqs. (3.2)-(3.5), where (3.5) must have r f^2 in place of sigma f^2,
/// and (5.1)-(5.4).
class Vortex {
 public:
  /// \throws InvalidArgument for values that are not finite.
  explicit Vortex(double coriolis = 0.3, double velocity_x = 0, double velocity_y = 0);

  double coriolis() const { return m_data.coriolis; }

  /// Whether the depression, which is 2 sigma wide, has room on a rectangle: ny/nx >= 2/5.
  static bool fits(const Rectangle& rectangle) { return 5.0 * rectangle.ny >= 2.0 * rectangle.nx; }

  /// Fills a state, ghosts included. Collective where it is that of a rank. Enqueued on `space`: no allocation, no fence.
  /// \throws InvalidArgument where it does not fit.
  template <ExecutionSpace Space, FieldScalar Scalar, MemorySpace Memory>
  requires WorksIn<Space, Memory>
  void fill_vortex(const Space& space, const ShallowWaterState<Scalar, Memory>& state) const {
    require_fit("Vortex::fill_vortex", state.strip().whole());
    Impl::VortexKernels<Space, Scalar>::fill(space, lines_of(state), m_data, true, state.fields());
    state.exchange(space);
  }
  template <ExecutionSpace Space, FieldScalar Scalar, MemorySpace Memory>
  requires WorksIn<Space, Memory>
  void fill_depression(const Space& space, const ShallowWaterState<Scalar, Memory>& state) const {
    require_fit("Vortex::fill_depression", state.strip().whole());
    Impl::VortexKernels<Space, Scalar>::fill(space, lines_of(state), m_data, false, state.fields());
    state.exchange(space);
  }

  /// Whether the vortex is known at later times: without flow, or without rotation.
  bool has_exact_solution() const;

  /// The error of the height at `time`, where the vortex is known; over several ranks that of all of
  /// them. Collective then. Fences `space`.
  template <ExecutionSpace Space, FieldScalar Scalar, MemorySpace Memory>
  requires WorksIn<Space, Memory> HeightError error(const Space& space,
                                                    const ShallowWaterState<Scalar, Memory>& state,
                                                    double time)
  const {
    const auto own = Impl::VortexKernels<Space, Scalar>::error(space, lines_of(state), m_data, time,
                                                               state.fields().height);
    double norm = 0, largest = 0;
    state.strip().for_each_rank(space, {own.norm, own.largest}, [&](const auto& theirs) {
      norm = std::hypot(norm, theirs[0]);
      if (!(largest >= theirs[1]) && !std::isnan(largest)) largest = theirs[1];
    });
    return {.l2 = norm * state.mesh_width(), .linf = largest};
  }

 private:
  template <class State>
  static Impl::VortexLines lines_of(const State& state) {
    const auto& strip = state.strip();
    return {strip.whole(), strip.owned(), strip.first_line()};
  }
  static void require_fit(const char* function, const Rectangle& rectangle);

  Impl::VortexData m_data;
};

}  // namespace Lamina
