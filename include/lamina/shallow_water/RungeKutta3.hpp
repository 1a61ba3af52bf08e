// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/core/KernelRecord.hpp>
#include <lamina/shallow_water/ShallowWaterState.hpp>
#include <lamina/shallow_water/StepReport.hpp>
#include <lamina/shallow_water/VelocityMass.hpp>
#include <lamina/shallow_water/WaterBasin.hpp>
#include <lamina/shallow_water/impl/ExplicitStage.hpp>
#include <lamina/shallow_water/impl/StepCheck.hpp>
#include <lamina/shallow_water/impl/VelocityDiffusion.hpp>

#include <vector>

namespace Lamina {

/// Third-order, strong-stability-preserving Runge-Kutta for shallow water:
///
///   y_1 = y + dt k(y)
///   y_2 = 3/4 y + 1/4 (y_1 + dt k(y_1))
///   y'  = 1/3 y + 2/3 (y_2 + dt k(y_2))          k = M^-1 F
///
/// The nodes are (0, 1, 1/2), the weights (1/6, 1/6, 2/3). F is the C-grid discretisation of
///
///   dPhi/dt = - div(Phi u),   du/dt = - q (Phi u)^perp - grad(Phi + |u|^2/2),
///   q = (rot u + f) / Phi
///
/// A stage is one sweep for the height and the right-hand sides of the velocities, and two mass
/// solves. A step reads or writes 42 fields with `MassSolver::direct`, and each field of a basin three
/// times more. It is stable up to dt = 0.354 h for waves of speed 1 on water at rest, and less with
/// flow.
///
/// A `WaterBasin` adds a bottom to these equations, and makes f a field.
///
/// Source: Saunders (2014), eqs. (2.10)-(2.30), algorithm 2; its table 2 misprints the scheme.
template <FieldScalar Scalar, MemorySpace Memory>
class RungeKutta3 {
 public:
  using scalar_type = Scalar;
  using memory_space = Memory;
  using State = ShallowWaterState<Scalar, Memory>;

  /// Allocates a workspace of 6 fields. Copies share it: one step runs at a time.
  /// \throws InvalidArgument for a rectangle without cells, dt not positive and finite, f not
  ///   finite.
  RungeKutta3(const Rectangle& rectangle, double time_step, double coriolis,
              const MassOptions& mass = {})
      : RungeKutta3(WaterStrip<Memory>(rectangle), time_step, coriolis, mass) {}
  /// On the unit square, of n x n cells.
  RungeKutta3(int n, double time_step, double coriolis, const MassOptions& mass = {})
      : RungeKutta3(Rectangle::square(n), time_step, coriolis, mass) {}
  /// Of one rank. Then `step` is collective, and looks for faults of all ranks.
  RungeKutta3(const WaterStrip<Memory>& strip, double time_step, double coriolis,
              const MassOptions& mass = {})
      : RungeKutta3(WaterBasin<Scalar, Memory>(strip, coriolis), time_step, mass) {}
  /// With the bottom and the f of a basin, which may be fields, and its viscosity.
  /// \throws InvalidArgument where that is too large for dt, see `WaterBasin`.
  RungeKutta3(const WaterBasin<Scalar, Memory>& basin, double time_step,
              const MassOptions& mass = {});

  const WaterStrip<Memory>& strip() const { return m_stage.strip(); }
  /// The cells of this rank.
  const Rectangle& rectangle() const { return strip().owned(); }
  double time_step() const { return m_time_step; }

  /// One step forward. Enqueued on `space`: no allocation. With `MassSolver::direct` it fences only
  /// in each 20th step, see `check_every`. Ghosts must be filled, and are filled afterwards.
  /// \throws InvalidArgument for a state of another size.
  template <ExecutionSpace Space>
  requires WorksIn<Space, Memory> StepReport step(const Space& space, State& state);

  /// Sets after how many steps `step` checks the state for faults (`StepReport::fault`), counted
  /// from this call. Initially 20. A check reads 3 fields and fences `space`; at the first one
  /// Kokkos may allocate scratch. 0 means never: for callers of `find_fault` or `diagnose`, and
  /// before a stream is captured.
  /// \throws InvalidArgument for steps < 0.
  void check_every(int steps) { m_check.set_every("RungeKutta3::check_every", steps); }

  /// What one call of each kernel costs at least, by label.
  std::vector<KernelCost> kernel_costs() const;
  /// What a step costs at least: each stage reads each input once and writes each output once.
  KernelCost step_cost() const;

 private:
  template <FieldScalar, MemorySpace>
  friend class Leapfrog;

  double m_time_step;
  Impl::ExplicitStage<Scalar, Memory> m_stage;
  Impl::VelocityDiffusion<Scalar, Memory> m_diffusion;
  State m_first;                        // y_1, and the velocities of y_2
  typename State::field_type m_height;  // of y_2
  Impl::StepCheck m_check;
};

}  // namespace Lamina

#include <lamina/shallow_water/impl/RungeKutta3_Impl.hpp>
